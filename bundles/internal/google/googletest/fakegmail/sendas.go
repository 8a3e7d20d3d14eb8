package fakegmail

import (
	"cmp"
	"kota/bundles/internal/google/googletest/fakeapi"
	"net/mail"
	"slices"
	"strings"
)

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

// SendAs sets an address from which the user may write, besides the primary
// one; or changes it, the primary one as well.
func (u MailUser) SendAs(a SendAs) {
	u.Server.Mu.Lock()
	defer u.Server.Mu.Unlock()
	set := &mailOf(u.Account).settings
	have := set.alias(a.Email)
	if have == nil {
		have = &sendAs{Email: a.Email, TreatAsAlias: true, Verification: "accepted"}
		set.sendAs = append(set.sendAs, have)
	}
	have.Name, have.Signature, have.ReplyTo = a.Name, a.Signature, a.ReplyTo
	if a.Pending {
		have.Verification = "pending"
	}
	if a.Default {
		set.makeDefault(have)
	}
}

func (s *settings) alias(address string) *sendAs {
	at := slices.IndexFunc(s.sendAs, func(a *sendAs) bool { return strings.EqualFold(a.Email, address) })
	if at < 0 {
		return nil
	}
	return s.sendAs[at]
}

func (s *settings) makeDefault(a *sendAs) {
	for _, other := range s.sendAs {
		other.Default = other == a
	}
}

// from is the address that Gmail writes from when none is said. An alias
// without a name has that of the primary address.
func (s *settings) from() string {
	a := s.sendAs[slices.IndexFunc(s.sendAs, func(a *sendAs) bool { return a.Default })]
	return (&mail.Address{Name: cmp.Or(a.Name, s.sendAs[0].Name), Address: a.Email}).String()
}

// mayBe reports whether the user may write from the address.
func (s *settings) mayBe(address string) bool {
	a := s.alias(address)
	return a != nil && a.Verification != "pending"
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

func listSendAs(c *fakeapi.Call) (any, error) {
	return fakeapi.Object{"sendAs": mailOf(c.Account).settings.sendAs}, nil
}
