package eventwrite

import (
	"context"
	"errors"
	"testing"

	calendarapi "google.golang.org/api/calendar/v3"

	"kota/bundles/bundletest"
	"kota/bundles/calendar/internal/event"
	"kota/bundles/internal/google/googletest/fakeapi"
	"kota/bundles/internal/google/googletest/fakecalendar"
	"kota/metadata"
	"kota/store"
)

// outboxItems returns the outbox items of the account.
func outboxItems(t *testing.T, w *Writer) []store.OutboxItem {
	t.Helper()
	box, err := w.deps.Outbox(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	list, err := box.List(t.Context(), 10)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// summaryToBob returns the summary of a request that reaches Bob.
func summaryToBob(kind string) Summary {
	return Summary{Kind: kind, Title: "Lunch", When: "Tue 2026-11-24 12:00–13:00 +01:00", People: []string{"bob@example.org"}}
}

func TestSendViaOutboxSendsOnce(t *testing.T) {
	for name, fault := range lostAnswers {
		w, server, ann := newWriter(t)
		id := ann.AddEvent(primary, lunchWithBob(""))
		before, err := w.Get(t.Context(), primary, id)
		if err != nil {
			t.Fatal(err)
		}
		patch, err := NewPatch(primary, id, before.Etag, map[string]any{"location": "Paris"}, event.NotifyAll)
		if err != nil {
			t.Fatal(err)
		}
		team := ann.AddCalendar(fakecalendar.Calendar{Summary: "Team"})
		for _, r := range []Request{patch, NewMove(primary, id, "", team, event.NotifyAll), NewDelete(team, id, "", event.NotifyAll)} {
			if r.Etag == "" {
				now, err := w.Get(t.Context(), r.Calendar, id)
				if err != nil {
					t.Fatal(err)
				}
				r.Etag = now.Etag
			}
			mails := len(server.Invitations())
			injectFault(server, map[string]string{"PATCH": "calendar.events.patch", "POST": "calendar.events.move", "DELETE": "calendar.events.delete"}[r.Method], fault, 1)
			done, err := w.SendViaOutbox(bundletest.WithUserConsent(t.Context()), r, summaryToBob("update"))
			if err != nil || done.Repeated || (done.Event == nil) != r.isDelete() {
				t.Errorf("%s: %s: %+v, %v", name, r.Method, done, err)
			}
			again, err := w.SendViaOutbox(bundletest.WithUserConsent(t.Context()), r, summaryToBob("update"))
			if err != nil || !again.Repeated || len(server.Invitations()) != mails+1 {
				t.Errorf("%s: %s again: %+v, mail %+v, %v", name, r.Method, again, server.Invitations(), err)
			}
		}
	}
}

func TestRefusedRequestLeavesNoOutboxItem(t *testing.T) {
	w, server, ann := newWriter(t)
	id := ann.AddEvent(primary, lunchWithBob(""))
	stale, err := NewPatch(primary, id, `"1"`, &calendarapi.Event{Location: "Paris"}, event.NotifyAll)
	if err != nil {
		t.Fatal(err)
	}
	changed := (*ChangedError)(nil)
	if _, err := w.SendViaOutbox(bundletest.WithUserConsent(t.Context()), stale, summaryToBob("update")); !errors.As(err, &changed) || changed.Now.Id != id {
		t.Errorf("got %v", err)
	}
	if left := outboxItems(t, w); len(left) > 0 || len(server.Invitations()) > 0 {
		t.Errorf("the outbox has %+v", left)
	}
}

func TestCancelledCallIsFinished(t *testing.T) {
	w, server, ann := newWriter(t)
	r, err := NewInsert(primary, lunchWithBob(""), event.NotifyAll)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(bundletest.WithUserConsent(t.Context()))
	server.Fault(fakeapi.Fault{Method: "calendar.events.insert", AfterEffect: true, OnFault: cancel, Nth: 1})
	if _, err := w.SendViaOutbox(ctx, r, summaryToBob("invite")); err != nil {
		t.Error(err)
	}
	if left := outboxItems(t, w); len(left) != 1 || left[0].Status != store.OutboxSent || len(ann.Events(primary)) != 1 {
		t.Errorf("the outbox has %+v", left)
	}
}

func TestItemLeasedByOtherProcessIsNotSent(t *testing.T) {
	t.Parallel()
	w, server, _ := newWriter(t)
	r, err := NewInsert(primary, lunchWithBob("k"), event.NotifyAll)
	if err != nil {
		t.Fatal(err)
	}
	box, err := w.deps.Outbox(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	item, err := w.outboxItem(r, summaryToBob("invite"))
	if err != nil {
		t.Fatal(err)
	}
	if _, leased, err := box.ClaimOrCreate(t.Context(), item, w.deps.Now(), Lease); err != nil || !leased {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 20*PollInterval)
	defer cancel()
	if _, err := w.SendViaOutbox(ctx, r, summaryToBob("invite")); metadata.CodeOf(err) != metadata.OutcomeUnknown || len(server.Invitations()) > 0 {
		t.Errorf("got %v", err)
	}
}

func TestRepeatChecksBeforeSendingAgain(t *testing.T) {
	t.Parallel()
	w, server, ann := newWriter(t)
	id := ann.AddEvent(primary, lunchWithBob(""))
	before, err := w.Get(t.Context(), primary, id)
	if err != nil {
		t.Fatal(err)
	}
	r, err := NewPatch(primary, id, before.Etag, map[string]any{"location": "Paris"}, event.NotifyAll)
	if err != nil {
		t.Fatal(err)
	}
	withdraw := server.Fault(fakeapi.Fault{Method: "calendar.events.patch", Status: 500, AfterEffect: true})
	withdrawGet := server.Fault(fakeapi.Fault{Method: "calendar.events.get", Status: 500})
	if _, err := w.SendViaOutbox(bundletest.WithUserConsent(t.Context()), r, summaryToBob("update")); metadata.CodeOf(err) != metadata.OutcomeUnknown {
		t.Fatal(err)
	}
	withdraw()
	withdrawGet()
	posts := server.Calls("calendar.events.patch")
	if done, err := w.SendViaOutbox(bundletest.WithUserConsent(t.Context()), r, summaryToBob("update")); err != nil || done.Event == nil || done.Event.Location != "Paris" {
		t.Errorf("again: %+v, %v", done, err)
	}
	if got := server.Calls("calendar.events.patch"); got != posts {
		t.Errorf("posted %d times more", got-posts)
	}
}

func TestTaintDoesNotChangeDigest(t *testing.T) {
	w, _, _ := newWriter(t)
	r, err := NewPatch(primary, "lunch", "e", map[string]any{"location": "Paris"}, event.NotifyAll)
	if err != nil {
		t.Fatal(err)
	}
	digests := map[string]bool{}
	for _, r.Tainted = range []bool{false, true} {
		for _, r.Approved = range []bool{false, true} {
			l, err := w.outboxItem(r, summaryToBob("update"))
			if err != nil {
				t.Fatal(err)
			}
			digests[l.Digest] = true
		}
	}
	if len(digests) != 1 {
		t.Errorf("one request has %d digests", len(digests))
	}
}
