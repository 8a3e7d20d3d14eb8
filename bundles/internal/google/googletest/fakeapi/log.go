package fakeapi

import (
	"net/http"
	"net/url"
	"time"
)

// Request is the log entry of one request, or of one part of a batch.
type Request struct {
	Method     string // discovery id such as "gmail.users.messages.get"; "auth", "token", "revoke" or "batch"; "" for no method
	Verb       string
	Path       string
	Query      url.Values
	Header     http.Header // without Authorization
	Body       int         // the size of the body in bytes
	Authorized bool        // there was an Authorization header
	InBatch    bool
	Status     int // 0 before the answer, and if there is none
	Start, End time.Time
}

// methodUnits are the quota units of methods in projects made since 2026-05-01
// (developers.google.com/workspace/gmail/api/reference/quota). Those of
// threads.get are an assumption: that they grew like those of messages.get.
var methodUnits = map[string]int{
	"gmail.users.getProfile":               1,
	"gmail.users.drafts.create":            10,
	"gmail.users.drafts.delete":            10,
	"gmail.users.drafts.get":               20,
	"gmail.users.drafts.list":              5,
	"gmail.users.drafts.send":              100,
	"gmail.users.drafts.update":            15,
	"gmail.users.history.list":             2,
	"gmail.users.labels.create":            5,
	"gmail.users.labels.delete":            5,
	"gmail.users.labels.get":               1,
	"gmail.users.labels.list":              1,
	"gmail.users.labels.patch":             5,
	"gmail.users.labels.update":            5,
	"gmail.users.messages.attachments.get": 20,
	"gmail.users.messages.batchModify":     50,
	"gmail.users.messages.delete":          20,
	"gmail.users.messages.get":             20,
	"gmail.users.messages.list":            5,
	"gmail.users.messages.modify":          5,
	"gmail.users.messages.send":            100,
	"gmail.users.messages.trash":           20,
	"gmail.users.messages.untrash":         20,
	"gmail.users.settings.filters.create":  5,
	"gmail.users.settings.filters.delete":  5,
	"gmail.users.settings.filters.list":    1,
	"gmail.users.settings.getVacation":     1,
	"gmail.users.settings.updateVacation":  5,
	"gmail.users.settings.sendAs.list":     1,
	"gmail.users.threads.get":              40,
}

// logStart logs an incoming request, and returns the fault for it.
func (s *Server) logStart(r *http.Request, body []byte, start time.Time, inBatch bool) (*Request, *Fault) {
	header := r.Header.Clone()
	header.Del("Authorization")
	entry := &Request{
		Method:     s.methodOf(r),
		Verb:       r.Method,
		Path:       r.URL.Path,
		Query:      r.URL.Query(),
		Header:     header,
		Body:       len(body),
		Authorized: r.Header.Get("Authorization") != "",
		InBatch:    inBatch,
		Start:      start,
	}
	s.Mu.Lock()
	defer s.Mu.Unlock()
	s.log = append(s.log, entry)
	user := ""
	if t, _ := s.tokenOf(r); t != nil {
		user = t.user.Address
	}
	return entry, s.faultFor(entry.Method, user)
}

// logEnd logs how the request ended.
func (s *Server) logEnd(entry *Request, r reply) reply {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	entry.Status = r.status
	entry.End = time.Now()
	return r
}

func (s *Server) methodOf(r *http.Request) string {
	switch {
	case r.URL.Path == authPath:
		return "auth"
	case r.URL.Path == tokenPath:
		return "token"
	case r.URL.Path == revokePath:
		return "revoke"
	case s.isBatch(r):
		return "batch"
	}
	for _, svc := range s.services {
		if found, _, ok := svc.find(r); ok {
			return found.method.ID
		}
	}
	return ""
}

// Requests returns the requests so far, in order of arrival. A batch is
// followed by its parts.
func (s *Server) Requests() []Request {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	all := make([]Request, len(s.log))
	for i, entry := range s.log {
		all[i] = *entry
	}
	return all
}

// Calls returns how often the method was requested, also in batches, whatever
// the result.
func (s *Server) Calls(method string) int {
	count := 0
	for _, r := range s.Requests() {
		if r.Method == method {
			count++
		}
	}
	return count
}

// ClearLog empties the log and resets the used units.
func (s *Server) ClearLog() {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	s.log, s.units = nil, 0
}

// Units returns the quota units used so far.
func (s *Server) Units() int {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	return s.units
}
