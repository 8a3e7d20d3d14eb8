// Package googletest is a fake Google for tests. It has mailboxes like Gmail,
// calendars like Calendar and address books like the People API. It answers over real HTTP on loopback, so that
// the real Go client runs against it unchanged.
//
// It is strict. It checks every request against Google's own discovery
// documents, which ship in the module google.golang.org/api. An unknown path,
// parameter or body field, a wrong type or a value outside an enumeration is a
// violation. A violation fails the test and gets status 400. The answers of the
// fake are checked against the same documents.
//
// Where the documents are silent the fake follows Google's guides
// (developers.google.com/workspace/gmail/api/guides and
// .../calendar/api/guides). They describe threading, search operators, the life
// cycles of labels and drafts, history, series, invitations, batches, partial
// responses and errors. The test sets faults, latency and the clock.
package googletest

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"kota/bundles/internal/google/googletest/fakeapi"
	"kota/bundles/internal/google/googletest/fakecalendar"
	"kota/bundles/internal/google/googletest/fakegmail"
	"kota/bundles/internal/google/googletest/fakepeople"
)

// Server is a running fake Google. Its own methods are safe for concurrent use.
type Server struct{ *fakeapi.Server }

// User is a person with an account at the fake Google.
type User struct {
	Address string
	fakegmail.MailUser
	fakecalendar.CalendarUser
	fakepeople.PeopleUser
}

// User returns the user with that address. The first call makes the user, with
// an empty mailbox, an empty primary calendar and an empty address book.
func (s *Server) User(address string) *User {
	u := s.Open(address)
	return &User{
		Address: u.Address, MailUser: fakegmail.MailUser{Account: u}, CalendarUser: fakecalendar.CalendarUser{Account: u},
		PeopleUser: fakepeople.PeopleUser{Account: u},
	}
}

// Invitations returns the mails about events so far, in the order of sending.
// Only mails that sendUpdates requests are sent.
func (s *Server) Invitations() []fakecalendar.Invitation { return fakecalendar.Invitations(s.Server) }

// Group makes an address stand for several calendars in free and busy queries.
func (s *Server) Group(address string, calendars ...string) {
	fakecalendar.Group(s.Server, address, calendars...)
}

// FailFreeBusy makes the free and busy times of a calendar unknown for the
// reason, such as "internalError"; "" makes them known again. A calendar that
// its reader may not see is "notFound" in any case.
func (s *Server) FailFreeBusy(calendarID, reason string) {
	fakecalendar.FailFreeBusy(s.Server, calendarID, reason)
}

// Clock makes the server take the time from now. The log of requests uses the
// real clock.
func Clock(now func() time.Time) fakeapi.Option { return func(s *fakeapi.Server) { s.Now = now } }

// PendingConferences makes each new conference pending: in the answer to the
// request for it, and then for the given number of reads of the event. See
// "Add video and phone conferences" in the Calendar API guide, Create events.
func PendingConferences(reads int) fakeapi.Option {
	return func(s *fakeapi.Server) { fakecalendar.PendingConferences(s, reads) }
}

// FailingConferences makes every request for a conference fail. The failure
// shows when the request is no longer pending.
func FailingConferences() fakeapi.Option {
	return func(s *fakeapi.Server) { fakecalendar.FailingConferences(s) }
}

// ExplicitUpdates makes a request without sendUpdates a violation if it changes
// an event with guests.
func ExplicitUpdates() fakeapi.Option {
	return func(s *fakeapi.Server) { fakecalendar.ExplicitUpdates(s) }
}

// New starts a fake Google that ends with the test. A violation is an error of
// the test.
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
// loopback. Violations go to report, which may be called concurrently.
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
	people, err := fakepeople.Service()
	if err != nil {
		return nil, err
	}
	return []*fakeapi.Service{gmail, calendar, people}, nil
})
