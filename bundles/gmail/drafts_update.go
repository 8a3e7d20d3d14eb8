package gmail

import (
	"context"
	"fmt"
	"net/mail"
	"slices"
	"strings"

	"kota/bundles"
	"kota/bundles/gmail/internal/attachment"
	"kota/bundles/gmail/internal/mailbox"
	"kota/bundles/gmail/internal/outgoing"
	"kota/bundles/internal/arguments"
	"kota/bundles/internal/mailmsg"
	"kota/bundles/internal/untrusted"
	"kota/metadata"
)

type updateDraftIn struct {
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

func (g *gmail) updateDraftAction() bundles.Action {
	text := "Does noon suit you?"
	return bundles.Bind(metadata.Action{
		Name: "update_draft", Effect: metadata.Writes, Scopes: []string{mailbox.ScopeCompose, mailbox.ScopeRead},
		Summary:     "Change a draft; what is not mentioned stays.",
		Description: "Lists replace what was there.",
		Tags:        []string{"draft", "edit"},
		Aliases:     metadata.Aliases("edit modify change: draft"),
		Phrases: []string{
			"change the draft, make it shorter, rewrite it",
			"reword the draft, it sounds too formal",
			"make the draft friendlier and more polite",
			"add my boss in cc to the draft, other recipients",
			"attach the file to the draft, take an attachment out",
			"another subject line for the unsent mail",
			"take the last sentence out of the draft",
			"change the draft to say march instead of may",
			"pas het concept aan, maak het korter",
			"ändere den Entwurf, kürze ihn",
			"modifie le brouillon, raccourcis-le",
			"modifica el borrador, hazlo más corto",
		},
		Examples: []metadata.Example{{Title: "Another text", Args: updateDraftIn{DraftID: "r-18f2a9c0d1e2f3a4", Body: &text}}},
		Errors:   writeErrors(),
		Notes: []string{
			"to, cc and bcc replace the whole list. body replaces the words alone; html replaces everything below the headers.",
			"Another subject takes the draft out of its thread.",
			"If the draft was changed in Gmail at the same moment, the last change stays. gmail_undo puts back what was there before.",
		},
	}, g.updateDraft)
}

func (g *gmail) updateDraft(ctx context.Context, in updateDraftIn) (sentOut, error) {
	change, err := g.draftChange(in)
	if err != nil {
		return sentOut{}, err
	}
	m, err := g.Open(ctx, in.Account)
	if err != nil {
		return sentOut{}, err
	}
	before, message, lost, err := readDraft(ctx, m, in.DraftID)
	if err != nil {
		return sentOut{}, err
	}
	thread := before.Thread
	if in.Subject != nil && !mailmsg.SameTopic(*in.Subject, message.Subject) {
		thread = "" // Gmail keeps one subject in a thread
	}
	if err := applyChange(ctx, m, change, message); err != nil {
		return sentOut{}, err
	}
	raw, err := encode(message)
	if err != nil {
		return sentOut{}, err
	}
	if raw = outgoing.MarkIfTainted(ctx, raw); outgoing.IsMarked(before.Raw) {
		raw = outgoing.Mark(raw)
	}
	before.After = outgoing.Digest(raw)
	undo, err := g.Undos().Save(ctx, m.Account.Key(), "change the draft "+arguments.Brief(message.Subject), undoDraft, before)
	if err != nil {
		return sentOut{}, err
	}
	draft, err := outgoing.ReplaceDraft(ctx, m, in.DraftID, thread, raw)
	if err != nil {
		return sentOut{}, g.Undos().Failed(ctx, undo, fmt.Errorf("change the draft: %w", err))
	}
	out := describeDraft(message, untrusted.Mixed(ctx, untrusted.Mail))
	out.Status, out.Note, out.DraftID, out.UndoID = "draft", noteDraft, draft.Id, undo
	if draft.Message != nil {
		out.MessageID, out.ThreadID = draft.Message.Id, draft.Message.ThreadId
	}
	for _, piece := range lost {
		out.Warnings = append(out.Warnings, "left out, since it is no address: "+piece)
	}
	return out, nil
}

// A draftChange is the checked arguments of an update.
type draftChange struct {
	in          updateDraftIn
	to, cc, bcc []*mail.Address // nil: not mentioned
	from        *mail.Address
	files       []attachment.Enclosure
}

func (g *gmail) draftChange(in updateDraftIn) (*draftChange, error) {
	var p mailbox.Problems
	p.ID("draft_id", in.DraftID)
	c := &draftChange{in: in, from: p.Address("from", in.From)}
	for _, list := range []struct {
		path  string
		given []string
		read  *[]*mail.Address
	}{{"to", in.To, &c.to}, {"cc", in.Cc, &c.cc}, {"bcc", in.Bcc, &c.bcc}} {
		if list.given != nil {
			*list.read = p.Addresses(list.path, list.given)
		}
	}
	if in.Subject != nil {
		p.Line("subject", *in.Subject, mostOfSubject)
	}
	if in.Body != nil {
		p.Text("body", *in.Body)
	}
	if in.HTML != nil {
		p.Text("html", *in.HTML)
	}
	c.files = attachment.Enclosures(g.Files(), &p, "add_attachments", in.Attachments)
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

// applyChange changes the message as asked.
func applyChange(ctx context.Context, m *mailbox.Mailbox, c *draftChange, message *mailmsg.Message) error {
	for _, list := range []struct{ given, kept *[]*mail.Address }{{&c.to, &message.To}, {&c.cc, &message.Cc}, {&c.bcc, &message.Bcc}} {
		if *list.given != nil {
			*list.kept = *list.given
		}
	}
	dedupe(&message.To, &message.Cc, &message.Bcc)
	if err := checkRecipients(message, true); err != nil {
		return err
	}
	if c.in.Subject != nil {
		message.Subject = *c.in.Subject
	}
	if c.from != nil {
		who, err := m.Identities(ctx)
		if err != nil {
			return err
		}
		from, err := who.Choose(c.from)
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
	reword(message, c.in.Body, c.in.HTML)
	return nil
}

// removeFiles takes attachments away by name. All names that there are not are
// problems.
func removeFiles(message *mailmsg.Message, names []string) error {
	var p mailbox.Problems
	for i, name := range names {
		at := slices.IndexFunc(message.Attachments, func(f mailmsg.File) bool { return f.Name == name })
		if at < 0 {
			there := "it has none"
			if files := outgoing.NewEnvelope(message).Attachments; len(files) > 0 {
				there = strings.Join(files, ", ")
			}
			p.Add(fmt.Sprintf("remove_attachments[%d]", i), "the name of an attachment of the draft: "+there, name)
			continue
		}
		message.Attachments = slices.Delete(message.Attachments, at, at+1)
	}
	return p.Err()
}
