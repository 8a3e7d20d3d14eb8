package fakegmail

import (
	"cmp"
	"net/mail"
	"slices"
	"strconv"
	"strings"

	"kota/bundles/internal/google/googletest/fakeapi"
)

// settings are a user's settings in Gmail.
type settings struct {
	sendAs     []*sendAs // the primary one is the first
	filters    []*filter
	forwarding []string // the verified addresses
	vacation   vacation
}

// vacation is the automatic reply.
type vacation struct {
	On        bool   `json:"enableAutoReply"`
	Subject   string `json:"responseSubject,omitempty"`
	Plain     string `json:"responseBodyPlainText,omitempty"`
	HTML      string `json:"responseBodyHtml,omitempty"`
	Contacts  bool   `json:"restrictToContacts,omitempty"`
	Domain    bool   `json:"restrictToDomain,omitempty"`
	StartTime string `json:"startTime,omitempty"` // Unix milliseconds
	EndTime   string `json:"endTime,omitempty"`
}

func getVacation(c *fakeapi.Call) (any, error) { return mailOf(c.Account).settings.vacation, nil }

// updateVacation replaces the automatic reply. If it has HTML, Gmail drops the
// plain text.
func updateVacation(c *fakeapi.Call) (any, error) {
	var v vacation
	if err := c.Decode(&v); err != nil {
		return nil, err
	}
	if v.On && v.Subject == "" && v.Plain == "" && v.HTML == "" {
		return nil, fakeapi.Invalid("Either the response subject or the response body must be nonempty")
	}
	start, _ := strconv.ParseInt(v.StartTime, 10, 64) // checked against the document
	end, _ := strconv.ParseInt(v.EndTime, 10, 64)
	if start > 0 && end > 0 && start >= end {
		return nil, fakeapi.Invalid("startTime must precede endTime")
	}
	if v.HTML != "" {
		v.Plain = ""
	}
	mailOf(c.Account).settings.vacation = v
	return v, nil
}

// forwardsTo reports whether mail may be forwarded to the address.
func (s *settings) forwardsTo(address string) bool {
	return slices.ContainsFunc(s.forwarding, func(to string) bool { return strings.EqualFold(to, address) })
}

// ForwardingAddress adds a verified address to which mail may be forwarded.
func (u MailUser) ForwardingAddress(address string) {
	u.Server.Mu.Lock()
	defer u.Server.Mu.Unlock()
	settings := &mailOf(u.Account).settings
	settings.forwarding = append(settings.forwarding, address)
}

// SendAs is an address from which the user may write.
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

// SendAs adds an address from which the user may write, or changes one,
// including the primary one.
func (u MailUser) SendAs(a SendAs) {
	u.Server.Mu.Lock()
	defer u.Server.Mu.Unlock()
	settings := &mailOf(u.Account).settings
	alias := settings.alias(a.Email)
	if alias == nil {
		alias = &sendAs{Email: a.Email, TreatAsAlias: true, Verification: "accepted"}
		settings.sendAs = append(settings.sendAs, alias)
	}
	alias.Name, alias.Signature, alias.ReplyTo = a.Name, a.Signature, a.ReplyTo
	if a.Pending {
		alias.Verification = "pending"
	}
	if a.Default {
		settings.makeDefault(alias)
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

// from returns the default sender. An alias without a name has the name of the
// primary address.
func (s *settings) from() string {
	a := s.sendAs[slices.IndexFunc(s.sendAs, func(a *sendAs) bool { return a.Default })]
	return (&mail.Address{Name: cmp.Or(a.Name, s.sendAs[0].Name), Address: a.Email}).String()
}

// maySendAs reports whether the user may write from the address.
func (s *settings) maySendAs(address string) bool {
	a := s.alias(address)
	return a != nil && a.Verification != "pending"
}

// receives reports whether mail to the address goes to the user. It ignores
// +tags, and dots at Gmail.
func (s *settings) receives(address string) bool {
	return slices.ContainsFunc(s.sendAs, func(a *sendAs) bool {
		return a.Verification != "pending" && canonicalAddress(a.Email) == canonicalAddress(address)
	})
}

// canonicalAddress returns the address in lower case without its +tag, and at
// gmail.com also without the dots before the @.
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
