package gmail

import (
	"context"

	"kota/bundles"
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
	writeIn
}

// AsDraft returns the call that saves the answer instead of sending it.
func (in replyIn) AsDraft() replyIn { in.writeIn = in.asDraft(); return in }

func (g *gmail) replyMessageAction() bundles.Action {
	return bundles.Bind(metadata.Action{
		Name: "reply_message", Effect: metadata.Sends, Scopes: []string{mailbox.ScopeCompose, mailbox.ScopeRead},
		Summary:     "Answer a mail in its thread, or save the answer as a draft.",
		Description: "Recipients, subject and sender follow from it.",
		Tags:        []string{"answer", "respond", "reply"},
		Aliases: metadata.Aliases(
			"reply respond answer: - message email mail thread",
			"reply_to respond_to: - message email mail thread",
			"reply_all reply_to_all: - (reply_all: true)",
		),
		Phrases: []string{
			"reply to that mail that noon suits me",
			"answer that email, respond that we accept",
			"reply all and say yes, answer politely: thanks but no",
			"respond to her message, a short reply",
			"write back that I will come, tell them no",
			"draft a reply, an answer to his mail",
			"get back to him by email",
			"thank them for their mail",
			"beantwoord die mail, antwoord dat het goed is",
			"antworte auf die Mail, schreib zurück",
			"réponds à ce mail que je suis d'accord",
			"responde a ese correo, contesta que sí",
		},
		Examples: []metadata.Example{
			{Title: "Answer all", Args: replyIn{MessageID: "18f2a9c0d1e2f3a4", ReplyAll: true, Quote: true, writeIn: writeIn{Body: "Noon is fine."}}},
			{Title: "Draft an answer to a thread's newest mail", Args: replyIn{ThreadID: "18f2a9c0d1e2f3a4", Quote: true, writeIn: writeIn{Body: "Noon is fine.", AsDraft: true}}},
		},
		Errors: writeErrors(),
		Notes: []string{
			"It goes to Reply-To or From, and with reply_all to the other recipients, never to an address of the user's. The answer to a mail of the user's own goes to those who got it.",
			"It is sent from the address that the mail came to.",
			"Attachments of the mail are not sent back: gmail_forward_message passes them on.",
		},
	}, g.replyMessage)
}

func (g *gmail) replyMessage(ctx context.Context, in replyIn) (sentOut, error) {
	var p mailbox.Problems
	add, remove := p.Addresses("add", in.Add), p.Addresses("remove", in.Remove)
	p.Line("subject", in.Subject, mostOfSubject)
	checkOneOf(&p, in.MessageID, in.ThreadID)
	w := newWriting(g.Files(), &p, in.writeIn)
	if err := p.Err(); err != nil {
		return sentOut{}, err
	}
	if err := w.check(); err != nil {
		return sentOut{}, err
	}
	m, err := g.Open(ctx, in.Account)
	if err != nil {
		return sentOut{}, err
	}
	o, who, err := originalAndSelf(ctx, m, in.MessageID, in.ThreadID)
	if err != nil {
		return sentOut{}, err
	}
	l := answer(o, who, in.ReplyAll)
	if l.same, err = in.sameness(w); err != nil {
		return sentOut{}, err
	}
	if in.Key == "" { // a key stands for the answer whatever came meanwhile
		l.received = o.Received
	}
	if in.Subject != "" {
		l.message.Subject = in.Subject
	}
	if !mailmsg.SameTopic(o.Subject, l.message.Subject) {
		l.thread = "" // Gmail keeps one subject in a thread
		l.warnings = append(l.warnings, "the subject is another, so that it starts a new thread")
	}
	l.message.Cc = append(l.message.Cc, add...)
	l.leaveOut(remove)
	quoted := mailbody.Words{}
	if in.Quote {
		quoted = o.Quote(g.Now().Location())
	}
	return composeLetter(ctx, g.sender(m), l, w, who, answerIdentity(who, o), quoted)
}

// sameness is what makes two answers the same, next to the newest mail of a
// thread that somebody else wrote. That is not the newest: once an answer is
// sent, that is the answer.
func (in replyIn) sameness(w writing) ([]byte, error) {
	in.writeIn.AsDraft, in.Key, in.Account = false, "", ""
	return w.sameness(in)
}

// checkOneOf checks that just one of the two ids is given.
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
