package gmail

import (
	"context"

	"kota/bundles"
	"kota/bundles/gmail/internal/mailbox"
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
	w := newWriting(g.Files(), &p, in.writeIn)
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
