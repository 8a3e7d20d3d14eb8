package entrypoint

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"testing"
	"time"

	"kota/bundles"
	"kota/metadata"
)

// parks keeps calls that wait, each under the same id.
type parks struct {
	ApprovalRows
	waiting *[]Waiting
}

func (p parks) Park(_ context.Context, w Waiting) (string, error) {
	*p.waiting = append(*p.waiting, w)
	return "a_k3v9q2m7xw", nil
}

// asksAfter is a client that shows forms after the call.
type asksAfter struct{ FormClient }

func (asksAfter) Shows(context.Context) FormMode { return ShowsAfter }

// aCall is one of the tool that was checked and has that effect.
func aCall(tool string, effect metadata.Effect) *Call {
	return &Call{Action: bundles.Action{Action: metadata.Action{Tool: tool}}, Prepared: bundles.Call{Effect: effect}}
}

// aSend is a letter to be sent.
func aSend() Request {
	return Request{
		Action: metadata.Action{Tool: "letters_send"}, Effect: metadata.Sends, Args: json.RawMessage(`{}`),
		Outgoing: bundles.Outgoing{What: "letter", People: []string{"ann@example.com"}, Lines: []bundles.Line{{Name: "To", Text: "ann@example.com"}}},
	}
}

func TestAfterThreeRefusalsACallWaitsWithoutAQuestion(t *testing.T) {
	now, waiting := time.Date(2026, 11, 24, 9, 0, 0, 0, time.UTC), []Waiting{}
	a := &Approvals{Owner: "ann", Sealer: plainSealer{}, Rows: parks{waiting: &waiting}, Client: asksAfter{}, Now: func() time.Time { return now }}
	asked := aSend()
	ctx := WithSession(t.Context())
	for refused := range 4 {
		err := a.Approve(ctx, asked)
		switch question := errors.As(err, new(*InputRequired)); {
		case refused < 3 && (!question || len(waiting) != 0):
			t.Errorf("after %d refusals the user is not asked: %v", refused, err)
		case refused == 3 && (question || len(waiting) != 1 || metadata.CodeOf(err) != metadata.Refused):
			t.Errorf("after %d refusals: %v, and %d calls wait", refused, err, len(waiting))
		}
		noteRefusal(ctx, "letters_send", now)
	}
}

func TestARefusalCountsForADay(t *testing.T) {
	now := time.Date(2026, 11, 24, 9, 0, 0, 0, time.UTC)
	for after, want := range map[time.Duration]int{0: 1, 24*time.Hour - time.Nanosecond: 1, 24 * time.Hour: 0} {
		ctx := WithSession(t.Context())
		noteRefusal(ctx, "letters_send", now)
		if got := refusals(ctx, now.Add(after)); len(got) != want {
			t.Errorf("%v later %d count, want %d", after, len(got), want)
		}
	}
}

func TestOnlyAnAcceptedYesAgrees(t *testing.T) {
	said := func(action FormAction, content map[string]any) *FormAnswer {
		return &FormAnswer{Action: action, Content: content}
	}
	for name, c := range map[string]struct {
		answer *FormAnswer
		yes    bool
	}{
		"accepted with yes":          {said(FormAccepted, map[string]any{yes: true}), true},
		"accepted with no":           {said(FormAccepted, map[string]any{yes: false}), false},
		"accepted with a text":       {said(FormAccepted, map[string]any{yes: "true"}), false},
		"accepted without an answer": {said(FormAccepted, nil), false},
		"accepted for later alone":   {said(FormAccepted, map[string]any{alsoLater: true}), false},
		"declined with yes":          {said(FormDeclined, map[string]any{yes: true}), false},
		"closed with yes":            {said(FormCancelled, map[string]any{yes: true}), false},
		"without an action":          {said("", map[string]any{yes: true}), false},
		"missing":                    {nil, false},
	} {
		err := agrees(c.answer, "letters_send")
		if (err == nil) != c.yes || err != nil && metadata.CodeOf(err) != metadata.Refused {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

func TestAQuestionIsOfItsToolAndOwner(t *testing.T) {
	a := &Approvals{Owner: "ann", Sealer: plainSealer{}, Now: time.Now}
	state, err := a.seal("letters_send", "what was shown")
	if err != nil {
		t.Fatal(err)
	}
	if q, err := a.unseal(state, "letters_send"); err != nil || q.Digest != "what was shown" {
		t.Errorf("for its own tool: %+v, %v", q, err)
	}
	if _, err := a.unseal(state, "letters_burn"); err == nil {
		t.Error("the state of a question about another tool is taken")
	}
	if _, err := (&Approvals{Owner: "bob", Sealer: plainSealer{}, Now: time.Now}).unseal(state, "letters_send"); err == nil {
		t.Error("the state of a question to somebody else is taken")
	}
}

func TestTheUserApprovesWhatWasShownAlone(t *testing.T) {
	asked := aSend()
	for shown, same := range map[string]bool{asked.Digest("ann"): true, "another": false} {
		spent, waiting, changed := 0, []Waiting{}, ""
		a := &Approvals{Owner: "ann", Rows: parks{waiting: &waiting}}
		err := a.Approve((&Call{Approval: &ApprovalByID{
			How: "approve a_1", Digest: shown,
			Spend:   func(context.Context) error { spent++; return nil },
			Changed: func(_ Shown, id string) { changed = id },
		}}).in(t.Context()), asked)
		switch {
		case same && (err != nil || spent != 1 || len(waiting) != 0):
			t.Errorf("as shown: %v, spent %d times, %d wait", err, spent, len(waiting))
		case !same && (metadata.CodeOf(err) != metadata.Conflict || spent != 0 || len(waiting) != 1 || changed != "a_k3v9q2m7xw"):
			t.Errorf("other than shown: %v, spent %d times, %d wait, told of %q", err, spent, len(waiting), changed)
		}
	}
}

func TestOnlyASingleConversationTrustsPeople(t *testing.T) {
	ann := []string{"Ann@Example.com"}
	for name, c := range map[string]struct {
		ctx    context.Context
		people []string
		want   []string
	}{
		"of its own":         {WithSession(t.Context()), ann, []string{"ann@example.com"}},
		"shared":             {NewSharedSession().In(t.Context()), ann, nil},
		"none":               {t.Context(), ann, nil},
		"one has no address": {WithSession(t.Context()), append(ann, "everybody of the list"), nil},
	} {
		if got := trustable(c.ctx, c.people); !slices.Equal(got, c.want) || (got == nil) != (c.want == nil) {
			t.Errorf("%s: got %v, want %v", name, got, c.want)
		}
	}
}

func TestAnOutcomeThatIsToldLaterBringsItsStrangers(t *testing.T) {
	for outcome, want := range map[string]bool{
		`{"messages":[{"text":"hi","provenance":"strangers"}]}`: true,
		`{"status":"sent"}`: false,
	} {
		r := &Router{now: time.Now, told: func(context.Context, Request) (*Settled, error) {
			return &Settled{ID: "a_1", Outcome: json.RawMessage(outcome)}, nil
		}}
		c := aCall("letters_send", metadata.Sends)
		c.begin(WithSession(t.Context()), r)
		ctx, over := r.inSession(t.Context(), c)
		_, there, err := r.deliveredOutcome(ctx, c)
		if over(); !there || err != nil {
			t.Fatalf("got %t, %v", there, err)
		}
		if tainted(ctx) != want {
			t.Errorf("after %s the session has text from strangers: %t", outcome, !want)
		}
	}
	r := &Router{now: time.Now, told: func(context.Context, Request) (*Settled, error) {
		return &Settled{ID: "a_1", Rejected: true, Err: metadata.Errorf(metadata.Refused, "no")}, nil
	}}
	c := aCall("letters_send", metadata.Sends)
	c.begin(WithSession(t.Context()), r)
	ctx, _ := r.inSession(t.Context(), c)
	_, there, err := r.deliveredOutcome(ctx, c)
	if e := (*metadata.Error)(nil); !there || !errors.As(err, &e) || len(refusals(ctx, time.Time{})) != 1 {
		t.Errorf("a rejection is told as %t, %v, and counts %d times", there, err, len(refusals(ctx, time.Time{})))
	}
}

// Refusals may come between the look at them and the question.
func TestNoQuestionIsOpenedAfterTheLastRefusal(t *testing.T) {
	ctx, now := WithSession(t.Context()), time.Now()
	for i := range mostRefusals {
		_, answered, err := withdrawable(ctx, now)
		if err != nil {
			t.Fatalf("after %d refusals: %v", i, err)
		}
		answered()
		noteRefusal(ctx, "letters_send", now)
	}
	if asked, answered, err := withdrawable(ctx, now); err == nil || asked.Err() == nil {
		answered()
		t.Errorf("after %d refusals a question is opened", mostRefusals)
	}
}
