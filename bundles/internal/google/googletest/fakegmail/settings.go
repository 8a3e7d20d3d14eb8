package fakegmail

import (
	"kota/bundles/internal/google/googletest/fakeapi"
	"slices"
	"strconv"
	"strings"
)

// settings are what a user set in Gmail.
type settings struct {
	sendAs     []*sendAs // the primary one is the first
	filters    []*filter
	forwarding []string // the verified addresses
	vacation   vacation
}

// A vacation is the automatic reply.
type vacation struct {
	On        bool   `json:"enableAutoReply"`
	Subject   string `json:"responseSubject,omitempty"`
	Plain     string `json:"responseBodyPlainText,omitempty"`
	HTML      string `json:"responseBodyHtml,omitempty"`
	Contacts  bool   `json:"restrictToContacts,omitempty"`
	Domain    bool   `json:"restrictToDomain,omitempty"`
	StartTime string `json:"startTime,omitempty"` // milliseconds
	EndTime   string `json:"endTime,omitempty"`
}

func newSettings(address string) settings {
	return settings{sendAs: []*sendAs{{Email: address, Primary: true, Default: true}}}
}

func getVacation(c *fakeapi.Call) (any, error) { return mailOf(c.Account).settings.vacation, nil }

// updateVacation replaces the automatic reply. Of a reply in HTML and in plain
// text, Gmail keeps the HTML.
func updateVacation(c *fakeapi.Call) (any, error) {
	var v vacation
	if err := c.Decode(&v); err != nil {
		return nil, err
	}
	if v.On && v.Subject == "" && v.Plain == "" && v.HTML == "" {
		return nil, fakeapi.Invalid("Either the response subject or the response body must be nonempty")
	}
	start, _ := strconv.ParseInt(v.StartTime, 10, 64) // fits the document
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

// ForwardingAddress sets an address to which mail may be forwarded, verified.
func (u MailUser) ForwardingAddress(address string) {
	u.Server.Mu.Lock()
	defer u.Server.Mu.Unlock()
	set := &mailOf(u.Account).settings
	set.forwarding = append(set.forwarding, address)
}
