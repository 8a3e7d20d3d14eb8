package main

import (
	"strings"
	"testing"

	"kota/bundles/bundletest"
)

// A name is used as a recipient only if it is clear, and the answer names the address.
func TestNamesAreRecipients(t *testing.T) {
	t.Parallel()
	d := newTestHome(t)
	d.bundles, d.clock = "memory: on, gmail: on, calendar: on, contacts: on", examplesDay
	d.configure("send: allow\ntimezone: Europe/Amsterdam\n")
	d.storeClient()
	d.google.User(ann).AddContact(`{"names": [{"givenName": "Raj", "familyName": "Patel"}], "emailAddresses": [{"value": "raj@example.org"}]}`)
	d.google.User(ann).AddContact(`{"names": [{"givenName": "Anna", "familyName": "Meier"}], "emailAddresses": [{"value": "meier@example.org"}]}`)
	d.google.User(ann).AddContact(`{"names": [{"givenName": "Anna", "familyName": "Kunz"}], "emailAddresses": [{"value": "kunz@example.org"}]}`)
	if _, _, stderr, status := d.signIn(bundletest.GoogleConsent{User: ann}); status != 0 {
		t.Fatal(stderr)
	}
	if got := d.must("call", "gmail_send_message", `{"to": ["raj"], "subject": "Lunch", "body": "At noon?"}`); !strings.Contains(got, "raj@example.org") {
		t.Errorf("got %s", got)
	}
	if sent := d.google.User(ann).Sent(); len(sent) != 1 || sent[0].Header("To") != "Raj Patel <raj@example.org>" {
		t.Errorf("sent %+v", sent)
	}
	if got := d.must("call", "calendar_create_event", `{"title": "Lunch", "start": "2026-12-01T12:00", "attendees": ["Raj Patel"]}`); !strings.Contains(got, "raj@example.org") {
		t.Errorf("got %s", got)
	}
	_, stderr, status := d.run("call", "gmail_send_message", `{"to": ["anna"], "subject": "x", "body": "y"}`)
	if status != 1 || !strings.Contains(stderr, "meier@example.org") || !strings.Contains(stderr, "kunz@example.org") || !strings.Contains(stderr, "VALIDATION_ERROR") {
		t.Errorf("two of a name: %d %s", status, stderr)
	}
	d.must("call", "memory_set", `{"key": "plumber Joe", "value": "Joe mends pipes, joe@example.net"}`)
	if got := d.must("call", "gmail_send_message", `{"to": ["Joe"], "subject": "Pipe", "body": "It drips.", "as_draft": true}`); !strings.Contains(got, "joe@example.net") {
		t.Errorf("got %s", got)
	}
	d.bundles = "gmail: on, contacts: off"
	d.configure("send: allow\n")
	if _, stderr, status := d.run("call", "gmail_send_message", `{"to": ["anna"], "subject": "x", "body": "y"}`); status != 1 || strings.Contains(stderr, "meier") {
		t.Errorf("a bundle that is off shows people: %d %s", status, stderr)
	}
	if sent := d.google.User(ann).Sent(); len(sent) != 1 {
		t.Errorf("%d mails were sent", len(sent))
	}
}
