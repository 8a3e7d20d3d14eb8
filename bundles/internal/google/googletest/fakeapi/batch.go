package fakeapi

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"net/textproto"
	"strings"
	"time"
)

// maxBatch is the maximum number of parts that Google accepts in one batch.
const maxBatch = 100

// isBatch reports whether the request is for a batch endpoint, such as /batch/gmail/v1.
func (s *Server) isBatch(r *http.Request) bool {
	for _, svc := range s.services {
		if r.URL.Path == svc.batchPath() {
			return true
		}
	}
	return false
}

// batchPath returns the endpoint's path. For Gmail the document has only its
// beginning (developers.google.com/workspace/gmail/api/guides/batch).
func (svc *Service) batchPath() string {
	if svc.BatchPath != "batch" {
		return "/" + svc.BatchPath
	}
	return "/batch/" + svc.Name + "/" + svc.Version
}

// batch answers each part of the request as a separate request.
func (s *Server) batch(r *http.Request, body []byte) reply {
	kind, params, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if r.Method != http.MethodPost || err != nil || kind != "multipart/mixed" || params["boundary"] == "" {
		return s.violation("a batch is a POST of multipart/mixed, not a %s of %q", r.Method, r.Header.Get("Content-Type"))
	}
	parts, err := readParts(body, params["boundary"])
	if err != nil {
		return s.violation("batch: %v", err)
	}
	if len(parts) > maxBatch {
		return Invalid("The batch request could not be processed because it exceeds the limit of %d calls in a single batch request.", maxBatch).reply()
	}
	var out bytes.Buffer
	writer := multipart.NewWriter(&out)
	writer.SetBoundary("batch_" + NewSecret("")[:26])
	for _, p := range parts {
		if err := s.answerPart(writer, r, p); err != nil {
			return s.violation("batch: %v", err)
		}
	}
	writer.Close()
	return reply{status: http.StatusOK, header: http.Header{
		"Content-Type": {"multipart/mixed; boundary=" + writer.Boundary()},
	}, body: out.Bytes()}
}

// part is one request of a batch.
type part struct {
	header textproto.MIMEHeader
	data   []byte
}

func readParts(body []byte, boundary string) ([]part, error) {
	var parts []part
	reader := multipart.NewReader(bytes.NewReader(body), boundary)
	for {
		p, err := reader.NextRawPart()
		if err == io.EOF {
			return parts, nil
		}
		if err != nil {
			return nil, err
		}
		if kind, _, _ := mime.ParseMediaType(p.Header.Get("Content-Type")); kind != "application/http" {
			return nil, fmt.Errorf("a part is %q, not application/http", p.Header.Get("Content-Type"))
		}
		data, err := io.ReadAll(p)
		if err != nil {
			return nil, err
		}
		parts = append(parts, part{p.Header, data})
	}
}

// answerPart runs one part and writes its answer. The headers of the batch
// apply to the part, unless it has its own. The batch's content headers do not
// apply.
func (s *Server) answerPart(writer *multipart.Writer, outer *http.Request, p part) error {
	start := time.Now()
	inner, body, err := parsePart(p.data)
	if err != nil {
		return err
	}
	for name, values := range outer.Header {
		if !strings.HasPrefix(name, "Content-") && inner.Header.Values(name) == nil {
			inner.Header[name] = values
		}
	}
	inner = inner.WithContext(outer.Context())
	if s.isBatch(inner) {
		return fmt.Errorf("a part is a batch itself")
	}
	entry, fault := s.logStart(inner, body, start, true)
	answered := s.logEnd(entry, s.answerInner(inner, body, fault))

	header := textproto.MIMEHeader{"Content-Type": {"application/http"}}
	if id := p.header.Get("Content-ID"); id != "" {
		header.Set("Content-ID", "<response-"+strings.TrimPrefix(id, "<"))
	}
	w, err := writer.CreatePart(header)
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "HTTP/1.1 %d %s\r\n", answered.status, http.StatusText(answered.status))
	answered.header.Write(w)
	fmt.Fprintf(w, "Content-Length: %d\r\n\r\n", len(answered.body))
	_, err = w.Write(answered.body)
	return err
}

// answerInner runs a part as far as its fault permits. A fault that is not
// possible in a part answers 503 instead, because a part has no connection of
// its own.
func (s *Server) answerInner(r *http.Request, body []byte, fault *Fault) reply {
	if fault == nil {
		return s.do(r, body)
	}
	done := s.performWithFault(r, body, fault)
	s.wait(r.Context(), fault.Delay)
	switch fault.Answer {
	case Reset, Hang, Truncated, Slow, BadGzip, Huge:
		return (&Fault{Status: http.StatusServiceUnavailable}).envelope()
	}
	return fault.brokenAnswer(r, done)
}

// parsePart reads the inner request, which needs neither a length nor a protocol.
func parsePart(data []byte) (*http.Request, []byte, error) {
	head, body, _ := bytes.Cut(data, []byte("\r\n\r\n"))
	if bare, rest, found := bytes.Cut(data, []byte("\n\n")); found && len(bare) < len(head) {
		head, body = bare, rest
	}
	line, fields, _ := strings.Cut(strings.ReplaceAll(string(head), "\r\n", "\n"), "\n")
	words := strings.Fields(line)
	if len(words) < 2 {
		return nil, nil, fmt.Errorf("a part starts with %q, not with a request", line)
	}
	header, err := textproto.NewReader(bufio.NewReader(strings.NewReader(fields + "\n\n"))).ReadMIMEHeader()
	if err != nil {
		return nil, nil, err
	}
	if !strings.HasPrefix(words[1], "/") {
		return nil, nil, fmt.Errorf("a part asks for %q: only the path of the URL is allowed", words[1])
	}
	r, err := http.NewRequest(words[0], words[1], nil)
	if err != nil {
		return nil, nil, err
	}
	r.Header = http.Header(header)
	return r, bytes.TrimRight(body, "\r\n"), nil
}
