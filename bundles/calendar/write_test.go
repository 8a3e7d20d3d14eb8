package calendar

import (
	"context"
	"errors"
	"net/http"
	"path/filepath"
	"slices"
	"testing"
	"time"

	calendarapi "google.golang.org/api/calendar/v3"

	"kota/bundles"
	"kota/bundles/calendar/internal/event"
	"kota/bundles/internal/google/googletest"
	"kota/metadata"
	"kota/store/sqlite"
)

// annsAgenda is the agenda of Ann at a fake Google, and her user there.
func annsAgenda(t *testing.T, options ...googletest.Option) (*agenda, *googletest.Server, *googletest.User) {
	t.Helper()
	now := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	server := googletest.New(t, append(options, googletest.Clock(func() time.Time { return now }))...)
	db, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "kota.db"), sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	client := server.HTTPClient("ann@example.com")
	t.Cleanup(client.CloseIdleConnections)
	c := &calendar{agendas: map[string]*agenda{}, Deps: Deps{
		Accounts: func() ([]Account, error) { return []Account{{Name: "home", Address: "ann@example.com"}}, nil },
		Client:   func(context.Context, string) (*http.Client, error) { return client, nil },
		Endpoint: server.URL,
		DB:       func(context.Context) (*sqlite.DB, error) { return db, nil },
		Now:      func() time.Time { return now },
	}}
	a, err := c.open(t.Context(), "")
	if err != nil {
		t.Fatal(err)
	}
	return a, server, server.User("ann@example.com")
}

// lunch is an event for Ann's calendar, under the id of the key.
func lunch(a *agenda, key string) *calendarapi.Event {
	return &calendarapi.Event{
		Id: newEventID(a.account.Key(), primary, key), Summary: "Lunch",
		Start:     &calendarapi.EventDateTime{DateTime: "2026-11-24T12:00:00+01:00", TimeZone: "Europe/Amsterdam"},
		End:       &calendarapi.EventDateTime{DateTime: "2026-11-24T13:00:00+01:00", TimeZone: "Europe/Amsterdam"},
		Attendees: []*calendarapi.EventAttendee{{Email: "bob@example.org"}},
	}
}

// lostAnswers are the ways in which it can stay unclear whether a request was
// carried out.
var lostAnswers = map[string]googletest.Fault{
	"500 before":  {Status: 500},
	"500 after":   {Status: 500, AfterEffect: true},
	"503 before":  {Status: 503},
	"504 after":   {Status: 504, AfterEffect: true},
	"cut before":  {Answer: googletest.Reset},
	"cut after":   {Answer: googletest.Reset, AfterEffect: true},
	"half":        {Answer: googletest.Truncated},
	"no JSON":     {Answer: googletest.Garbage, AfterEffect: true},
	"HTML before": {Answer: googletest.HTML},
}

// befall lets a fault befall the next call of a method, so many times.
func befall(s *googletest.Server, method string, f googletest.Fault, times int) {
	f.Method, f.Nth, f.Times = method, 1, times
	s.Fault(f)
}

// insert makes an event in Ann's calendar, as its actions do.
func insert(t *testing.T, a *agenda, e *calendarapi.Event, notify string) (got *calendarapi.Event, repeated bool, err error) {
	t.Helper()
	r, err := insertion(primary, e, notify)
	if err != nil {
		t.Fatal(err)
	}
	done, err := a.carry(bundles.ByHand(t.Context()), r)
	return done.Event, done.Repeated, err
}

func TestALostAnswerMakesOneEventAndOneRoundOfMail(t *testing.T) {
	for name, fault := range lostAnswers {
		for times := 1; times <= 2; times++ {
			a, server, ann := annsAgenda(t)
			befall(server, "calendar.events.insert", fault, times)
			got, repeated, err := insert(t, a, lunch(a, "k"), event.NotifyAll)
			events, mails := ann.Events(primary), server.Invitations()
			switch {
			case metadata.CodeOf(err) == metadata.OutcomeUnknown && times == 2 && len(events) == 0: // nothing got through
			case err != nil:
				t.Errorf("%s, %d times: %v", name, times, err)
			case got.Summary != "Lunch" || repeated || len(events) != 1 || len(mails) != 1:
				t.Errorf("%s, %d times: got %q, repeated %v, %d events, mail %+v", name, times, got.Summary, repeated, len(events), mails)
			}
			if _, _, err := insert(t, a, lunch(a, "k"), event.NotifyAll); err != nil {
				t.Errorf("%s, %d times: again: %v", name, times, err)
			}
			if events, mails := ann.Events(primary), server.Invitations(); len(events) != 1 || len(mails) != 1 {
				t.Errorf("%s, %d times: again: %d events, mail %+v", name, times, len(events), mails)
			}
		}
	}
}

func TestARepeatedInsertIsTheSameEvent(t *testing.T) {
	a, server, ann := annsAgenda(t)
	first, repeated, err := insert(t, a, lunch(a, "k"), event.NotifyAll)
	if err != nil || repeated {
		t.Fatalf("repeated %v, %v", repeated, err)
	}
	ann.ChangeEvent(primary, first.Id, map[string]any{"location": "Paris"})
	again, repeated, err := insert(t, a, lunch(a, "k"), event.NotifyAll)
	if err != nil || !repeated || again.Id != first.Id || again.Location != "Paris" {
		t.Errorf("got %+v, repeated %v, %v", again, repeated, err)
	}
	other := lunch(a, "k")
	other.Summary = "Dinner"
	if _, _, err := insert(t, a, other, event.NotifyAll); metadata.CodeOf(err) != metadata.Conflict {
		t.Errorf("other content: %v", err)
	}
	if _, _, err := insert(t, a, lunch(a, "k"), event.NotifyNone); metadata.CodeOf(err) != metadata.Conflict {
		t.Errorf("the same without mail: %v", err)
	}
	ann.DeleteEvent(primary, first.Id)
	if _, _, err := insert(t, a, lunch(a, "k"), event.NotifyAll); metadata.CodeOf(err) != metadata.Conflict {
		t.Errorf("after it was deleted: %v", err)
	}
	if len(server.Invitations()) != 1 {
		t.Errorf("mailed %+v", server.Invitations())
	}
}

func TestALostAnswerChangesAnEventOnce(t *testing.T) {
	for name, fault := range lostAnswers {
		a, server, ann := annsAgenda(t)
		id := ann.AddEvent(primary, lunch(a, ""))
		before, err := a.get(t.Context(), primary, id)
		if err != nil {
			t.Fatal(err)
		}
		befall(server, "calendar.events.patch", fault, 1)
		moved := &calendarapi.Event{Location: "Paris", Start: &calendarapi.EventDateTime{DateTime: "2026-11-24T10:30:00Z", TimeZone: "Europe/Amsterdam"}, ForceSendFields: []string{"Description"}}
		got, err := a.patch(bundles.ByHand(t.Context()), primary, id, before.Etag, moved, event.NotifyAll)
		if err != nil || got.Location != "Paris" || got.Etag == before.Etag || len(server.Invitations()) != 1 {
			t.Errorf("%s: got %+v, mail %+v, %v", name, got, server.Invitations(), err)
		}
	}
}

func TestALostAnswerRemovesAnEventOnce(t *testing.T) {
	for name, fault := range lostAnswers {
		a, server, ann := annsAgenda(t)
		id := ann.AddEvent(primary, lunch(a, ""))
		before, err := a.get(t.Context(), primary, id)
		if err != nil {
			t.Fatal(err)
		}
		befall(server, "calendar.events.delete", fault, 1)
		gone, err := a.remove(bundles.ByHand(t.Context()), primary, id, before.Etag, event.NotifyAll)
		if err != nil || gone || len(ann.Events(primary)) != 0 || len(server.Invitations()) != 1 {
			t.Errorf("%s: gone %v, mail %+v, %v", name, gone, server.Invitations(), err)
		}
	}
}

func TestWhatSomebodyElseChangedIsNotOverwritten(t *testing.T) {
	a, _, ann := annsAgenda(t)
	id := ann.AddEvent(primary, lunch(a, ""))
	before, err := a.get(t.Context(), primary, id)
	if err != nil {
		t.Fatal(err)
	}
	ann.ChangeEvent(primary, id, map[string]any{"location": "Paris"})
	_, patched := a.patch(bundles.ByHand(t.Context()), primary, id, before.Etag, &calendarapi.Event{Location: "Rome"}, event.NotifyNone)
	_, removed := a.remove(bundles.ByHand(t.Context()), primary, id, before.Etag, event.NotifyNone)
	for act, err := range map[string]error{"patch": patched, "remove": removed} {
		changed := (*changedError)(nil)
		if !errors.As(err, &changed) || changed.Now.Location != "Paris" || metadata.CodeOf(err) != metadata.Conflict {
			t.Errorf("%s: %v", act, err)
		}
	}
	if got := ann.Event(primary, id); got["location"] != "Paris" || got["status"] != "confirmed" {
		t.Errorf("it is now %v", got)
	}
}

func TestWhatIsDeletedTwiceIsDone(t *testing.T) {
	a, server, ann := annsAgenda(t)
	id := ann.AddEvent(primary, lunch(a, ""))
	before, err := a.get(t.Context(), primary, id)
	if err != nil {
		t.Fatal(err)
	}
	ann.DeleteEvent(primary, id)
	for _, etag := range []string{before.Etag, ""} {
		if gone, err := a.remove(bundles.ByHand(t.Context()), primary, id, etag, event.NotifyAll); err != nil || !gone {
			t.Errorf("with etag %q: gone %v, %v", etag, gone, err)
		}
	}
	if _, err := a.patch(bundles.ByHand(t.Context()), primary, id, before.Etag, &calendarapi.Event{Location: "Rome"}, event.NotifyAll); metadata.CodeOf(err) != metadata.NotFound {
		t.Errorf("changed when deleted: %v", err)
	}
	if len(server.Invitations()) != 0 {
		t.Errorf("mailed %+v", server.Invitations())
	}
}

func TestARefusalIsNoDoubt(t *testing.T) {
	for status, want := range map[int]metadata.Code{
		400: metadata.ValidationError, 401: metadata.SignInRequired, 403: metadata.Refused, 404: metadata.NotFound, 429: metadata.RateLimited,
	} {
		a, server, ann := annsAgenda(t)
		server.Fault(googletest.Fault{Method: "calendar.events.insert", Status: status})
		if _, _, err := insert(t, a, lunch(a, "k"), event.NotifyAll); metadata.CodeOf(err) != want {
			t.Errorf("%d: %v", status, err)
		}
		asked := slices.DeleteFunc(server.Requests(), func(r googletest.Request) bool { return r.Method != "calendar.events.insert" })
		if len(asked) != 1 || len(ann.Events(primary)) != 0 {
			t.Errorf("%d: asked %d times", status, len(asked))
		}
	}
}

func TestWhatIsKeptOfARequestLeavesAsItWasWritten(t *testing.T) {
	r, err := patching(primary, "abcde", `"1"`, &calendarapi.Event{NullFields: []string{"Location"}, End: &calendarapi.EventDateTime{Date: "2026-11-25", NullFields: []string{"DateTime"}}}, event.NotifyExternal)
	if err != nil {
		t.Fatal(err)
	}
	if want := `{"end":{"date":"2026-11-25","dateTime":null},"location":null}`; string(r.Body) != want {
		t.Errorf("got %s, want %s", r.Body, want)
	}
}
