package fakegmail

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"kota/bundles/internal/google/googletest/fakeapi"
)

// mailbox is a user's Gmail. The server's lock guards it.
type mailbox struct {
	address     string
	server      *fakeapi.Server
	messages    map[string]*message
	labels      []*label
	byMessageID map[string][]*message
	drafts      map[string]*draft
	events      []event
	historyID   uint64
	forgotten   uint64 // history ids below this one are too old
	emptyPages  int    // number of empty pages at the beginning of each list of the history
	settings    settings
	attached    map[string]attachment // by token
}

// message is a message of a mailbox.
type message struct {
	id      string
	thread  string
	labels  []string
	date    time.Time // internalDate
	history uint64
	raw     []byte
	root    *entity
	snippet string
	words   []string // the words of its text; nil until it is searched
}

// draft is an unsent message. Its id stays the same when it is edited.
type draft struct {
	id      string
	message *message
}

// attachment is the content for which a token of attachments.get stands.
type attachment struct {
	message string
	data    []byte
}

func newMailbox(address string, s *fakeapi.Server) *mailbox {
	return &mailbox{
		address:     address,
		server:      s,
		messages:    map[string]*message{},
		labels:      systemLabels(),
		byMessageID: map[string][]*message{},
		drafts:      map[string]*draft{},
		attached:    map[string]attachment{},
		historyID:   1000,
		forgotten:   1,
		settings:    settings{sendAs: []*sendAs{{Email: address, Primary: true, Default: true}}},
	}
}

// add puts a parsed message into the mailbox and its history.
func (m *mailbox) add(raw []byte, root *entity, thread string, date time.Time, labels ...string) *message {
	msg := &message{
		id:     m.newID(),
		thread: thread,
		date:   date.Truncate(time.Millisecond),
		raw:    raw,
		root:   root,
	}
	msg.snippet = root.snippet()
	if msg.thread == "" {
		msg.thread = msg.id
	}
	msg.setLabels(labels)
	m.messages[msg.id] = msg
	key := messageID(msg.root)
	m.byMessageID[key] = append(m.byMessageID[key], msg)
	m.addEvent(messageAdded, msg, nil)
	return msg
}

func (m *mailbox) newID() string { return fmt.Sprintf("%016x", m.server.NextID()) }

// setLabels replaces the labels, in an order that does not show their history.
func (msg *message) setLabels(labels []string) {
	msg.labels = slices.Clone(labels)
	slices.Sort(msg.labels)
	msg.labels = slices.Compact(msg.labels)
}

func (msg *message) has(label string) bool { return slices.Contains(msg.labels, label) }

// remove deletes a message permanently, with its draft.
func (m *mailbox) remove(msg *message) {
	delete(m.messages, msg.id)
	if d := m.draftOf(msg); d != nil {
		delete(m.drafts, d.id)
	}
	key := messageID(msg.root)
	m.byMessageID[key] = slices.DeleteFunc(m.byMessageID[key], func(other *message) bool { return other == msg })
	m.addEvent(messageDeleted, msg, nil)
}

// relabel adds and removes labels, and records what really changed.
func (m *mailbox) relabel(msg *message, add, remove []string) {
	var added, removed []string
	labels := slices.Clone(msg.labels)
	for _, id := range add {
		if !slices.Contains(labels, id) {
			labels, added = append(labels, id), append(added, id)
		}
	}
	for _, id := range remove {
		if at := slices.Index(labels, id); at >= 0 {
			labels, removed = slices.Delete(labels, at, at+1), append(removed, id)
		}
	}
	msg.setLabels(labels)
	if len(added) > 0 {
		m.addEvent(labelAdded, msg, added)
	}
	if len(removed) > 0 {
		m.addEvent(labelRemoved, msg, removed)
	}
}

// newest returns the wanted messages, the newest first.
func (m *mailbox) newest(wanted func(*message) bool) []*message {
	var found []*message
	for _, msg := range m.messages {
		if wanted(msg) {
			found = append(found, msg)
		}
	}
	slices.SortFunc(found, func(a, b *message) int {
		return cmp.Or(b.date.Compare(a.date), strings.Compare(b.id, a.id))
	})
	return found
}

// inThread returns the thread's messages, the oldest first.
func (m *mailbox) inThread(thread string) []*message {
	messages := m.newest(func(msg *message) bool { return msg.thread == thread })
	slices.Reverse(messages)
	return messages
}

var hexID = regexp.MustCompile(`^[0-9a-f]{1,16}$`)

// find returns the message with that id, as Gmail's methods look it up.
func (m *mailbox) find(id string) (*message, error) {
	if !hexID.MatchString(id) {
		return nil, fakeapi.Invalid("Invalid id value")
	}
	msg := m.messages[id]
	if msg == nil {
		return nil, fakeapi.NotFound()
	}
	return msg, nil
}

// mailOf returns the account's mailbox. The server's lock guards it.
func mailOf(u *fakeapi.Account) *mailbox { return u.State["gmail"].(*mailbox) }

// MailUser is an account as a user of Gmail.
type MailUser struct{ *fakeapi.Account }
