package mailmsg_test

import (
	"bytes"
	"encoding/base64"
	"errors"
	"flag"
	"io"
	"mime"
	"mime/multipart"
	"mime/quotedprintable"
	"net/mail"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"kota/bundles/internal/mailmsg"
)

var update = flag.Bool("update", false, "write the golden messages anew")

// countingReader is a predictable random source.
type countingReader byte

func (c *countingReader) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = byte(*c)
		*c++
	}
	return len(p), nil
}

func address(t *testing.T, text string) *mail.Address {
	t.Helper()
	a, err := mailmsg.ParseAddress(text)
	if err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	return a
}

func everything(t *testing.T) *mailmsg.Message {
	return &mailmsg.Message{
		From:       address(t, "Zoë Marquez <zoe@example.com>"),
		To:         []*mail.Address{address(t, `"Smith, Ann" <ann@example.org>`), address(t, "bob@bücher.example")},
		Cc:         []*mail.Address{address(t, "Team <team+q4@example.org>")},
		Bcc:        []*mail.Address{address(t, "archive@example.com")},
		ReplyTo:    []*mail.Address{address(t, "desk@example.com")},
		Subject:    "Übersicht für das vierte Quartal, mit einem Betreff, der länger ist als eine Zeile",
		Date:       time.Date(2026, 11, 20, 14, 3, 0, 0, time.FixedZone("", 3600)),
		InReplyTo:  "<one@example.org>",
		References: []string{"<zero@example.org>", "<one@example.org>"},
		Headers:    []mailmsg.Field{{Name: "X-Kota-Outbox", Value: "0123456789abcdef"}},
		Text:       "Hello Ann,\n\nsee https://example.com/a?b=c&d=e for the figures.\n\nZoë\n",
		HTML:       "<p>Hello Ann,</p>\n<p>see <a href=\"https://example.com/a?b=c&amp;d=e\">the figures</a>. <img src=\"cid:logo@example.com\"></p>\n",
		Inline:     []mailmsg.File{{Name: "logo.png", Type: "image/png", ContentID: "logo@example.com", Content: []byte("\x89PNG not really")}},
		Attachments: []mailmsg.File{
			{Name: "Bericht über Q4.pdf", Type: "application/pdf", Content: bytes.Repeat([]byte("%PDF "), 30)},
			{Name: "notes of the day.txt", Type: "text/plain; charset=utf-8", Content: []byte("a\nb\n")},
		},
	}
}

// This file shows every byte of the mail: no change can add a recipient, a
// header or a part without changing it.
func TestMessageBytesGolden(t *testing.T) {
	for name, m := range map[string]*mailmsg.Message{
		"everything": everything(t),
		"plain":      {From: address(t, "zoe@example.com"), To: []*mail.Address{address(t, "ann@example.org")}, Subject: "Lunch?", Text: "At noon?"},
		"usual": {
			From: address(t, "zoe@example.com"), To: []*mail.Address{address(t, "ann@example.org")}, Subject: "Lunch?",
			Text: "At noon?", HTML: "<p>At noon?</p>",
		},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := m.Bytes(new(countingReader))
			if err != nil {
				t.Fatal(err)
			}
			file := filepath.Join("testdata", name+".eml")
			if *update {
				if err := os.WriteFile(file, got, 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(got, want) {
				t.Errorf("%s: got\n%s", file, got)
			}
		})
	}
}

func TestBoundariesAreRandom(t *testing.T) {
	seen := map[string]bool{}
	for range 100 {
		raw, err := everything(t).Bytes(nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, line := range strings.Split(string(raw), "\r\n") {
			if _, delimiter, ok := strings.Cut(line, ` boundary="`); ok {
				if seen[delimiter] {
					t.Fatalf("%s was used before", delimiter)
				}
				seen[delimiter] = true
			}
		}
	}
	if len(seen) != 300 {
		t.Errorf("got %d boundaries of 100 messages with three layers each", len(seen))
	}
}

func TestBytesFailWithoutRandomSource(t *testing.T) {
	if raw, err := everything(t).Bytes(strings.NewReader("too short")); err == nil {
		t.Errorf("got %d bytes", len(raw))
	}
}

var lineBreaks = []string{"\r\n", "\n", "\r", "\x00", "\u0085", "\u2028", "\u2029", "\t", "\x7f", "\xff"}

// Every value in a header is refused if it could end the header.
func TestNoHeaderCanBeInjected(t *testing.T) {
	for _, lineBreak := range lineBreaks {
		evil := "x" + lineBreak + "Bcc: evil@example.net"
		for place, spoil := range map[string]func(*mailmsg.Message){
			"Subject":         func(m *mailmsg.Message) { m.Subject = evil },
			"From name":       func(m *mailmsg.Message) { m.From.Name = evil },
			"To name":         func(m *mailmsg.Message) { m.To[0].Name = evil },
			"To address":      func(m *mailmsg.Message) { m.To[0].Address = evil },
			"To local part":   func(m *mailmsg.Message) { m.To[0].Address = "a" + lineBreak + "b@example.com" },
			"Bcc domain":      func(m *mailmsg.Message) { m.Bcc[0].Address = "a@example.com" + lineBreak },
			"Reply-To":        func(m *mailmsg.Message) { m.ReplyTo[0].Name = evil },
			"In-Reply-To":     func(m *mailmsg.Message) { m.InReplyTo = "<a@b>" + lineBreak },
			"References":      func(m *mailmsg.Message) { m.References = []string{"<a" + lineBreak + "@b>"} },
			"another header":  func(m *mailmsg.Message) { m.Headers = []mailmsg.Field{{Name: "X-Note", Value: evil}} },
			"a header's name": func(m *mailmsg.Message) { m.Headers = []mailmsg.Field{{Name: "X" + lineBreak, Value: "a"}} },
			"file name":       func(m *mailmsg.Message) { m.Attachments[0].Name = evil },
			"inline name":     func(m *mailmsg.Message) { m.Inline[0].Name = evil },
			"content id":      func(m *mailmsg.Message) { m.Inline[0].ContentID = evil },
			"media type":      func(m *mailmsg.Message) { m.Attachments[0].Type = "text/plain" + lineBreak + "X: y" },
		} {
			m := everything(t)
			spoil(m)
			raw, err := m.Bytes(nil)
			if !errors.Is(err, mailmsg.ErrInvalid) {
				t.Errorf("%s with %q: got %d bytes and %v", place, lineBreak, len(raw), err)
			}
		}
	}
}

func TestOwnHeadersCannotBeGivenTwice(t *testing.T) {
	for _, name := range []string{"Bcc", "bcc", "SUBJECT", "Content-Type", "content-transfer-encoding", "MIME-Version", "", "A:B", "A B", "Ü"} {
		m := everything(t)
		m.Headers = []mailmsg.Field{{Name: name, Value: "evil@example.net"}}
		if _, err := m.Bytes(nil); !errors.Is(err, mailmsg.ErrInvalid) {
			t.Errorf("%q: got %v", name, err)
		}
	}
}

// leaf is a part as Go's own parser reads it.
type leaf struct {
	kind, name, id string
	content        []byte
}

// read is an independent strict parser: net/mail and mime/multipart, without
// code of the package under test.
func read(t *testing.T, raw []byte) (*mail.Message, []leaf) {
	t.Helper()
	for _, line := range bytes.Split(raw, []byte("\r\n")) {
		if len(line) > 998 || bytes.ContainsAny(line, "\r\n") || bytes.ContainsFunc(line, func(r rune) bool { return r > '~' || r < ' ' && r != '\t' }) {
			t.Fatalf("no line of 7-bit mail: %q", line)
		}
	}
	m, err := mail.ReadMessage(bytes.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	body, err := io.ReadAll(m.Body)
	if err != nil {
		t.Fatal(err)
	}
	return m, leaves(t, map[string][]string(m.Header), body)
}

func leaves(t *testing.T, header map[string][]string, body []byte) []leaf {
	t.Helper()
	get := func(name string) string { return strings.Join(header[name], "\x00") }
	kind, params, err := mime.ParseMediaType(get("Content-Type"))
	if err != nil {
		t.Fatalf("%q: %v", get("Content-Type"), err)
	}
	if !strings.HasPrefix(kind, "multipart/") {
		l := leaf{kind: kind, id: get("Content-Id"), content: decoded(t, get("Content-Transfer-Encoding"), body)}
		if disposition := get("Content-Disposition"); disposition != "" {
			_, named, err := mime.ParseMediaType(disposition)
			if err != nil {
				t.Fatalf("%q: %v", disposition, err)
			}
			l.name = named["filename"]
			if l.name != params["name"] {
				t.Errorf("two names: %q and %q", l.name, params["name"])
			}
		}
		return []leaf{l}
	}
	var all []leaf
	reader := multipart.NewReader(bytes.NewReader(body), params["boundary"])
	for {
		p, err := reader.NextRawPart()
		if errors.Is(err, io.EOF) {
			return all
		}
		if err != nil {
			t.Fatal(err)
		}
		content, err := io.ReadAll(p)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, leaves(t, p.Header, content)...)
	}
}

func decoded(t *testing.T, encoding string, body []byte) []byte {
	t.Helper()
	var r io.Reader
	switch encoding {
	case "quoted-printable":
		r = quotedprintable.NewReader(bytes.NewReader(body))
	case "base64":
		r = base64.NewDecoder(base64.StdEncoding, bytes.NewReader(body))
	default:
		t.Fatalf("the encoding %q", encoding)
	}
	content, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return content
}

// A strict parser reads exactly what was put in, whatever it is.
func FuzzMessageRoundTrip(f *testing.F) {
	for _, text := range []string{
		"", "Lunch?", "a  b", " lead", "trail ", "=?utf-8?q?x?=", "Ünïcödé 🎉 " + strings.Repeat("ü", 300), strings.Repeat("x", 2000),
		`"quoted" \ back`, "--=_000102030405060708090a0b0c0d0e0f", "\r\n.\r\nFrom me\r\n", "日本語のとても長い件名" + strings.Repeat("件", 200), "a\x00b", "e\u0301", "x'%y*.pdf", ";=,",
	} {
		f.Add(text, text, text, []byte(text))
	}
	f.Fuzz(func(t *testing.T, subject, name, body string, content []byte) {
		m := &mailmsg.Message{
			From: &mail.Address{Name: name, Address: "zoe@example.com"}, To: []*mail.Address{{Name: name, Address: "ann@example.org"}, {Address: "bob@example.org"}},
			Subject: subject, Text: body, HTML: "<p>" + body, Attachments: []mailmsg.File{{Name: name, Content: content}},
		}
		raw, err := m.Bytes(nil)
		if fine := mailmsg.IsLine(subject) && mailmsg.IsLine(name) && len(name) <= 255 && len(subject) <= 64<<10; fine != (err == nil) {
			t.Fatalf("subject %q, name %q: %v", subject, name, err)
		}
		if err != nil {
			return
		}
		got, parts := read(t, raw)
		for header := range got.Header {
			switch header {
			case "From", "To", "Subject", "Mime-Version", "Content-Type":
			default:
				t.Errorf("there is a header %q", header)
			}
		}
		if text, err := new(mime.WordDecoder).DecodeHeader(got.Header.Get("Subject")); err != nil || text != subject {
			t.Errorf("subject: got %q, %v; want %q", text, err, subject)
		}
		list, err := got.Header.AddressList("To")
		if err != nil || len(list) != 2 || list[0].Name != name || list[0].Address != "ann@example.org" || list[1].Address != "bob@example.org" {
			t.Errorf("to: got %v, %v; want %q and another", list, err, name)
		}
		if body == "" {
			parts = append([]leaf{{}}, parts...)
		}
		if len(parts) != 3 {
			t.Fatalf("got %d parts, want text, html and the file", len(parts))
		}
		lines := strings.NewReplacer("\r\n", "\r\n", "\n", "\r\n", "\r", "\r\n")
		if want := lines.Replace(body); string(parts[0].content) != want {
			t.Errorf("text: got %q, want %q", parts[0].content, want)
		}
		if want := "<p>" + lines.Replace(body); string(parts[1].content) != want {
			t.Errorf("html: got %q, want %q", parts[1].content, want)
		}
		if parts[2].name != name || !bytes.Equal(parts[2].content, content) {
			t.Errorf("file: got %q of %q, want %q of %q", parts[2].content, parts[2].name, content, name)
		}
	})
}

func TestAttachedMessageIsNotBase64(t *testing.T) {
	for _, kind := range []string{"message/rfc822", "multipart/mixed; boundary=x"} {
		raw, err := (&mailmsg.Message{Text: "x", Attachments: []mailmsg.File{{Name: "a.eml", Type: kind}}}).Bytes(nil)
		if err != nil {
			t.Fatal(err)
		}
		if _, parts := read(t, raw); parts[1].kind != "application/octet-stream" || parts[1].name != "a.eml" {
			t.Errorf("%s: got %v", kind, parts[1])
		}
	}
}
