package fakegmail

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"mime"
	"mime/multipart"
	"mime/quotedprintable"
	"net/mail"
	"net/textproto"
	"strings"
	"time"
)

// Mail is a message to deliver. Its addresses have the form of a header field.
type Mail struct {
	Raw         []byte // the complete message; with it, the only other fields used are Date and Labels
	From        string
	To, Cc      string
	Subject     string
	Date        time.Time // also the time of arrival; zero means now
	Text, HTML  string
	Headers     []string // more fields, such as "List-Unsubscribe: <https://example.com/u>"
	Attachments []Attachment
	Labels      []string // ids; nil means INBOX, UNREAD and CATEGORY_PERSONAL
	ThreadWith  string   // the id of the message that the mail answers: sets the fields of a reply, and the Subject if that is ""
}

// Attachment is a file in a Mail.
type Attachment struct {
	Name string
	Type string // media type; "" means application/octet-stream
	Data []byte
	ID   string // Content-ID of an inline attachment, without brackets
}

// encode builds the message from the mail's fields.
func (m *mailbox) encode(mail Mail, date time.Time) []byte {
	if mail.To == "" {
		mail.To = m.address
	}
	if mail.From == "" {
		mail.From = "Somebody <somebody@example.com>"
	}
	var out bytes.Buffer
	put := func(name, value string) {
		if value != "" {
			fmt.Fprintf(&out, "%s: %s\r\n", name, mime.QEncoding.Encode("utf-8", value))
		}
	}
	if mail.ThreadWith != "" {
		parent := m.messages[mail.ThreadWith]
		if parent == nil {
			panic("googletest: ThreadWith names no message: " + mail.ThreadWith)
		}
		id := parent.root.get("Message-ID")
		put("In-Reply-To", id)
		put("References", strings.TrimSpace(parent.root.get("References")+" "+id))
		if mail.Subject == "" {
			mail.Subject = "Re: " + replyPrefix.ReplaceAllString(parent.root.get("Subject"), "")
		}
	}
	writeAddresses(&out, "From", mail.From)
	writeAddresses(&out, "To", mail.To)
	writeAddresses(&out, "Cc", mail.Cc)
	put("Subject", mail.Subject)
	put("Date", date.Format(time.RFC1123Z))
	named := strings.ToLower("\n" + strings.Join(mail.Headers, "\n"))
	if !strings.Contains(named, "\nmessage-id:") {
		put("Message-ID", "<"+m.newID()+"@mail.example.com>")
	}
	for _, line := range mail.Headers {
		out.WriteString(line + "\r\n")
	}
	out.WriteString("MIME-Version: 1.0\r\n")
	writeBody(&out, mail)
	return out.Bytes()
}

// writeAddresses writes an address field. Its names may need encoding.
func writeAddresses(out *bytes.Buffer, name, value string) {
	if value == "" {
		return
	}
	list, err := mail.ParseAddressList(value)
	if err != nil {
		fmt.Fprintf(out, "%s: %s\r\n", name, value) // mail of others need not be valid
		return
	}
	encoded := make([]string, len(list))
	for i, a := range list {
		encoded[i] = a.String()
	}
	fmt.Fprintf(out, "%s: %s\r\n", name, strings.Join(encoded, ", "))
}

// writeBody writes the text, the HTML, or both as alternatives, then the attachments.
func writeBody(out *bytes.Buffer, mail Mail) {
	if len(mail.Attachments) == 0 {
		header, body := textOrHTML(mail)
		writeHeader(out, header)
		out.Write(body)
		return
	}
	var inner bytes.Buffer
	writer := multipart.NewWriter(&inner)
	header, body := textOrHTML(mail)
	writePart(writer, header, body)
	for _, a := range mail.Attachments {
		header, body := a.part()
		writePart(writer, header, body)
	}
	writer.Close()
	writeHeader(out, textproto.MIMEHeader{"Content-Type": {mime.FormatMediaType("multipart/mixed", map[string]string{"boundary": writer.Boundary()})}})
	out.Write(inner.Bytes())
}

func writePart(writer *multipart.Writer, header textproto.MIMEHeader, body []byte) {
	part, err := writer.CreatePart(header)
	if err != nil {
		panic(err) // a buffer accepts everything
	}
	part.Write(body)
}

func writeHeader(out *bytes.Buffer, header textproto.MIMEHeader) {
	for name, values := range header {
		fmt.Fprintf(out, "%s: %s\r\n", name, values[0])
	}
	out.WriteString("\r\n")
}

// textOrHTML returns the header and content of a part with the text, the HTML,
// or both as alternatives.
func textOrHTML(mail Mail) (textproto.MIMEHeader, []byte) {
	switch {
	case mail.HTML == "":
		return textPart("text/plain", mail.Text)
	case mail.Text == "":
		return textPart("text/html", mail.HTML)
	}
	var inner bytes.Buffer
	writer := multipart.NewWriter(&inner)
	for _, alternative := range []struct{ kind, text string }{{"text/plain", mail.Text}, {"text/html", mail.HTML}} {
		header, body := textPart(alternative.kind, alternative.text)
		writePart(writer, header, body)
	}
	writer.Close()
	return textproto.MIMEHeader{"Content-Type": {mime.FormatMediaType("multipart/alternative", map[string]string{"boundary": writer.Boundary()})}}, inner.Bytes()
}

func textPart(kind, text string) (textproto.MIMEHeader, []byte) {
	var body bytes.Buffer
	w := quotedprintable.NewWriter(&body)
	w.Write([]byte(text))
	w.Close()
	return textproto.MIMEHeader{"Content-Type": {kind + "; charset=UTF-8"}, "Content-Transfer-Encoding": {"quoted-printable"}}, body.Bytes()
}

func (a Attachment) part() (textproto.MIMEHeader, []byte) {
	kind := a.Type
	if kind == "" {
		kind = "application/octet-stream"
	}
	disposition := "attachment"
	header := textproto.MIMEHeader{"Content-Type": {kind}, "Content-Transfer-Encoding": {"base64"}}
	if a.ID != "" {
		disposition = "inline"
		header.Set("Content-ID", "<"+a.ID+">")
	}
	header.Set("Content-Disposition", mime.FormatMediaType(disposition, map[string]string{"filename": a.Name}))
	var body bytes.Buffer
	encoded := base64.StdEncoding.EncodeToString(a.Data)
	for len(encoded) > 76 {
		body.WriteString(encoded[:76] + "\r\n")
		encoded = encoded[76:]
	}
	body.WriteString(encoded)
	return header, body.Bytes()
}
