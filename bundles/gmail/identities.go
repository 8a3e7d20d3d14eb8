package gmail

import (
	"context"
	"fmt"
	"net/mail"
	"slices"
	"sync"
	"time"

	"kota/bundles/internal/mailmsg"
)

// An identity is an address that the user may send as.
type identity struct {
	address   *mail.Address
	replyTo   *mail.Address // nil: the address itself
	signature string        // HTML; "" means none
	primary   bool
	chosen    bool // Gmail uses it when nothing else is said
	verified  bool
}

// identities are all of a mailbox, the primary address among them.
type identities []identity

// identityCache keeps the identities of a mailbox for a while: they change
// seldom, and every mail needs them.
type identityCache struct {
	mu   sync.Mutex
	list identities
	read time.Time
}

const identitiesFresh = 10 * time.Minute

// identities returns the addresses of the mailbox, which may be ten minutes
// old.
func (m *mailbox) identities(ctx context.Context) (identities, error) {
	m.senders.mu.Lock()
	list, read := m.senders.list, m.senders.read
	m.senders.mu.Unlock()
	if list != nil && m.Now().Sub(read).Abs() < identitiesFresh {
		return list, nil
	}
	answer, err := m.api.Users.Settings.SendAs.List(me).Context(ctx).Do()
	if err != nil {
		return nil, fmt.Errorf("list the addresses to send from: %w", err)
	}
	list = identities{}
	for _, s := range answer.SendAs {
		address, err := mailmsg.ParseAddress(s.SendAsEmail)
		if err != nil {
			continue // not an address that a header could name
		}
		address.Name = mailmsg.OneLine(s.DisplayName)
		one := identity{
			address: address, signature: s.Signature, primary: s.IsPrimary, chosen: s.IsDefault,
			verified: s.IsPrimary || s.VerificationStatus == "accepted",
		}
		if replyTo, err := mailmsg.ParseAddress(s.ReplyToAddress); err == nil && !sameAddress(replyTo, address) {
			one.replyTo = replyTo
		}
		list = append(list, one)
	}
	m.senders.mu.Lock()
	m.senders.list, m.senders.read = list, m.Now()
	m.senders.mu.Unlock()
	return list, nil
}

// own reports whether the address is one of the user's, however written: with
// a plus tag, or at Gmail with other dots.
func (list identities) own(address string) bool {
	owner := mailmsg.Owner(address)
	return slices.ContainsFunc(list, func(i identity) bool { return mailmsg.Owner(i.address.Address) == owner })
}

// without returns the addresses that are not the user's.
func (list identities) without(addresses []*mail.Address) []*mail.Address {
	return slices.DeleteFunc(slices.Clone(addresses), func(a *mail.Address) bool { return list.own(a.Address) })
}

// usual returns the identity that Gmail itself would use; its zero value, of
// which Gmail fills in the address, when it lists none.
func (list identities) usual() identity {
	for _, fits := range []func(identity) bool{
		func(i identity) bool { return i.chosen && i.verified },
		func(i identity) bool { return i.primary },
	} {
		if at := slices.IndexFunc(list, fits); at >= 0 {
			return list[at]
		}
	}
	return identity{}
}

// of returns the identity with that address that may be used. A plus tag counts
// only where no other identity fits better.
func (list identities) of(address string) (identity, bool) {
	for _, form := range []func(string) string{mailmsg.Canonical, mailmsg.Owner} {
		for _, i := range list {
			if i.verified && form(i.address.Address) == form(address) {
				return i, true
			}
		}
	}
	return identity{}, false
}

// addressed returns the first of these addresses that is the user's to send
// from.
func (list identities) addressed(to []*mail.Address) (identity, bool) {
	for _, a := range to {
		if i, ok := list.of(a.Address); ok {
			return i, true
		}
	}
	return identity{}, false
}

// choose returns the identity that the argument from names. A name given with
// the address replaces the one in Gmail.
func (list identities) choose(from *mail.Address) (identity, error) {
	i, ok := list.of(from.Address)
	if !ok || mailmsg.Canonical(i.address.Address) != mailmsg.Canonical(from.Address) {
		var p problems
		known := ""
		for _, i := range list {
			if i.verified {
				known += ", " + i.address.Address
			}
		}
		p.Add("from", "one of the user's addresses"+known, from.Address)
		return identity{}, p.Err()
	}
	if from.Name != "" {
		i.address = &mail.Address{Name: from.Name, Address: i.address.Address}
	}
	return i, nil
}

// sameAddress reports whether two addresses are the same to a mail server.
func sameAddress(a, b *mail.Address) bool {
	return mailmsg.Canonical(a.Address) == mailmsg.Canonical(b.Address)
}
