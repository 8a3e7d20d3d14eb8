package gmail_test

import (
	"testing"

	"kota/bundles/bundletest"
	"kota/bundles/gmail"
	"kota/bundles/internal/google/googletest/fakegmail"
)

// Only people to whom the user wrote are found. Somebody who wrote to the user is not.
func TestWrittenToCountsSentMail(t *testing.T) {
	d := newFixture(t)
	for range 2 {
		d.ann.Deliver(fakegmail.Mail{From: ann, To: "Raj Patel <raj@example.org>", Subject: "to Raj", Text: "x", Labels: []string{"SENT"}})
	}
	d.ann.Deliver(fakegmail.Mail{From: ann, To: "raj@example.net", Subject: "no name", Text: "x", Labels: []string{"SENT"}})
	d.ann.Deliver(fakegmail.Mail{From: "Raj Patel <raj@evil.example>", To: ann, Subject: "hello", Text: "x", Labels: []string{"INBOX"}})
	bundletest.Must[any](t, d.bundle, "gmail_search_messages", args{"query": "in:anywhere"})
	got, err := gmail.WrittenTo(d.deps)(t.Context(), "raj")
	if err != nil || len(got) != 1 || got[0].Address != "raj@example.org" || got[0].Times != 2 || !got[0].Untrusted {
		t.Errorf("got %+v, %v", got, err)
	}
}
