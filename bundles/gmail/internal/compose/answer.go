package compose

import (
	"context"
	"net/mail"
	"slices"
	"strings"

	"kota/bundles/gmail/internal/mailbody"
	"kota/bundles/gmail/internal/mailbox"
	"kota/bundles/internal/mailmsg"
	"kota/bundles/internal/panicsafe"
)

// OriginalAndSelf reads the mail to answer and the user's addresses concurrently.
func OriginalAndSelf(ctx context.Context, m *mailbox.Mailbox, message, thread string) (o *mailbody.Original, who mailbox.Identities, err error) {
	group, ctx := panicsafe.WithContext(ctx, 2)
	group.Go(func() (err error) {
		o, err = FindOriginal(ctx, m, message, thread)
		return err
	})
	group.Go(func() (err error) {
		who, err = m.Identities(ctx)
		return err
	})
	err = group.Wait()
	return o, who, err
}

// Answer addresses a reply to a mail, and puts it into the mail's thread.
func Answer(o *mailbody.Original, who mailbox.Identities, all bool) *Letter {
	l := &Letter{Kind: "reply", Thread: o.Thread}
	l.Message.Subject = mailmsg.ReplySubject(o.Subject)
	l.Message.InReplyTo, l.Message.References = o.MessageID, o.References
	l.Message.To = answerRecipients(o, who)
	if o.From != nil && !byOwner(o, who) && !slices.ContainsFunc(l.Message.To, func(a *mail.Address) bool { return mailbox.SameAddress(a, o.From) }) {
		l.Warnings = append(l.Warnings, "Reply-To asks for answers to another address than the sender's, "+o.From.Address)
	}
	if all {
		others := slices.Concat(o.To, o.Cc)
		if byOwner(o, who) { // the recipients of the user's own mail are in To already
			others = o.Cc
		}
		l.Message.Cc = who.Without(others)
	}
	if left := unanswered(o, who, all); len(left) > 0 {
		l.Warnings = append(l.Warnings, "these recipients could not be read and are not answered: "+strings.Join(left, ", "))
	}
	dedupe(&l.Message.To, &l.Message.Cc)
	return l
}

// mostUnanswered is the largest number of unreadable recipients that a warning names.
const mostUnanswered = 20

// unanswered returns the recipients that cannot be parsed, from the headers that the
// answer uses.
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

// answerRecipients returns the recipients of an answer: Reply-To before From, or the
// original recipients if the user wrote the mail. It omits the user's own addresses if
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

// AnswerIdentity returns the identity to answer from: the address that received the mail,
// or the sender address if the user wrote the mail.
func AnswerIdentity(list mailbox.Identities, o *mailbody.Original) mailbox.Identity {
	to := slices.Concat(o.To, o.Cc)
	if byOwner(o, list) {
		to = []*mail.Address{o.From}
	}
	if i, ok := list.Addressed(to); ok {
		return i
	}
	// All mail is finally delivered to the primary address. A delivery to it therefore
	// does not show which address was used.
	for _, a := range o.DeliveredTo {
		if i, ok := list.Find(a.Address); ok && !i.Primary {
			return i
		}
	}
	return list.Usual()
}

// LeaveOut removes recipients.
func (l *Letter) LeaveOut(remove []*mail.Address) {
	for _, a := range remove {
		same := func(other *mail.Address) bool { return mailbox.SameAddress(other, a) }
		if !slices.ContainsFunc(l.Message.To, same) && !slices.ContainsFunc(l.Message.Cc, same) {
			l.Warnings = append(l.Warnings, a.Address+" was not among the recipients")
		}
		l.Message.To = slices.DeleteFunc(l.Message.To, same)
		l.Message.Cc = slices.DeleteFunc(l.Message.Cc, same)
	}
	if len(l.Message.To) == 0 { // To must not be empty
		l.Message.To, l.Message.Cc = l.Message.Cc, nil
	}
}
