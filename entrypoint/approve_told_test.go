package entrypoint

import (
	"context"
	"testing"
	"time"

	"kota/metadata"
)

func TestOnlyTheUsersOwnNoIsARefusal(t *testing.T) {
	now := time.Date(2026, 3, 14, 9, 0, 0, 0, time.UTC)
	for name, c := range map[string]struct {
		became Settled
		want   int // refusals that count then; there was one before
	}{
		"rejected":                            {Settled{Rejected: true, Err: metadata.Errorf(metadata.Refused, "the user rejected it")}, 2},
		"approved, and refused by Google":     {Settled{Err: metadata.Errorf(metadata.Refused, "Google refused it")}, 0},
		"approved, and failed otherwise":      {Settled{Err: metadata.Errorf(metadata.Conflict, "the key is taken")}, 0},
		"approved and done":                   {Settled{Outcome: []byte(`{}`)}, 0},
		"approved, and its outcome not known": {Settled{Err: metadata.Errorf(metadata.OutcomeUnknown, "nobody knows")}, 0},
	} {
		t.Run(name, func(t *testing.T) {
			c.became.At = now
			r := &Router{told: func(context.Context, Request) (*Settled, error) { return &c.became, nil }}
			ctx := WithSession(t.Context())
			noteRefusal(ctx, "post_send", now)
			_, there, err := r.deliveredOutcome(ctx, aCall("post_send", metadata.Sends))
			if !there || (err != nil) != (c.became.Err != nil) {
				t.Fatalf("answered: %v, %v", there, err)
			}
			if got := len(refusals(ctx, now)); got != c.want {
				t.Errorf("%d refusals count, want %d", got, c.want)
			}
		})
	}
}
