package app

import (
	"testing"

	"kota/entrypoint/transport"
	"kota/store/postgres/sessions"
)

// An Endpoint has the same limits with sessions in memory as with those of a server.
func TestSessionsHaveOneLimit(t *testing.T) {
	if sessions.MaxOpen != transport.MaxSessions || sessions.Idle != transport.SessionIdle {
		t.Errorf("a server allows %d sessions and %v, memory %d and %v", sessions.MaxOpen, sessions.Idle, transport.MaxSessions, transport.SessionIdle)
	}
	if sessions.ClaimedFor <= transport.ClaimEvery {
		t.Errorf("a stream that is claimed again after %v is lost after %v", transport.ClaimEvery, sessions.ClaimedFor)
	}
}
