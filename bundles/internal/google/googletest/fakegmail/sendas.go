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
	Email        string         `json:"sendAsEmail"`
	Name         string         `json:"displayName"`
	ReplyTo      string         `json:"replyToAddress"`
	Signature    string         `json:"signature"`
	Primary      bool           `json:"isPrimary,omitempty"`
	Default      bool           `json:"isDefault,omitempty"`
	TreatAsAlias bool           `json:"treatAsAlias,omitempty"`
	Verification string         `json:"verificationStatus,omitempty"`
	SMTP         fakeapi.Object `json:"smtpMsa,omitempty"`
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

// aliasOf is the alias the path names.
func aliasOf(c *fakeapi.Call) (*sendAs, error) {
	a := mailOf(c.Account).settings.alias(c.Vars["sendAsEmail"])
	if a == nil {
		return nil, fakeapi.NotFound()
	}
	return a, nil
}

func getSendAs(c *fakeapi.Call) (any, error) { return aliasOf(c) }

func createSendAs(c *fakeapi.Call) (any, error) {
	set := &mailOf(c.Account).settings
	a := &sendAs{}
	if err := c.Decode(a); err != nil {
		return nil, err
	}
	if _, err := mail.ParseAddress(a.Email); err != nil {
		return nil, fakeapi.Invalid("Invalid sendAsEmail")
	}
	if set.alias(a.Email) != nil {
		return nil, &fakeapi.Problem{Status: 409, Reason: "alreadyExists", Message: "Send-as alias already exists"}
	}
	a.Primary, a.Default, a.Verification, a.SMTP = false, false, "pending", nil
	set.sendAs = append(set.sendAs, a)
	return a, nil
}

// changeSendAs is patch, and update, which empties what is not given. Of the
// read-only fields the API takes no notice; an alias can become the default,
// but not cease to be it.
func changeSendAs(c *fakeapi.Call) (any, error) {
	a, err := aliasOf(c)
	if err != nil {
		return nil, err
	}
	changed := *a
	changed.SMTP = nil // is write-only, of what the fake never uses
	if c.Method.ID == "gmail.users.settings.sendAs.update" {
		changed = sendAs{}
	}
	if err := c.Decode(&changed); err != nil {
		return nil, err
	}
	wanted := changed.Default
	changed.Email, changed.Primary, changed.Default, changed.Verification, changed.SMTP = a.Email, a.Primary, a.Default, a.Verification, a.SMTP
	*a = changed
	if wanted {
		mailOf(c.Account).settings.makeDefault(a)
	}
	return a, nil
}

func deleteSendAs(c *fakeapi.Call) (any, error) {
	a, err := aliasOf(c)
	if err != nil {
		return nil, err
	}
	if a.Primary {
		return nil, fakeapi.Invalid("Cannot delete primary send-as alias")
	}
	set := &mailOf(c.Account).settings
	set.sendAs = slices.DeleteFunc(set.sendAs, func(other *sendAs) bool { return other == a })
	if a.Default {
		set.makeDefault(set.sendAs[0])
	}
	return nil, nil
}

func verifySendAs(c *fakeapi.Call) (any, error) {
	a, err := aliasOf(c)
	if err != nil {
		return nil, err
	}
	if a.Verification != "pending" {
		return nil, fakeapi.FailedPrecondition("Send-as alias is not pending verification")
	}
	return nil, nil
}
