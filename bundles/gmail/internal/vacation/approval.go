package vacation

import (
	"crypto/sha256"
	"encoding/json"

	gmailapi "google.golang.org/api/gmail/v1"

	"kota/bundles"
	"kota/bundles/gmail/internal/mailbody"
	"kota/bundles/gmail/internal/mailbox"
	"kota/bundles/gmail/internal/outgoing"
)

// approvalOf returns the automatic reply in the form that its approver sees. The recipients
// are a description in words, so no address or domain in a list of allowed recipients
// matches them.
func approvalOf(m *mailbox.Mailbox, v *gmailapi.VacationSettings) bundles.Outgoing {
	recipients := "everybody who writes"
	switch {
	case v.RestrictToContacts && v.RestrictToDomain:
		recipients = "every contact within the organisation who writes"
	case v.RestrictToContacts:
		recipients = "every contact who writes"
	case v.RestrictToDomain:
		recipients = "everybody within the organisation who writes"
	}
	out := bundles.Outgoing{What: "automatic reply", People: []string{recipients}}
	if encoded, err := json.Marshal(v); err == nil {
		out.Digest = sha256.Sum256(encoded)
	}
	text := v.ResponseBodyPlainText
	if text == "" {
		text = mailbody.TextOfHTML(v.ResponseBodyHtml)
	}
	for _, line := range append([]bundles.Line{
		{Name: "To", Text: recipients}, {Name: "First day", Text: formatDay(m, v.StartTime, 0)}, {Name: "Last day", Text: formatDay(m, v.EndTime, -1)},
		{Name: "Subject", Text: v.ResponseSubject}, {Name: "Text", Text: text},
	}, outgoing.HTMLLines(v.ResponseBodyHtml, text)...) {
		if line.Text != "" {
			out.Lines = append(out.Lines, line)
		}
	}
	return out
}

// sameVacation reports whether two settings send the same reply to the same people at the
// same times.
func sameVacation(a, b *gmailapi.VacationSettings) bool {
	return a.EnableAutoReply == b.EnableAutoReply && a.StartTime == b.StartTime && a.EndTime == b.EndTime &&
		a.RestrictToContacts == b.RestrictToContacts && a.RestrictToDomain == b.RestrictToDomain && a.ResponseSubject == b.ResponseSubject &&
		a.ResponseBodyHtml == b.ResponseBodyHtml && a.ResponseBodyPlainText == b.ResponseBodyPlainText
}
