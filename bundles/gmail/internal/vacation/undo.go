package vacation

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	gmailapi "google.golang.org/api/gmail/v1"

	"kota/bundles"
	"kota/bundles/gmail/internal/mailbox"
	"kota/bundles/internal/persist"
	"kota/metadata"
)

// KindVacation is the undo kind for changes of the automatic reply.
const KindVacation = "vacation"

// vacationUndo is the undo record of the automatic reply.
type vacationUndo struct {
	Before *gmailapi.VacationSettings `json:"before"`
	After  *gmailapi.VacationSettings `json:"after"` // the reply after the change
}

// Undo restores the automatic reply. raw is a vacationUndo. Undo overwrites later changes
// only if attempt.Overwrite is set, and then saves them for undo.
func Undo(ctx context.Context, m *mailbox.Mailbox, attempt persist.UndoAttempt, raw json.RawMessage) (mailbox.UndoResult, error) {
	var record vacationUndo
	if err := json.Unmarshal(raw, &record); err != nil {
		return mailbox.UndoResult{}, fmt.Errorf("read the undo record: %w", err)
	}
	if record.Before == nil || record.After == nil {
		return mailbox.UndoResult{}, metadata.Errorf(metadata.Unavailable, "this version of KOTA cannot undo the change, because another version made it").WithHint("The user can set the automatic reply in Gmail.")
	}
	now, err := m.API.Users.Settings.GetVacation(mailbox.Me).Context(ctx).Do()
	if err != nil {
		return mailbox.UndoResult{}, fmt.Errorf("read automatic reply: %w", err)
	}
	want, result := *now, mailbox.UndoResult{}
	if err := attempt.Restore(vacationFields(m, record, now, &want)...); err != nil {
		return mailbox.UndoResult{}, err
	}
	if want.EnableAutoReply && repliesToMore(&want, now) {
		want.EnableAutoReply = false
		result.Note = bundles.WithoutHiddenTools(ctx, "the automatic reply stays off, because turning it on would send answers to other people. If the user wants that: gmail_manage_vacation {\"operation\": \"set\"}")
	}
	if sameVacation(&want, now) {
		return result, nil
	}
	if want.EnableAutoReply { // an active reply changes
		if err := bundles.ConfirmSend(ctx, approvalOf(m, &want)); err != nil {
			return mailbox.UndoResult{}, err
		}
	}
	if attempt.Overwrite {
		return overwriteVacation(ctx, m, result, now, &want)
	}
	_, err = putVacation(ctx, m, &want)
	return result, err
}

// overwriteVacation replaces the current automatic reply. The user can undo that.
func overwriteVacation(ctx context.Context, m *mailbox.Mailbox, result mailbox.UndoResult, now, want *gmailapi.VacationSettings) (mailbox.UndoResult, error) {
	out, err := setVacation(ctx, m, "restore automatic reply", now, want)
	if err != nil {
		return mailbox.UndoResult{}, err
	}
	notes := []string{bundles.WithoutHiddenTools(ctx, "gmail_undo restores the replaced reply") + " with undo_id " + out.UndoID}
	if result.Note != "" {
		notes = append(notes, result.Note)
	}
	return mailbox.UndoResult{Note: strings.Join(notes, "; ")}, nil
}

// vacationFields returns the fields of an automatic reply for persist.UndoAttempt.Restore.
// The Restore function of a field sets that field in want.
func vacationFields(m *mailbox.Mailbox, record vacationUndo, now, want *gmailapi.VacationSettings) []persist.Field {
	before, after := record.Before, record.After
	number := func(n int64) string { return strconv.FormatInt(n, 10) }
	body := func(v *gmailapi.VacationSettings) string { return v.ResponseBodyHtml + "\n" + v.ResponseBodyPlainText }
	shown := describeVacation(m, now)
	return []persist.Field{
		{Name: "on", Before: fmt.Sprint(before.EnableAutoReply), After: fmt.Sprint(after.EnableAutoReply), Now: fmt.Sprint(now.EnableAutoReply), Restore: func() { want.EnableAutoReply = before.EnableAutoReply }},
		{Name: "subject", Before: before.ResponseSubject, After: after.ResponseSubject, Now: now.ResponseSubject, Restore: func() { want.ResponseSubject = before.ResponseSubject }},
		{Name: "body", Before: body(before), After: body(after), Now: body(now), Words: shown.Body, Restore: func() {
			want.ResponseBodyHtml, want.ResponseBodyPlainText = before.ResponseBodyHtml, before.ResponseBodyPlainText
		}},
		{Name: "start", Before: number(before.StartTime), After: number(after.StartTime), Now: number(now.StartTime), Words: cmp.Or(shown.Start, "no day"), Restore: func() { want.StartTime = before.StartTime }},
		{Name: "end", Before: number(before.EndTime), After: number(after.EndTime), Now: number(now.EndTime), Words: cmp.Or(shown.End, "no day"), Restore: func() { want.EndTime = before.EndTime }},
		{Name: "contacts_only", Before: fmt.Sprint(before.RestrictToContacts), After: fmt.Sprint(after.RestrictToContacts), Now: fmt.Sprint(now.RestrictToContacts), Restore: func() { want.RestrictToContacts = before.RestrictToContacts }},
		{Name: "domain_only", Before: fmt.Sprint(before.RestrictToDomain), After: fmt.Sprint(after.RestrictToDomain), Now: fmt.Sprint(now.RestrictToDomain), Restore: func() { want.RestrictToDomain = before.RestrictToDomain }},
	}
}

// repliesToMore reports whether want answers mail that the current settings in now do not
// answer: mail from more people, or at other times.
func repliesToMore(want, now *gmailapi.VacationSettings) bool {
	endsLater := now.EndTime != 0 && (want.EndTime == 0 || want.EndTime > now.EndTime)
	return !now.EnableAutoReply || want.StartTime < now.StartTime || endsLater ||
		now.RestrictToContacts && !want.RestrictToContacts || now.RestrictToDomain && !want.RestrictToDomain
}
