package googletest

import (
	"bytes"
	"fmt"
	"net/mail"
	"regexp"
	"slices"
	"strings"
	"time"
)

// messageIn is the body of messages.send, insert and import.
type messageIn struct {
	Raw      string   `json:"raw"`
	ThreadID string   `json:"threadId"`
	Labels   []string `json:"labelIds"`
	raw      []byte
}

// takeRaw takes the raw message from the upload, else from the field.
func (in *messageIn) takeRaw(c *call) error {
	in.raw = c.media
	if len(in.raw) > 0 {
		return nil
	}
	if in.Raw == "" {
		return invalid("'raw' RFC822 payload message string or uploading message via /upload/* URL required")
	}
	raw, err := decodeBase64(in.Raw)
	if err != nil {
		return invalid("Invalid value at 'message.raw' (TYPE_BYTES), Base64 decoding failed")
	}
	in.raw = raw
	return nil
}

func (c *call) readMessage() (messageIn, error) {
	var in messageIn
	if err := c.decode(&in); err != nil {
		return in, err
	}
	return in, in.takeRaw(c)
}

func sendMessage(c *call) (any, error) {
	in, err := c.readMessage()
	if err != nil {
		return nil, err
	}
	m := c.user.mail
	raw, err := m.outgoing(in.raw)
	if err != nil {
		return nil, err
	}
	root := parse(raw)
	if err := checkRecipients(root); err != nil {
		return nil, err
	}
	thread, err := m.threadFor(in.ThreadID, root)
	if err != nil {
		return nil, err
	}
	sent, err := m.send(raw, thread)
	if err != nil {
		return nil, err
	}
	return sent.stub(), nil
}

// outgoing completes a message that the client wrote as Gmail does: the fields
// that are missing, and the From that must be one of the user's addresses.
// Bytes beyond ASCII in the head are read as Latin-1, which spoils UTF-8.
func (m *mailbox) outgoing(raw []byte) ([]byte, error) {
	head, body := splitHead(raw)
	lines := headLines(head)
	lines.misread()
	from, err := mail.ParseAddress(lines.get("From"))
	switch {
	case err != nil:
		lines.set("From", m.settings.from())
	case !m.settings.mayBe(from.Address):
		lines.set("From", (&mail.Address{Name: from.Name, Address: m.address}).String())
	}
	if lines.get("Date") == "" {
		lines.set("Date", m.server.now().Format(time.RFC1123Z))
	}
	if lines.get("Message-ID") == "" {
		lines.set("Message-ID", m.newMessageID())
	}
	if lines.get("MIME-Version") == "" {
		lines.set("MIME-Version", "1.0")
	}
	return append(lines.bytes(), body...), nil
}

func (m *mailbox) newMessageID() string {
	return fmt.Sprintf("<CA+%s@mail.gmail.com>", newSecret("")[:40])
}

var recipients = []string{"To", "Cc", "Bcc"}

func checkRecipients(root *entity) error {
	all, err := root.addresses(recipients...)
	if err != nil {
		return err
	}
	if len(all) == 0 {
		return invalid("Recipient address required")
	}
	return nil
}

// addresses are the mail addresses in those fields.
func (e *entity) addresses(names ...string) ([]string, error) {
	var all []string
	for _, f := range e.fields {
		at := slices.IndexFunc(names, func(name string) bool { return strings.EqualFold(name, f.name) })
		if at < 0 || f.value == "" {
			continue
		}
		list, err := mail.ParseAddressList(f.value)
		if err != nil {
			return nil, invalid("Invalid %s header", names[at])
		}
		for _, a := range list {
			all = append(all, strings.ToLower(a.Address))
		}
	}
	return all, nil
}

// send puts the message among the sent and delivers it to those of its
// recipients who are users of the fake.
func (m *mailbox) send(raw []byte, thread string) (*message, error) {
	if !m.server.keepID {
		head, body := splitHead(raw)
		lines := headLines(head)
		lines.set("Message-ID", m.newMessageID())
		raw = append(lines.bytes(), body...)
	}
	root := parse(raw)
	to, err := root.addresses(recipients...)
	if err != nil {
		return nil, err
	}
	sent := m.add(raw, thread, m.server.now(), "SENT")
	for _, u := range m.server.users {
		if slices.ContainsFunc(to, u.mail.settings.receives) {
			u.mail.deliver(sent)
		}
	}
	return sent, nil
}

// deliver brings a message that a user of the fake sent. What the sender sends
// himself stays the one message, which is then in his inbox.
func (m *mailbox) deliver(sent *message) {
	if m.messages[sent.id] == sent {
		m.relabel(sent, []string{"INBOX", "UNREAD"}, nil)
		return
	}
	head, body := splitHead(sent.raw)
	lines := headLines(head)
	lines.remove("Bcc")
	m.receive(append(lines.bytes(), body...), m.server.now(), nil)
}

// receive puts a message into the mailbox as it comes in from outside.
func (m *mailbox) receive(raw []byte, date time.Time, labels []string) *message {
	head, body := splitHead(raw)
	if labels == nil {
		labels = []string{"INBOX", "UNREAD", "CATEGORY_PERSONAL"}
	}
	trace := "Delivered-To: " + m.address + "\r\n" +
		"Received: by 2002:a05:7300 with SMTP id " + m.newID() + ";\r\n        " + date.Format(time.RFC1123Z) + "\r\n"
	whole := slices.Concat([]byte(trace), bytes.TrimRight(head, "\r\n"), []byte("\r\n\r\n"), body)
	msg := m.add(whole, m.threadOf(parse(whole)), date, labels...)
	m.applyFilters(msg)
	return msg
}

// insertMessage is insert, which is IMAP's APPEND, and import, which is
// delivery without sending.
func insertMessage(c *call) (any, error) {
	in, err := c.readMessage()
	if err != nil {
		return nil, err
	}
	m := c.user.mail
	for _, id := range in.Labels {
		if m.label(id) == nil {
			return nil, invalid("Invalid label: %s", id)
		}
	}
	root := parse(in.raw)
	thread, err := m.threadFor(in.ThreadID, root)
	if err != nil {
		return nil, err
	}
	source, date := c.query.Get("internalDateSource"), m.server.now()
	if source == "" && c.method.ID == "gmail.users.messages.import" {
		source = "dateHeader"
	}
	if written, err := mail.ParseDate(root.get("Date")); err == nil && source == "dateHeader" {
		date = written
	}
	if thread == "" && c.method.ID == "gmail.users.messages.import" {
		thread = m.threadOf(root)
	}
	return m.add(in.raw, thread, date, in.Labels...).stub(), nil
}

// threadFor is the thread in which a message of the client's goes: the one it
// names, if the message is an answer in it by its References or In-Reply-To
// and by its Subject, else a new one, "" (guides/threads).
func (m *mailbox) threadFor(id string, root *entity) (string, error) {
	if id == "" {
		return "", nil
	}
	if !hexID.MatchString(id) {
		return "", invalid("Invalid thread_id value")
	}
	in := m.inThread(id)
	if len(in) == 0 {
		return "", notFound()
	}
	if slices.ContainsFunc(in, func(msg *message) bool { return answers(root, msg.root) }) {
		return id, nil
	}
	return "", nil
}

// threadOf is the thread of the message in the mailbox that the message answers.
func (m *mailbox) threadOf(root *entity) string {
	for _, id := range references(root) {
		for _, msg := range m.byMessageID[id] {
			if answers(root, msg.root) {
				return msg.thread
			}
		}
	}
	return ""
}

// references are the ids of the messages that the message refers to.
func references(root *entity) []string {
	return strings.Fields(root.get("References") + " " + root.get("In-Reply-To"))
}

func messageID(root *entity) string { return strings.TrimSpace(root.get("Message-ID")) }

// answers reports whether a message refers to the other and has its subject.
func answers(root, to *entity) bool {
	id := messageID(to)
	return id != "" && slices.Contains(references(root), id) &&
		baseSubject(root.get("Subject")) == baseSubject(to.get("Subject"))
}

var replyPrefix = regexp.MustCompile(`(?i)^\s*((re|fwd?|aw|sv|wg|antw)(\[\d+\])?:\s*)+`)

// baseSubject is the subject without what answering puts before it.
func baseSubject(subject string) string {
	return strings.ToLower(strings.TrimSpace(replyPrefix.ReplaceAllString(subject, "")))
}
