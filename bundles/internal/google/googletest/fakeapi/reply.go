package fakeapi

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
)

// reply is an answer that was not written yet.
type reply struct {
	status int
	header http.Header
	body   []byte
}

// render checks a handler's answer and returns its requested fields.
func (s *Server) render(svc *Service, m *Method, query url.Values, out any) reply {
	if out == nil {
		return reply{status: http.StatusNoContent, header: http.Header{}}
	}
	value := Plain(out)
	for _, p := range svc.check(m.ID, value, m.Response) {
		s.Report("the fake's own answer: " + p)
	}
	if fields := query.Get("fields"); fields != "" {
		mask, err := parseFields(fields)
		if err == nil {
			err = svc.checkFields(mask, m.Response)
		}
		if err != nil {
			return s.violation("%s: parameter fields: %v", m.ID, err)
		}
		value = mask.selectFrom(value)
	}
	if query.Get("prettyPrint") == "false" {
		return compactReply(http.StatusOK, value)
	}
	return jsonReply(http.StatusOK, value)
}

// Plain returns the value as its JSON decodes, with numbers as json.Number. It
// converts the usual types directly: answers can be too large to encode and
// decode them each time.
func Plain(value any) any {
	switch v := value.(type) {
	case string, bool:
		return v
	case int:
		return json.Number(strconv.Itoa(v))
	case Object:
		decoded := make(Object, len(v))
		for name, field := range v {
			decoded[name] = Plain(field)
		}
		return decoded
	case []Object:
		decoded := make([]any, len(v))
		for i, item := range v {
			decoded[i] = Plain(item)
		}
		return decoded
	}
	data, err := json.Marshal(value)
	if err != nil {
		panic(err) // the fake built a value without JSON
	}
	var decoded any
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.UseNumber()
	if err := decoder.Decode(&decoded); err != nil {
		panic(err)
	}
	return decoded
}

// jsonReply returns indented JSON, like Google's answers.
func jsonReply(status int, value any) reply {
	r := compactReply(status, value)
	var out bytes.Buffer
	if err := json.Indent(&out, r.body, "", "  "); err != nil {
		panic(err) // it was just written
	}
	r.body = out.Bytes()
	return r
}

func compactReply(status int, value any) reply {
	body, err := json.Marshal(value)
	if err != nil {
		panic(err) // the fake built a value without JSON
	}
	return reply{status: status, header: http.Header{
		"Content-Type":  {"application/json; charset=UTF-8"},
		"Cache-Control": {"private"},
		"Vary":          {"Origin", "X-Origin", "Referer"},
	}, body: append(body, '\n')}
}

// compressors are kept because a new one clears a megabyte of tables. They
// compress little, because tests read only what they contain.
var compressors = sync.Pool{New: func() any {
	w, err := gzip.NewWriterLevel(nil, gzip.BestSpeed)
	if err != nil {
		panic(err) // the level exists
	}
	return w
}}

// zipped compresses the answer for clients that ask for it twice: by
// Accept-Encoding, and by a User-Agent that contains "gzip"
// (developers.google.com/workspace/gmail/api/guides/performance#gzip).
func (r reply) zipped(request *http.Request) reply {
	if !strings.Contains(request.Header.Get("Accept-Encoding"), "gzip") || !strings.Contains(request.UserAgent(), "gzip") || len(r.body) == 0 {
		return r
	}
	var out bytes.Buffer
	w := compressors.Get().(*gzip.Writer)
	defer compressors.Put(w)
	w.Reset(&out)
	w.Write(r.body) // a buffer accepts everything
	w.Close()
	r.header.Set("Content-Encoding", "gzip")
	r.body = out.Bytes()
	return r
}

func (r reply) write(w http.ResponseWriter) {
	for name, values := range r.header {
		w.Header()[name] = values
	}
	w.WriteHeader(r.status)
	w.Write(r.body) // the client may have gone: then nobody needs it
}
