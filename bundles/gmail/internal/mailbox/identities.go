package mailbox

import (
	"context"
	"fmt"
	"net/mail"
	"slices"
	"sync"
	"time"

	"kota/bundles/internal/mailmsg"
)

// An Identity is an address that the user may send as.
type Identity struct {
	Address   *mail.Address
	ReplyTo   *mail.Address // where replies go; nil: to Address
	Signature string        // HTML; "" means none
	Primary   bool          // the account's own address
	isDefault bool          // Gmail's default sender
	Verified  bool          // Gmail allows sending from it
}

// Identities are all identities of a mailbox, including the primary one.
type Identities []Identity

// identityCache caches the identities of a mailbox, which rarely change.
type identityCache struct {
	mu   sync.Mutex
	list Identities
	read time.Time
}

const identitiesTTL = 10 * time.Minute

// Identities returns the identities of the mailbox. They may be ten minutes old.
func (m *Mailbox) Identities(ctx context.Context) (Identities, error) {
	m.identities.mu.Lock()
	list, read := m.identities.list, m.identities.read
	m.identities.mu.Unlock()
	if list != nil && m.Now().Sub(read).Abs() < identitiesTTL {
		return list, nil
	}
	answer, err := m.API.Users.Settings.SendAs.List(Me).Context(ctx).Do()
	if err != nil {
		return nil, fmt.Errorf("list the addresses to send from: %w", err)
	}
	list = Identities{}
	for _, s := range answer.SendAs {
		address, err := mailmsg.ParseAddress(s.SendAsEmail)
		if err != nil {
			continue // a header could not contain this address
		}
		address.Name = mailmsg.OneLine(s.DisplayName)
		identity := Identity{
			Address: address, Signature: s.Signature, Primary: s.IsPrimary, isDefault: s.IsDefault,
			Verified: s.IsPrimary || s.VerificationStatus == "accepted",
		}
		if replyTo, err := mailmsg.ParseAddress(s.ReplyToAddress); err == nil && !SameAddress(replyTo, address) {
			identity.ReplyTo = replyTo
		}
		list = append(list, identity)
	}
	m.identities.mu.Lock()
	m.identities.list, m.identities.read = list, m.Now()
	m.identities.mu.Unlock()
	return list, nil
}

// Owns reports whether the address is the user's, in any spelling: with a plus tag, or at
// Gmail with other dots.
func (list Identities) Owns(address string) bool {
	owner := mailmsg.OwnerKey(address)
	return slices.ContainsFunc(list, func(i Identity) bool { return mailmsg.OwnerKey(i.Address.Address) == owner })
}

// WithoutOwn returns the addresses that are not the user's.
func (list Identities) WithoutOwn(addresses []*mail.Address) []*mail.Address {
	return slices.DeleteFunc(slices.Clone(addresses), func(a *mail.Address) bool { return list.Owns(a.Address) })
}

// Default returns Gmail's default sender if it is verified, and otherwise the primary
// identity. If Gmail lists neither, Default returns the zero value, and Gmail fills in the
// address.
func (list Identities) Default() Identity {
	for _, fits := range []func(Identity) bool{
		func(i Identity) bool { return i.isDefault && i.Verified },
		func(i Identity) bool { return i.Primary },
	} {
		if at := slices.IndexFunc(list, fits); at >= 0 {
			return list[at]
		}
	}
	return Identity{}
}

// Find returns the verified identity with that address. If no identity has exactly that
// address, it accepts another spelling, like Owns.
func (list Identities) Find(address string) (Identity, bool) {
	for _, form := range []func(string) string{mailmsg.Canonical, mailmsg.OwnerKey} {
		for _, i := range list {
			if i.Verified && form(i.Address.Address) == form(address) {
				return i, true
			}
		}
	}
	return Identity{}, false
}

// FindFirst returns the identity of the first address that the user may send from, or
// false if there is none.
func (list Identities) FindFirst(addresses []*mail.Address) (Identity, bool) {
	for _, a := range addresses {
		if i, ok := list.Find(a.Address); ok {
			return i, true
		}
	}
	return Identity{}, false
}

// Choose returns the identity for the argument from. A name in the argument replaces the
// name in Gmail. Choose returns a VALIDATION_ERROR for an address that the user cannot
// send from.
func (list Identities) Choose(from *mail.Address) (Identity, error) {
	i, ok := list.Find(from.Address)
	if !ok || mailmsg.Canonical(i.Address.Address) != mailmsg.Canonical(from.Address) {
		var p Problems
		known := ""
		for _, i := range list {
			if i.Verified {
				known += ", " + i.Address.Address
			}
		}
		p.Add("from", "one of the user's addresses"+known, from.Address)
		return Identity{}, p.Err()
	}
	if from.Name != "" {
		i.Address = &mail.Address{Name: from.Name, Address: i.Address.Address}
	}
	return i, nil
}

// SameAddress reports whether a mail server treats two addresses as equal.
func SameAddress(a, b *mail.Address) bool {
	return mailmsg.Canonical(a.Address) == mailmsg.Canonical(b.Address)
}
