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

// UndoChange restores a draft. raw is an outgoing.Draft. UndoChange replaces the current
// draft, or creates a new one if the draft was deleted. It overwrites a later change only
// if attempt.Overwrite is set, and saves the overwritten draft for undo.
func UndoChange(ctx context.Context, m *mailbox.Mailbox, attempt persist.UndoAttempt, raw json.RawMessage) (mailbox.UndoResult, error) {
	var before outgoing.Draft
	if err := json.Unmarshal(raw, &before); err != nil {
		return mailbox.UndoResult{}, fmt.Errorf("read the undo record of the draft: %w", err)
	}
	now, err := outgoing.FetchDraft(ctx, m, before.Draft)
	if metadata.CodeOf(err) == metadata.NotFound {
		if err := checkExists(&before, attempt); err != nil {
			return mailbox.UndoResult{}, err
		}
		return recreateDraft(ctx, m, before)
	}
	if err != nil {
		return mailbox.UndoResult{}, err
	}
	if digest := outgoing.HexDigest(now.Raw); digest != before.After && digest != outgoing.HexDigest(before.Raw) {
		return overwriteDraft(ctx, m, attempt, before, now)
	}
	return restoreDraft(ctx, m, before)
}

// checkExists handles a missing draft. It returns CONFLICT if the change to undo did not
// delete the draft, unless attempt.Overwrite is set.
func checkExists(before *outgoing.Draft, attempt persist.UndoAttempt) error {
	if before.After == "" {
		return nil
	}
	return attempt.ConflictUnlessOverwrite("the draft no longer exists: it was deleted or sent")
}

// overwriteDraft restores a draft that was changed later. It returns CONFLICT unless
// attempt.Overwrite is set.
func overwriteDraft(ctx context.Context, m *mailbox.Mailbox, attempt persist.UndoAttempt, before outgoing.Draft, now *outgoing.Draft) (mailbox.UndoResult, error) {
	if err := attempt.ConflictUnlessOverwrite("the draft was changed since then", describeDraft(now)...); err != nil {
		return mailbox.UndoResult{}, err
	}
	now.After = outgoing.HexDigest(before.Raw)
	undo, err := m.Undos().Save(ctx, m.Account.Key(), "restore an earlier version of a draft", KindChange, now)
	if err != nil {
		return mailbox.UndoResult{}, err
	}
	result, err := restoreDraft(ctx, m, before)
	if err != nil {
		return mailbox.UndoResult{}, m.Undos().Failed(ctx, undo, err)
	}
	result.Note += "; " + bundles.WithoutHiddenTools(ctx, "gmail_undo restores the replaced draft") + " with undo_id " + undo
	return result, nil
}

// restoreDraft restores the bytes of an existing draft.
func restoreDraft(ctx context.Context, m *mailbox.Mailbox, before outgoing.Draft) (mailbox.UndoResult, error) {
	_, err := outgoing.ReplaceDraft(ctx, m, before.Draft, before.Thread, before.Raw)
	if metadata.CodeOf(err) == metadata.NotFound && before.Thread != "" { // the thread may no longer exist
		_, err = outgoing.ReplaceDraft(ctx, m, before.Draft, "", before.Raw)
	}
	if err != nil {
		return mailbox.UndoResult{}, fmt.Errorf("restore the draft: %w", err)
	}
	return mailbox.UndoResult{Note: "the draft is as it was before"}, nil
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

// describeDraft returns the current content of a draft as problems of a CONFLICT.
func describeDraft(d *outgoing.Draft) []metadata.Problem {
	message, _, err := mailmsg.Parse(d.Raw)
	if err != nil {
		return []metadata.Problem{persist.ChangedProblem("draft", "it cannot be read completely")}
	}
	var to []string
	for _, address := range message.To {
		to = append(to, address.String())
	}
	text := message.Text
	if text == "" {
		text = mailbody.TextOfHTML(message.HTML)
	}
	return []metadata.Problem{
		persist.ChangedProblem("to", strings.Join(to, ", ")), persist.ChangedProblem("subject", message.Subject), persist.ChangedProblem("body", text),
	}
}
