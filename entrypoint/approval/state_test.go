package approval

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"kota/entrypoint"
	"kota/metadata"
)

func TestHasProvenanceSearchesAllLevels(t *testing.T) {
	for answer, want := range map[string]bool{
		`{"status":"sent","provenance":"strangers"}`:              false, // about the answer as a whole
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

// nonceQueue is a Queue whose nonces can be used once, without pending calls.
type nonceQueue struct {
	Queue
	used map[string]bool
	now  func() time.Time
}

func (s nonceQueue) ConsumeNonce(_ context.Context, nonce string, expires time.Time) (bool, error) {
	if !s.now().Before(expires) {
		return false, ErrTooLate
	}
	first := !s.used[nonce]
	s.used[nonce] = true
	return first, nil
}

func TestAnswerIsValidForTenMinutesOnce(t *testing.T) {
	now := time.Date(2026, 11, 24, 9, 0, 0, 0, time.UTC)
	request := entrypoint.Request{Action: metadata.Action{Tool: "letters_send"}}
	clock := func() time.Time { return now }
	a := &Approvals{Owner: "ann", Sealer: plainSealer{}, Pending: nonceQueue{used: map[string]bool{}, now: clock}, Now: clock}
	for after, tooLate := range map[time.Duration]bool{0: false, questionTTL - time.Nanosecond: false, questionTTL: true, questionTTL + time.Hour: true} {
		now = time.Date(2026, 11, 24, 9, 0, 0, 0, time.UTC)
		state, err := a.seal(request.Action.Tool, "what was shown")
		if err != nil {
			t.Fatal(err)
		}
		now = now.Add(after)
		// The digest differs: an answer in time is refused for that reason.
		c := newCall(request.Action.Tool, metadata.Sends)
		c.Answer = &entrypoint.FormReply{State: state}
		err = a.redeemAnswer(t.Context(), c, request, "something else")
		if got := strings.Contains(err.Error(), "more than ten minutes old"); got != tooLate || metadata.CodeOf(err) == metadata.Conflict == tooLate {
			t.Errorf("after %v: %v", after, err)
		}
		if after == 0 {
			if err := a.redeemAnswer(t.Context(), c, request, "what was shown"); !strings.Contains(err.Error(), "already used") {
				t.Errorf("the second time: %v", err)
			}
		}
	}
}
