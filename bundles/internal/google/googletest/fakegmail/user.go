package fakegmail

import (
	"slices"
	"time"
)

// Message is a message of a mailbox as a test sees it.
type Message struct {
	ID, ThreadID string
	Labels       []string
	Date         time.Time
	Raw          []byte
	Snippet      string
	root         *entity
}

// Header returns the first field of that name, decoded and unfolded.
func (m Message) Header(name string) string { return m.root.get(name) }

// Text returns at most the first MiB of the message's text. It removes the tags
// of HTML.
func (m Message) Text() string { return m.root.text(maxIndexed) }

func (m *mailbox) public(msg *message) Message {
	return Message{msg.id, msg.thread, slices.Clone(msg.labels), msg.date, msg.raw, msg.snippet, msg.root}
}

// Deliver puts a message into the mailbox as if it came from outside, and
// returns it as stored. It panics if ThreadWith names no message.
func (u MailUser) Deliver(mail Mail) Message {
	u.Server.Mu.Lock()
	defer u.Server.Mu.Unlock()
	m := mailOf(u.Account)
	date := mail.Date
	if date.IsZero() {
		date = m.server.Now()
	}
	if mail.Raw != nil {
		return m.public(m.fileIncoming(mail.Raw, date, mail.Labels))
	}
	return m.public(m.receive(m.encode(mail, date), date, mail.Labels))
}

// Messages returns the messages that the search finds, newest first. "" finds
// all messages except spam and trash, "in:anywhere" also those. It panics on an
// invalid search.
func (u MailUser) Messages(q string) []Message {
	search, err := parseQuery(q)
	if err != nil {
		panic("googletest: " + err.Error())
	}
	u.Server.Mu.Lock()
	defer u.Server.Mu.Unlock()
	var all []Message
	for _, msg := range mailOf(u.Account).newest(func(msg *message) bool { return mailOf(u.Account).matches(msg, search, false) }) {
		all = append(all, mailOf(u.Account).public(msg))
	}
	return all
}

// Sent returns what the user sent, newest first.
func (u MailUser) Sent() []Message { return u.Messages("in:sent in:anywhere") }

// Label is a label as a test sees it.
type Label struct{ ID, Name string }

// Labels returns the user's own labels, without the system's.
func (u MailUser) Labels() []Label {
	u.Server.Mu.Lock()
	defer u.Server.Mu.Unlock()
	var all []Label
	for _, l := range mailOf(u.Account).labels {
		if l.Type == "user" {
			all = append(all, Label{l.ID, l.Name})
		}
	}
	return all
}

// Label returns the id of the user's label with that name. It makes the label
// if absent.
func (u MailUser) Label(name string) string {
	u.Server.Mu.Lock()
	defer u.Server.Mu.Unlock()
	if l := mailOf(u.Account).labelNamed(name); l != nil {
		return l.ID
	}
	l := &label{Name: name}
	mailOf(u.Account).addLabel(l)
	return l.ID
}
