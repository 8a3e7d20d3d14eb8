package gmail_test

import (
	"strings"
	"testing"
	"time"

	"kota/bundles/gmail"
	"kota/bundles/internal/google/googletest/fakegmail"
)

func TestWroteToUsesSentMail(t *testing.T) {
	d := newFixture(t)
	began := d.now
	sent := func(mail fakegmail.Mail) {
		mail.From, mail.Labels = ann, append(mail.Labels, "SENT")
		if mail.Date.IsZero() {
			mail.Date = began.Add(-48 * time.Hour)
		}
		d.ann.Deliver(mail)
	}
	sent(fakegmail.Mail{To: "Bob <bob@example.org>, carl@example.net", Subject: "Lunch"})
	sent(fakegmail.Mail{To: "bob@example.org", Headers: []string{"Cc: \"dora@example.net\" <eve@example.net>"}, Subject: "Plans"})
	sent(fakegmail.Mail{To: "late@example.net", Date: began.Add(time.Minute), Subject: "During the conversation"})
	sent(fakegmail.Mail{To: "away@example.net", Headers: []string{"Auto-Submitted: auto-replied"}, Subject: "Away"})
	sent(fakegmail.Mail{To: "anna.smith@example.net", Subject: "Long"})
	d.ann.Deliver(fakegmail.Mail{From: "mallory@example.net", To: "mallory@example.net", Date: began.Add(-48 * time.Hour), Subject: "Received"})
	d.ann.Deliver(fakegmail.Mail{From: ann, To: "drafted@example.net", Date: began.Add(-48 * time.Hour), Labels: []string{"DRAFT"}, Subject: "Draft"})
	c := gmail.OpenCorrespondence(d.deps, strings.EqualFold)
	for address, want := range map[string]bool{
		"bob@example.org":         true,
		"carl@example.net":        true,
		"eve@example.net":         true,
		ann:                       true,
		"dora@example.net":        false, // only a name
		"late@example.net":        false,
		"away@example.net":        false,
		"mallory@example.net":     false,
		"drafted@example.net":     false,
		"smith@example.net":       false,
		"anna@example.net":        false,
		"bob@example.org.evil.io": false,
		"bob@examp1e.org":         false,
		"nobody@example.net":      false,
	} {
		if got, err := c.WroteTo(t.Context(), address, began); err != nil || got != want {
			t.Errorf("%s is known %v, want %v: %v", address, got, want, err)
		}
	}
	if got, err := c.WroteTo(t.Context(), "late@example.net", began.Add(time.Hour)); err != nil || !got {
		t.Errorf("in a later conversation it is known %v, %v", got, err)
	}
}
