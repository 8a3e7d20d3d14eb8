package fakegmail

import (
	"bytes"
	"fmt"
	"net/mail"
	"slices"
	"strings"
	"time"

	"kota/bundles/internal/google/googletest/fakeapi"
)

// messageIn is the body of messages.send.
type messageIn struct {
	Raw      string `json:"raw"`
	ThreadID string `json:"threadId"`
	raw      []byte
}

// decodeRaw sets in.raw to the message from the upload, or else to that from
// the field raw.
func (in *messageIn) decodeRaw(c *fakeapi.Call) error {
	in.raw = c.Media
	if len(in.raw) > 0 {
		return nil
	}
	if in.Raw == "" {
		return fakeapi.Invalid("'raw' RFC822 payload message string or uploading message via /upload/* URL required")
	}
	raw, err := fakeapi.DecodeBase64(in.Raw)
	if err != nil {
		return fakeapi.Invalid("Invalid value at 'message.raw' (TYPE_BYTES), Base64 decoding failed")
	}
	in.raw = raw
	return nil
}

func readMessage(c *fakeapi.Call) (messageIn, error) {
	var in messageIn
	if err := c.Decode(&in); err != nil {
		return in, err
	}
	return in, in.decodeRaw(c)
}

func sendMessage(c *fakeapi.Call) (any, error) {
	in, err := readMessage(c)
	if err != nil {
		return nil, err
	}
	m := mailOf(c.Account)
	raw := m.outgoing(in.raw)
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
	return sent.summary(), nil
}

// outgoing completes the client's message as Gmail does. It adds missing
// fields, and replaces a From that the user may not use. It reads the header as
// Latin-1, which corrupts UTF-8.
func (m *mailbox) outgoing(raw []byte) []byte {
	head, body := splitHead(raw)
	lines := splitHeaderLines(head)
	lines.decodeLatin1()
	from, err := mail.ParseAddress(lines.get("From"))
	switch {
	case err != nil:
		lines.set("From", m.settings.from())
	case !m.settings.maySendAs(from.Address):
		lines.set("From", (&mail.Address{Name: from.Name, Address: m.address}).String())
	}
	if lines.get("Date") == "" {
		lines.set("Date", m.server.Now().Format(time.RFC1123Z))
	}
	if lines.get("Message-ID") == "" {
		lines.set("Message-ID", m.newMessageID())
	}
	if lines.get("MIME-Version") == "" {
		lines.set("MIME-Version", "1.0")
	}
	return append(lines.bytes(), body...)
}

func (m *mailbox) newMessageID() string {
	return fmt.Sprintf("<CA+%s@mail.gmail.com>", fakeapi.NewSecret("")[:40])
}

var recipients = []string{"To", "Cc", "Bcc"}

func checkRecipients(root *entity) error {
	addresses, err := addressesIn(root, recipients...)
	if err != nil {
		return err
	}
	if len(addresses) == 0 {
		return fakeapi.Invalid("Recipient address required")
	}
	return nil
}

// addressesIn returns the mail addresses in the fields with those names, in
// lower case.
func addressesIn(e *entity, names ...string) ([]string, error) {
	var addresses []string
	for _, f := range e.fields {
		at := slices.IndexFunc(names, func(name string) bool { return strings.EqualFold(name, f.name) })
		if at < 0 || f.raw == "" {
			continue
		}
		list, err := addressParser.ParseList(f.raw)
		if err != nil {
			return nil, fakeapi.Invalid("Invalid %s header", names[at])
		}
		for _, a := range list {
			addresses = append(addresses, strings.ToLower(a.Address))
		}
	}
	return addresses, nil
}

// send gives the message a new Message-ID, adds it to the sent mail, and
// delivers it to the recipients who are users of the fake.
func (m *mailbox) send(raw []byte, thread string) (*message, error) {
	head, body := splitHead(raw)
	lines := splitHeaderLines(head)
	lines.set("Message-ID", m.newMessageID())
	raw = append(lines.bytes(), body...)
	root := parse(raw)
	to, err := addressesIn(root, recipients...)
	if err != nil {
		return nil, err
	}
	sent := m.add(raw, root, thread, m.server.Now(), "SENT")
	for _, u := range m.server.Accounts {
		if slices.ContainsFunc(to, mailOf(u).settings.receives) {
			mailOf(u).deliver(sent)
		}
	}
	return sent, nil
}

// deliver delivers a message that a user of the fake sent. A message to oneself
// stays one message, which is then also in the inbox.
func (m *mailbox) deliver(sent *message) {
	if m.messages[sent.id] == sent {
		m.relabel(sent, []string{"INBOX", "UNREAD"}, nil)
		return
	}
	head, body := splitHead(sent.raw)
	lines := splitHeaderLines(head)
	lines.remove("Bcc")
	m.receive(append(lines.bytes(), body...), m.server.Now(), nil)
}

// receive puts a message into the mailbox as if it came from outside.
func (m *mailbox) receive(raw []byte, date time.Time, labels []string) *message {
	head, body := splitHead(raw)
	trace := "Delivered-To: " + m.address + "\r\n" +
		"Received: by 2002:a05:7300 with SMTP id " + m.newID() + ";\r\n        " + date.Format(time.RFC1123Z) + "\r\n"
	whole := slices.Concat([]byte(trace), bytes.TrimRight(head, "\r\n"), []byte("\r\n\r\n"), body)
	return m.fileIncoming(whole, date, labels)
}

// fileIncoming puts an incoming message into its thread and applies the filters.
func (m *mailbox) fileIncoming(raw []byte, date time.Time, labels []string) *message {
	if labels == nil {
		labels = []string{"INBOX", "UNREAD", "CATEGORY_PERSONAL"}
	}
	root := parse(raw)
	msg := m.add(raw, root, m.threadOf(root), date, labels...)
	m.applyFilters(msg)
	return msg
}
