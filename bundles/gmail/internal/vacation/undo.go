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
	After  *gmailapi.VacationSettings `json:"after"` // the state after the change
}

// Undo restores the automatic reply. It overwrites later changes only if r allows that,
// and then saves them for undo.
func Undo(ctx context.Context, m *mailbox.Mailbox, r persist.UndoAttempt, raw json.RawMessage) (mailbox.UndoResult, error) {
	var k vacationUndo
	if err := json.Unmarshal(raw, &k); err != nil {
		return mailbox.UndoResult{}, fmt.Errorf("read the undo record: %w", err)
	}
	if k.Before == nil || k.After == nil {
		return mailbox.UndoResult{}, metadata.Errorf(metadata.Unavailable, "this version of KOTA cannot undo the change, because another version made it").WithHint("The user can set the automatic reply in Gmail.")
	}
	now, err := m.API.Users.Settings.GetVacation(mailbox.Me).Context(ctx).Do()
	if err != nil {
		return mailbox.UndoResult{}, fmt.Errorf("read automatic reply: %w", err)
	}
	want, back := *now, mailbox.UndoResult{}
	if err := r.Restore(vacationFields(m, k, now, &want)...); err != nil {
		return mailbox.UndoResult{}, err
	}
	if want.EnableAutoReply && repliesToMore(&want, now) {
		want.EnableAutoReply = false
		back.Note = bundles.WithoutHiddenTools(ctx, "the automatic reply stays off, because turning it on would send answers to other people. If the user wants that: gmail_manage_vacation {\"operation\": \"set\"}")
	}
	if sameVacation(&want, now) {
		return back, nil
	}
	if want.EnableAutoReply { // an active reply changes
		if err := bundles.ConfirmSend(ctx, approvalOf(m, &want)); err != nil {
			return mailbox.UndoResult{}, err
		}
	}
	if r.Overwrite {
		return overwriteVacation(ctx, m, back, now, &want)
	}
	_, err = putVacation(ctx, m, &want)
	return back, err
}

// overwriteVacation replaces the current automatic reply. Its result can be undone.
func overwriteVacation(ctx context.Context, m *mailbox.Mailbox, back mailbox.UndoResult, now, want *gmailapi.VacationSettings) (mailbox.UndoResult, error) {
	out, err := setVacation(ctx, m, "restore automatic reply", now, want)
	if err != nil {
		return mailbox.UndoResult{}, err
	}
	notes := []string{bundles.WithoutHiddenTools(ctx, "gmail_undo restores the replaced reply") + " with undo_id " + out.UndoID}
	if back.Note != "" {
		notes = append(notes, back.Note)
	}
	return mailbox.UndoResult{Note: strings.Join(notes, "; ")}, nil
}

// vacationFields returns the fields of an automatic reply for undo. Restore sets a field
// in want.
func vacationFields(m *mailbox.Mailbox, k vacationUndo, now, want *gmailapi.VacationSettings) []persist.Field {
	b, a := k.Before, k.After
	number := func(n int64) string { return strconv.FormatInt(n, 10) }
	body := func(v *gmailapi.VacationSettings) string { return v.ResponseBodyHtml + "\n" + v.ResponseBodyPlainText }
	is := describeVacation(m, now)
	return []persist.Field{
		{Name: "on", Before: fmt.Sprint(b.EnableAutoReply), After: fmt.Sprint(a.EnableAutoReply), Now: fmt.Sprint(now.EnableAutoReply), Restore: func() { want.EnableAutoReply = b.EnableAutoReply }},
		{Name: "subject", Before: b.ResponseSubject, After: a.ResponseSubject, Now: now.ResponseSubject, Restore: func() { want.ResponseSubject = b.ResponseSubject }},
		{Name: "body", Before: body(b), After: body(a), Now: body(now), Words: is.Body, Restore: func() {
			want.ResponseBodyHtml, want.ResponseBodyPlainText = b.ResponseBodyHtml, b.ResponseBodyPlainText
		}},
		{Name: "start", Before: number(b.StartTime), After: number(a.StartTime), Now: number(now.StartTime), Words: cmp.Or(is.Start, "no day"), Restore: func() { want.StartTime = b.StartTime }},
		{Name: "end", Before: number(b.EndTime), After: number(a.EndTime), Now: number(now.EndTime), Words: cmp.Or(is.End, "no day"), Restore: func() { want.EndTime = b.EndTime }},
		{Name: "contacts_only", Before: fmt.Sprint(b.RestrictToContacts), After: fmt.Sprint(a.RestrictToContacts), Now: fmt.Sprint(now.RestrictToContacts), Restore: func() { want.RestrictToContacts = b.RestrictToContacts }},
		{Name: "domain_only", Before: fmt.Sprint(b.RestrictToDomain), After: fmt.Sprint(a.RestrictToDomain), Now: fmt.Sprint(now.RestrictToDomain), Restore: func() { want.RestrictToDomain = b.RestrictToDomain }},
	}
}

// repliesToMore reports whether the reply was answers people, or at times, that now does
// not.
func repliesToMore(was, now *gmailapi.VacationSettings) bool {
	later := now.EndTime != 0 && (was.EndTime == 0 || was.EndTime > now.EndTime)
	return !now.EnableAutoReply || was.StartTime < now.StartTime || later ||
		now.RestrictToContacts && !was.RestrictToContacts || now.RestrictToDomain && !was.RestrictToDomain
}
