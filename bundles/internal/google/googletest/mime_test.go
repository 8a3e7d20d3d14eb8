package googletest_test

import (
	"encoding/base64"
	"io"
	"net/http"
	"strings"
	"testing"

	"google.golang.org/api/gmail/v1"

	"kota/bundles/internal/google/googletest"
	"kota/bundles/internal/google/googletest/fakegmail"
)

const mixedMail = `From: =?iso-8859-1?Q?J=FCrgen?= <j@example.org>
To: ada@example.com
Subject: =?UTF-8?B?w4RyZ2Vy?=
 with folding
Date: Fri, 20 Nov 2026 10:00:00 +0100
Message-ID: <mixed@test>
MIME-Version: 1.0
Content-Type: multipart/mixed; boundary="outer"

a preamble
--outer
Content-Type: multipart/alternative; boundary=inner

--inner
Content-Type: text/plain; charset=iso-8859-1
Content-Transfer-Encoding: quoted-printable

Gr=FC=DFe & "more"
--inner
Content-Type: text/html; charset=utf-8

<p>Grüße</p>
--inner--

--outer
Content-Type: application/pdf; name="=?UTF-8?Q?R=C3=A9sum=C3=A9.pdf?="
Content-Disposition: attachment; filename*=utf-8''R%C3%A9sum%C3%A9.pdf
Content-Transfer-Encoding: base64

SGVsbG8s
IHdvcmxk
--outer
Content-Type: message/rfc822

Subject: inside
Content-Type: text/plain

nested
--outer--
an epilogue
`

func crlf(text string) []byte { return []byte(strings.ReplaceAll(text, "\n", "\r\n")) }

func content(t *testing.T, body *gmail.MessagePartBody) string {
	t.Helper()
	data, err := base64.URLEncoding.DecodeString(body.Data)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func TestMessageParts(t *testing.T) {
	s := googletest.New(t)
	id := s.User(ada).Deliver(fakegmail.Mail{Raw: crlf(mixedMail)}).ID
	mail := gmailOf(t, s, ada)
	got, err := mail.Users.Messages.Get("me", id).Format("full").Do()
	if err != nil {
		t.Fatal(err)
	}
	var ids, kinds []string
	var walk func(*gmail.MessagePart)
	walk = func(p *gmail.MessagePart) {
		ids, kinds = append(ids, p.PartId), append(kinds, p.MimeType)
		for _, child := range p.Parts {
			walk(child)
		}
	}
	walk(got.Payload)
	if want := ",0,0.0,0.1,1,2,2.0"; strings.Join(ids, ",") != want {
		t.Errorf("part ids %q, want %q", ids, want)
	}
	if want := "multipart/mixed multipart/alternative text/plain text/html application/pdf message/rfc822 text/plain"; strings.Join(kinds, " ") != want {
		t.Errorf("kinds %q, want %q", kinds, want)
	}
	headers := map[string]string{}
	for _, h := range got.Payload.Headers {
		headers[h.Name] = h.Value
	}
	if headers["Subject"] != "Ärger with folding" || headers["From"] != "Jürgen <j@example.org>" {
		t.Errorf("headers are %q", headers)
	}
	plain := got.Payload.Parts[0].Parts[0]
	if content(t, plain.Body) != "Grüße & \"more\"" {
		t.Errorf("text is %q, want it in UTF-8", content(t, plain.Body))
	}
	if plain.Headers[0].Value != "text/plain; charset=iso-8859-1" {
		t.Errorf("its header is %q, want the charset left as it was", plain.Headers[0].Value)
	}
	if got.Snippet != "Grüße &amp; &#34;more&#34;" {
		t.Errorf("snippet is %q", got.Snippet)
	}
	if got.SizeEstimate != int64(len(crlf(mixedMail))) {
		t.Errorf("sizeEstimate is %d", got.SizeEstimate)
	}
}

func TestAttachmentIDChangesWithEachRead(t *testing.T) {
	s := googletest.New(t)
	id := s.User(ada).Deliver(fakegmail.Mail{Raw: crlf(mixedMail)}).ID
	mail := gmailOf(t, s, ada)
	var tokens []string
	for range 2 {
		got, err := mail.Users.Messages.Get("me", id).Do()
		if err != nil {
			t.Fatal(err)
		}
		file := got.Payload.Parts[1]
		if file.Filename != "Résumé.pdf" || file.Body.Data != "" || file.Body.Size != 12 {
			t.Errorf("the part is %+v %+v", file, file.Body)
		}
		tokens = append(tokens, file.Body.AttachmentId)
	}
	if tokens[0] == tokens[1] {
		t.Error("the ids are the same")
	}
	for _, token := range tokens {
		got, err := mail.Users.Messages.Attachments.Get("me", id, token).Do()
		if err != nil || content(t, got) != "Hello, world" {
			t.Errorf("got %v, %v", got, err)
		}
	}
	_, err := mail.Users.Messages.Attachments.Get("me", id, "1").Do()
	if refused := googleError(t, err); refused.Code != 400 {
		t.Errorf("an id that was not given out: %v", err)
	}
}

func TestAnswerIsCompressedOnRequest(t *testing.T) {
	s := googletest.New(t)
	client := s.HTTPClient(ada)
	defer client.CloseIdleConnections()
	for agent, want := range map[string]bool{"kota": false, "kota (gzip)": true} {
		r, err := http.NewRequest("GET", s.URL()+"/gmail/v1/users/me/labels", nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("User-Agent", agent)
		answer, err := client.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(answer.Body)
		answer.Body.Close()
		if err != nil || answer.Uncompressed != want || !strings.Contains(string(body), "INBOX") {
			t.Errorf("%s: compressed is %v; %v", agent, answer.Uncompressed, err)
		}
	}
}

func TestMessageFormats(t *testing.T) {
	s := googletest.New(t)
	id := s.User(ada).Deliver(fakegmail.Mail{Raw: crlf(mixedMail)}).ID
	mail := gmailOf(t, s, ada)
	minimal, err := mail.Users.Messages.Get("me", id).Format("minimal").Do()
	if err != nil || minimal.Payload != nil || minimal.Raw != "" || minimal.Snippet == "" {
		t.Errorf("minimal: %+v, %v", minimal, err)
	}
	metadata, err := mail.Users.Messages.Get("me", id).Format("metadata").MetadataHeaders("subject", "Date").Do()
	if err != nil || len(metadata.Payload.Headers) != 2 || metadata.Payload.Parts != nil || metadata.Payload.Body != nil {
		t.Errorf("metadata: %+v, %v", metadata, err)
	}
	raw, err := mail.Users.Messages.Get("me", id).Format("raw").Do()
	if err != nil || raw.Payload != nil {
		t.Fatalf("raw: %+v, %v", raw, err)
	}
	if data, err := base64.URLEncoding.DecodeString(raw.Raw); err != nil || string(data) != string(crlf(mixedMail)) {
		t.Errorf("raw is %q, %v", data, err)
	}
	trimmed, err := mail.Users.Messages.Get("me", id).Fields("id,payload(mimeType,parts/mimeType)").Do()
	if err != nil || trimmed.ThreadId != "" || len(trimmed.Payload.Parts) != 3 || trimmed.Payload.Parts[0].MimeType == "" || trimmed.Payload.Headers != nil {
		t.Errorf("fields: %+v, %v", trimmed, err)
	}
}

func TestInvalidMailIsStillAMessage(t *testing.T) {
	s := googletest.New(t)
	mail := gmailOf(t, s, ada)
	deep := strings.Repeat("Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n", 5000)
	for name, raw := range map[string]string{
		"nothing":            "",
		"no head":            "\r\nonly text",
		"no body":            "Subject: x",
		"unknown charset":    "Content-Type: text/plain; charset=klingon\r\n\r\n\xe9t\xe9",
		"broken type":        "Content-Type: ///;;\r\n\r\nx",
		"no boundary":        "Content-Type: multipart/mixed\r\n\r\n--x\r\n\r\ny",
		"unclosed":           "Content-Type: multipart/mixed; boundary=x\r\n\r\n--x\r\nContent-Type: text/plain\r\n\r\nhalf",
		"bad base64":         "Content-Transfer-Encoding: base64\r\n\r\n!!!!SGk=====",
		"bad quoting":        "Content-Transfer-Encoding: quoted-printable\r\n\r\n=ZZ=",
		"deep":               deep,
		"many":               "Content-Type: multipart/mixed; boundary=x\r\n\r\n" + strings.Repeat("--x\r\n\r\ny\r\n", 20_000),
		"bytes in the head":  "Subject: caf\xe9\r\nFrom: \xff\r\n\r\nx",
		"iso-2022-jp as was": "Content-Type: text/plain; charset=iso-2022-jp\r\n\r\n\x1b$B$3$s\x1b(B",
	} {
		t.Run(name, func(t *testing.T) {
			id := s.User(ada).Deliver(fakegmail.Mail{Raw: []byte(raw)}).ID
			if _, err := mail.Users.Messages.Get("me", id).Do(); err != nil {
				t.Error(err)
			}
		})
	}
}
