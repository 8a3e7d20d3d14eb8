package gmail

import (
	"context"
	"html"
	"net/url"
	"slices"
	"strings"

	"kota/bundles"
	"kota/bundles/gmail/internal/attachment"
	"kota/bundles/gmail/internal/mailbody"
	"kota/bundles/gmail/internal/mailbox"
	"kota/bundles/gmail/internal/present"
	"kota/bundles/internal/mailmsg"
	"kota/metadata"
)

type forwardIn struct {
	MessageID string   `json:"message_id" doc:"the mail to pass on" audit:"show"`
	To        []string `json:"to,omitempty" doc:"one address each" audit:"show"`
	Cc        []string `json:"cc,omitempty" audit:"show"`
	Bcc       []string `json:"bcc,omitempty" audit:"show"`
	Include   bool     `json:"include_attachments" default:"true"`
	writeIn
}

// AsDraft returns the call that saves the mail instead of sending it.
func (in forwardIn) AsDraft() forwardIn { in.writeIn = in.asDraft(); return in }

func (g *gmail) forwardMessageAction() bundles.Action {
	return bundles.Bind(metadata.Action{
		Name: "forward_message", Effect: metadata.Sends, Scopes: []string{mailbox.ScopeCompose, mailbox.ScopeRead},
		Summary:     "Pass a mail on to others with its attachments, or draft that.",
		Description: "body stands above it.",
		Tags:        []string{"forward", "pass on"},
		Aliases:     metadata.Aliases("forward fwd: - email mail"),
		Phrases: []string{
			"forward that mail to my wife",
			"pass this email on to my accountant",
			"forward the contract to the lawyer with its attachments",
			"send the invoice mail on to finance",
			"share this message with a colleague",
			"fwd it, relay this mail to support",
			"stuur die mail of dat bericht door naar mijn collega",
			"leite die Mail weiter an die Buchhaltung",
			"transfère ce mail à mon comptable",
			"reenvía ese correo a mi gestor",
		},
		Examples: []metadata.Example{
			{Title: "Forward with a word", Args: forwardIn{MessageID: "18f2a9c0d1e2f3a4", To: []string{"bob@example.com"}, Include: true, writeIn: writeIn{Body: "For your files."}}},
		},
		Errors: writeErrors(),
		Notes: []string{
			"The mail keeps its looks and images; hidden text, scripts, tracking pixels and what styles load are left out.",
			"attachments adds files of the user's own.",
		},
	}, g.forwardMessage)
}

func (g *gmail) forwardMessage(ctx context.Context, in forwardIn) (sentOut, error) {
	var p mailbox.Problems
	l := &letter{kind: "forward", message: mailmsg.Message{To: p.Addresses("to", in.To), Cc: p.Addresses("cc", in.Cc), Bcc: p.Addresses("bcc", in.Bcc)}}
	p.ID("message_id", in.MessageID)
	w := g.writing(&p, in.writeIn)
	if err := p.Err(); err != nil {
		return sentOut{}, err
	}
	if err := w.check(); err != nil {
		return sentOut{}, err
	}
	if err := checkRecipients(&l.message, w.in.AsDraft); err != nil {
		return sentOut{}, err
	}
	m, err := g.Open(ctx, in.Account)
	if err != nil {
		return sentOut{}, err
	}
	o, who, err := originalAndSelf(ctx, m, in.MessageID, "")
	if err != nil {
		return sentOut{}, err
	}
	l.message.Subject = mailmsg.ForwardSubject(o.Subject)
	l.message.InReplyTo, l.message.References = o.MessageID, o.References
	quoted, cut := o.Forwarded(g.Now().Location())
	if cut {
		l.warnings = append(l.warnings, "the mail is too long or too tangled: not all of its text is passed on")
	}
	if err := passOnFiles(ctx, m, l, o, quoted.HTML, in.Include, w.files); err != nil {
		return sentOut{}, err
	}
	return composeLetter(ctx, g.sender(m), l, w, who, answerIdentity(who, o), quoted)
}

// shows reports whether the text shows the image of that Content-ID, and not
// just one whose id begins so.
func shows(document, id string) bool {
	escaped := html.EscapeString(id)
	return strings.Contains(document, `"cid:`+escaped+`"`) || strings.Contains(document, `"cid:`+url.PathEscape(id)+`"`)
}

// passOnFiles takes over the images that the text shows, and the attachments
// if they are wanted. It warns of those that are not chosen in another way either.
func passOnFiles(ctx context.Context, m *mailbox.Mailbox, l *letter, o *mailbody.Original, document string, attachments bool, chosen []attachment.Enclosure) error {
	var inline, attached []mailbody.Attachment
	left := 0
	for _, file := range o.Files {
		switch id := strings.Trim(mailmsg.MessageID(mailbody.Header(file.MessagePart(), "Content-ID")), "<>"); {
		case id != "" && shows(document, id):
			inline = append(inline, file)
		case attachments:
			attached = append(attached, file)
		case !slices.ContainsFunc(chosen, func(e attachment.Enclosure) bool { return e.Means(o, file) }):
			left++
		}
	}
	var err error
	if l.message.Inline, err = attachment.FetchFiles(ctx, m, o.ID, inline); err != nil {
		return err
	}
	if l.message.Attachments, err = attachment.FetchFiles(ctx, m, o.ID, attached); err != nil {
		return err
	}
	if left > 0 {
		l.warnings = append(l.warnings, present.Counted(left, "attachment of the mail is", "attachments of the mail are")+" left out")
	}
	return nil
}
