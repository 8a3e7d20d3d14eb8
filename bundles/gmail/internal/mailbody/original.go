package mailbody

import (
	"encoding/base64"
	"net/mail"
	"strings"
	"time"

	gmailapi "google.golang.org/api/gmail/v1"

	"kota/bundles/internal/htmltext"
	"kota/bundles/internal/mailmsg"
)

// maxOriginalSubject is the largest length of an original's subject, in characters.
const maxOriginalSubject = 2000

// An Original is a mail to reply to or to forward.
type Original struct {
	ID, Thread  string
	From        *mail.Address // nil if the header has no valid address
	ReplyTo     []*mail.Address
	To, Cc      []*mail.Address
	DeliveredTo []*mail.Address     // the addresses that the mail was delivered to, which need not be in To or Cc
	Unreadable  map[string][]string // header name → invalid addresses in it, for From, Reply-To, To and Cc
	Subject     string
	date        time.Time
	MessageID   string
	References  []string // the References header for a reply
	Text        string   // the text that a person would have read
	isMarkdown  bool     // Text is Markdown, made from HTML
	HTML        string   // as received; "" if the mail has none
	Files       []Attachment
	Received    string // id of the newest mail in the thread that the user did not send; "" if the caller named the mail by its id
}

// NewOriginal returns the Original of a message in Gmail's format=full. It does not set
// Received.
func NewOriginal(message *gmailapi.Message) *Original {
	o := &Original{ID: message.Id, Thread: message.ThreadId, date: time.UnixMilli(message.InternalDate), Unreadable: map[string][]string{}}
	if message.Payload == nil {
		return o
	}
	header := func(name string) string { return Header(message.Payload, name) }
	list := func(name string) []*mail.Address {
		read, rest := mailmsg.ParseAddressList(strings.Join(headers(message.Payload, name), ", "))
		o.Unreadable[name] = rest
		return read
	}
	if from := list("From"); len(from) > 0 {
		o.From = from[0]
	}
	o.ReplyTo, o.To, o.Cc = list("Reply-To"), list("To"), list("Cc")
	for _, name := range []string{"Delivered-To", "X-Original-To", "X-Forwarded-To", "Envelope-To"} {
		for _, value := range headers(message.Payload, name) {
			read, _ := mailmsg.ParseAddressList(value)
			o.DeliveredTo = append(o.DeliveredTo, read...)
		}
	}
	o.Subject = htmltext.First(mailmsg.DecodeHeader(header("Subject")), maxOriginalSubject)
	o.MessageID = mailmsg.MessageID(header("Message-ID"))
	o.References = mailmsg.References(header("References"), header("In-Reply-To"), header("Message-ID"))
	if date, err := mail.ParseDate(header("Date")); err == nil {
		o.date = date
	}
	shown := Read(message.Payload, Options{Quoted: true})
	o.Text, o.isMarkdown = shown.Text, shown.Format == "markdown"
	left := maxParts
	if rich := firstHTML(message.Payload, 0, &left); rich != nil {
		r := bodyReader{bytesLeft: maxBodyBytes}
		o.HTML = r.toUTF8(r.decodeData(rich.Body.Data), parameters(Header(rich, "Content-Type"))["charset"])
	}
	o.Files = Attachments(message.Payload)
	return o
}

// headers returns the values of all headers with that name. The case of the name does not
// matter.
func headers(part *gmailapi.MessagePart, name string) (values []string) {
	for _, h := range part.Headers {
		if strings.EqualFold(h.Name, name) {
			values = append(values, h.Value)
		}
	}
	return values
}

// firstHTML returns the first HTML part that is not a file, or nil. It visits at most *left
// parts, and subtracts the visited parts from *left.
func firstHTML(part *gmailapi.MessagePart, depth int, left *int) *gmailapi.MessagePart {
	if *left--; part == nil || *left < 0 || depth > maxPartDepth || isFile(part) {
		return nil
	}
	if strings.EqualFold(part.MimeType, "text/html") && part.Body != nil {
		return part
	}
	for _, child := range part.Parts {
		if found := firstHTML(child, depth+1, left); found != nil {
			return found
		}
	}
	return nil
}

// DecodeBase64 decodes base64url with or without padding.
func DecodeBase64(data string) ([]byte, error) {
	return base64.RawURLEncoding.DecodeString(strings.TrimRight(data, "="))
}

// unflow joins the lines of format=flowed text (RFC 3676). A line that ends in a space
// continues in the next line of the same quote depth. With delsp, that space is removed.
func unflow(text string, delsp bool) string {
	lines := strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n")
	var b strings.Builder
	b.Grow(len(text))
	flowing, lastDepth := false, 0
	for i, line := range lines {
		content := strings.TrimLeft(line, ">")
		depth := len(line) - len(content)
		content = strings.TrimPrefix(content, " ") // space-stuffing of the sender
		signature := content == "-- "
		if i > 0 && (!flowing || depth != lastDepth || signature) {
			b.WriteByte('\n')
			flowing = false
		}
		if !flowing && depth > 0 {
			b.WriteString(strings.Repeat(">", depth) + " ")
		}
		flowing, lastDepth = strings.HasSuffix(content, " ") && !signature, depth
		if flowing && delsp {
			content = content[:len(content)-1]
		}
		b.WriteString(content)
	}
	return b.String()
}
