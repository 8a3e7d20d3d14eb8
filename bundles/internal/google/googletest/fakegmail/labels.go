package fakegmail

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"kota/bundles/internal/google/googletest/fakeapi"
)

// label is a label of a mailbox.
type label struct {
	ID          string `json:"id"`
	Name        string `json:"name"`
	MessageList string `json:"messageListVisibility,omitempty"`
	LabelList   string `json:"labelListVisibility,omitempty"`
	Type        string `json:"type"`
	Color       *color `json:"color,omitempty"`
}

type color struct {
	Text       string `json:"textColor,omitempty"`
	Background string `json:"backgroundColor,omitempty"`
}

// maxLabels is Gmail's maximum number of labels per mailbox.
const maxLabels = 10_000

func systemLabels() []*label {
	var labels []*label
	for _, id := range []string{"CHAT", "SENT", "INBOX", "IMPORTANT", "TRASH", "DRAFT", "SPAM", "CATEGORY_FORUMS", "CATEGORY_UPDATES", "CATEGORY_PERSONAL", "CATEGORY_PROMOTIONS", "CATEGORY_SOCIAL", "STARRED", "UNREAD"} {
		l := &label{ID: id, Name: id, Type: "system"}
		if strings.HasPrefix(id, "CATEGORY_") {
			l.MessageList, l.LabelList = "hide", "labelHide"
		}
		labels = append(labels, l)
	}
	return labels
}

// systemOnlyLabels are the labels that only Gmail sets and removes.
var systemOnlyLabels = []string{"SENT", "DRAFT", "CHAT"}

func (m *mailbox) label(id string) *label {
	at := slices.IndexFunc(m.labels, func(l *label) bool { return l.ID == id })
	if at < 0 {
		return nil
	}
	return m.labels[at]
}

func (m *mailbox) labelNamed(name string) *label {
	at := slices.IndexFunc(m.labels, func(l *label) bool { return strings.EqualFold(l.Name, name) })
	if at < 0 {
		return nil
	}
	return m.labels[at]
}

// checkLabels refuses labels that are unknown, that the client may not change,
// or that are in both lists. It also refuses more than 100 labels in a list.
func (m *mailbox) checkLabels(add, remove []string) error {
	for _, id := range slices.Concat(add, remove) {
		if m.label(id) == nil {
			return fakeapi.Invalid("Invalid label: %s", id)
		}
		if slices.Contains(systemOnlyLabels, id) {
			return fakeapi.Invalid("Invalid label: %s", id)
		}
	}
	for _, id := range add {
		if slices.Contains(remove, id) {
			return fakeapi.Invalid("Cannot both add and remove the same label")
		}
	}
	if len(add) > 100 || len(remove) > 100 {
		return fakeapi.Invalid("Too many labels")
	}
	return nil
}

// detail returns the label with its counts, as get returns it.
func (m *mailbox) detail(l *label) fakeapi.Object {
	detail := fakeapi.Plain(l).(fakeapi.Object)
	threads, unreadThreads := map[string]bool{}, map[string]bool{}
	messages, unread := 0, 0
	for _, msg := range m.messages {
		if !msg.has(l.ID) {
			continue
		}
		messages++
		threads[msg.thread] = true
		if msg.has("UNREAD") {
			unread++
			unreadThreads[msg.thread] = true
		}
	}
	detail["messagesTotal"] = messages
	detail["messagesUnread"] = unread
	detail["threadsTotal"] = len(threads)
	detail["threadsUnread"] = len(unreadThreads)
	return detail
}

func listLabels(c *fakeapi.Call) (any, error) {
	return fakeapi.Object{"labels": mailOf(c.Account).labels}, nil
}

func getLabel(c *fakeapi.Call) (any, error) {
	l := mailOf(c.Account).label(c.Vars["id"])
	if l == nil {
		return nil, fakeapi.NotFound()
	}
	return mailOf(c.Account).detail(l), nil
}

func createLabel(c *fakeapi.Call) (any, error) {
	m := mailOf(c.Account)
	l := &label{}
	if err := c.Decode(l); err != nil {
		return nil, err
	}
	if err := m.checkName(l.Name, nil); err != nil {
		return nil, err
	}
	if err := checkLabelColor(c, l.Color); err != nil {
		return nil, err
	}
	if len(m.labels) >= maxLabels {
		return nil, fakeapi.Invalid("Too many labels")
	}
	m.addLabel(l)
	return l, nil
}

// addLabel adds the label to the mailbox, with an id and defaults.
func (m *mailbox) addLabel(l *label) {
	m.server.LastID++
	l.ID, l.Type = fmt.Sprintf("Label_%d", m.server.LastID), "user"
	l.MessageList = cmp.Or(l.MessageList, "show")
	l.LabelList = cmp.Or(l.LabelList, "labelShow")
	m.labels = append(m.labels, l)
}

// checkName refuses names that Gmail does not accept for a user's label.
// renamed is the label that gets the name, or nil for a new one.
func (m *mailbox) checkName(name string, renamed *label) error {
	if strings.TrimSpace(name) == "" || len(name) > 225 || strings.HasPrefix(name, "/") || strings.HasSuffix(name, "/") || strings.Contains(name, "//") {
		return fakeapi.Invalid("Invalid label name")
	}
	if m.isReserved(name) {
		return fakeapi.Invalid("Invalid label name")
	}
	if other := m.labelNamed(name); other != nil && other != renamed {
		return &fakeapi.Problem{Status: 409, Reason: "aborted", Message: "Label name exists or conflicts"}
	}
	return nil
}

// checkLabelColor refuses colors outside Gmail's palette, which the document
// lists in words.
func checkLabelColor(c *fakeapi.Call, given *color) error {
	if given == nil {
		return nil
	}
	palette := c.Service.Schemas["LabelColor"].Properties["textColor"].Description
	for _, part := range []string{given.Text, given.Background} {
		if part == "" || !strings.Contains(palette, part) {
			return fakeapi.Invalid("Label color %s is not on the allowed color palette", part)
		}
	}
	return nil
}

// isReserved reports whether Gmail reserves the name.
func (m *mailbox) isReserved(name string) bool {
	l := m.labelNamed(name)
	return l != nil && l.Type == "system"
}

// changeLabel serves patch and update. Update sets absent fields to their
// defaults.
func changeLabel(c *fakeapi.Call) (any, error) {
	m := mailOf(c.Account)
	l := m.label(c.Vars["id"])
	if l == nil {
		return nil, fakeapi.NotFound()
	}
	if l.Type == "system" {
		return nil, fakeapi.Invalid("Cannot modify system label")
	}
	changed := *l
	if c.Method.ID == "gmail.users.labels.update" {
		changed = label{MessageList: "show", LabelList: "labelShow"}
	}
	if changed.Color != nil {
		own := *changed.Color // the decoded value must not reach the label before it is checked
		changed.Color = &own
	}
	if err := c.Decode(&changed); err != nil {
		return nil, err
	}
	changed.ID, changed.Type = l.ID, l.Type
	if err := m.checkName(changed.Name, l); err != nil {
		return nil, err
	}
	if err := checkLabelColor(c, changed.Color); err != nil {
		return nil, err
	}
	*l = changed
	return l, nil
}

func deleteLabel(c *fakeapi.Call) (any, error) {
	m := mailOf(c.Account)
	l := m.label(c.Vars["id"])
	if l == nil {
		return nil, fakeapi.NotFound()
	}
	if l.Type == "system" {
		return nil, fakeapi.Invalid("Invalid delete request")
	}
	m.labels = slices.DeleteFunc(m.labels, func(other *label) bool { return other == l })
	for _, msg := range m.messages {
		if msg.has(l.ID) {
			m.relabel(msg, nil, []string{l.ID})
		}
	}
	return nil, nil
}
