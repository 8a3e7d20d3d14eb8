package gmail

import (
	"context"

	"kota/bundles"
	"kota/bundles/gmail/internal/compose"
	"kota/bundles/gmail/internal/mailbox"
	"kota/bundles/internal/mailmsg"
	"kota/bundles/internal/recipients"
	"kota/metadata"
)

type forwardIn struct {
	MessageID string   `json:"message_id" doc:"the mail to forward" audit:"show"`
	To        []string `json:"to,omitempty" doc:"one address each" audit:"show"`
	Cc        []string `json:"cc,omitempty" audit:"show"`
	Bcc       []string `json:"bcc,omitempty" audit:"show"`
	Include   bool     `json:"include_attachments" default:"true"`
	compose.Args
}

// AsDraft returns the call that saves the mail instead of sending it.
func (in forwardIn) AsDraft() forwardIn { in.Args = in.DraftInstead(); return in }

func (g *gmail) forwardMessageAction() bundles.Action {
	return bundles.Bind(metadata.Action{
		Name: "forward_message", Effect: metadata.Sends, Scopes: []string{mailbox.ScopeCompose, mailbox.ScopeRead},
		Summary:     "Forward a mail with its attachments, or save that as a draft.",
		Description: "body goes above it.",
		Tags:        []string{"forward", "pass on"},
		Aliases:     metadata.Aliases{"forward fwd: - email mail"},
		Examples: []metadata.Example{
			{Title: "Forward with a word", Args: forwardIn{MessageID: "18f2a9c0d1e2f3a4", To: []string{"bob@example.com"}, Include: true, Args: compose.Args{Body: "For your files."}}},
		},
		Errors: compose.Errors(),
		Notes: []string{
			"The mail keeps its layout and images; hidden text, scripts, tracking pixels and files that styles load are removed.",
			"attachments adds more files.",
		},
	}, g.forwardMessage)
}

func (g *gmail) forwardMessage(ctx context.Context, in forwardIn) (compose.SendResult, error) {
	if err := recipients.Resolve(ctx, recipients.Field{Path: "to", List: &in.To}, recipients.Field{Path: "cc", List: &in.Cc}, recipients.Field{Path: "bcc", List: &in.Bcc}); err != nil {
		return compose.SendResult{}, err
	}
	c, checked, err := compose.NewComposition(g.Files(), "forward", compose.Recipients{To: in.To, Cc: in.Cc, Bcc: in.Bcc}, in.Args, func(p *mailbox.Problems, _ *compose.Composition) {
		p.ID("message_id", in.MessageID)
	})
	if err != nil {
		return compose.SendResult{}, err
	}
	m, err := g.Open(ctx, in.Account)
	if err != nil {
		return compose.SendResult{}, err
	}
	o, identities, err := compose.ReadOriginal(ctx, m, in.MessageID, "")
	if err != nil {
		return compose.SendResult{}, err
	}
	c.Message.Subject = mailmsg.ForwardSubject(o.Subject)
	c.Message.InReplyTo, c.Message.References = o.MessageID, o.References
	quoted, cut := o.Forward(g.Now().Location())
	if cut {
		c.Warnings = append(c.Warnings, "the mail is too long or too complex: not all of its text is forwarded")
	}
	if err := compose.ForwardFiles(ctx, m, c, o, quoted.HTML, in.Include, checked.Files); err != nil {
		return compose.SendResult{}, err
	}
	return compose.Deliver(ctx, g.sender(m), c, checked, identities, compose.ReplyIdentity(identities, o), quoted)
}
