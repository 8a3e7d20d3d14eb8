package gmail

import (
	"context"
	"net/mail"
	"slices"
	"strings"

	"kota/bundles"
	"kota/bundles/gmail/internal/mailbody"
	"kota/bundles/gmail/internal/mailbox"
	"kota/bundles/internal/mailmsg"
	"kota/bundles/internal/panicsafe"
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
	w := g.writing(&p, in.writeIn)
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

// originalAndSelf reads the mail to answer and the user's addresses, at the
// same time.
func originalAndSelf(ctx context.Context, m *mailbox.Mailbox, message, thread string) (o *mailbody.Original, who mailbox.Identities, err error) {
	group, ctx := panicsafe.WithContext(ctx, 2)
	group.Go(func() (err error) {
		o, err = findOriginal(ctx, m, message, thread)
		return err
	})
	group.Go(func() (err error) {
		who, err = m.Identities(ctx)
		return err
	})
	err = group.Wait()
	return o, who, err
}

// answer addresses the answer to a mail and puts it into the mail's thread.
func answer(o *mailbody.Original, who mailbox.Identities, all bool) *letter {
	l := &letter{kind: "reply", thread: o.Thread}
	l.message.Subject = mailmsg.ReplySubject(o.Subject)
	l.message.InReplyTo, l.message.References = o.MessageID, o.References
	l.message.To = answerRecipients(o, who)
	if o.From != nil && !byOwner(o, who) && !slices.ContainsFunc(l.message.To, func(a *mail.Address) bool { return mailbox.SameAddress(a, o.From) }) {
		l.warnings = append(l.warnings, "Reply-To asks for answers to another address than the sender's, "+o.From.Address)
	}
	if all {
		others := slices.Concat(o.To, o.Cc)
		if byOwner(o, who) { // who were addressed stay so
			others = o.Cc
		}
		l.message.Cc = who.Without(others)
	}
	if left := unanswered(o, who, all); len(left) > 0 {
		l.warnings = append(l.warnings, "these recipients could not be read and are not answered: "+strings.Join(left, ", "))
	}
	dedupe(&l.message.To, &l.message.Cc)
	return l
}

// mostUnanswered is how many recipients that cannot be read an answer names.
const mostUnanswered = 20

// unanswered returns what stands in place of addresses in the headers that an
// answer goes to.
func unanswered(o *mailbody.Original, who mailbox.Identities, all bool) (left []string) {
	headers := []string{"Reply-To", "From"}
	switch own := byOwner(o, who); {
	case all && own:
		headers = []string{"To", "Cc"}
	case all:
		headers = append(headers, "To", "Cc")
	case own:
		headers = []string{"To"}
	}
	for _, header := range headers {
		for _, piece := range o.Unreadable[header] {
			if len(left) == mostUnanswered {
				return append(left, "and more")
			}
			left = append(left, mailbody.Line(piece, mailbody.MaxName))
		}
	}
	return left
}

// byOwner reports whether the user wrote the mail.
func byOwner(o *mailbody.Original, who mailbox.Identities) bool {
	return o.From != nil && who.Owns(o.From.Address)
}

// answerRecipients returns who an answer is for: Reply-To before From, and for a mail
// of the user's own those it went to. The user's addresses are left out while
// there are others.
func answerRecipients(o *mailbody.Original, who mailbox.Identities) []*mail.Address {
	var from []*mail.Address
	if o.From != nil {
		from = []*mail.Address{o.From}
	}
	candidates := [][]*mail.Address{o.ReplyTo, from}
	if byOwner(o, who) {
		candidates = [][]*mail.Address{o.To, o.Cc, from}
	}
	for _, list := range candidates {
		if others := who.Without(list); len(others) > 0 {
			return others
		}
	}
	return from
}

// answerIdentity returns the identity to answer from: the address that the mail came
// to, or for a mail of the user's own the one it was sent from.
func answerIdentity(list mailbox.Identities, o *mailbody.Original) mailbox.Identity {
	to := slices.Concat(o.To, o.Cc)
	if byOwner(o, list) {
		to = []*mail.Address{o.From}
	}
	if i, ok := list.Addressed(to); ok {
		return i
	}
	// All mail is delivered to the primary address in the end: that it was says
	// nothing of where it was sent to.
	for _, a := range o.DeliveredTo {
		if i, ok := list.Find(a.Address); ok && !i.Primary {
			return i
		}
	}
	return list.Usual()
}

// leaveOut takes recipients away again.
func (l *letter) leaveOut(remove []*mail.Address) {
	for _, a := range remove {
		same := func(other *mail.Address) bool { return mailbox.SameAddress(other, a) }
		if !slices.ContainsFunc(l.message.To, same) && !slices.ContainsFunc(l.message.Cc, same) {
			l.warnings = append(l.warnings, a.Address+" was not among the recipients")
		}
		l.message.To = slices.DeleteFunc(l.message.To, same)
		l.message.Cc = slices.DeleteFunc(l.message.Cc, same)
	}
	if len(l.message.To) == 0 { // somebody has to be addressed
		l.message.To, l.message.Cc = l.message.Cc, nil
	}
}
