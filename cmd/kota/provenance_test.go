package main

import (
	"testing"

	"kota/entrypoint"
	"kota/metadata"
)

// Under `send: allow`, a tainted conversation writes something. A later
// conversation that has read nothing is asked before it sends that by its id.
func TestTaintedDraftIsAskedAboutInEverySession(t *testing.T) {
	t.Parallel()
	k, ids := newTaintProbe(t)
	for tool, args := range map[string]object{
		"gmail_send_draft":      {"draft_id": ids["draft"]},
		"calendar_update_event": {"event_id": ids["event"], "add_attendees": bob},
	} {
		if answer, failure := k.call(entrypoint.WithNewSession(t.Context()), tool, args); failure == nil || failure.Code != metadata.ApprovalNeeded {
			t.Errorf("%s: answered %v, %v", tool, answer, failure)
		}
	}
	fresh := entrypoint.WithNewSession(t.Context())
	own, failure := k.call(fresh, "gmail_send_message", object{"to": bob, "subject": "Hello", "body": "Noon?", "as_draft": true})
	if failure != nil {
		t.Fatal(failure)
	}
	if answer, failure := k.call(fresh, "gmail_send_draft", object{"draft_id": own["draft_id"]}); failure != nil {
		t.Errorf("one that was written before: answered %v, %v", answer, failure)
	}
}
