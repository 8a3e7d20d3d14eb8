package googletest

import (
	"slices"
	"strings"
)

// settings are what a user set in Gmail.
type settings struct {
	sendAs []*sendAs
}

// A SendAs is an address from which the user may write.
type SendAs struct {
	Email     string
	Name      string
	Signature string // HTML
	ReplyTo   string
	Default   bool
	Pending   bool // not verified yet
}

// sendAs is a SendAs in JSON.
type sendAs struct {
	Email        string `json:"sendAsEmail"`
	Name         string `json:"displayName"`
	ReplyTo      string `json:"replyToAddress"`
	Signature    string `json:"signature"`
	Primary      bool   `json:"isPrimary,omitempty"`
	Default      bool   `json:"isDefault,omitempty"`
	TreatAsAlias bool   `json:"treatAsAlias,omitempty"`
	Verification string `json:"verificationStatus,omitempty"`
}

func newSettings(address string) settings {
	return settings{sendAs: []*sendAs{{Email: address, Primary: true, Default: true}}}
}

// mayBe reports whether the user may write from the address.
func (s *settings) mayBe(address string) bool {
	return slices.ContainsFunc(s.sendAs, func(a *sendAs) bool {
		return strings.EqualFold(a.Email, address) && a.Verification != "pending"
	})
}

// receives reports whether mail to the address is the user's, tags after a +
// and Gmail's dots apart.
func (s *settings) receives(address string) bool {
	return slices.ContainsFunc(s.sendAs, func(a *sendAs) bool {
		return a.Verification != "pending" && canonicalAddress(a.Email) == canonicalAddress(address)
	})
}

func canonicalAddress(address string) string {
	local, domain, _ := strings.Cut(strings.ToLower(address), "@")
	local, _, _ = strings.Cut(local, "+")
	if domain == "gmail.com" {
		local = strings.ReplaceAll(local, ".", "")
	}
	return local + "@" + domain
}

// SendAs sets an address from which the user may write, besides the primary
// one; or changes it, the primary one as well.
func (u *User) SendAs(a SendAs) {
	u.server.mu.Lock()
	defer u.server.mu.Unlock()
	set := &u.mail.settings
	at := slices.IndexFunc(set.sendAs, func(have *sendAs) bool { return strings.EqualFold(have.Email, a.Email) })
	if at < 0 {
		at = len(set.sendAs)
		set.sendAs = append(set.sendAs, &sendAs{Email: a.Email, TreatAsAlias: true, Verification: "accepted"})
	}
	have := set.sendAs[at]
	have.Name, have.Signature, have.ReplyTo = a.Name, a.Signature, a.ReplyTo
	if a.Pending {
		have.Verification = "pending"
	}
	if a.Default {
		for _, other := range set.sendAs {
			other.Default = other == have
		}
	}
}
