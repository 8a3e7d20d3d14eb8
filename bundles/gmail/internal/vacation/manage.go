package vacation

import (
	"context"
	"fmt"
	"strings"
	"time"

	gmailapi "google.golang.org/api/gmail/v1"

	"kota/bundles"
	"kota/bundles/gmail/internal/mailbody"
	"kota/bundles/gmail/internal/mailbox"
	"kota/bundles/internal/arguments"
	"kota/bundles/internal/htmltext"
	"kota/bundles/internal/mailmsg"
	"kota/bundles/internal/markdown"
	"kota/metadata"
)

// ManageIn are the arguments of gmail_manage_vacation.
type ManageIn struct {
	Operation    string `json:"operation" enum:"get,set,off"`
	Subject      string `json:"subject,omitempty" max:"250"`
	Body         string `json:"body,omitempty" max:"20000" doc:"Markdown; without subject and body: as before"`
	Start        string `json:"start,omitempty" format:"date" doc:"first day: 2026-12-24"`
	End          string `json:"end,omitempty" format:"date" doc:"last day"`
	ContactsOnly bool   `json:"contacts_only,omitempty"`
	DomainOnly   bool   `json:"domain_only,omitempty"`
	Account      string `json:"account,omitempty" doc:"name or address" audit:"show"`
}

// Effect returns Sends for set, because an active automatic reply reaches other people. It
// returns Reads for get and Writes for off.
func (in ManageIn) Effect() metadata.Effect {
	switch in.Operation {
	case "get":
		return metadata.Reads
	case "off":
		return metadata.Writes
	}
	return metadata.Sends
}

// ManageOut is the result of gmail_manage_vacation.
type ManageOut struct {
	On           bool   `json:"on"`
	Subject      string `json:"subject,omitempty"`
	Body         string `json:"body,omitempty"`  // Markdown, at most 4,000 characters
	Start        string `json:"start,omitempty"` // first day in the user's zone, or a time that is not midnight
	End          string `json:"end,omitempty"`   // last day in the user's zone, or a time that is not midnight
	ContactsOnly bool   `json:"contacts_only,omitempty"`
	DomainOnly   bool   `json:"domain_only,omitempty"`
	UndoID       string `json:"undo_id,omitempty"` // for gmail_undo
}

// Check returns a VALIDATION_ERROR if the arguments are invalid. now is the current time in
// the user's zone.
func (in ManageIn) Check(now time.Time) error {
	if in.Operation != "set" && in != (ManageIn{Operation: in.Operation, Account: in.Account}) {
		return arguments.Invalid("operation", "set, because the other arguments only work with set", in.Operation)
	}
	if _, _, err := in.span(now); err != nil {
		return err
	}
	var wrong arguments.Problems
	if !mailmsg.IsLine(in.Subject) {
		wrong.Add("subject", "one line of text", in.Subject)
	}
	wrong.Text("body", in.Body)
	if err := wrong.Err(); err != nil {
		return err
	}
	return nil
}

// Manage shows or changes the automatic reply. Call in.Check first.
func Manage(ctx context.Context, m *mailbox.Mailbox, in ManageIn) (ManageOut, error) {
	start, end, err := in.span(m.Now())
	if err != nil {
		return ManageOut{}, err
	}
	was, err := m.API.Users.Settings.GetVacation(mailbox.Me).Context(ctx).Do()
	if err != nil {
		return ManageOut{}, fmt.Errorf("read automatic reply: %w", err)
	}
	want := *was
	switch in.Operation {
	case "get":
		return describeVacation(m, was), nil
	case "off":
		want.EnableAutoReply = false
	case "set":
		want.EnableAutoReply, want.StartTime, want.EndTime = true, start, end
		want.RestrictToContacts, want.RestrictToDomain = in.ContactsOnly, in.DomainOnly
		if in.Subject != "" || strings.TrimSpace(in.Body) != "" {
			want.ResponseSubject, want.ResponseBodyHtml, want.ResponseBodyPlainText = in.Subject, markdown.HTML(in.Body), ""
		}
		if want.ResponseSubject+want.ResponseBodyHtml+want.ResponseBodyPlainText == "" {
			return ManageOut{}, arguments.Invalid("body", "a text, because there is no earlier one", "none")
		}
		if sameVacation(was, &want) {
			return describeVacation(m, was), nil // an earlier call already did it
		}
		if err := bundles.ConfirmSend(ctx, approvalOf(m, &want)); err != nil {
			return ManageOut{}, err
		}
	}
	return setVacation(ctx, m, in.Operation+" automatic reply", was, &want)
}

// span returns the times at which the reply starts and ends, in Unix milliseconds. The end
// is the midnight after the last day. 0 means no limit.
func (in ManageIn) span(now time.Time) (start, end int64, err error) {
	day := func(path, text string, addDays int) int64 {
		if text == "" || err != nil {
			return 0
		}
		at, parseErr := time.ParseInLocation(time.DateOnly, text, now.Location())
		if parseErr != nil || at.Year() < 1970 || at.Year() > 9998 {
			err = arguments.Invalid(path, "a day such as 2026-12-24", fmt.Sprintf("%q", arguments.Brief(text)))
			return 0
		}
		return at.AddDate(0, 0, addDays).UnixMilli()
	}
	start, end = day("start", in.Start, 0), day("end", in.End, 1)
	switch {
	case err != nil:
		return 0, 0, err
	case end != 0 && start >= end:
		return 0, 0, arguments.Invalid("end", "a day not before start", fmt.Sprintf("%q", in.End))
	case end != 0 && end <= now.UnixMilli():
		return 0, 0, arguments.Invalid("end", "today or a later day", fmt.Sprintf("%q", in.End))
	}
	return start, end, nil
}

func setVacation(ctx context.Context, m *mailbox.Mailbox, title string, was, want *gmailapi.VacationSettings) (ManageOut, error) {
	undo, err := m.Undos().Save(ctx, m.Account.Key(), title, KindVacation, vacationUndo{Before: was, After: want})
	if err != nil {
		return ManageOut{}, err
	}
	now, err := putVacation(ctx, m, want)
	if err != nil {
		return ManageOut{}, m.PartialError(ctx, undo, title, err, false, nil)
	}
	if err := m.Undos().Amend(ctx, undo, title, vacationUndo{Before: was, After: now}); err != nil { // Gmail may store the reply in another form
		return ManageOut{}, err
	}
	out := describeVacation(m, now)
	out.UndoID = undo
	return out, nil
}

// putVacation replaces the automatic reply. If Google did not say whether it replaced the
// reply, putVacation reads the reply to find out.
func putVacation(ctx context.Context, m *mailbox.Mailbox, want *gmailapi.VacationSettings) (*gmailapi.VacationSettings, error) {
	send := *want
	send.ForceSendFields = []string{"EnableAutoReply"} // otherwise a false field is not sent
	current, err := m.API.Users.Settings.UpdateVacation(mailbox.Me, &send).Context(ctx).Do()
	if metadata.CodeOf(err) == metadata.OutcomeUnknown {
		current, getErr := m.API.Users.Settings.GetVacation(mailbox.Me).Context(ctx).Do()
		if getErr == nil && sameVacation(current, want) {
			return current, nil
		}
	}
	if err != nil {
		return nil, fmt.Errorf("change automatic reply: %w", err)
	}
	return current, nil
}

// describeVacation returns the automatic reply in the form of an answer.
func describeVacation(m *mailbox.Mailbox, v *gmailapi.VacationSettings) ManageOut {
	const maxBody = 4000
	body, _ := htmltext.Text(v.ResponseBodyPlainText)
	if v.ResponseBodyHtml != "" {
		body = htmltext.HTML([]byte(v.ResponseBodyHtml), htmltext.Options{}).Markdown
	}
	return ManageOut{
		On: v.EnableAutoReply, Subject: mailbody.Line(v.ResponseSubject, mailbody.MaxSubject), Body: htmltext.First(strings.TrimSpace(body), maxBody),
		Start: formatDay(m, v.StartTime, 0), End: formatDay(m, v.EndTime, -1), ContactsOnly: v.RestrictToContacts, DomainOnly: v.RestrictToDomain,
	}
}

// formatDay formats a time in Unix milliseconds. It returns a midnight in the user's zone
// as the date addDays later, any other time in RFC 3339, and 0 as "".
func formatDay(m *mailbox.Mailbox, millis int64, addDays int) string {
	if millis == 0 {
		return ""
	}
	at := time.UnixMilli(millis).In(m.Now().Location())
	if at.Equal(time.Date(at.Year(), at.Month(), at.Day(), 0, 0, 0, 0, at.Location())) {
		return at.AddDate(0, 0, addDays).Format(time.DateOnly)
	}
	return at.Format(time.RFC3339)
}
