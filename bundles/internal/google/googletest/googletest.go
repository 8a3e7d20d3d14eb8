// Package googletest is a fake Google for tests. It keeps mailboxes as Gmail
// does and calendars as Calendar does, and answers over real HTTP on loopback,
// so that the real Go client runs against it unchanged.
//
// It is strict. Every request is checked against Google's own discovery
// documents, which ship in the module google.golang.org/api: an unknown path,
// parameter or body field, a wrong type, a value outside an enumeration is a
// violation, which fails the test and is answered with 400. What the fake
// answers is checked against the same documents.
//
// Where the documents are silent the fake follows Google's guides
// (developers.google.com/workspace/gmail/api/guides and .../calendar/api/guides):
// threading, search operators, label and draft life cycles, history, series and
// their instances, invitations, batches, partial responses, errors. Faults,
// latency and the clock are the test's to set.
package googletest

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"kota/bundles/internal/google/googletest/fakeapi"
	"kota/bundles/internal/google/googletest/fakecalendar"
	"kota/bundles/internal/google/googletest/fakegmail"
)

// A Server is a running fake Google. All its methods may be called from any
// goroutine.
type Server struct{ *fakeapi.Server }

// A User is somebody with an account at the fake Google.
type User struct {
	Address string
	fakegmail.MailUser
	fakecalendar.CalendarUser
}

// User returns the user with that address, who is made, with an empty mailbox
// and an empty primary calendar, at the first call.
func (s *Server) User(address string) *User {
	u := s.Open(address)
	return &User{Address: u.Address, MailUser: fakegmail.MailUser{Account: u}, CalendarUser: fakecalendar.CalendarUser{Account: u}}
}

// Invitations returns the mails about events so far, in the order of sending.
// What sendUpdates does not ask for is not sent.
func (s *Server) Invitations() []fakecalendar.Invitation { return fakecalendar.Invitations(s.Server) }

// Group makes an address stand for several calendars in questions for free and
// busy times.
func (s *Server) Group(address string, calendars ...string) {
	fakecalendar.Group(s.Server, address, calendars...)
}

// FailFreeBusy makes the free and busy times of a calendar unknown for the
// reason, such as "internalError"; "" makes them known again. A calendar that
// its reader may not see is "notFound" without it.
func (s *Server) FailFreeBusy(calendarID, reason string) {
	fakecalendar.FailFreeBusy(s.Server, calendarID, reason)
}

// Clock makes the server take the time from now. The log of requests keeps to
// the real clock.
func Clock(now func() time.Time) fakeapi.Option { return func(s *fakeapi.Server) { s.Now = now } }

// PendingConferences makes Google take its time over a new conference: it is
// pending in the answer to the request for it, and so many times that the event
// is read after that (Calendar API guide, Create events, "Add video and phone conferences").
func PendingConferences(reads int) fakeapi.Option {
	return func(s *fakeapi.Server) { fakecalendar.PendingConferences(s, reads) }
}

// FailingConferences makes every request for a conference fail, when it is no
// longer pending.
func FailingConferences() fakeapi.Option {
	return func(s *fakeapi.Server) { fakecalendar.FailingConferences(s) }
}

// ExplicitUpdates makes a change of an event that has guests a violation when
// it does not say in sendUpdates who is told.
func ExplicitUpdates() fakeapi.Option {
	return func(s *fakeapi.Server) { fakecalendar.ExplicitUpdates(s) }
}

// New starts a fake Google that lives as long as the test. A violation is an
// error of the test.
func New(tb testing.TB, options ...fakeapi.Option) *Server {
	tb.Helper()
	s, err := Start("127.0.0.1:0", func(violation string) { tb.Errorf("googletest: %s", violation) }, options...)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(s.Close)
	return s
}

// Start starts a fake Google for programs. It refuses an address that is not on
// loopback. Violations go to report, which may be called from several goroutines at once.
func Start(addr string, report func(violation string), options ...fakeapi.Option) (*Server, error) {
	services, err := loadServices()
	if err != nil {
		return nil, fmt.Errorf("read discovery documents: %w", err)
	}
	s, err := fakeapi.Start(addr, report, services, options...)
	if err != nil {
		return nil, err
	}
	return &Server{s}, nil
}

// loadServices reads the discovery documents, once per process.
var loadServices = sync.OnceValues(func() ([]*fakeapi.Service, error) {
	gmail, err := fakegmail.Service()
	if err != nil {
		return nil, err
	}
	calendar, err := fakecalendar.Service()
	if err != nil {
		return nil, err
	}
	return []*fakeapi.Service{gmail, calendar}, nil
})
