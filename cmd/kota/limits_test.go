package main

import (
	"strings"
	"testing"

	"kota/bundles/bundletest"
)

func TestLimitsHoldAcrossRunsAndNameRetryTime(t *testing.T) {
	d := newCalendarHome(t, "")
	d.bundles = "gmail: on, calendar: on"
	d.configure("send: allow\ntimezone: Europe/Amsterdam\nlimits: {sends_per_hour: 1}\n")
	send := func(at, subject string) (string, int) {
		d.clock = at
		_, stderr, status := d.run("call", "gmail_send_message", `{"to":["`+bob+`"],"subject":"`+subject+`","body":"At ten."}`)
		return stderr, status
	}
	// Clocks are put back at 03:00: the hour ends when it is 02:30 for the
	// second time.
	if stderr, status := send("2026-10-25T02:30:00+02:00", "Rolls"); status != 0 {
		t.Fatal(stderr)
	}
	stderr, status := send("2026-10-25T02:29:59+01:00", "Loaves")
	if status != 1 || !strings.Contains(stderr, "RATE_LIMITED") || !strings.Contains(stderr, "after 2026-10-25T02:30:00+01:00") || !strings.Contains(stderr, "sends_per_hour") {
		t.Errorf("status %d: %s", status, stderr)
	}
	if stderr, status := send("2026-10-25T02:30:00+01:00", "Loaves"); status != 0 {
		t.Errorf("at the time that was said: %s", stderr)
	}
	codes := ""
	for _, call := range d.auditedCalls() {
		codes += call.Code + " "
	}
	if codes != "OK RATE_LIMITED OK " {
		t.Errorf("the audit log has %s", codes)
	}
}

// A loop that archives, trashes or moves everything is stopped, and everything
// it did can be undone.
func TestChangeLimitCountsChangedItems(t *testing.T) {
	t.Parallel()
	d := newCalendarHome(t, "")
	d.bundles = "gmail: on, calendar: on"
	d.configure("send: allow\nlimits: {changes_per_hour: 4}\n")
	ids := []string{}
	for range 5 {
		ids = append(ids, d.google.User(ann).Deliver(bundletest.GoogleMail{From: bob, To: ann, Subject: "Rolls"}).ID)
	}
	news := d.google.User(ann).Deliver(bundletest.GoogleMail{From: bob, To: ann, Subject: "News", Headers: []string{"List-Unsubscribe: <mailto:leave@example.org>"}}).ID
	lunch := d.google.User(ann).AddEvent("primary", object{"summary": "Lunch", "start": object{"date": "2026-11-24"}, "end": object{"date": "2026-11-25"}})
	trash := func(ids []string) (*callAnswer, *callError) {
		return d.call("gmail_modify_messages", object{"ids": ids, "trash": true})
	}
	if _, failure := trash(ids); failure == nil || failure.Code != "RATE_LIMITED" || !strings.Contains(failure.Message, "5 more") || !strings.Contains(failure.Hint, "fewer at a time") {
		t.Errorf("five at once: %+v", failure)
	}
	done, failure := trash(ids[:3])
	if failure != nil {
		t.Fatalf("three: %+v", failure)
	}
	if _, failure := trash(ids[3:]); failure == nil || failure.Code != "RATE_LIMITED" || !strings.Contains(failure.Hint, "changes_per_hour") {
		t.Errorf("two more: %+v", failure)
	}
	if _, failure := d.call("calendar_delete_event", object{"event_id": lunch}); failure != nil {
		t.Errorf("the fourth: %+v", failure)
	}
	for tool, args := range map[string]object{
		"calendar_create_event": {"title": "Tea", "start": someday + "T10:00"},
		"gmail_send_message":    {"to": []string{bob}, "subject": "Tea", "body": "x", "as_draft": true},
		"gmail_reply_message":   {"message_id": news, "body": "x", "as_draft": true, "idempotency_key": "tea"},
		"gmail_unsubscribe":     {"message_id": news, "confirm": true},
		"gmail_manage_label":    {"operation": "create", "name": "Tea"},
	} {
		if _, failure := d.call(tool, args); failure == nil || failure.Code != "RATE_LIMITED" {
			t.Errorf("%s, the fifth: %+v", tool, failure)
		}
	}
	if drafts := len(d.google.User(ann).Drafts()); drafts != 0 {
		t.Errorf("%d drafts are saved", drafts)
	}
	if trashed := len(d.google.User(ann).Messages("in:trash")); trashed != 3 {
		t.Errorf("%d mails are in the trash", trashed)
	}
	if _, failure := d.call("gmail_undo", object{"undo_id": done.Undo}); failure != nil || len(d.google.User(ann).Messages("in:trash")) != 0 {
		t.Errorf("undone: %+v", failure)
	}
}

// The limit also applies to an item that the user retries by hand.
func TestOutboxRetryCountsTowardsLimit(t *testing.T) {
	t.Parallel()
	d := newCalendarHome(t, "")
	d.bundles = "gmail: on"
	d.configure("send: allow\nlimits: {sends_per_hour: 1}\n")
	d.clock = "2026-11-21T10:00:00Z"
	withdraw := d.google.Fault(bundletest.GoogleFault{Method: sendDraft, Status: 429})
	if _, failure := d.call("gmail_send_message", object{"to": []string{bob}, "subject": "Rolls", "body": "At ten."}); failure == nil || failure.Code != "RATE_LIMITED" {
		t.Fatalf("the first answers %+v", failure)
	}
	withdraw()
	id := strings.Fields(d.must("outbox"))[0]
	_, stderr, status := d.run("outbox", "retry", id)
	if status != 1 || !strings.Contains(stderr, "sends_per_hour") || len(d.google.User(ann).Sent()) != 0 {
		t.Errorf("within the hour it ends with %d: %s", status, stderr)
	}
	d.clock = "2026-11-21T11:00:01Z"
	d.must("outbox", "retry", id)
	if sent := len(d.google.User(ann).Sent()); sent != 1 {
		t.Errorf("after it %d mails are sent", sent)
	}
}
