package drafts

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"kota/bundles"
	"kota/bundles/gmail/internal/mailbody"
	"kota/bundles/gmail/internal/mailbox"
	"kota/bundles/gmail/internal/outgoing"
	"kota/bundles/internal/mailmsg"
	"kota/bundles/internal/persist"
	"kota/metadata"
)

// KindChange is the undo kind for changed and deleted drafts.
const KindChange = "draft"

// UndoChange restores a draft: it replaces the current draft, or creates a new one if the
// draft was deleted. It overwrites a later change only if r allows that, and saves the
// overwritten draft for undo.
func UndoChange(ctx context.Context, m *mailbox.Mailbox, r persist.UndoAttempt, raw json.RawMessage) (mailbox.UndoResult, error) {
	var before outgoing.Draft
	if err := json.Unmarshal(raw, &before); err != nil {
		return mailbox.UndoResult{}, fmt.Errorf("read the undo record of the draft: %w", err)
	}
	now, err := outgoing.FetchDraft(ctx, m, before.Draft)
	if metadata.CodeOf(err) == metadata.NotFound {
		if err := checkExists(&before, r); err != nil {
			return mailbox.UndoResult{}, err
		}
		return recreateDraft(ctx, m, before)
	}
	if err != nil {
		return mailbox.UndoResult{}, err
	}
	if is := outgoing.Digest(now.Raw); is != before.After && is != outgoing.Digest(before.Raw) {
		return overwriteDraft(ctx, m, r, before, now)
	}
	return restoreDraft(ctx, m, before)
}

// checkExists returns CONFLICT if the draft is missing although the change did not delete
// it.
func checkExists(d *outgoing.Draft, r persist.UndoAttempt) error {
	if d.After == "" {
		return nil
	}
	return r.ConflictUnlessOverwrite("the draft no longer exists: it was deleted or sent")
}

// overwriteDraft restores a draft that was changed later, if r allows that.
func overwriteDraft(ctx context.Context, m *mailbox.Mailbox, r persist.UndoAttempt, before outgoing.Draft, now *outgoing.Draft) (mailbox.UndoResult, error) {
	if err := r.ConflictUnlessOverwrite("the draft was changed since then", describeDraft(now)...); err != nil {
		return mailbox.UndoResult{}, err
	}
	now.After = outgoing.Digest(before.Raw)
	undo, err := m.Undos().Save(ctx, m.Account.Key(), "restore an earlier version of a draft", KindChange, now)
	if err != nil {
		return mailbox.UndoResult{}, err
	}
	back, err := restoreDraft(ctx, m, before)
	if err != nil {
		return mailbox.UndoResult{}, m.Undos().Failed(ctx, undo, err)
	}
	back.Note += "; " + bundles.WithoutHiddenTools(ctx, "gmail_undo restores the replaced draft") + " with undo_id " + undo
	return back, nil
}

// restoreDraft restores the bytes of an existing draft.
func restoreDraft(ctx context.Context, m *mailbox.Mailbox, before outgoing.Draft) (mailbox.UndoResult, error) {
	_, err := outgoing.ReplaceDraft(ctx, m, before.Draft, before.Thread, before.Raw)
	if metadata.CodeOf(err) == metadata.NotFound && before.Thread != "" { // the thread may be deleted
		_, err = outgoing.ReplaceDraft(ctx, m, before.Draft, "", before.Raw)
	}
	if err != nil {
		return mailbox.UndoResult{}, fmt.Errorf("restore the draft: %w", err)
	}
	return mailbox.UndoResult{Note: "the draft is unchanged"}, nil
}

// recreateDraft creates a deleted draft again.
func recreateDraft(ctx context.Context, m *mailbox.Mailbox, before outgoing.Draft) (mailbox.UndoResult, error) {
	draft, err := outgoing.CreateDraft(ctx, m, before.Raw, before.Thread)
	if metadata.CodeOf(err) == metadata.NotFound { // its thread is deleted too
		draft, err = outgoing.CreateDraft(ctx, m, before.Raw, "")
	}
	if err != nil {
		return mailbox.UndoResult{}, fmt.Errorf("restore the draft: %w", err)
	}
	m.ReplaceUndoID(ctx, before.Draft, draft.Id, KindChange, KindSaved)
	return mailbox.UndoResult{Note: "the draft is restored; its draft_id is now " + draft.Id}, nil
}

// describeDraft describes the current content of a draft.
func describeDraft(d *outgoing.Draft) []metadata.Problem {
	message, _, err := mailmsg.Parse(d.Raw)
	if err != nil {
		return []metadata.Problem{persist.ChangedProblem("draft", "it cannot be read completely")}
	}
	var to []string
	for _, one := range message.To {
		to = append(to, one.String())
	}
	text := message.Text
	if text == "" {
		text = mailbody.TextOfHTML(message.HTML)
	}
	return []metadata.Problem{
		persist.ChangedProblem("to", strings.Join(to, ", ")), persist.ChangedProblem("subject", message.Subject), persist.ChangedProblem("body", text),
	}
}
