package drafts

import (
	"context"
	"encoding/json"
	"fmt"

	"kota/bundles"
	"kota/bundles/gmail/internal/mailbody"
	"kota/bundles/gmail/internal/mailbox"
	"kota/bundles/gmail/internal/outgoing"
	"kota/bundles/internal/arguments"
	"kota/bundles/internal/mailmsg"
	"kota/bundles/internal/persist"
	"kota/metadata"
)

// KindSaved is the undo kind for a mail that was saved as a draft.
const KindSaved = "draft made"

// savedDraft is the undo record of a saved draft.
type savedDraft struct {
	Draft   string `json:"draft"`
	Content string `json:"content"` // outgoing.HexDigest of the draft
}

// RecordSaved saves an undo record for a saved draft and returns the record's id. If it
// cannot save the record, it returns "" and no error, because the draft exists already.
func RecordSaved(ctx context.Context, m *mailbox.Mailbox, draftID, subject string, raw []byte) string {
	id, err := m.Undos().SaveMany(context.WithoutCancel(ctx), 0, m.Account.Key(), "save the draft "+arguments.Brief(subject), KindSaved,
		savedDraft{Draft: draftID, Content: outgoing.HexDigest(raw)})
	if err != nil {
		return ""
	}
	return id
}

// UndoSave deletes a saved draft. raw is a savedDraft. If the draft was changed later, it
// deletes the draft only if attempt.Overwrite is set. It saves the deleted draft for undo.
func UndoSave(ctx context.Context, m *mailbox.Mailbox, attempt persist.UndoAttempt, raw json.RawMessage) (mailbox.UndoResult, error) {
	var saved savedDraft
	if err := json.Unmarshal(raw, &saved); err != nil {
		return mailbox.UndoResult{}, fmt.Errorf("read the undo record of the draft: %w", err)
	}
	now, err := outgoing.FetchDraft(ctx, m, saved.Draft)
	if metadata.CodeOf(err) == metadata.NotFound {
		return mailbox.UndoResult{Note: "the draft no longer exists: it was deleted or sent"}, nil
	}
	if err != nil {
		return mailbox.UndoResult{}, err
	}
	if outgoing.HexDigest(now.Raw) != saved.Content {
		if err := attempt.ConflictUnlessOverwrite("the draft was changed since it was saved", describeDraft(now)...); err != nil {
			return mailbox.UndoResult{}, err
		}
	}
	undo, err := m.Undos().Save(ctx, m.Account.Key(), "delete a draft that was saved", KindChange, now)
	if err != nil {
		return mailbox.UndoResult{}, err
	}
	if err := m.API.Users.Drafts.Delete(mailbox.Me, saved.Draft).Context(ctx).Do(); err != nil {
		return mailbox.UndoResult{}, m.Undos().Failed(ctx, undo, fmt.Errorf("delete the draft: %w", err))
	}
	return mailbox.UndoResult{Note: bundles.WithoutHiddenTools(ctx, "the draft is deleted. gmail_undo restores it") + " with undo_id " + undo}, nil
}

// ReadHeaders reads the addresses and the subject of a draft.
func ReadHeaders(ctx context.Context, m *mailbox.Mailbox, id string) (*mailmsg.Message, error) {
	draft, err := m.API.Users.Drafts.Get(mailbox.Me, id).Format("metadata").Context(ctx).Do()
	if err != nil {
		return nil, fmt.Errorf("read the draft: %w", err)
	}
	message := &mailmsg.Message{}
	if draft.Message == nil || draft.Message.Payload == nil {
		return message, nil
	}
	header := func(name string) string { return mailbody.Header(draft.Message.Payload, name) }
	if from, _ := mailmsg.ParseAddressList(header("From")); len(from) > 0 {
		message.From = from[0]
	}
	message.To, _ = mailmsg.ParseAddressList(header("To"))
	message.Cc, _ = mailmsg.ParseAddressList(header("Cc"))
	message.Bcc, _ = mailmsg.ParseAddressList(header("Bcc"))
	message.Subject = mailmsg.DecodeHeader(header("Subject"))
	return message, nil
}

// Read returns a draft, its parsed message, and the parts of address lists that are not
// addresses. If only the parsing fails, it returns the draft together with the error.
func Read(ctx context.Context, m *mailbox.Mailbox, id string) (*outgoing.Draft, *mailmsg.Message, []string, error) {
	draft, err := outgoing.FetchDraft(ctx, m, id)
	if err != nil {
		return nil, nil, nil, err
	}
	message, unparsed, err := mailmsg.Parse(draft.Raw)
	if err != nil {
		return draft, nil, nil, metadata.Errorf(metadata.Unavailable, "the draft cannot be read completely, so it was not changed: %w", err).
			WithHint("The user can change it in Gmail.")
	}
	return draft, message, unparsed, nil
}
