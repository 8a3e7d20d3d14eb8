package compose

import (
	"context"
	"fmt"
	"net/mail"
	"slices"
	"strings"

	"kota/bundles/gmail/internal/attachment"
	"kota/bundles/gmail/internal/mailbox"
	"kota/bundles/gmail/internal/outgoing"
	"kota/bundles/internal/mailmsg"
)

// DraftArgs are the arguments of gmail_update_draft. An omitted argument keeps the current
// value.
type DraftArgs struct {
	DraftID     string   `json:"draft_id" audit:"show"`
	To          []string `json:"to,omitempty" doc:"all of them; [] for none" audit:"show"`
	Cc          []string `json:"cc,omitempty" audit:"show"`
	Bcc         []string `json:"bcc,omitempty" audit:"show"`
	Subject     *string  `json:"subject,omitempty"`
	Body        *string  `json:"body,omitempty" doc:"Markdown; signature and quote stay below"`
	HTML        *string  `json:"html,omitempty" doc:"replaces text, signature and quote"`
	Attachments []string `json:"add_attachments,omitempty" doc:"file paths, or \"mail:MESSAGE_ID/PART\""`
	Remove      []string `json:"remove_attachments,omitempty" doc:"by name"`
	From        string   `json:"from,omitempty" doc:"one of the user's addresses" audit:"show"`
	Account     string   `json:"account,omitempty" doc:"name or address" audit:"show"`
}

// A DraftChange holds checked DraftArgs and the files to attach.
type DraftChange struct {
	in          DraftArgs
	to, cc, bcc []*mail.Address // nil: keep the current list
	from        *mail.Address   // nil: keep the current sender
	files       []attachment.Enclosure
}

// NewDraftChange checks the arguments and reads the local files to attach. It sends no
// request to Gmail.
func NewDraftChange(folders attachment.Folders, in DraftArgs) (*DraftChange, error) {
	var p mailbox.Problems
	p.ID("draft_id", in.DraftID)
	c := &DraftChange{in: in, from: p.Address("from", in.From)}
	for _, list := range []struct {
		path   string
		given  []string
		target *[]*mail.Address
	}{{"to", in.To, &c.to}, {"cc", in.Cc, &c.cc}, {"bcc", in.Bcc, &c.bcc}} {
		if list.given != nil {
			*list.target = p.Addresses(list.path, list.given)
		}
	}
	if in.Subject != nil {
		p.Line("subject", *in.Subject, MaxSubject)
	}
	if in.Body != nil {
		p.Text("body", *in.Body)
	}
	if in.HTML != nil {
		p.Text("html", *in.HTML)
	}
	c.files = attachment.ReadEnclosures(folders, &p, "add_attachments", in.Attachments)
	if err := p.Err(); err != nil {
		return nil, err
	}
	total := int64(0)
	for _, e := range c.files {
		total += e.Size
	}
	for _, text := range []*string{in.Body, in.HTML} {
		if text != nil {
			total += int64(len(*text))
		}
	}
	return c, mailbox.CheckSize(total)
}

// Apply applies the change to the message.
func Apply(ctx context.Context, m *mailbox.Mailbox, c *DraftChange, message *mailmsg.Message) error {
	for _, list := range []struct{ given, target *[]*mail.Address }{{&c.to, &message.To}, {&c.cc, &message.Cc}, {&c.bcc, &message.Bcc}} {
		if *list.given != nil {
			*list.target = *list.given
		}
	}
	dedupe(&message.To, &message.Cc, &message.Bcc)
	if err := CheckRecipients(message, true); err != nil {
		return err
	}
	if c.in.Subject != nil {
		message.Subject = *c.in.Subject
	}
	if c.from != nil {
		identities, err := m.Identities(ctx)
		if err != nil {
			return err
		}
		from, err := identities.Choose(c.from)
		if err != nil {
			return err
		}
		message.From = from.Address
	}
	if err := removeFiles(message, c.in.Remove); err != nil {
		return err
	}
	added, err := attachment.FetchEnclosures(ctx, m, c.files)
	if err != nil {
		return err
	}
	message.Attachments = append(message.Attachments, added...)
	message.Date = m.Now()
	replaceText(message, c.in.Body, c.in.HTML)
	return nil
}

// removeFiles removes the attachments with these names. It returns a VALIDATION_ERROR for
// unknown names.
func removeFiles(message *mailmsg.Message, names []string) error {
	var p mailbox.Problems
	for i, name := range names {
		at := slices.IndexFunc(message.Attachments, func(f mailmsg.File) bool { return f.Name == name })
		if at < 0 {
			available := "it has none"
			if files := outgoing.NewEnvelope(message).Attachments; len(files) > 0 {
				available = strings.Join(files, ", ")
			}
			p.Add(fmt.Sprintf("remove_attachments[%d]", i), "the name of an attachment of the draft: "+available, name)
			continue
		}
		message.Attachments = slices.Delete(message.Attachments, at, at+1)
	}
	return p.Err()
}
