package fakeapi

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// Object is a JSON object.
type Object = map[string]any

// Handler models one method. It runs with the server's lock held, after the
// request was checked against the discovery document. It returns the answer,
// nil for an empty answer, or a *Problem.
type Handler func(*Call) (any, error)

// Call is a request that conforms to the description of its method.
type Call struct {
	Server  *Server
	Service *Service
	Account *Account
	Method  *Method
	Vars    map[string]string // the variables in the path, by name
	Query   url.Values
	Header  http.Header
	Body    []byte // JSON
	Media   []byte // uploaded together with the JSON
	Scopes  []string
}

// Decode decodes the body's JSON, which fits the method's schema.
func (c *Call) Decode(into any) error {
	if len(c.Body) == 0 {
		return nil
	}
	if err := json.Unmarshal(c.Body, into); err != nil {
		return Invalid("Invalid JSON payload received. %v", err)
	}
	return nil
}

// maxBody is how much of a request is read: somewhat more than the largest
// upload.
const maxBody = 160 << 20

func (s *Server) serve(w http.ResponseWriter, r *http.Request) {
	start := time.Now()
	s.Mu.Lock()
	latency := s.latency
	s.Mu.Unlock()
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	if err != nil || !s.wait(r.Context(), latency) {
		panic(http.ErrAbortHandler) // the client has gone, or sends without end
	}
	entry, fault := s.logStart(r, body, start, false)
	s.answer(w, r, body, entry, fault)
}

// answer does what the request asks, as far as the fault permits.
func (s *Server) answer(w http.ResponseWriter, r *http.Request, body []byte, entry *Request, fault *Fault) {
	if fault == nil {
		s.logEnd(entry, s.do(r, body).zipped(r)).write(w)
		return
	}
	done := s.performWithFault(r, body, fault)
	if !s.wait(r.Context(), fault.Delay) {
		s.logEnd(entry, reply{})
		panic(http.ErrAbortHandler)
	}
	s.logEnd(entry, fault.apply(s, w, r, done))
}

// performWithFault runs the request and returns its answer, if the fault lets the
// request take effect or needs the real answer. Otherwise it does not run the request,
// and returns the zero reply. In both cases it calls fault.OnFault if that is set.
func (s *Server) performWithFault(r *http.Request, body []byte, fault *Fault) (done reply) {
	if fault.AfterEffect || fault.needsReply() {
		done = s.do(r, body)
	}
	if fault.OnFault != nil {
		fault.OnFault()
	}
	return done
}

// do runs one request, a batch or a part of one, without its fault.
func (s *Server) do(r *http.Request, body []byte) reply {
	switch r.URL.Path {
	case authPath:
		return s.authorize(r, body)
	case tokenPath:
		return s.token(r, body)
	case revokePath:
		return s.revoke(r, body)
	case "/":
		if r.Method == http.MethodGet { // a client that only checks whether the server is there
			return reply{status: http.StatusNotFound}
		}
	}
	if s.isBatch(r) {
		return s.batch(r, body)
	}
	for _, svc := range s.services {
		if found, vars, ok := svc.find(r); ok {
			return s.perform(svc, found, vars, r, body)
		}
	}
	return s.violation("%s %s is no method of the API", r.Method, r.URL.Path)
}

func (s *Server) violation(format string, args ...any) reply {
	p := Invalid(format, args...)
	s.Report(p.Message)
	return p.reply()
}

// perform checks a request against the document and the scopes, and runs its handler.
func (s *Server) perform(svc *Service, found route, vars map[string]string, r *http.Request, body []byte) reply {
	m := found.method
	query := r.URL.Query()
	problems := svc.checkQuery(m, query)
	if query.Get("alt") != "" && query.Get("alt") != "json" {
		problems = append(problems, fmt.Sprintf("%s answers JSON alone, not alt=%s", m.ID, query.Get("alt")))
	}
	content, err := readUpload(found, r, body)
	if err != nil {
		if p, ok := errors.AsType[*Problem](err); ok {
			return p.reply()
		}
		problems = append(problems, err.Error())
	}
	problems = append(problems, svc.checkBody(m, content)...)
	if len(problems) > 0 {
		return s.violation("%s: %s", m.ID, strings.Join(problems, "; "))
	}
	handle := svc.handlers[m.ID]
	if handle == nil {
		s.Report(m.ID + " is not modelled by the fake")
		return (&Problem{Status: 501, Reason: "notImplemented", Message: "Not modelled by the fake."}).reply()
	}

	s.Mu.Lock()
	defer s.Mu.Unlock()
	user, scopes, refusal := s.authenticate(r, m, svc.Name, vars["userId"])
	if refusal != nil {
		return refusal.reply()
	}
	s.units += methodUnits[m.ID]
	out, err := handle(&Call{
		Server: s, Service: svc, Account: user, Method: m, Vars: vars, Query: query, Header: r.Header,
		Body: content.json, Media: content.media, Scopes: scopes,
	})
	if err != nil {
		p, ok := errors.AsType[*Problem](err)
		if !ok {
			panic(err) // handlers return no error except a *Problem
		}
		return p.reply()
	}
	return s.render(svc, m, query, out)
}

// checkBody lists where the body violates the document.
func (svc *Service) checkBody(m *Method, c content) []string {
	if len(bytes.TrimSpace(c.json)) == 0 {
		return nil
	}
	if m.Verb == http.MethodGet || m.Verb == http.MethodDelete {
		return []string{"a body is not accepted"}
	}
	var value any
	decoder := json.NewDecoder(bytes.NewReader(c.json))
	decoder.UseNumber()
	if err := decoder.Decode(&value); err != nil {
		return []string{fmt.Sprintf("the body is not JSON: %v", err)}
	}
	if m.Request == nil {
		return svc.check("the body", value, &schema{Type: "object"})
	}
	return svc.check("the body", value, m.Request)
}
