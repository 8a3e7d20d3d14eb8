package main

import (
	"strings"
	"testing"

	"kota/bundles/bundletest"
)

// loseInvitation makes an invitation for Bob whose outcome stays unknown: neither the
// request nor the later query gets an answer.
func (d *testHome) loseInvitation(happened bool) {
	d.t.Helper()
	for _, fault := range []bundletest.GoogleFault{
		{Method: "calendar.events.insert", Answer: bundletest.GoogleReset, AfterEffect: happened},
		{Method: "calendar.events.get", Status: 403, Reason: "forbidden"},
	} {
		defer d.google.Fault(fault)()
	}
	_, failure := d.call("calendar_create_event", object{"title": "Lunch", "start": someday + "T12:00", "attendees": bob, "notify": "all"})
	if failure == nil || failure.Code != "OUTCOME_UNKNOWN" || failure.Hint == "" {
		d.t.Fatalf("answered %+v", failure)
	}
}

// checkInvited checks that Bob was mailed, and has the event, that many times.
func (d *testHome) checkInvited(times int) {
	d.t.Helper()
	if mailed, has := len(d.google.Invitations()), len(d.google.User(bob).Events("primary")); mailed != times || has != times {
		d.t.Errorf("Bob was mailed %d times and has %d events, want %d", mailed, has, times)
	}
}

func TestUnknownInvitationIsResolvedByHand(t *testing.T) {
	t.Parallel()
	for name, happened := range map[string]bool{"sent": true, "not sent": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newCalendarHome(t, "send: allow\n")
			d.loseInvitation(happened)
			item := d.outbox()
			if item.Status != "unknown" || item.Kind != "invite" || item.Subject != "Lunch" || strings.Join(item.To, " ") != bob || !strings.Contains(item.Next, "kota outbox retry "+item.ID) {
				t.Errorf("the outbox has %+v", item)
			}
			if output, _, status := d.run("doctor"); status != 1 || !strings.Contains(output, "1 may or may not have been sent") {
				t.Errorf("doctor ends with %d and says %s", status, output)
			}
			if shown := d.must("outbox", "show", item.ID); !strings.Contains(shown, "Lunch") || !strings.Contains(shown, someday) || !strings.Contains(shown, bob) {
				t.Errorf("shown: %s", shown)
			}
			if output := d.must("outbox", "retry", item.ID); !strings.Contains(output, "sent, with event "+item.Event) {
				t.Errorf("retry says %s", output)
			}
			d.checkInvited(1)
			for _, act := range []string{"retry", "drop"} {
				if _, stderr, status := d.run("outbox", act, item.ID); status != 1 || !strings.Contains(stderr, "CONFLICT") {
					t.Errorf("%s of what was sent ends with %d: %s", act, status, stderr)
				}
			}
			d.mustCall("calendar_create_event", object{"title": "Lunch", "start": someday + "T12:00", "attendees": bob, "notify": "all"})
			d.checkInvited(1)
			if output := d.must("doctor"); !strings.Contains(output, "no mail or invitation needs your decision") {
				t.Errorf("doctor says %s", output)
			}
		})
	}
}

func TestInvitationIsCancelledByHand(t *testing.T) {
	t.Parallel()
	d := newCalendarHome(t, "send: allow\n")
	d.loseInvitation(false)
	item := d.outbox()
	d.configure("profile: no-send\n")
	if _, stderr, status := d.run("outbox", "retry", item.ID); status != 1 || !strings.Contains(stderr, "WRITES_DISABLED") {
		t.Errorf("retry under no-send ends with %d: %s", status, stderr)
	}
	if output := d.must("outbox", "drop", item.ID); !strings.Contains(output, item.ID+" is dropped") {
		t.Errorf("drop says %s", output)
	}
	if got := d.outbox(); got.Status != "dropped" || got.Next != "" {
		t.Errorf("the outbox has %+v", got)
	}
	d.checkInvited(0)
}
