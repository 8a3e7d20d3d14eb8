package entrypoint

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"kota/bundles"
	"kota/metadata"
)

func TestProvenanceOfAnItemIsFoundAtAnyDepth(t *testing.T) {
	for answer, want := range map[string]bool{
		`{"status":"sent","provenance":"strangers"}`:              false, // of the answer as a whole
		`{"message":{"provenance":"strangers"}}`:                  true,
		`{"messages":[{"provenance":"strangers"}]}`:               true,
		`[{"provenance":"strangers"}]`:                            true,
		`{"threads":[{"messages":[{"provenance":"strangers"}]}]}`: true,
		`{"messages":[],"provenance":"strangers"}`:                false,
		`{"messages":[]}`:                                         false,
	} {
		if got := hasProvenance(json.RawMessage(answer)); got != want {
			t.Errorf("%s: got %t, want %t", answer, got, want)
		}
	}
}

func TestEachKindOfCallHasPlacesOfItsOwn(t *testing.T) {
	all := newPlaces()
	for _, away := range []bool{true, false} {
		_, err := all.in(t.Context(), away, func(ctx context.Context) (any, error) {
			if taken, other := len(all.away), len(all.here); away && (taken != 1 || other != 0) || !away && (taken != 0 || other != 1) {
				t.Errorf("away %t: %d places of calls elsewhere and %d of the others are taken", away, taken, other)
			}
			return nil, nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// plainSealer binds a text to its context without a key.
type plainSealer struct{}

func (plainSealer) Seal(plain, context []byte) ([]byte, error) {
	return append(append(bytes.Clone(context), 0), plain...), nil
}

func (plainSealer) Open(sealed, context []byte) ([]byte, error) {
	plain, bound := bytes.CutPrefix(sealed, append(bytes.Clone(context), 0))
	if !bound {
		return nil, errors.New("bound to something else")
	}
	return plain, nil
}

// spentOnce are consents that are each good once, and no calls that wait.
type spentOnce struct {
	ApprovalRows
	spent map[string]bool
}

func (s spentOnce) Spend(_ context.Context, nonce string, _ time.Time) (bool, error) {
	first := !s.spent[nonce]
	s.spent[nonce] = true
	return first, nil
}

func TestAnAnswerToAQuestionCountsForTenMinutes(t *testing.T) {
	now := time.Date(2026, 11, 24, 9, 0, 0, 0, time.UTC)
	asked := Request{Action: metadata.Action{Tool: "letters_send"}}
	a := &Approvals{Owner: "ann", Sealer: plainSealer{}, Rows: spentOnce{spent: map[string]bool{}}, Now: func() time.Time { return now }}
	for after, tooLate := range map[time.Duration]bool{0: false, questionKept - time.Nanosecond: false, questionKept: true, questionKept + time.Hour: true} {
		now = time.Date(2026, 11, 24, 9, 0, 0, 0, time.UTC)
		state, err := a.seal(asked.Action.Tool, "what was shown")
		if err != nil {
			t.Fatal(err)
		}
		now = now.Add(after)
		// The digest differs, so that an answer in time is refused for that.
		err = a.reopen(t.Context(), consents{state: state}, asked, "something else")
		if got := strings.Contains(err.Error(), "ten minutes ago"); got != tooLate || metadata.CodeOf(err) == metadata.Conflict == tooLate {
			t.Errorf("after %v: %v", after, err)
		}
		if after == 0 {
			if err := a.reopen(t.Context(), consents{state: state}, asked, "what was shown"); !strings.Contains(err.Error(), "made use of before") {
				t.Errorf("the second time: %v", err)
			}
		}
	}
}

func TestAChangedCallThatTheUserNamedIsRecorded(t *testing.T) {
	named := WithApproval(t.Context(), NamedByUser{})
	for _, c := range []struct {
		ctx    context.Context
		effect metadata.Effect
		code   metadata.Code
		want   bool
	}{
		{named, metadata.Sends, metadata.Conflict, true},
		{t.Context(), metadata.Sends, metadata.Conflict, false},
		{t.Context(), metadata.Writes, metadata.Refused, true},
		{t.Context(), metadata.Writes, metadata.ApprovalNeeded, true},
		{t.Context(), metadata.Sends, metadata.RateLimited, true},
		{t.Context(), metadata.Destroys, metadata.WritesDisabled, true},
		{t.Context(), metadata.Writes, metadata.RateLimited, false},
		{named, metadata.Sends, metadata.NotFound, false},
	} {
		if got := notLetThrough(c.ctx, c.effect, c.code); got != c.want {
			t.Errorf("%s of a call that %s: recorded %t, want %t", c.code, c.effect, got, c.want)
		}
	}
}

func TestACallThatTheUserNamedIsCountedOnce(t *testing.T) {
	counted := 0
	r := &Router{limit: func(_ context.Context, _ metadata.Effect, n int) error { counted += n; return nil }}
	for _, c := range []struct {
		ctx  context.Context
		want int
	}{{t.Context(), 4}, {WithApproval(t.Context(), NamedByUser{}), 0}} { // `kota approve` counts a call that was named as it spends the consent
		counted = 0
		if err := r.within(c.ctx, metadata.Sends); err != nil {
			t.Fatal(err)
		}
		ctx, err := r.consented(c.ctx, metadata.Action{Tool: "letters_move", Effect: metadata.Writes}, bundles.Call{Effect: metadata.Writes})
		if err != nil {
			t.Fatal(err)
		}
		if err := bundles.MayChange(ctx, 3); err != nil {
			t.Fatal(err)
		}
		if counted != c.want {
			t.Errorf("%d are counted, want %d", counted, c.want)
		}
	}
}
