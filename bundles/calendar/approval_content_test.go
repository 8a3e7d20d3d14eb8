package calendar_test

import (
	"context"
	"strings"
	"testing"

	"kota/bundles"
	"kota/bundles/bundletest"
	"kota/bundles/internal/google/googletest/fakecalendar"
	"kota/metadata"
)

// approvalRequest returns the text for which a call asks approval. The policy refuses the
// call.
func approvalRequest(t *testing.T, d *fixture, tool string, a args) (out bundles.Outgoing) {
	t.Helper()
	no := metadata.Errorf(metadata.ApprovalNeeded, "ask first").WithHint("Ask.")
	ctx := bundletest.WithSendPolicy(t.Context(), bundles.SendPolicy{
		Confirm: func(_ context.Context, asked bundles.Outgoing) error { out = asked; return no },
		Check:   func(context.Context, bundles.Outgoing) error { return nil },
	})
	if _, err := prepareTool(t, d.bundle, tool, a).Do(ctx); metadata.CodeOf(err) != metadata.ApprovalNeeded {
		t.Fatalf("%s %v does not ask for approval: %v", tool, a, err)
	}
	return out
}

// approvalText returns all lines that an approval shows to the user.
func approvalText(out bundles.Outgoing) string {
	var text strings.Builder
	for _, line := range out.Lines {
		text.WriteString(line.Name + ": " + line.Text + "\n")
	}
	return text.String()
}

// A person who sees an event for the first time sees all of it, so the approval shows all.
func TestApprovalForNewViewersShowsWholeEvent(t *testing.T) {
	private := args{"description": "Fire Carl", "location": "Room 9", "attachments": []args{{"title": "List", "fileUrl": "https://drive.example/list"}},
		"conferenceData": args{"entryPoints": []args{{"entryPointType": "video", "uri": "https://zoom.example/1", "pin": "4711"}}}}
	all := []string{"Fire Carl", "Room 9", "https://drive.example/list", "https://zoom.example/1", "4711"}
	for name, c := range map[string]struct {
		set   func(d *fixture) (event string, asks args)
		tool  string
		shows []string
	}{
		"one more guest": {func(*fixture) (string, args) { return "lunch", args{"add_attendees": "eve@evil.example"} }, "calendar_update_event", all},
		"one more guest and another description": {func(*fixture) (string, args) {
			return "lunch", args{"add_attendees": "eve@evil.example", "description": "Promote Carl"}
		}, "calendar_update_event", append([]string{"Promote Carl"}, all...)},
		"one more guest of a series with exceptions": {func(d *fixture) (string, args) {
			d.ann.ChangeEvent("primary", "standup_20261215T080000Z", args{"description": "The reserve"})
			return "standup", args{"add_attendees": "eve@evil.example", "scope": "all"}
		}, "calendar_update_event", append([]string{"The reserve"}, all...)},
		"a new series for the following instances": {func(d *fixture) (string, args) {
			d.ann.ChangeEvent("primary", "standup", args{"attendees": []args{{"email": bob}}})
			return "standup", args{"scope": "following", "instance": "2026-12-08", "title": "New"}
		}, "calendar_update_event", []string{"Fire Carl", "Room 9", "https://drive.example/list"}},
		"a move to somebody else's calendar": {func(d *fixture) (string, args) {
			d.google.User(bob).ShareCalendar(bob, ann, "writer")
			return "lunch", args{"to": bob}
		}, "calendar_move_event", all},
		"undo of a deletion": {func(d *fixture) (string, args) {
			d.ann.ChangeEvent("primary", "lunch", args{"attendees": []args{{"email": bob}}})
			got := bundletest.Must[changeAnswer](t, d.bundle, "calendar_delete_event", args{"event_id": "lunch"})
			return "", args{"undo_id": got.Undo}
		}, "calendar_undo", all},
		"undo of removing a guest": {func(d *fixture) (string, args) {
			d.ann.ChangeEvent("primary", "lunch", args{"attendees": []args{{"email": bob}}})
			got := bundletest.Must[changeAnswer](t, d.bundle, "calendar_update_event", args{"event_id": "lunch", "remove_attendees": bob})
			return "lunch", args{"undo_id": got.Undo}
		}, "calendar_undo", all},
	} {
		t.Run(name, func(t *testing.T) {
			d := newFixture(t)
			d.google.User(bob)
			d.ann.AddEvent("primary", merge(timedEvent("lunch", "Lunch", "2026-11-24T12:00", "2026-11-24T13:00"), private))
			d.ann.AddEvent("primary", merge(merge(timedEvent("standup", "Standup", "2026-12-01T09:00", "2026-12-01T09:30"), private), args{"recurrence": []string{"RRULE:FREQ=WEEKLY;COUNT=6"}}))
			event, asks := c.set(d)
			if event != "" && asks["undo_id"] == nil {
				asks["event_id"] = event
			}
			first := approvalRequest(t, d, c.tool, asks)
			for _, text := range c.shows {
				if !strings.Contains(approvalText(first), text) {
					t.Errorf("%q is sent and not shown:\n%s", text, approvalText(first))
				}
			}
			if again := approvalRequest(t, d, c.tool, asks); again.Digest != first.Digest {
				t.Errorf("the same request has another digest:\n%s\n%s", approvalText(first), approvalText(again))
			}
			if event == "" {
				return
			}
			d.ann.ChangeEvent("primary", event, args{"extendedProperties": args{"shared": args{"code": "seven"}}})
			if again := approvalRequest(t, d, c.tool, asks); again.Digest == first.Digest {
				t.Error("the event changed, and the digest is the same")
			}
		})
	}
}

// Guests' answers do not invalidate an approval.
func TestGuestAnswerKeepsApprovalValid(t *testing.T) {
	d := newFixture(t)
	his := d.google.User(bob)
	d.ann.AddEvent("primary", merge(timedEvent("lunch", "Lunch", "2026-11-24T12:00", "2026-11-24T13:00"), args{"attendees": []args{{"email": bob}}}))
	asks := args{"event_id": "lunch", "add_attendees": "carl@example.com"}
	first := approvalRequest(t, d, "calendar_update_event", asks)
	his.ChangeEvent("primary", "lunch", args{"attendees": []args{{"email": bob, "responseStatus": "accepted", "comment": "gladly"}}})
	if again := approvalRequest(t, d, "calendar_update_event", asks); again.Digest != first.Digest {
		t.Errorf("first\n%s\nthen\n%s", approvalText(first), approvalText(again))
	}
}

// For people who already see the event, the approval shows only the changes.
func TestApprovalForKnownGuestsShowsOnlyChanges(t *testing.T) {
	d := oneLunch(t, args{"description": "The usual", "attendees": []args{{"email": bob}}})
	d.ann.AddCalendar(fakecalendar.Calendar{Summary: "Work"})
	for tool, asks := range map[string]args{"calendar_update_event": {"title": "Dinner"}, "calendar_move_event": {"to": "Work"}} {
		if shown := approvalText(approvalRequest(t, d, tool, merge(asks, args{"event_id": "lunch"}))); strings.Contains(shown, "The usual") {
			t.Errorf("%s: shown is\n%s", tool, shown)
		}
	}
}

// If somebody changes an event after its approval, it is not sent to people who have not
// seen it.
func TestTextAddedAfterApprovalIsNotSent(t *testing.T) {
	d := oneLunch(t, args{"description": "The usual"})
	asks := prepareTool(t, d.bundle, "calendar_update_event", args{"event_id": "lunch", "add_attendees": bob})
	ctx := bundletest.WithSendPolicy(t.Context(), bundles.SendPolicy{
		Confirm: func(context.Context, bundles.Outgoing) error {
			d.ann.ChangeEvent("primary", "lunch", args{"description": "Fire Carl"})
			return nil
		},
		Check: func(context.Context, bundles.Outgoing) error { return nil },
	})
	if _, err := asks.Do(ctx); metadata.CodeOf(err) != metadata.Conflict || strings.Contains(jsonOf(t, d.ann.Event("primary", "lunch")), bob) {
		t.Errorf("got %v, and the event is %s", err, jsonOf(t, d.ann.Event("primary", "lunch")))
	}
}

// Restoring somebody's event sends the organizer the comment again.
func TestUndoDeleteWithCommentNeedsApproval(t *testing.T) {
	d := newFixture(t)
	id := d.google.User(bob).AddEvent("primary", merge(timedEvent("lunch", "Lunch", "2026-11-24T12:00", "2026-11-24T13:00"), args{"attendees": []args{{"email": ann}}}))
	bundletest.Must[respondAnswer](t, d.bundle, "calendar_respond_event", args{"event_id": id, "answer": "yes", "comment": "I bring Carl"})
	got := bundletest.Must[changeAnswer](t, d.bundle, "calendar_delete_event", args{"event_id": id})
	before := d.bobsEvents(t)
	out := approvalRequest(t, d, "calendar_undo", args{"undo_id": got.Undo})
	if len(out.People) != 1 || out.People[0] != bob || !strings.Contains(approvalText(out), "Comment: I bring Carl") {
		t.Errorf("asked about %q with\n%s", out.People, approvalText(out))
	}
	if now := d.bobsEvents(t); now != before {
		t.Errorf("without approval, Bob has %s", now)
	}
	bundletest.Must[struct{}](t, d.bundle, "calendar_undo", args{"undo_id": got.Undo})
	if now := d.bobsEvents(t); !strings.Contains(now, "I bring Carl") {
		t.Errorf("approved, Bob has %s", now)
	}
}

// Invisible characters are sent too. The approval passes them on unchanged, and its display
// marks them.
func TestApprovalKeepsInvisibleCharacters(t *testing.T) {
	d := newFixture(t)
	d.ann.AddEvent("primary", merge(timedEvent("lunch", "Lun\u200bch", "2026-11-24T12:00", "2026-11-24T13:00"), args{
		"location": "Room\u2060 9", "description": "see\u202eyou\nthe\U000E0041re", "attendees": []args{{"email": bob}},
	}))
	shown := approvalText(approvalRequest(t, d, "calendar_update_event", args{"event_id": "lunch", "add_attendees": "carl@example.com"}))
	for _, text := range []string{"Lun\u200bch", "Room\u2060 9", "see\u202eyou\nthe\U000E0041re"} {
		if !strings.Contains(shown, text) {
			t.Errorf("%q is sent, and is not in %q", text, shown)
		}
	}
}
