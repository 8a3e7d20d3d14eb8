package eventwrite

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	calendarapi "google.golang.org/api/calendar/v3"
	"google.golang.org/api/option"

	"kota/bundles/bundletest"
	"kota/bundles/calendar/internal/event"
	"kota/bundles/internal/google"
	"kota/bundles/internal/google/googletest"
	"kota/bundles/internal/google/googletest/fakeapi"
	"kota/bundles/internal/persist"
	"kota/metadata"
	"kota/store/enginetest"
	"kota/store/tables/outbox"
)

const (
	annsKey = "ann@example.com" // key of her account
	primary = "primary"         // her calendar
)

// newWriter returns a Writer for Ann's account at a fake Google, the fake server, and
// Ann's user there.
func newWriter(t *testing.T, options ...fakeapi.Option) (*Writer, *googletest.Server, *googletest.User) {
	t.Helper()
	now := func() time.Time { return time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC) }
	server := googletest.New(t, append(options, googletest.Clock(now))...)
	db := enginetest.Open(t, nil)
	base := server.HTTPClient(annsKey)
	t.Cleanup(base.CloseIdleConnections)
	client := google.Client(base, google.Options{Account: "home", Endpoint: server.URL()})
	api, err := calendarapi.NewService(t.Context(), option.WithHTTPClient(client), option.WithEndpoint(google.CalendarBase(server.URL())))
	if err != nil {
		t.Fatal(err)
	}
	return New(Deps{
		Client: client, API: api, Endpoint: server.URL(), Account: annsKey, Now: now,
		Outbox: func(context.Context) (persist.OutboxStore, error) {
			return outbox.New(db, "local", "calendar"), nil
		},
	}), server, server.User(annsKey)
}

// lunchWithBob returns an event for Ann's calendar, with the id that belongs to the key.
func lunchWithBob(key string) *calendarapi.Event {
	return &calendarapi.Event{
		Id: NewID(annsKey, primary, key), Summary: "Lunch",
		Start:     &calendarapi.EventDateTime{DateTime: "2026-11-24T12:00:00+01:00", TimeZone: "Europe/Amsterdam"},
		End:       &calendarapi.EventDateTime{DateTime: "2026-11-24T13:00:00+01:00", TimeZone: "Europe/Amsterdam"},
		Attendees: []*calendarapi.EventAttendee{{Email: "bob@example.org"}},
	}
}

// lostAnswers are faults after which a client does not know whether a request was carried
// out.
var lostAnswers = map[string]fakeapi.Fault{
	"500 before":  {Status: 500},
	"500 after":   {Status: 500, AfterEffect: true},
	"503 before":  {Status: 503},
	"504 after":   {Status: 504, AfterEffect: true},
	"cut before":  {Answer: fakeapi.Reset},
	"cut after":   {Answer: fakeapi.Reset, AfterEffect: true},
	"half":        {Answer: fakeapi.Truncated},
	"no JSON":     {Answer: fakeapi.Garbage, AfterEffect: true},
	"HTML before": {Answer: fakeapi.HTML},
}

// injectFault makes the next calls of a method fail with a fault, that many times.
func injectFault(s *googletest.Server, method string, f fakeapi.Fault, times int) {
	f.Method, f.Nth, f.Times = method, 1, times
	s.Fault(f)
}

// insertEvent inserts an event into Ann's calendar, as the actions do.
func insertEvent(t *testing.T, w *Writer, e *calendarapi.Event, notify string) (got *calendarapi.Event, repeated bool, err error) {
	t.Helper()
	r, err := NewInsert(primary, e, notify)
	if err != nil {
		t.Fatal(err)
	}
	done, err := w.execute(bundletest.WithUserConsent(t.Context()), r)
	return done.Event, done.Repeated, err
}

func TestLostAnswerMakesOneEventAndOneMail(t *testing.T) {
	for name, fault := range lostAnswers {
		for times := 1; times <= 2; times++ {
			w, server, ann := newWriter(t)
			injectFault(server, "calendar.events.insert", fault, times)
			got, repeated, err := insertEvent(t, w, lunchWithBob("k"), event.NotifyAll)
			events, mails := ann.Events(primary), server.Invitations()
			switch {
			case metadata.CodeOf(err) == metadata.OutcomeUnknown && times == 2 && len(events) == 0: // no request reached Google
			case err != nil:
				t.Errorf("%s, %d times: %v", name, times, err)
			case got.Summary != "Lunch" || repeated || len(events) != 1 || len(mails) != 1:
				t.Errorf("%s, %d times: got %q, repeated %v, %d events, mail %+v", name, times, got.Summary, repeated, len(events), mails)
			}
			if _, _, err := insertEvent(t, w, lunchWithBob("k"), event.NotifyAll); err != nil {
				t.Errorf("%s, %d times: again: %v", name, times, err)
			}
			if events, mails := ann.Events(primary), server.Invitations(); len(events) != 1 || len(mails) != 1 {
				t.Errorf("%s, %d times: again: %d events, mail %+v", name, times, len(events), mails)
			}
		}
	}
}

func TestRepeatedInsertReturnsSameEvent(t *testing.T) {
	w, server, ann := newWriter(t)
	first, repeated, err := insertEvent(t, w, lunchWithBob("k"), event.NotifyAll)
	if err != nil || repeated {
		t.Fatalf("repeated %v, %v", repeated, err)
	}
	ann.ChangeEvent(primary, first.Id, map[string]any{"location": "Paris"})
	again, repeated, err := insertEvent(t, w, lunchWithBob("k"), event.NotifyAll)
	if err != nil || !repeated || again.Id != first.Id || again.Location != "Paris" {
		t.Errorf("got %+v, repeated %v, %v", again, repeated, err)
	}
	other := lunchWithBob("k")
	other.Summary = "Dinner"
	if _, _, err := insertEvent(t, w, other, event.NotifyAll); metadata.CodeOf(err) != metadata.Conflict {
		t.Errorf("other content: %v", err)
	}
	if _, _, err := insertEvent(t, w, lunchWithBob("k"), event.NotifyNone); metadata.CodeOf(err) != metadata.Conflict {
		t.Errorf("the same without mail: %v", err)
	}
	ann.DeleteEvent(primary, first.Id)
	if _, _, err := insertEvent(t, w, lunchWithBob("k"), event.NotifyAll); metadata.CodeOf(err) != metadata.Conflict {
		t.Errorf("after it was deleted: %v", err)
	}
	if len(server.Invitations()) != 1 {
		t.Errorf("mailed %+v", server.Invitations())
	}
}

func TestLostAnswerChangesEventOnce(t *testing.T) {
	for name, fault := range lostAnswers {
		w, server, ann := newWriter(t)
		id := ann.AddEvent(primary, lunchWithBob(""))
		before, err := w.Get(t.Context(), primary, id)
		if err != nil {
			t.Fatal(err)
		}
		injectFault(server, "calendar.events.patch", fault, 1)
		moved := &calendarapi.Event{Location: "Paris", Start: &calendarapi.EventDateTime{DateTime: "2026-11-24T10:30:00Z", TimeZone: "Europe/Amsterdam"}, ForceSendFields: []string{"Description"}}
		got, err := w.Patch(bundletest.WithUserConsent(t.Context()), primary, id, before.Etag, moved, event.NotifyAll)
		if err != nil || got.Location != "Paris" || got.Etag == before.Etag || len(server.Invitations()) != 1 {
			t.Errorf("%s: got %+v, mail %+v, %v", name, got, server.Invitations(), err)
		}
	}
}

func TestLostAnswerRemovesEventOnce(t *testing.T) {
	for name, fault := range lostAnswers {
		w, server, ann := newWriter(t)
		id := ann.AddEvent(primary, lunchWithBob(""))
		before, err := w.Get(t.Context(), primary, id)
		if err != nil {
			t.Fatal(err)
		}
		injectFault(server, "calendar.events.delete", fault, 1)
		gone, err := w.Remove(bundletest.WithUserConsent(t.Context()), primary, id, before.Etag, event.NotifyAll)
		if err != nil || gone || len(ann.Events(primary)) != 0 || len(server.Invitations()) != 1 {
			t.Errorf("%s: gone %v, mail %+v, %v", name, gone, server.Invitations(), err)
		}
	}
}

func TestChangedEventIsNotOverwritten(t *testing.T) {
	w, _, ann := newWriter(t)
	id := ann.AddEvent(primary, lunchWithBob(""))
	before, err := w.Get(t.Context(), primary, id)
	if err != nil {
		t.Fatal(err)
	}
	ann.ChangeEvent(primary, id, map[string]any{"location": "Paris"})
	_, patched := w.Patch(bundletest.WithUserConsent(t.Context()), primary, id, before.Etag, &calendarapi.Event{Location: "Rome"}, event.NotifyNone)
	_, removed := w.Remove(bundletest.WithUserConsent(t.Context()), primary, id, before.Etag, event.NotifyNone)
	for act, err := range map[string]error{"patch": patched, "remove": removed} {
		changed := (*ChangedError)(nil)
		if !errors.As(err, &changed) || changed.Now.Location != "Paris" || metadata.CodeOf(err) != metadata.Conflict {
			t.Errorf("%s: %v", act, err)
		}
	}
	if got := ann.Event(primary, id); got["location"] != "Paris" || got["status"] != "confirmed" {
		t.Errorf("it is now %v", got)
	}
}

func TestDeletingDeletedEventSucceeds(t *testing.T) {
	w, server, ann := newWriter(t)
	id := ann.AddEvent(primary, lunchWithBob(""))
	before, err := w.Get(t.Context(), primary, id)
	if err != nil {
		t.Fatal(err)
	}
	ann.DeleteEvent(primary, id)
	for _, etag := range []string{before.Etag, ""} {
		if gone, err := w.Remove(bundletest.WithUserConsent(t.Context()), primary, id, etag, event.NotifyAll); err != nil || !gone {
			t.Errorf("with etag %q: gone %v, %v", etag, gone, err)
		}
	}
	if _, err := w.Patch(bundletest.WithUserConsent(t.Context()), primary, id, before.Etag, &calendarapi.Event{Location: "Rome"}, event.NotifyAll); metadata.CodeOf(err) != metadata.NotFound {
		t.Errorf("changed when deleted: %v", err)
	}
	if len(server.Invitations()) != 0 {
		t.Errorf("mailed %+v", server.Invitations())
	}
}

func TestRefusalIsNotRetried(t *testing.T) {
	for status, want := range map[int]metadata.Code{
		400: metadata.ValidationError, 401: metadata.SignInRequired, 403: metadata.Refused, 404: metadata.NotFound, 429: metadata.RateLimited,
	} {
		w, server, ann := newWriter(t)
		server.Fault(fakeapi.Fault{Method: "calendar.events.insert", Status: status})
		if _, _, err := insertEvent(t, w, lunchWithBob("k"), event.NotifyAll); metadata.CodeOf(err) != want {
			t.Errorf("%d: %v", status, err)
		}
		asked := slices.DeleteFunc(server.Requests(), func(r fakeapi.Request) bool { return r.Method != "calendar.events.insert" })
		if len(asked) != 1 || len(ann.Events(primary)) != 0 {
			t.Errorf("%d: asked %d times", status, len(asked))
		}
	}
}

func TestRequestBodyKeepsNulls(t *testing.T) {
	r, err := NewPatch(primary, "abcde", `"1"`, &calendarapi.Event{NullFields: []string{"Location"}, End: &calendarapi.EventDateTime{Date: "2026-11-25", NullFields: []string{"DateTime"}}}, event.NotifyExternal)
	if err != nil {
		t.Fatal(err)
	}
	if want := `{"end":{"date":"2026-11-25","dateTime":null},"location":null}`; string(r.Body) != want {
		t.Errorf("got %s, want %s", r.Body, want)
	}
}
