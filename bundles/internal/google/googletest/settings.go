package googletest

import (
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
	documents  map[string]object // the settings that are kept as they come, by the end of their methods' names
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
		documents: map[string]object{
			"AutoForwarding": {"enabled": false},
			"Imap":           {"enabled": true, "autoExpunge": true, "expungeBehavior": "archive"},
			"Pop":            {"accessWindow": "disabled", "disposition": "leaveInInbox"},
			"Language":       {"displayLanguage": "en"},
		},
	}
}

func getVacation(c *call) (any, error) { return mailOf(c.user).settings.vacation, nil }

// updateVacation replaces the automatic reply. Of a reply in HTML and in plain
// text, Gmail keeps the HTML.
func updateVacation(c *call) (any, error) {
	var v vacation
	if err := c.decode(&v); err != nil {
		return nil, err
	}
	if v.On && v.Subject == "" && v.Plain == "" && v.HTML == "" {
		return nil, invalid("Either the response subject or the response body must be nonempty")
	}
	start, _ := strconv.ParseInt(v.StartTime, 10, 64) // fits the document
	end, _ := strconv.ParseInt(v.EndTime, 10, 64)
	if start > 0 && end > 0 && start >= end {
		return nil, invalid("startTime must precede endTime")
	}
	if v.HTML != "" {
		v.Plain = ""
	}
	mailOf(c.user).settings.vacation = v
	return v, nil
}

// documentName is the setting that the method gets or updates, such as "Imap".
func documentName(c *call) string {
	name := strings.TrimPrefix(c.method.ID, "gmail.users.settings.")
	return strings.TrimPrefix(strings.TrimPrefix(name, "get"), "update")
}

func getDocument(c *call) (any, error) {
	return mailOf(c.user).settings.documents[documentName(c)], nil
}

func updateDocument(c *call) (any, error) {
	updated := object{}
	if err := c.decode(&updated); err != nil {
		return nil, err
	}
	set := &mailOf(c.user).settings
	if to, _ := updated["emailAddress"].(string); documentName(c) == "AutoForwarding" && updated["enabled"] == true && !set.forwardsTo(to) {
		return nil, failedPrecondition("Unrecognized forwarding address")
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
		return 0, notFound()
	}
	return at, nil
}

func listForwarding(c *call) (any, error) {
	if len(mailOf(c.user).settings.forwarding) == 0 {
		return object{}, nil
	}
	return object{"forwardingAddresses": mailOf(c.user).settings.forwarding}, nil
}

func getForwarding(c *call) (any, error) {
	at, err := mailOf(c.user).settings.forwardingTo(c.vars["forwardingEmail"])
	if err != nil {
		return nil, err
	}
	return mailOf(c.user).settings.forwarding[at], nil
}

func createForwarding(c *call) (any, error) {
	set := &mailOf(c.user).settings
	f := &forwardingAddress{}
	if err := c.decode(f); err != nil {
		return nil, err
	}
	if _, err := mail.ParseAddress(f.Email); err != nil {
		return nil, invalid("Invalid forwardingEmail")
	}
	if _, err := set.forwardingTo(f.Email); err == nil {
		return nil, &problem{status: 409, reason: "alreadyExists", message: "Forwarding address already exists"}
	}
	f.Verification = "pending"
	set.forwarding = append(set.forwarding, f)
	return f, nil
}

func deleteForwarding(c *call) (any, error) {
	set := &mailOf(c.user).settings
	at, err := set.forwardingTo(c.vars["forwardingEmail"])
	if err != nil {
		return nil, err
	}
	set.forwarding = slices.Delete(set.forwarding, at, at+1)
	return nil, nil
}

// ForwardingAddress sets an address to which mail may be forwarded, verified.
func (u mailUser) ForwardingAddress(address string) {
	u.server.mu.Lock()
	defer u.server.mu.Unlock()
	mailOf(u.account).settings.forwarding = append(mailOf(u.account).settings.forwarding, &forwardingAddress{address, "accepted"})
}
