package fakegmail

import (
	"kota/bundles/internal/google/googletest/fakeapi"
	"net/mail"
	"slices"
	"strconv"
	"strings"
)

// settings are what a user set in Gmail.
type settings struct {
	sendAs     []*sendAs // the primary one is the first
	filters    []*filter
	forwarding []*forwardingAddress
	vacation   vacation
	documents  map[string]fakeapi.Object // the settings that are kept as they come, by the end of their methods' names
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

type forwardingAddress struct {
	Email        string `json:"forwardingEmail"`
	Verification string `json:"verificationStatus"`
}

func newSettings(address string) settings {
	return settings{
		sendAs: []*sendAs{{Email: address, Primary: true, Default: true}},
		documents: map[string]fakeapi.Object{
			"AutoForwarding": {"enabled": false},
			"Imap":           {"enabled": true, "autoExpunge": true, "expungeBehavior": "archive"},
			"Pop":            {"accessWindow": "disabled", "disposition": "leaveInInbox"},
			"Language":       {"displayLanguage": "en"},
		},
	}
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

// documentName is the setting that the method gets or updates, such as "Imap".
func documentName(c *fakeapi.Call) string {
	name := strings.TrimPrefix(c.Method.ID, "gmail.users.settings.")
	return strings.TrimPrefix(strings.TrimPrefix(name, "get"), "update")
}

func getDocument(c *fakeapi.Call) (any, error) {
	return mailOf(c.Account).settings.documents[documentName(c)], nil
}

func updateDocument(c *fakeapi.Call) (any, error) {
	updated := fakeapi.Object{}
	if err := c.Decode(&updated); err != nil {
		return nil, err
	}
	set := &mailOf(c.Account).settings
	if to, _ := updated["emailAddress"].(string); documentName(c) == "AutoForwarding" && updated["enabled"] == true && !set.forwardsTo(to) {
		return nil, fakeapi.FailedPrecondition("Unrecognized forwarding address")
	}
	set.documents[documentName(c)] = updated
	return updated, nil
}

// forwardsTo reports whether mail may be forwarded to the address.
func (s *settings) forwardsTo(address string) bool {
	return slices.ContainsFunc(s.forwarding, func(f *forwardingAddress) bool {
		return strings.EqualFold(f.Email, address) && f.Verification == "accepted"
	})
}

func (s *settings) forwardingTo(address string) (int, error) {
	at := slices.IndexFunc(s.forwarding, func(f *forwardingAddress) bool { return strings.EqualFold(f.Email, address) })
	if at < 0 {
		return 0, fakeapi.NotFound()
	}
	return at, nil
}

func listForwarding(c *fakeapi.Call) (any, error) {
	if len(mailOf(c.Account).settings.forwarding) == 0 {
		return fakeapi.Object{}, nil
	}
	return fakeapi.Object{"forwardingAddresses": mailOf(c.Account).settings.forwarding}, nil
}

func getForwarding(c *fakeapi.Call) (any, error) {
	at, err := mailOf(c.Account).settings.forwardingTo(c.Vars["forwardingEmail"])
	if err != nil {
		return nil, err
	}
	return mailOf(c.Account).settings.forwarding[at], nil
}

func createForwarding(c *fakeapi.Call) (any, error) {
	set := &mailOf(c.Account).settings
	f := &forwardingAddress{}
	if err := c.Decode(f); err != nil {
		return nil, err
	}
	if _, err := mail.ParseAddress(f.Email); err != nil {
		return nil, fakeapi.Invalid("Invalid forwardingEmail")
	}
	if _, err := set.forwardingTo(f.Email); err == nil {
		return nil, &fakeapi.Problem{Status: 409, Reason: "alreadyExists", Message: "Forwarding address already exists"}
	}
	f.Verification = "pending"
	set.forwarding = append(set.forwarding, f)
	return f, nil
}

func deleteForwarding(c *fakeapi.Call) (any, error) {
	set := &mailOf(c.Account).settings
	at, err := set.forwardingTo(c.Vars["forwardingEmail"])
	if err != nil {
		return nil, err
	}
	set.forwarding = slices.Delete(set.forwarding, at, at+1)
	return nil, nil
}

// ForwardingAddress sets an address to which mail may be forwarded, verified.
func (u MailUser) ForwardingAddress(address string) {
	u.Server.Mu.Lock()
	defer u.Server.Mu.Unlock()
	mailOf(u.Account).settings.forwarding = append(mailOf(u.Account).settings.forwarding, &forwardingAddress{address, "accepted"})
}
