package gmail

import (
	"context"

	"kota/bundles"
	"kota/bundles/gmail/internal/compose"
	"kota/bundles/gmail/internal/mailbody"
	"kota/bundles/gmail/internal/mailbox"
	"kota/bundles/internal/mailmsg"
	"kota/metadata"
)

type replyIn struct {
	MessageID string   `json:"message_id,omitempty" doc:"the mail to answer" audit:"show"`
	ThreadID  string   `json:"thread_id,omitempty" doc:"or a thread: its newest mail" audit:"show"`
	ReplyAll  bool     `json:"reply_all,omitempty"`
	Add       []string `json:"add,omitempty" doc:"more, in cc" audit:"show"`
	Remove    []string `json:"remove,omitempty" doc:"to leave out" audit:"show"`
	Subject   string   `json:"subject,omitempty" doc:"another starts a new thread"`
	Quote     bool     `json:"quote" default:"true"`
	compose.Args
}

// AsDraft returns the call that saves the reply instead of sending it.
func (in replyIn) AsDraft() replyIn { in.Args = in.DraftInstead(); return in }

func (g *gmail) replyMessageAction() bundles.Action {
	return bundles.Bind(metadata.Action{
		Name: "reply_message", Effect: metadata.Sends, Scopes: []string{mailbox.ScopeCompose, mailbox.ScopeRead},
		Summary:     "Answer a mail in its thread, or save the answer as a draft.",
		Description: "Recipients, subject and sender follow from it.",
		Tags:        []string{"answer", "respond", "reply"},
		Aliases: metadata.Aliases{
			"reply respond answer: - message email mail thread",
			"reply_to respond_to: - message email mail thread",
			"reply_all reply_to_all: - (reply_all: true)",
		},
		Examples: []metadata.Example{
			{Title: "Answer all", Args: replyIn{MessageID: "18f2a9c0d1e2f3a4", ReplyAll: true, Quote: true, Args: compose.Args{Body: "Noon is fine."}}},
			{Title: "Draft an answer", Args: replyIn{ThreadID: "18f2a9c0d1e2f3a4", Quote: true, Args: compose.Args{Body: "Noon is fine.", AsDraft: true}}},
		},
		Errors: compose.Errors(),
		Notes: []string{
			"The answer goes to Reply-To or From, and with reply_all to the other recipients, but not to the user's own addresses if others are left. An answer to the user's own mail goes to its recipients.",
			"The answer is sent from the address that received the mail.",
			"The mail's attachments are not included; gmail_forward_message forwards them.",
		},
	}, g.replyMessage)
}

func (g *gmail) replyMessage(ctx context.Context, in replyIn) (compose.SendResult, error) {
	var p mailbox.Problems
	add, remove := p.Addresses("add", in.Add), p.Addresses("remove", in.Remove)
	p.Line("subject", in.Subject, compose.MaxSubject)
	checkOneID(&p, in.MessageID, in.ThreadID)
	checked, err := compose.CheckArgs(g.Files(), &p, in.Args)
	if err != nil {
		return compose.SendResult{}, err
	}
	m, err := g.Open(ctx, in.Account)
	if err != nil {
		return compose.SendResult{}, err
	}
	o, identities, err := compose.ReadOriginal(ctx, m, in.MessageID, in.ThreadID)
	if err != nil {
		return compose.SendResult{}, err
	}
	c := compose.Reply(o, identities, in.ReplyAll)
	if c.RepeatKey, err = in.repeatKey(checked); err != nil {
		return compose.SendResult{}, err
	}
	if in.Key == "" { // with an idempotency key, newly arrived mail does not matter
		c.Received = o.Received
	}
	if in.Subject != "" {
		c.Message.Subject = in.Subject
	}
	if !mailmsg.SameTopic(o.Subject, c.Message.Subject) {
		c.Thread = "" // Gmail allows only one subject in a thread
		c.Warnings = append(c.Warnings, "the subject is different, so the mail starts a new thread")
	}
	c.Message.Cc = append(c.Message.Cc, add...)
	c.RemoveRecipients(remove)
	quoted := mailbody.Content{}
	if in.Quote {
		quoted = o.Quote(g.Now().Location())
	}
	return compose.Deliver(ctx, g.sender(m), c, checked, identities, compose.ReplyIdentity(identities, o), quoted)
}

// repeatKey returns a key that is the same for repeats of a reply. The key does not contain
// the newest mail of the thread, because after the first call that mail is the reply.
func (in replyIn) repeatKey(checked compose.CheckedArgs) ([]byte, error) {
	in.Args.AsDraft, in.Key, in.Account = false, "", ""
	return checked.RepeatKey(in)
}

// checkOneID adds a problem unless exactly one of the two ids is given and that id is valid.
func checkOneID(p *mailbox.Problems, message, thread string) {
	switch {
	case (message == "") == (thread == ""):
		p.Add("message_id", "one of message_id and thread_id", metadata.BothOrNeither)
	case message != "":
		p.ID("message_id", message)
	default:
		p.ID("thread_id", thread)
	}
}
