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
	all := &slots{}
	for _, away := range []bool{true, false} {
		c := aCall("letters_list", metadata.Reads)
		if away {
			c.Action.Scopes = []string{"read"}
		}
		_, err := all.do(t.Context(), c, func(context.Context, *Call) (any, error) {
			if taken, other := all.remote.taken, all.local.taken; away && (taken != 1 || other != 0) || !away && (taken != 0 || other != 1) {
				t.Errorf("away %t: %d places of calls elsewhere and %d of the others are taken", away, taken, other)
			}
			return nil, nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

func TestACallRunsInTheSlotThatItsTransportTook(t *testing.T) {
	r := &Router{}
	nothing := func(context.Context, *Call) (any, error) { return nil, nil }
	for range maxConcurrent - 1 {
		r.Acquire(true, nil)
	}
	c := aCall("letters_list", metadata.Reads)
	c.Action.Scopes = []string{"read"}
	c.Slot = r.Acquire(true, nil)
	given := make(chan *Slot, 1)
	if r.Acquire(true, func(s *Slot) { given <- s }) != nil {
		t.Fatal("there are more slots than may be")
	}
	if _, err := r.slots.do(t.Context(), c, nothing); err != nil {
		t.Fatal(err)
	}
	c.Slot.Release() // by the transport, to no effect
	(<-given).Release()
	if got := r.slots.remote.taken; got != maxConcurrent-1 {
		t.Errorf("%d slots are taken, want %d", got, maxConcurrent-1)
	}

	// A call that turns out to work on an account does not keep the slot of one that does not.
	c = aCall("letters_list", metadata.Reads)
	c.Action.Scopes, c.Slot = []string{"read"}, r.Acquire(false, nil)
	if _, err := r.slots.do(t.Context(), c, nothing); err != nil || r.slots.local.taken != 0 || r.slots.remote.taken != maxConcurrent-1 {
		t.Errorf("%v, %d local slots are taken and %d remote ones", err, r.slots.local.taken, r.slots.remote.taken)
	}

	// One that gives up waiting leaves no slot behind.
	r.Acquire(true, nil)
	over, cancel := context.WithCancel(t.Context())
	cancel()
	c.Slot = nil
	if _, err := r.slots.do(over, c, nothing); !errors.Is(err, context.Canceled) || len(r.slots.remote.waiting) != 0 {
		t.Errorf("%v, and %d wait", err, len(r.slots.remote.waiting))
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
		err = a.redeemAnswer(t.Context(), &FormReply{State: state}, asked, "something else")
		if got := strings.Contains(err.Error(), "ten minutes ago"); got != tooLate || metadata.CodeOf(err) == metadata.Conflict == tooLate {
			t.Errorf("after %v: %v", after, err)
		}
		if after == 0 {
			if err := a.redeemAnswer(t.Context(), &FormReply{State: state}, asked, "what was shown"); !strings.Contains(err.Error(), "made use of before") {
				t.Errorf("the second time: %v", err)
			}
		}
	}
}

func TestAChangedCallThatTheUserNamedIsRecorded(t *testing.T) {
	named, other := &Call{Approval: &ApprovalByID{}}, &Call{}
	for _, c := range []struct {
		call   *Call
		effect metadata.Effect
		code   metadata.Code
		want   bool
	}{
		{named, metadata.Sends, metadata.Conflict, true},
		{other, metadata.Sends, metadata.Conflict, false},
		{other, metadata.Writes, metadata.Refused, true},
		{other, metadata.Writes, metadata.ApprovalNeeded, true},
		{other, metadata.Sends, metadata.RateLimited, true},
		{other, metadata.Destroys, metadata.WritesDisabled, true},
		{other, metadata.Writes, metadata.RateLimited, false},
		{named, metadata.Sends, metadata.NotFound, false},
	} {
		if got := c.call.notLetThrough(c.effect, c.code); got != c.want {
			t.Errorf("%s of a call that %s: recorded %t, want %t", c.code, c.effect, got, c.want)
		}
	}
}

func TestACallThatTheUserNamedIsCountedOnce(t *testing.T) {
	counted := 0
	r := &Router{limit: func(_ context.Context, _ metadata.Effect, n int) error { counted += n; return nil }}
	for _, c := range []struct {
		approval *ApprovalByID
		want     int
	}{{nil, 4}, {&ApprovalByID{}, 0}} { // `kota approve` counts a call that was named as it spends the consent
		counted = 0
		move := aCall("letters_move", metadata.Writes)
		move.Approval = c.approval
		move.begin(t.Context(), r)
		move.Prepared.Do = func(ctx context.Context) (any, error) { return nil, bundles.MayChange(ctx, 3) }
		if err := move.count(t.Context(), metadata.Sends, 1); err != nil {
			t.Fatal(err)
		}
		if _, err := run(t.Context(), move); err != nil {
			t.Fatal(err)
		}
		if counted != c.want {
			t.Errorf("%d are counted, want %d", counted, c.want)
		}
	}
}
