package fakegmail

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"

	"kota/bundles/internal/google/googletest/fakeapi"
)

// filter is a rule for incoming mail.
type filter struct {
	ID       string   `json:"id"`
	Criteria criteria `json:"criteria"`
	Action   action   `json:"action"`
}

type criteria struct {
	From           string `json:"from,omitempty"`
	To             string `json:"to,omitempty"`
	Subject        string `json:"subject,omitempty"`
	Query          string `json:"query,omitempty"`
	NegatedQuery   string `json:"negatedQuery,omitempty"`
	HasAttachment  bool   `json:"hasAttachment,omitempty"`
	ExcludeChats   bool   `json:"excludeChats,omitempty"`
	Size           int    `json:"size,omitempty"`
	SizeComparison string `json:"sizeComparison,omitempty"`
}

type action struct {
	Add     []string `json:"addLabelIds,omitempty"`
	Remove  []string `json:"removeLabelIds,omitempty"`
	Forward string   `json:"forward,omitempty"`
}

// maxFilters is Gmail's maximum number of filters per mailbox.
const maxFilters = 1000

func listFilters(c *fakeapi.Call) (any, error) {
	filters := mailOf(c.Account).settings.filters
	if len(filters) == 0 {
		return fakeapi.Object{}, nil
	}
	return fakeapi.Object{"filter": filters}, nil
}

// filterIndex returns the index of the filter with that id.
func (m *mailbox) filterIndex(id string) (int, error) {
	at := slices.IndexFunc(m.settings.filters, func(f *filter) bool { return f.ID == id })
	if at < 0 {
		return 0, fakeapi.NotFound()
	}
	return at, nil
}

func createFilter(c *fakeapi.Call) (any, error) {
	m := mailOf(c.Account)
	f := &filter{}
	if err := c.Decode(f); err != nil {
		return nil, err
	}
	if err := m.checkFilter(f); err != nil {
		return nil, err
	}
	m.server.LastID++
	f.ID = fmt.Sprintf("ANe1Bm%012d", m.server.LastID)
	m.settings.filters = append(m.settings.filters, f)
	return f, nil
}

func (m *mailbox) checkFilter(f *filter) error {
	settings := &m.settings
	switch {
	case f.Criteria == criteria{} || f.Criteria == criteria{ExcludeChats: true}:
		return fakeapi.Invalid("Filter must have criteria")
	case len(f.Action.Add) == 0 && len(f.Action.Remove) == 0 && f.Action.Forward == "":
		return fakeapi.Invalid("Filter must have an action")
	case f.Action.Forward != "" && !settings.forwardsTo(f.Action.Forward):
		return fakeapi.FailedPrecondition("Unrecognized forwarding address")
	case len(settings.filters) >= maxFilters:
		return fakeapi.FailedPrecondition("Too many filters")
	case slices.ContainsFunc(settings.filters, func(other *filter) bool {
		return other.Criteria == f.Criteria && reflect.DeepEqual(other.Action, f.Action)
	}):
		return fakeapi.FailedPrecondition("Filter already exists")
	}
	for _, id := range slices.Concat(f.Action.Add, f.Action.Remove) {
		if m.label(id) == nil {
			return fakeapi.Invalid("Invalid label: %s", id)
		}
	}
	return nil
}

func deleteFilter(c *fakeapi.Call) (any, error) {
	at, err := mailOf(c.Account).filterIndex(c.Vars["id"])
	if err != nil {
		return nil, err
	}
	mailOf(c.Account).settings.filters = slices.Delete(mailOf(c.Account).settings.filters, at, at+1)
	return nil, nil
}

// applyFilters applies the filters to an incoming message.
func (m *mailbox) applyFilters(msg *message) {
	for _, f := range m.settings.filters {
		if m.matchesCriteria(msg, f.Criteria) {
			m.relabel(msg, f.Action.Add, f.Action.Remove)
		}
	}
}

// matchesCriteria reports whether the message matches the criteria. from, to,
// query and negatedQuery are searches. subject is a phrase.
func (m *mailbox) matchesCriteria(msg *message, c criteria) bool {
	for name, value := range map[string]string{"from": c.From, "to": c.To, "": c.Query} { // "": the whole mail
		if value == "" {
			continue
		}
		search, err := parseQuery(value)
		if err != nil || search == nil {
			return false
		}
		if name != "" {
			search.apply(name)
		}
		if !m.matchesQuery(msg, search) {
			return false
		}
	}
	if negated, err := parseQuery(c.NegatedQuery); err == nil && negated != nil && m.matchesQuery(msg, negated) {
		return false
	}
	if c.Subject != "" && !contains(valuesOf(msg.root, "Subject"), c.Subject) {
		return false
	}
	if c.HasAttachment && !msg.hasFile("") {
		return false
	}
	switch c.SizeComparison {
	case "larger":
		return len(msg.raw) > c.Size
	case "smaller":
		return len(msg.raw) < c.Size
	}
	return true
}

// Filter is a filter as a test sees it, in the JSON of the API.
type Filter struct {
	ID               string
	Criteria, Action json.RawMessage
}

// Filters returns the filters in the order of their creation.
func (u MailUser) Filters() []Filter {
	u.Server.Mu.Lock()
	defer u.Server.Mu.Unlock()
	var all []Filter
	for _, f := range mailOf(u.Account).settings.filters {
		criteria, _ := json.Marshal(f.Criteria) // cannot fail: it holds only strings, numbers and booleans
		action, _ := json.Marshal(f.Action)
		all = append(all, Filter{f.ID, criteria, action})
	}
	return all
}
