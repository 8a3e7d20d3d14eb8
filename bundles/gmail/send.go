package gmail

import (
	"context"
	"net/mail"

	"kota/bundles"
	"kota/bundles/gmail/internal/compose"
	"kota/bundles/gmail/internal/mailbody"
	"kota/bundles/gmail/internal/mailbox"
	"kota/bundles/internal/recipients"
	"kota/metadata"
)

type sendIn struct {
	To      []string `json:"to,omitempty" doc:"one address each: [\"Ann <ann@example.com>\"]" audit:"show"`
	Cc      []string `json:"cc,omitempty" audit:"show"`
	Bcc     []string `json:"bcc,omitempty" audit:"show"`
	Subject string   `json:"subject,omitempty"`
	ReplyTo string   `json:"reply_to,omitempty" audit:"show"`
	compose.Args
}

// AsDraft returns the call that saves the mail instead of sending it.
func (in sendIn) AsDraft() sendIn { in.Args = in.DraftInstead(); return in }

func (g *gmail) sendMessageAction() bundles.Action {
	return bundles.Bind(metadata.Action{
		Name: "send_message", Effect: metadata.Sends, Scopes: []string{mailbox.ScopeCompose, mailbox.ScopeRead},
		Summary:     "Write a new mail and send it, or save it as a draft.",
		Description: "status says which happened.",
		Tags:        []string{"write", "compose", "email", "draft"},
		Aliases: metadata.Aliases{
			"send compose write: - email mail",
			"compose write new: message",
			"create save compose: draft (as_draft: true)",
			"draft: - message email mail (as_draft: true)",
		},
		Examples: []metadata.Example{
			{Title: "Send", Args: sendIn{To: []string{"Ann <ann@example.com>"}, Subject: "Lunch on Friday", Args: compose.Args{Body: "Hi Ann,\n\ndoes **noon** suit you?"}}},
			{Title: "Save a draft", Args: sendIn{To: []string{"ann@example.com"}, Subject: "Figures", Args: compose.Args{Body: "Here they are.", AsDraft: true}}},
		},
		Errors: compose.Errors(),
		Notes: []string{
			"The user's signature is added. Without html, HTML is created from body; with only html, the text is created from it.",
			"Attachments come from the folders that `attachments:` in bundles.yaml names, or from a mail: its id and the part or file name that gmail_get_message shows. If one is missing, nothing is sent. The limit is 25 MB in total.",
			"With an idempotency_key, a repeated call sends nothing again and returns the first outcome. After OUTCOME_UNKNOWN, repeat only with the same key.",
			"The part of an address before the @ must be ASCII; a domain in another script is converted to its xn-- form.",
		},
	}, g.sendMessage)
}

func (g *gmail) sendMessage(ctx context.Context, in sendIn) (compose.SendResult, error) {
	if err := recipients.Resolve(ctx, recipients.Field{Path: "to", List: &in.To}, recipients.Field{Path: "cc", List: &in.Cc}, recipients.Field{Path: "bcc", List: &in.Bcc}); err != nil {
		return compose.SendResult{}, err
	}
	c, checked, err := compose.NewComposition(g.Files(), "send", compose.Recipients{To: in.To, Cc: in.Cc, Bcc: in.Bcc}, in.Args, func(p *mailbox.Problems, c *compose.Composition) {
		c.Message.Subject = in.Subject
		if replyTo := p.Address("reply_to", in.ReplyTo); replyTo != nil {
			c.Message.ReplyTo = []*mail.Address{replyTo}
		}
		p.Line("subject", in.Subject, compose.MaxSubject)
	})
	if err != nil {
		return compose.SendResult{}, err
	}
	m, err := g.Open(ctx, in.Account)
	if err != nil {
		return compose.SendResult{}, err
	}
	identities, err := m.Identities(ctx)
	if err != nil {
		return compose.SendResult{}, err
	}
	return compose.Deliver(ctx, g.sender(m), c, checked, identities, identities.Default(), mailbody.Content{})
}
