package audit

import (
	"testing"

	"kota/entrypoint"
	"kota/metadata"
)

func TestCountsAsRefused(t *testing.T) {
	named, other := &entrypoint.Call{Approval: &entrypoint.ApprovalByID{}}, &entrypoint.Call{}
	for _, c := range []struct {
		call   *entrypoint.Call
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
		if got := countsAsRefused(c.call, c.effect, c.code); got != c.want {
			t.Errorf("%s of a call that %s: recorded %t, want %t", c.code, c.effect, got, c.want)
		}
	}
}
