package outgoing

import (
	"bytes"
	"context"
	"fmt"

	gmailapi "google.golang.org/api/gmail/v1"
	"google.golang.org/api/googleapi"

	"kota/bundles/gmail/internal/mailbody"
	"kota/bundles/gmail/internal/mailbox"
	"kota/metadata"
)

// A Draft is the state of a draft at one time. It is saved for undo.
type Draft struct {
	Draft  string `json:"draft"`
	Thread string `json:"thread"`
	Raw    []byte `json:"raw"`
	After  string `json:"after,omitempty"` // HexDigest of the draft after the change; "" if the change deleted it
}

// FetchDraft reads a draft, up to Gmail's size limit. It does not set After.
func FetchDraft(ctx context.Context, m *mailbox.Mailbox, id string) (*Draft, error) {
	draft, err := m.Large(mailbox.MaxResponse).Users.Drafts.Get(mailbox.Me, id).Format("raw").Context(ctx).Do()
	if err != nil {
		return nil, fmt.Errorf("read the draft: %w", err)
	}
	if draft.Message == nil {
		return nil, metadata.Errorf(metadata.Unavailable, "Gmail's answer has no draft").WithHint("Repeat the call.")
	}
	raw, err := mailbody.DecodeBase64(draft.Message.Raw)
	if err != nil {
		return nil, fmt.Errorf("read the draft: %w", err)
	}
	return &Draft{Draft: id, Thread: draft.Message.ThreadId, Raw: raw}, nil
}

// ReplaceDraft replaces the bytes of a draft.
func ReplaceDraft(ctx context.Context, m *mailbox.Mailbox, id, thread string, raw []byte) (*gmailapi.Draft, error) {
	return m.API.Users.Drafts.Update(mailbox.Me, id, &gmailapi.Draft{Message: &gmailapi.Message{ThreadId: thread}}).
		Media(bytes.NewReader(raw), googleapi.ContentType("message/rfc822"), googleapi.ChunkSize(0)).Context(ctx).Do()
}

// CreateDraft saves a mail as a new draft in a thread, or in a new thread for "".
func CreateDraft(ctx context.Context, m *mailbox.Mailbox, raw []byte, thread string) (*gmailapi.Draft, error) {
	draft, err := m.API.Users.Drafts.Create(mailbox.Me, &gmailapi.Draft{Message: &gmailapi.Message{ThreadId: thread}}).
		Media(bytes.NewReader(raw), uploadOptions...).Fields("id", "message(id,threadId)").Context(ctx).Do()
	if err != nil {
		return nil, err
	}
	if draft.Id == "" || draft.Message == nil {
		return nil, metadata.Errorf(metadata.OutcomeUnknown, "Gmail's answer has no draft")
	}
	return draft, nil
}
