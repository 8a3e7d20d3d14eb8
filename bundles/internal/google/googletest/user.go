package googletest

import (
	"slices"
	"strings"
	"time"
)

// A User is somebody with an account at the fake Google.
type User struct {
	Address string
	server  *Server
	mail    *mailbox
	diary   *diary
}

// User returns the user with that address, who is made, with an empty mailbox
// and an empty primary calendar, at the first call.
func (s *Server) User(address string) *User {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.user(address)
}

func (s *Server) user(address string) *User {
	key := strings.ToLower(address)
	if s.users[key] == nil {
		s.users[key] = &User{Address: address, server: s, mail: newMailbox(address, s), diary: newDiary(address, s)}
	}
	return s.users[key]
}

// A Message is a message of a mailbox as a test sees it.
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

// Text returns what is written in the message, of HTML without the tags: no
// more than its first MiB.
func (m Message) Text() string { return m.root.text(indexed) }

func (m *mailbox) public(msg *message) Message {
	return Message{msg.id, msg.thread, slices.Clone(msg.labels), msg.date, msg.raw, msg.snippet, msg.root}
}

// Deliver puts a message into the mailbox as it comes in from outside, and
// returns it as it is there. It panics when ThreadWith names no message.
func (u *User) Deliver(mail Mail) Message {
	u.server.mu.Lock()
	defer u.server.mu.Unlock()
	m := u.mail
	date := mail.Date
	if date.IsZero() {
		date = m.server.now()
	}
	if mail.Raw != nil {
		return m.public(m.sort(mail.Raw, date, mail.Labels))
	}
	return m.public(m.receive(m.write(mail, date), date, mail.Labels))
}

// Messages returns the messages the search finds, newest first; "" finds all
// but spam and trash, "in:anywhere" them as well. It panics on a search that
// cannot be read.
func (u *User) Messages(q string) []Message {
	search, err := parseQuery(q)
	if err != nil {
		panic("googletest: " + err.Error())
	}
	u.server.mu.Lock()
	defer u.server.mu.Unlock()
	var all []Message
	for _, msg := range u.mail.newest(func(msg *message) bool { return u.mail.matches(msg, search, false) }) {
		all = append(all, u.mail.public(msg))
	}
	return all
}

// Sent returns what the user sent, newest first.
func (u *User) Sent() []Message { return u.Messages("in:sent in:anywhere") }

// A Label is a label as a test sees it.
type Label struct{ ID, Name string }

// Labels returns the user's own labels, the system's left out.
func (u *User) Labels() []Label {
	u.server.mu.Lock()
	defer u.server.mu.Unlock()
	var all []Label
	for _, l := range u.mail.labels {
		if l.Type == "user" {
			all = append(all, Label{l.ID, l.Name})
		}
	}
	return all
}

// Label returns the id of the user's label with that name, which is made when
// there is none.
func (u *User) Label(name string) string {
	u.server.mu.Lock()
	defer u.server.mu.Unlock()
	if l := u.mail.labelNamed(name); l != nil {
		return l.ID
	}
	l := &label{Name: name}
	u.mail.addLabel(l)
	return l.ID
}
