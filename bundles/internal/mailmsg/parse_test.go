package mailmsg_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kota/bundles/internal/mailmsg"
)

func TestParseReadsWhatBytesWrote(t *testing.T) {
	for _, name := range []string{"everything", "plain", "usual"} {
		raw, err := os.ReadFile(filepath.Join("testdata", name+".eml"))
		if err != nil {
			t.Fatal(err)
		}
		m, lost, err := mailmsg.Parse(raw)
		if err != nil || len(lost) > 0 {
			t.Fatalf("%s: lost %q, %v", name, lost, err)
		}
		again, err := m.Bytes(new(countingReader))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(raw), string(again)); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

func mailOf(lines ...string) []byte { return []byte(strings.Join(lines, "\r\n")) }

func TestParseKeepsDraftsOfOtherPrograms(t *testing.T) {
	for name, c := range map[string]struct {
		raw  []byte
		want mailmsg.Message
		lost []string
	}{
		"half an address is named": {
			mailOf("To: Ann <ann@example.com>, half", "Subject: x", "", "body"),
			mailmsg.Message{Subject: "x", Text: "body"}, []string{"To: half"},
		},
		"an old charset": {
			mailOf("Subject: =?iso-8859-1?q?gr=FC=DF?=", "Content-Type: text/plain; charset=iso-8859-1", "Content-Transfer-Encoding: quoted-printable", "", "gr=FC=DF"),
			mailmsg.Message{Subject: "grüß", Text: "grüß"}, nil,
		},
		"an unknown charset does not hide the text": {
			mailOf("Content-Type: text/plain; charset=x-none", "", "body"),
			mailmsg.Message{Text: "body"}, nil,
		},
		"traces go, other headers stay": {
			mailOf("Received: by x", "Message-ID: <a@b>", "X-Unsent: 1", "List-Unsubscribe: <https://example.com/u>", "", "body"),
			mailmsg.Message{Text: "body", Headers: []mailmsg.Field{{Name: "X-Unsent", Value: "1"}, {Name: "List-Unsubscribe", Value: "<https://example.com/u>"}}}, nil,
		},
		"a second text is a file": {
			mailOf("Content-Type: multipart/mixed; boundary=x", "", "--x", "", "one", "--x", "Content-Type: text/plain; charset=utf-8", "", "two", "--x--"),
			mailmsg.Message{Text: "one", Attachments: []mailmsg.File{{Type: "text/plain; charset=utf-8", Content: []byte("two")}}}, nil,
		},
		"a message is a file": {
			mailOf("Content-Type: multipart/mixed; boundary=x", "", "--x", "Content-Type: message/rfc822", "", "Subject: inner", "", "text", "--x--"),
			mailmsg.Message{Attachments: []mailmsg.File{{Type: "message/rfc822", Content: mailOf("Subject: inner", "", "text")}}}, nil,
		},
		"an image by its content id is inline": {
			mailOf("Content-Type: multipart/related; boundary=x", "", "--x", "Content-Type: text/html", "", "<img src=cid:a@b>", "--x", "Content-Type: image/png; name=a.png", "Content-ID: <a@b>", "Content-Transfer-Encoding: base64", "", "eA==", "--x--"),
			mailmsg.Message{HTML: "<img src=cid:a@b>", Inline: []mailmsg.File{{Name: "a.png", Type: "image/png", ContentID: "a@b", Content: []byte("x")}}}, nil,
		},
	} {
		got, lost, err := mailmsg.Parse(c.raw)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		got.To = nil
		if !reflect.DeepEqual(*got, c.want) || !reflect.DeepEqual(lost, c.lost) {
			t.Errorf("%s: lost %q, %s", name, lost, cmp.Diff(c.want, *got))
		}
	}
}

func TestParseRefusesUnreadableMail(t *testing.T) {
	deep := strings.Repeat("Content-Type: multipart/mixed; boundary=x\r\n\r\n--x\r\n", 5000)
	wide := "Content-Type: multipart/mixed; boundary=x\r\n\r\n" + strings.Repeat("--x\r\n\r\n\r\n", 50_000) + "--x--"
	for name, raw := range map[string][]byte{
		"too deep":          []byte(deep),
		"too many parts":    []byte(wide),
		"broken base64":     mailOf("Content-Type: image/png", "Content-Transfer-Encoding: base64", "", "!!!!"),
		"an odd encoding":   mailOf("Content-Type: image/png", "Content-Transfer-Encoding: x-uuencode", "", "begin"),
		"a cut multipart":   mailOf("Content-Type: multipart/mixed; boundary=x", "", "--x", "", "one"),
		"no header, no end": []byte("no header"),
	} {
		if m, _, err := mailmsg.Parse(raw); !errors.Is(err, mailmsg.ErrInvalid) {
			t.Errorf("%s: got %v, %v", name, m, err)
		}
	}
}

func TestFileNameKeepsExtension(t *testing.T) {
	for name, want := range map[string]string{
		"a\r\nb\x00.pdf":                  "a b .pdf",
		strings.Repeat("ü", 300) + ".pdf": strings.Repeat("ü", 125) + ".pdf",
		strings.Repeat("x", 300):          strings.Repeat("x", 255),
	} {
		if got := mailmsg.FileName(name); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// A message that can be read can be written, and then has the same content.
func FuzzParse(f *testing.F) {
	for _, name := range []string{"everything", "plain", "usual"} {
		raw, err := os.ReadFile(filepath.Join("testdata", name+".eml"))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(raw)
	}
	f.Add(mailOf("Subject: =?x?q?a?=", "Content-Type: text/plain; charset=x; name*0=a; name*1=b", "", "x"))
	f.Fuzz(func(t *testing.T, raw []byte) {
		m, _, err := mailmsg.Parse(raw)
		if err != nil || len(m.Subject) > 64<<10 {
			return
		}
		written, err := m.Bytes(new(countingReader))
		if err != nil {
			if len(raw) > 32<<10 {
				return // a header may be too long to write
			}
			t.Fatal(err)
		}
		again, lost, err := mailmsg.Parse(written)
		if err != nil || len(lost) > 0 {
			t.Fatalf("lost %q, %v", lost, err)
		}
		if twice, err := again.Bytes(new(countingReader)); err != nil || !bytes.Equal(written, twice) {
			t.Errorf("%v\n%s", err, cmp.Diff(string(written), string(twice)))
		}
	})
}
