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
	Remove    []string `json:"remove,omitempty" doc:"not to answer" audit:"show"`
	Subject   string   `json:"subject,omitempty" doc:"another starts a new thread"`
	Quote     bool     `json:"quote" default:"true"`
	compose.Args
}

// AsDraft returns the call that saves the answer instead of sending it.
func (in replyIn) AsDraft() replyIn { in.Args = in.Gated(); return in }

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
			{Title: "Draft an answer to a thread's newest mail", Args: replyIn{ThreadID: "18f2a9c0d1e2f3a4", Quote: true, Args: compose.Args{Body: "Noon is fine.", AsDraft: true}}},
		},
		Errors: compose.Errors(),
		Notes: []string{
			"It goes to Reply-To or From, and with reply_all to the other recipients, never to an address of the user's. The answer to a mail of the user's own goes to those who got it.",
			"It is sent from the address that the mail came to.",
			"Attachments of the mail are not sent back: gmail_forward_message passes them on.",
		},
	}, g.replyMessage)
}

func (g *gmail) replyMessage(ctx context.Context, in replyIn) (compose.Sent, error) {
	var p mailbox.Problems
	add, remove := p.Addresses("add", in.Add), p.Addresses("remove", in.Remove)
	p.Line("subject", in.Subject, compose.MaxSubject)
	checkOneOf(&p, in.MessageID, in.ThreadID)
	w, err := compose.NewWriting(g.Files(), &p, in.Args)
	if err != nil {
		return compose.Sent{}, err
	}
	m, err := g.Open(ctx, in.Account)
	if err != nil {
		return compose.Sent{}, err
	}
	o, who, err := compose.OriginalAndSelf(ctx, m, in.MessageID, in.ThreadID)
	if err != nil {
		return compose.Sent{}, err
	}
	l := compose.Answer(o, who, in.ReplyAll)
	if l.Same, err = in.sameness(w); err != nil {
		return compose.Sent{}, err
	}
	if in.Key == "" { // with a key, the answer is the same whatever arrived meanwhile
		l.Received = o.Received
	}
	if in.Subject != "" {
		l.Message.Subject = in.Subject
	}
	if !mailmsg.SameTopic(o.Subject, l.Message.Subject) {
		l.Thread = "" // Gmail keeps one subject in a thread
		l.Warnings = append(l.Warnings, "the subject is another, so that it starts a new thread")
	}
	l.Message.Cc = append(l.Message.Cc, add...)
	l.LeaveOut(remove)
	quoted := mailbody.Words{}
	if in.Quote {
		quoted = o.Quote(g.Now().Location())
	}
	return compose.Deliver(ctx, g.sender(m), l, w, who, compose.AnswerIdentity(who, o), quoted)
}

// sameness returns what identifies equal answers. The caller adds the newest mail of the
// thread by somebody else, because after sending the answer is the newest.
func (in replyIn) sameness(w compose.Writing) ([]byte, error) {
	in.Args.AsDraft, in.Key, in.Account = false, "", ""
	return w.Sameness(in)
}

// checkOneOf adds a problem unless exactly one of the two ids is given.
func checkOneOf(p *mailbox.Problems, message, thread string) {
	switch {
	case (message == "") == (thread == ""):
		p.Add("message_id", "given, or thread_id in its place", "both or neither")
	case message != "":
		p.ID("message_id", message)
	default:
		p.ID("thread_id", thread)
	}
}
