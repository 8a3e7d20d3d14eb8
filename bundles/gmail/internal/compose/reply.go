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

// ReadOriginal concurrently reads the original mail, like FindOriginal, and the user's
// addresses.
func ReadOriginal(ctx context.Context, m *mailbox.Mailbox, messageID, threadID string) (o *mailbody.Original, identities mailbox.Identities, err error) {
	group, ctx := panicsafe.WithContext(ctx, 2)
	group.Go(func() (err error) {
		o, err = FindOriginal(ctx, m, messageID, threadID)
		return err
	})
	group.Go(func() (err error) {
		identities, err = m.Identities(ctx)
		return err
	})
	err = group.Wait()
	return o, identities, err
}

// Reply returns the reply to a mail, still without a text. It sets the subject, the
// recipients and the thread. If all is true, the reply also goes to the other recipients of
// the mail.
func Reply(o *mailbody.Original, identities mailbox.Identities, all bool) *Composition {
	c := &Composition{Kind: "reply", Thread: o.Thread}
	c.Message.Subject = mailmsg.ReplySubject(o.Subject)
	c.Message.InReplyTo, c.Message.References = o.MessageID, o.References
	c.Message.To = replyRecipients(o, identities)
	if o.From != nil && !isFromUser(o, identities) && !slices.ContainsFunc(c.Message.To, func(a *mail.Address) bool { return mailbox.SameAddress(a, o.From) }) {
		c.Warnings = append(c.Warnings, "Reply-To sends the answer to another address than the sender's, "+o.From.Address)
	}
	if all {
		others := slices.Concat(o.To, o.Cc)
		if isFromUser(o, identities) { // the recipients of the user's own mail are in To already
			others = o.Cc
		}
		c.Message.Cc = identities.WithoutOwn(others)
	}
	if unreadable := unreadableRecipients(o, identities, all); len(unreadable) > 0 {
		c.Warnings = append(c.Warnings, "these recipients have invalid addresses and do not get the answer: "+strings.Join(unreadable, ", "))
	}
	dedupe(&c.Message.To, &c.Message.Cc)
	return c
}

// maxUnreadable is the largest number of unreadable recipients that a warning names.
const maxUnreadable = 20

// unreadableRecipients returns the recipients that cannot be parsed, from the headers that
// Reply reads. If there are too many, the last element is "and more".
func unreadableRecipients(o *mailbody.Original, identities mailbox.Identities, all bool) (list []string) {
	headers := []string{"Reply-To", "From"}
	switch own := isFromUser(o, identities); {
	case all && own:
		headers = []string{"To", "Cc"}
	case all:
		headers = append(headers, "To", "Cc")
	case own:
		headers = []string{"To"}
	}
	for _, header := range headers {
		for _, piece := range o.Unreadable[header] {
			if len(list) == maxUnreadable {
				return append(list, "and more")
			}
			list = append(list, mailbody.Line(piece, mailbody.MaxName))
		}
	}
	return list
}

// isFromUser reports whether the user wrote the mail.
func isFromUser(o *mailbody.Original, identities mailbox.Identities) bool {
	return o.From != nil && identities.Owns(o.From.Address)
}

// replyRecipients returns the recipients of a reply: Reply-To, or From if there is none. If
// the user wrote the mail, it returns To of that mail, or Cc if To has nobody else. It omits
// the user's own addresses, but returns From if no address is left.
func replyRecipients(o *mailbody.Original, identities mailbox.Identities) []*mail.Address {
	var from []*mail.Address
	if o.From != nil {
		from = []*mail.Address{o.From}
	}
	candidates := [][]*mail.Address{o.ReplyTo, from}
	if isFromUser(o, identities) {
		candidates = [][]*mail.Address{o.To, o.Cc, from}
	}
	for _, list := range candidates {
		if others := identities.WithoutOwn(list); len(others) > 0 {
			return others
		}
	}
	return from
}

// ReplyIdentity returns the identity to send from: the address that received the mail, or
// the sender's address if the user wrote the mail. If neither is known, it returns the
// default identity.
func ReplyIdentity(list mailbox.Identities, o *mailbody.Original) mailbox.Identity {
	to := slices.Concat(o.To, o.Cc)
	if isFromUser(o, list) {
		to = []*mail.Address{o.From}
	}
	if i, ok := list.FindFirst(to); ok {
		return i
	}
	// All mail is finally delivered to the primary address. A delivery to it therefore
	// does not show which address was used.
	for _, a := range o.DeliveredTo {
		if i, ok := list.Find(a.Address); ok && !i.Primary {
			return i
		}
	}
	return list.Default()
}

// RemoveRecipients removes addresses from To and Cc. It warns about addresses that are in
// neither. If To is then empty, the Cc recipients move to To.
func (c *Composition) RemoveRecipients(remove []*mail.Address) {
	for _, a := range remove {
		same := func(other *mail.Address) bool { return mailbox.SameAddress(other, a) }
		if !slices.ContainsFunc(c.Message.To, same) && !slices.ContainsFunc(c.Message.Cc, same) {
			c.Warnings = append(c.Warnings, a.Address+" was not among the recipients")
		}
		c.Message.To = slices.DeleteFunc(c.Message.To, same)
		c.Message.Cc = slices.DeleteFunc(c.Message.Cc, same)
	}
	if len(c.Message.To) == 0 { // To must not be empty
		c.Message.To, c.Message.Cc = c.Message.Cc, nil
	}
}
