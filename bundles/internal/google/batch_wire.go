package google

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"net/textproto"
	"net/url"
	"strconv"
	"strings"
)

// encodeBatch returns the content type and the body of a batch of GETs.
func encodeBatch(paths []string) (kind string, body []byte, err error) {
	var text bytes.Buffer
	w := multipart.NewWriter(&text)
	for i, path := range paths {
		part, err := w.CreatePart(textproto.MIMEHeader{
			"Content-Type": {"application/http"},
			"Content-Id":   {fmt.Sprintf("<item-%d>", i)},
		})
		if err != nil {
			return "", nil, err
		}
		fmt.Fprintf(part, "GET %s HTTP/1.1\r\nAccept: application/json\r\n\r\n", path)
	}
	err = w.Close()
	return "multipart/mixed; boundary=" + w.Boundary(), text.Bytes(), err
}

// parseBatch reads the answer to a batch of n parts, in order. A missing or
// unreadable part is nil. It returns false if the answer is not a batch.
func parseBatch(kind string, body io.Reader, n int) (answers []*http.Response, ok bool) {
	media, params, err := mime.ParseMediaType(kind)
	if err != nil || !strings.HasPrefix(media, "multipart/") || params["boundary"] == "" {
		return nil, false
	}
	answers = make([]*http.Response, n)
	var inOrder []*http.Response
	for r := multipart.NewReader(body, params["boundary"]); ; {
		part, err := r.NextRawPart()
		if err != nil {
			break
		}
		answer := parsePart(part)
		id := part.Header.Get("Content-Id")
		if i, found := itemOf(id); found && i < n && answers[i] == nil {
			answers[i] = answer
		}
		if id == "" {
			inOrder = append(inOrder, answer)
		}
	}
	if len(inOrder) == n {
		return inOrder, true // a server that omits ids keeps the order
	}
	return answers, true
}

// itemOf returns the index of the part that the answer with this Content-ID
// belongs to. Google puts "response-" before the id of the part. It returns
// false for any other id.
func itemOf(id string) (int, bool) {
	id = strings.Trim(strings.TrimSpace(id), "<>")
	id, found := strings.CutPrefix(strings.TrimPrefix(id, "response-"), "item-")
	i, err := strconv.Atoi(id)
	return i, found && err == nil && i >= 0
}

// parsePart reads an HTTP answer inside a part. It returns nil if the answer is
// absent or incomplete. The part, not the answer's headers, determines its end.
func parsePart(part io.Reader) *http.Response {
	text := textproto.NewReader(bufio.NewReader(part))
	line, err := text.ReadLine()
	if err != nil {
		return nil
	}
	protocol, status, _ := strings.Cut(strings.TrimSpace(line), " ")
	digits, _, _ := strings.Cut(strings.TrimSpace(status), " ")
	code, err := strconv.Atoi(digits)
	if err != nil || code < 100 || code > 599 || !strings.HasPrefix(protocol, "HTTP/") {
		return nil
	}
	header, err := text.ReadMIMEHeader()
	if err != nil {
		return nil
	}
	body, err := io.ReadAll(text.R)
	if err != nil {
		return nil
	}
	return &http.Response{
		StatusCode: code,
		Header:     http.Header(header),
		Body:       io.NopCloser(bytes.NewReader(body)),
		Request:    &http.Request{Method: http.MethodGet, URL: &url.URL{}},
	}
}
