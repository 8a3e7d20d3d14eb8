package gmail

import (
	"encoding/base64"
	"net/mail"
	"strings"
	"time"

	gmailapi "google.golang.org/api/gmail/v1"

	"kota/bundles/internal/htmltext"
	"kota/bundles/internal/mailmsg"
)

// mostOfAnsweredSubject is in characters.
const mostOfAnsweredSubject = 2000

// An original is a mail that is answered or passed on.
type original struct {
	id, thread string
	from       *mail.Address // nil when it names none that could be answered
	replyTo    []*mail.Address
	to, cc     []*mail.Address
	came       []*mail.Address     // where it was delivered to, which need not be in to or cc
	unreadable map[string][]string // what is no address in From, Reply-To, To and Cc
	subject    string
	date       time.Time
	messageID  string
	references []string // those of an answer to it
	text       string   // what a person would have read
	isMarkdown bool     // text is Markdown, made from HTML
	html       string   // as it came; "" when it has none
	files      []attachment
	received   string // id of the newest mail of the thread that came from somebody else, when it was found by its thread
}

func newOriginal(message *gmailapi.Message) *original {
	o := &original{id: message.Id, thread: message.ThreadId, date: time.UnixMilli(message.InternalDate), unreadable: map[string][]string{}}
	if message.Payload == nil {
		return o
	}
	header := func(name string) string { return partHeader(message.Payload, name) }
	list := func(name string) []*mail.Address {
		read, rest := mailmsg.ParseAddressList(strings.Join(partHeaders(message.Payload, name), ", "))
		o.unreadable[name] = rest
		return read
	}
	if from := list("From"); len(from) > 0 {
		o.from = from[0]
	}
	o.replyTo, o.to, o.cc = list("Reply-To"), list("To"), list("Cc")
	for _, name := range []string{"Delivered-To", "X-Original-To", "X-Forwarded-To", "Envelope-To"} {
		for _, value := range partHeaders(message.Payload, name) {
			read, _ := mailmsg.ParseAddressList(value)
			o.came = append(o.came, read...)
		}
	}
	o.subject = htmltext.First(mailmsg.DecodeHeader(header("Subject")), mostOfAnsweredSubject)
	o.messageID = mailmsg.MessageID(header("Message-ID"))
	o.references = mailmsg.References(header("References"), header("In-Reply-To"), header("Message-ID"))
	if date, err := mail.ParseDate(header("Date")); err == nil {
		o.date = date
	}
	shown := readBody(message.Payload, bodyOptions{Quoted: true})
	o.text, o.isMarkdown = shown.Text, shown.Format == "markdown"
	left := mostParts
	if rich := firstHTML(message.Payload, 0, &left); rich != nil {
		r := bodyReader{room: mostBodyBytes}
		o.html = r.decode(r.bytes(rich.Body.Data), parameters(partHeader(rich, "Content-Type"))["charset"])
	}
	o.files = attachments(message.Payload)
	return o
}

// partHeaders returns all headers of that name, in any case.
func partHeaders(part *gmailapi.MessagePart, name string) (values []string) {
	for _, h := range part.Headers {
		if strings.EqualFold(h.Name, name) {
			values = append(values, h.Value)
		}
	}
	return values
}

// firstHTML returns the first part that is HTML and no file, nil when there is
// none. Of a message with absurdly many or deep parts the rest is not looked
// at.
func firstHTML(part *gmailapi.MessagePart, depth int, left *int) *gmailapi.MessagePart {
	if *left--; part == nil || *left < 0 || depth > deepestPart || isFile(part) {
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

// decodeData decodes what Gmail gives as base64url, with or without padding.
func decodeData(data string) ([]byte, error) {
	return base64.RawURLEncoding.DecodeString(strings.TrimRight(data, "="))
}
