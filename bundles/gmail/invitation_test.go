package gmail_test

import (
	"bytes"
	"strings"
	"testing"

	"kota/bundles/bundletest"
	"kota/bundles/gmail"
	"kota/bundles/internal/google/googletest/fakegmail"
	"kota/metadata"
)

const calendarFile = "BEGIN:VCALENDAR\r\nMETHOD:REQUEST\r\nEND:VCALENDAR\r\n"

// outlook is a typical invitation mail: the calendar file is an alternative to the text
// and also an attachment.
const outlook = "From: bob@example.org\r\nTo: ann@example.com\r\nSubject: Lunch\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=m\r\n\r\n" +
	"--m\r\nContent-Type: multipart/alternative; boundary=a\r\n\r\n--a\r\nContent-Type: text/plain\r\n\r\nLunch?\r\n" +
	"--a\r\nContent-Type: text/calendar; charset=UTF-8; method=REQUEST\r\n\r\n" + calendarFile + "\r\n--a--\r\n" +
	"--m\r\nContent-Type: application/ics; name=invite.ics\r\nContent-Disposition: attachment; filename=invite.ics\r\n\r\nBEGIN:OTHER\r\n--m--\r\n"

func TestInvitationReturnsTheCalendarFile(t *testing.T) {
	d := newFixture(t)
	read := gmail.Invitation(d.deps)
	for name, mail := range map[string]fakegmail.Mail{
		"in the text":           {Raw: []byte(outlook)},
		"attached":              {Text: "See", Attachments: []fakegmail.Attachment{{Name: "a.pdf", Type: "application/pdf", Data: []byte("x")}, {Name: "invite.ics", Type: "text/calendar", Data: []byte(calendarFile)}}},
		"by its name":           {Text: "See", Attachments: []fakegmail.Attachment{{Name: "Invite.ICS", Type: "application/octet-stream", Data: []byte(calendarFile)}}},
		"of another media type": {Text: "See", Attachments: []fakegmail.Attachment{{Name: "x", Type: "application/ics", Data: []byte(calendarFile)}}},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := read(t.Context(), "home", d.ann.Deliver(mail).ID)
			if err != nil || strings.TrimSpace(string(got)) != strings.TrimSpace(calendarFile) {
				t.Errorf("got %q, %v", got, err)
			}
		})
	}
}

func TestInvitationFailsWithoutCalendarFile(t *testing.T) {
	d := newFixture(t)
	read := gmail.Invitation(d.deps)
	large := fakegmail.Mail{Attachments: []fakegmail.Attachment{{Name: "invite.ics", Type: "text/calendar", Data: bytes.Repeat([]byte("x"), 1<<20+1)}}}
	for id, want := range map[string]metadata.Code{
		d.ann.Deliver(fakegmail.Mail{Text: "Lunch on Tuesday?"}).ID: metadata.NotFound, d.ann.Deliver(large).ID: metadata.TooLarge, "ffffffffffffffff": metadata.NotFound, "../x": metadata.ValidationError,
	} {
		_, err := read(t.Context(), "home", id)
		if e := bundletest.AsError(t, err); e.Code != want || e.Hint == "" {
			t.Errorf("%s: got %s %v, hint %q", id, e.Code, e, e.Hint)
		}
	}
}
