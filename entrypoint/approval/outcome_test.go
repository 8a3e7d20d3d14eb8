package approval

import (
	"testing"
	"time"

	"kota/entrypoint"
	"kota/metadata"
)

func TestOnlyRejectionCountsAsRefusal(t *testing.T) {
	now := time.Date(2026, 3, 14, 9, 0, 0, 0, time.UTC)
	for name, c := range map[string]struct {
		became Outcome
		want   int // refusals that count afterwards; there was one before
	}{
		"rejected":                            {Outcome{Rejected: true, Err: metadata.Errorf(metadata.Refused, "the user rejected it")}, 2},
		"approved, and refused by Google":     {Outcome{Err: metadata.Errorf(metadata.Refused, "Google refused it")}, 0},
		"approved, and failed otherwise":      {Outcome{Err: metadata.Errorf(metadata.Conflict, "the key is taken")}, 0},
		"approved and done":                   {Outcome{Answer: []byte(`{}`)}, 0},
		"approved, and its outcome not known": {Outcome{Err: metadata.Errorf(metadata.OutcomeUnknown, "nobody knows")}, 0},
	} {
		t.Run(name, func(t *testing.T) {
			c.became.At = now
			call := newCall("post_send", metadata.Sends)
			call.Session.NoteRefusal(entrypoint.Refusal{Tool: "post_send", At: now})
			if _, err := answerOutcome(t, call, &c.became); (err != nil) != (c.became.Err != nil) {
				t.Fatalf("answered: %v", err)
			}
			if got := len(call.Session.Refusals(now)); got != c.want {
				t.Errorf("%d refusals count, want %d", got, c.want)
			}
		})
	}
}
