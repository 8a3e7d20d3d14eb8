package approval

import (
	"context"
	"encoding/json"
	"errors"
	"testing"
	"time"

	"kota/bundles"
	"kota/entrypoint"
	"kota/metadata"
)

// fakeQueue is a Queue that keeps pending calls, each under the same id.
type fakeQueue struct {
	Queue
	waiting *[]PendingCall
}

func (p fakeQueue) Enqueue(_ context.Context, w PendingCall) (string, error) {
	*p.waiting = append(*p.waiting, w)
	return "a_k3v9q2m7xw", nil
}

// formsAfterClient is a client that shows forms after the call.
type formsAfterClient struct{ FormClient }

func (formsAfterClient) FormMode(context.Context) entrypoint.FormMode {
	return entrypoint.FormsAfterCall
}

// newCall returns a checked call of the tool with that effect.
func newCall(tool string, effect metadata.Effect) *entrypoint.Call {
	return &entrypoint.Call{Session: entrypoint.NewSession(), Action: bundles.Action{Action: metadata.Action{Tool: tool}}, Prepared: bundles.Call{Effect: effect}}
}

// sendRequest returns a request to send a letter.
func sendRequest() entrypoint.Request {
	return entrypoint.Request{
		Action: metadata.Action{Tool: "letters_send"}, Effect: metadata.Sends, Args: json.RawMessage(`{}`),
		Outgoing: bundles.Outgoing{What: "letter", People: []string{"ann@example.com"}, Lines: []bundles.Line{{Name: "To", Text: "ann@example.com"}}},
	}
}

func TestCallWaitsWithoutQuestionAfterThreeRefusals(t *testing.T) {
	now, waiting := time.Date(2026, 11, 24, 9, 0, 0, 0, time.UTC), []PendingCall{}
	a := &Approvals{Owner: "ann", Sealer: plainSealer{}, Pending: fakeQueue{waiting: &waiting}, Client: formsAfterClient{}, Now: func() time.Time { return now }}
	request, c := sendRequest(), newCall("letters_send", metadata.Sends)
	for refused := range 4 {
		err := a.Approve(t.Context(), c, request)
		switch question := errors.As(err, new(*entrypoint.InputRequired)); {
		case refused < 3 && (!question || len(waiting) != 0):
			t.Errorf("after %d refusals the user is not asked: %v", refused, err)
		case refused == 3 && (question || len(waiting) != 1 || metadata.CodeOf(err) != metadata.Refused):
			t.Errorf("after %d refusals: %v, and %d calls wait", refused, err, len(waiting))
		}
		c.Session.NoteRefusal(entrypoint.Refusal{Tool: "letters_send", At: now})
	}
}

func TestCheckConsentAcceptsOnlyAcceptedYes(t *testing.T) {
	answer := func(action entrypoint.FormAction, content map[string]any) *entrypoint.FormAnswer {
		return &entrypoint.FormAnswer{Action: action, Content: content}
	}
	for name, c := range map[string]struct {
		answer *entrypoint.FormAnswer
		yes    bool
	}{
		"accepted with yes":          {answer(entrypoint.FormAccepted, map[string]any{fieldYes: true}), true},
		"accepted with no":           {answer(entrypoint.FormAccepted, map[string]any{fieldYes: false}), false},
		"accepted with a text":       {answer(entrypoint.FormAccepted, map[string]any{fieldYes: "true"}), false},
		"accepted without an answer": {answer(entrypoint.FormAccepted, nil), false},
		"accepted for later alone":   {answer(entrypoint.FormAccepted, map[string]any{fieldTrust: true}), false},
		"declined with yes":          {answer(entrypoint.FormDeclined, map[string]any{fieldYes: true}), false},
		"closed with yes":            {answer(entrypoint.FormCancelled, map[string]any{fieldYes: true}), false},
		"without an action":          {answer("", map[string]any{fieldYes: true}), false},
		"missing":                    {nil, false},
	} {
		err := checkConsent(c.answer, "letters_send")
		if (err == nil) != c.yes || err != nil && metadata.CodeOf(err) != metadata.Refused {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

func TestSealedStateIsBoundToToolAndOwner(t *testing.T) {
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

func TestApprovalCoversOnlyShownEffect(t *testing.T) {
	request := sendRequest()
	for shown, same := range map[string]bool{Digest(request, "ann"): true, "another": false} {
		consumed, waiting, changed := 0, []PendingCall{}, ""
		a := &Approvals{Owner: "ann", Pending: fakeQueue{waiting: &waiting}}
		c := newCall("letters_send", metadata.Sends)
		c.Approval = &entrypoint.ApprovalByID{
			Command: "approve a_1", Digest: shown,
			Consume:  func(context.Context) error { consumed++; return nil },
			OnChange: func(_ entrypoint.Request, id string) { changed = id },
		}
		err := a.Approve(t.Context(), c, request)
		switch {
		case same && (err != nil || consumed != 1 || len(waiting) != 0):
			t.Errorf("as shown: %v, consumed %d times, %d wait", err, consumed, len(waiting))
		case !same && (metadata.CodeOf(err) != metadata.Conflict || consumed != 0 || len(waiting) != 1 || changed != "a_k3v9q2m7xw"):
			t.Errorf("other than shown: %v, consumed %d times, %d wait, changed to %q", err, consumed, len(waiting), changed)
		}
	}
}

// An outcomeQueue is a Queue whose TakeOutcome always returns the same outcome.
type outcomeQueue struct {
	Queue
	*Outcome
}

func (t outcomeQueue) TakeOutcome(context.Context, string) (*Outcome, error) {
	return t.Outcome, nil
}

// answerOutcome answers the call with the outcome and reports whether that counts as untrusted text.
func answerOutcome(t *testing.T, c *entrypoint.Call, outcome *Outcome) (untrusted bool, err error) {
	t.Helper()
	c.Env.OnUntrusted = func() { untrusted = true }
	_, err = (&Approvals{Pending: outcomeQueue{Outcome: outcome}}).AnswerOutcome(func(context.Context, *entrypoint.Call) (any, error) {
		t.Error("the call is done all the same")
		return nil, nil
	})(c.Env.NewContext(t.Context()), c)
	return untrusted, err
}

func TestDeliveredOutcomeTaintsSession(t *testing.T) {
	for answer, want := range map[string]bool{
		`{"messages":[{"text":"hi","provenance":"strangers"}]}`: true,
		`{"status":"sent"}`: false,
	} {
		got, err := answerOutcome(t, newCall("letters_send", metadata.Sends), &Outcome{ID: "a_1", Answer: json.RawMessage(answer)})
		if err != nil || got != want {
			t.Errorf("%s has untrusted text: %t, %v", answer, got, err)
		}
	}
	c := newCall("letters_send", metadata.Sends)
	_, err := answerOutcome(t, c, &Outcome{ID: "a_1", Rejected: true, Err: metadata.Errorf(metadata.Refused, "no")})
	if e := (*metadata.Error)(nil); !errors.As(err, &e) || len(c.Session.Refusals(time.Time{})) != 1 {
		t.Errorf("a rejection returns %v, and counts %d times", err, len(c.Session.Refusals(time.Time{})))
	}
}
