package google

import (
	"bytes"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"kota/metadata"
)

// Whatever the answer to a batch is, each part has an answer or an error.
func FuzzParseBatch(f *testing.F) {
	part := "--b\r\nContent-Type: application/http\r\nContent-ID: <response-item-1>\r\n\r\nHTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n{\"id\":\"1\"}\r\n"
	f.Add("multipart/mixed; boundary=b", []byte(part+"--b--"))
	f.Add("multipart/mixed; boundary=\"b\"", []byte(part+part))
	f.Add("multipart/mixed; boundary=b", []byte(strings.ReplaceAll(part, "\r\n", "\n")+"--b--"))
	f.Add("multipart/mixed; boundary=b", []byte("--b\r\n\r\nHTTP/1.1 429\r\nRetry-After: 9999999999999999999\r\n\r\n--b\r\n\r\nHTTP/1.1 302 x\r\nLocation: /\r\n\r\n{}\r\n--b--"))
	f.Add("multipart/mixed; boundary=b", []byte("--b\r\n\r\nHTTP/1.1 204 No Content\r\n\r\n\r\n--b--"))
	f.Add("multipart/mixed; boundary=b", []byte("--b\r\nContent-ID: item-0\r\n\r\nHTTP/1.1 200 OK\r\n\r\n\r\n--b--"))
	f.Add("text/html", []byte("<p>"))
	f.Fuzz(func(t *testing.T, kind string, body []byte) {
		const n = 3
		answers, ok := parseBatch(kind, bytes.NewReader(body), n)
		if !ok {
			if answers != nil {
				t.Errorf("%d answers and not a batch", len(answers))
			}
			return
		}
		if len(answers) != n {
			t.Fatalf("got %d answers, want %d", len(answers), n)
		}
		for _, a := range answers {
			text, err := call{read: true, service: gmailService}.checkPart(a, time.Unix(0, 0))
			if err == nil && len(bytes.TrimSpace(text)) > 0 && !isObject(text) {
				t.Errorf("%q passes for an answer", text)
			}
			if err != nil && metadata.CodeOf(err) == metadata.Internal {
				t.Errorf("%v has no code", err)
			}
		}
	})
}

// Whatever an error answer contains, KOTA's message about it is one visible
// line of limited length.
func FuzzParseEnvelope(f *testing.F) {
	f.Add([]byte(`{"error":{"code":403,"message":"m","errors":[{"reason":"rateLimitExceeded"}],"details":[{"retryDelay":"1s"}]}}`), 403)
	f.Add([]byte(`[{"error":{"status":"PERMISSION_DENIED","details":[{"reason":"SERVICE_DISABLED"},"x",7]}}]`), 403)
	f.Add([]byte(`{"error":"invalid_grant","error_description":"x"}`), 400)
	f.Add([]byte("{\"error\":{\"message\":\"a\u202eb\\u0000\\nc\U000E0041 Retry after 2026-13-99T99:99:99Z\",\"code\":\"x\"}}"), 500)
	f.Add([]byte("<html>"), 502)
	f.Fuzz(func(t *testing.T, body []byte, status int) {
		why, message, wait := parseEnvelope(body)
		for _, text := range []string{why, message} {
			if !utf8.ValidString(text) || utf8.RuneCountInString(text) > 301 || strings.ContainsFunc(text, func(r rune) bool { return !unicode.IsGraphic(r) }) {
				t.Errorf("shown as %q", text)
			}
		}
		if wait < 0 || waitInMessage(message, time.Unix(0, 0)) < 0 {
			t.Errorf("a wait of %v", wait)
		}
		for _, read := range []bool{true, false} {
			c := call{read: read, service: gmailService}
			resp := &http.Response{StatusCode: status, Header: http.Header{}, Body: io.NopCloser(nil), Request: &http.Request{Method: "GET"}}
			if status >= 200 && status < 400 {
				return
			}
			if code := metadata.CodeOf(c.checkAnswer(resp, body, time.Unix(0, 0))); code == "" || code == metadata.Internal {
				t.Errorf("status %d has the code %q", status, code)
			}
		}
	})
}
