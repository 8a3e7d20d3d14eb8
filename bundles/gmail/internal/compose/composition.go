package compose

import (
	"context"
	"errors"
	"fmt"
	"net/mail"
	"slices"

	"kota/bundles/gmail/internal/drafts"
	"kota/bundles/gmail/internal/mailbox"
	"kota/bundles/gmail/internal/outgoing"
	"kota/bundles/internal/mailmsg"
	"kota/bundles/internal/untrusted"
	"kota/metadata"
)

// A Composition is a mail that is being written, from arguments to bytes.
type Composition struct {
	Kind      string // "send", "reply" or "forward", as in outgoing.Mail
	Message   mailmsg.Message
	Thread    string // Gmail's thread for the mail; "" for a new one
	userText  string // the user's own text, without signature and quote
	RepeatKey []byte // see outgoing.Mail
	Received  string // see outgoing.Mail
	Warnings  []string
}

// A SendResult is the result of sending or saving a mail.
type SendResult struct {
	Status      string   `json:"status" enum:"sent,draft"`
	Note        string   `json:"note"` // explains the status
	MessageID   string   `json:"message_id,omitempty"`
	ThreadID    string   `json:"thread_id,omitempty"`
	DraftID     string   `json:"draft_id,omitempty"`
	From        string   `json:"from,omitempty"`
	To          []string `json:"to"` // the recipients in the mail
	Cc          []string `json:"cc,omitempty"`
	Bcc         []string `json:"bcc,omitempty"`
	Subject     string   `json:"subject"`
	Attachments []string `json:"attachments,omitempty"`
	Repeated    bool     `json:"repeated,omitempty"` // an earlier call already did it
	Warnings    []string `json:"warnings,omitempty"`
	UndoID      string   `json:"undo_id,omitempty"` // for a draft: gmail_undo undoes its creation or change

	Provenance *untrusted.Provenance `json:"provenance,omitempty"` // set for replies, forwards and existing drafts
}

const (
	noteSent         = "accepted by Gmail, which delivers it; a failure to deliver comes back as mail"
	NoteDraft        = "saved in Gmail's drafts; nothing was sent"
	noteDraftInstead = "bundles.yaml allows only the user to send: the mail is saved in Gmail's drafts, where the user can send it; with `send: ask` KOTA could send it after approval"
)

// Errors returns the error codes of every action that writes a mail, and then the codes in
// more.
func Errors(more ...metadata.Code) []metadata.Code {
	return append([]metadata.Code{
		metadata.ValidationError, metadata.NotFound, metadata.TooLarge, metadata.SignInRequired, metadata.ScopeMissing, metadata.RateLimited,
		metadata.Unavailable, metadata.Refused, metadata.Conflict, metadata.OutcomeUnknown,
	}, more...)
}

// finish sets the sender and the date, checks the message and encodes it.
func finish(m *outgoing.Sender, c *Composition, from mailbox.Identity, asDraft bool) ([]byte, error) {
	message := &c.Message
	message.From, message.Date = from.Address, m.Now()
	if len(message.ReplyTo) == 0 && from.ReplyTo != nil {
		message.ReplyTo = []*mail.Address{from.ReplyTo}
	}
	dedupe(&message.To, &message.Cc, &message.Bcc)
	if err := CheckRecipients(message, asDraft); err != nil {
		return nil, err
	}
	c.addWarnings()
	return Encode(message)
}

// Encode returns the bytes of a message. It returns TOO_LARGE above Gmail's
// limits, and a VALIDATION_ERROR for a message that cannot be written.
func Encode(m *mailmsg.Message) ([]byte, error) {
	if err := mailbox.CheckSize(int64(len(m.Text)+len(m.HTML)) + sizeOf(m.Attachments) + sizeOf(m.Inline)); err != nil {
		return nil, err
	}
	raw, err := m.Bytes(nil)
	switch {
	case errors.Is(err, mailmsg.ErrInvalid):
		return nil, metadata.Errorf(metadata.ValidationError, "write the mail: %w", err).WithHint("Nothing was sent or saved. Fix this and repeat the call.")
	case err != nil:
		return nil, fmt.Errorf("write the mail: %w", err)
	case len(raw) > mailbox.MaxRaw:
		return nil, mailbox.TooLargeError(int64(len(raw)))
	}
	return raw, nil
}

func sizeOf(files []mailmsg.File) (total int64) {
	for _, f := range files {
		total += int64(len(f.Content))
	}
	return total
}

// dedupe keeps each recipient once, at its first position.
func dedupe(lists ...*[]*mail.Address) {
	seen := map[string]bool{}
	for _, list := range lists {
		*list = slices.DeleteFunc(*list, func(a *mail.Address) bool {
			form := mailmsg.Canonical(a.Address)
			again := seen[form]
			seen[form] = true
			return again
		})
	}
}

// CheckRecipients returns a VALIDATION_ERROR if a mail has more than maxRecipients
// recipients, or if a mail that is not saved as a draft has none.
func CheckRecipients(m *mailmsg.Message, asDraft bool) error {
	n := len(m.To) + len(m.Cc) + len(m.Bcc)
	var p mailbox.Problems
	switch {
	case n == 0 && !asDraft:
		p.Add("to", `at least one address, such as ["ann@example.com"]; a draft may have none`, "")
	case n > maxRecipients:
		p.Add("to", fmt.Sprintf("at most %d recipients together with cc and bcc", maxRecipients), fmt.Sprintf("%d", n))
	}
	return p.Err()
}

// sendOrSave sends a complete composition, or saves it as a draft.
func sendOrSave(ctx context.Context, m *outgoing.Sender, c *Composition, from mailbox.Identity, in Args) (SendResult, error) {
	raw, err := finish(m, c, from, in.AsDraft)
	if err != nil {
		return SendResult{}, err
	}
	provenance := (*untrusted.Provenance)(nil)
	if c.Kind != "send" {
		provenance = untrusted.MarkPartly(ctx, untrusted.Mail)
	}
	about := outgoing.NewEnvelope(&c.Message)
	about.Warnings = c.Warnings
	done, err := m.Deliver(ctx, outgoing.Mail{
		Key: in.Key, Kind: c.Kind, Raw: raw, ThreadID: c.Thread, AsDraft: in.AsDraft,
		Envelope: about, RepeatKey: c.RepeatKey, Received: c.Received,
	})
	if err != nil {
		return SendResult{}, err
	}
	result := Describe(done.Envelope, provenance).WithDelivery(done, in)
	if done.DraftID != "" && !done.Repeated {
		result.UndoID = drafts.RecordSaved(ctx, m.Mailbox, done.DraftID, about.Subject, raw)
	}
	return result, nil
}

// WithDelivery returns the result with the outcome of the delivery.
func (out SendResult) WithDelivery(done outgoing.Delivery, in Args) SendResult {
	out.Status, out.Note = "sent", noteSent
	switch {
	case in.draftInstead:
		out.Status, out.Note = "draft", noteDraftInstead
	case in.AsDraft:
		out.Status, out.Note = "draft", NoteDraft
	}
	if out.Repeated = done.Repeated; done.Repeated {
		out.Note = "an earlier call already did this, so nothing was done now; to do it again, give another idempotency_key"
	}
	out.MessageID, out.ThreadID, out.DraftID = done.MessageID, done.ThreadID, done.DraftID
	return out
}

// DescribeDraft returns the result for a draft, without its outcome.
func DescribeDraft(m *mailmsg.Message, provenance *untrusted.Provenance) SendResult {
	return Describe(outgoing.NewEnvelope(m), provenance)
}

// Describe returns the result for a mail, without its outcome.
func Describe(e outgoing.Envelope, provenance *untrusted.Provenance) SendResult {
	return SendResult{
		From: e.From, To: append([]string{}, e.To...), Cc: e.Cc, Bcc: e.Bcc, Subject: e.Subject, Attachments: e.Attachments, Warnings: e.Warnings,
		Provenance: provenance,
	}
}

const (
	maxRecipients = 100
	MaxSubject    = 2000 // characters
	MaxKey        = 200  // characters of an idempotency key
)
