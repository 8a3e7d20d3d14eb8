package calendar_test

import (
	"sync"
	"testing"

	"kota/bundles"
	"kota/bundles/bundletest"
	"kota/bundles/calendar"
	"kota/bundles/internal/google/googletest/fakeapi"
	"kota/metadata"
)

// invitationArgs returns the arguments of a call that mails a guest.
func invitationArgs(more args) args {
	a := args{"title": "Lunch", "start": "2026-11-24T12:00", "attendees": []string{bob}, "notify": "all", "on_conflict": "ignore"}
	for name, value := range more {
		a[name] = value
	}
	return a
}

// onlyItem returns the one item in the outbox.
func onlyItem(t *testing.T, d *fixture) bundles.OutboxItem {
	t.Helper()
	items, err := calendar.OpenOutbox(d.deps).List(t.Context())
	if err != nil || len(items) != 1 {
		t.Fatalf("the outbox has %+v, %v", items, err)
	}
	return items[0]
}

// eventsAndMails returns the number of Ann's events and of sent mails.
func eventsAndMails(d *fixture) [2]int {
	return [2]int{len(d.ann.Events("primary")), len(d.google.Invitations())}
}

// faults are the ways in which a request can fail, with the expected error.
var faults = []struct {
	name  string
	fault fakeapi.Fault
	code  metadata.Code // error if every request fails this way; "" if reading the event shows the outcome
}{
	{"500 before", fakeapi.Fault{Status: 500}, metadata.OutcomeUnknown},
	{"500 after", fakeapi.Fault{Status: 500, AfterEffect: true}, ""},
	{"503 after", fakeapi.Fault{Status: 503, AfterEffect: true}, ""},
	{"cut before", fakeapi.Fault{Answer: fakeapi.Reset}, metadata.OutcomeUnknown},
	{"cut after", fakeapi.Fault{Answer: fakeapi.Reset, AfterEffect: true}, ""},
	{"an incomplete answer", fakeapi.Fault{Answer: fakeapi.Truncated}, ""},
	{"nonsense", fakeapi.Fault{Answer: fakeapi.Garbage, AfterEffect: true}, ""},
	{"400", fakeapi.Fault{Status: 400}, metadata.ValidationError},
	{"401", fakeapi.Fault{Status: 401}, metadata.SignInRequired},
	{"403", fakeapi.Fault{Status: 403, Reason: "forbidden"}, metadata.Refused},
	{"403 for the rate", fakeapi.Fault{Status: 403, Reason: "rateLimitExceeded"}, metadata.RateLimited},
	{"404", fakeapi.Fault{Status: 404}, metadata.NotFound},
	{"409 for nothing", fakeapi.Fault{Status: 409, Reason: "duplicate"}, metadata.Conflict},
	{"429", fakeapi.Fault{Status: 429, RetryAfter: "1"}, metadata.RateLimited},
}

func TestAnyFailureMakesEventAndMailOnce(t *testing.T) {
	for _, f := range faults {
		for _, key := range []string{"", "lunch-1"} {
			for times := 1; times <= 2; times++ {
				d := amsterdamFixture(t)
				a := invitationArgs(nil)
				if key != "" {
					a["idempotency_key"] = key
				}
				fault := f.fault
				fault.Method, fault.Nth, fault.Times = "calendar.events.insert", 1, times
				withdraw := d.google.Fault(fault)
				got, err := bundletest.Answer[createdEvent](t, d.bundle, createTool, a)
				want := f.code
				if want == metadata.OutcomeUnknown && times == 1 {
					want = "" // it is made again with the same id
				}
				if metadata.CodeOf(err) != want || err == nil && (got.Status != "created" || eventsAndMails(d) != [2]int{1, 1}) {
					t.Errorf("%s, %d times, key %q: %+v, %v, %v, want %q", f.name, times, key, got, eventsAndMails(d), err, want)
				}
				withdraw()
				for range 2 { // a client in another process repeats the call
					again, err := bundletest.Answer[createdEvent](t, d.anotherProcess(), createTool, a)
					if err != nil || eventsAndMails(d) != [2]int{1, 1} {
						t.Errorf("%s, %d times, key %q: again: %+v, %v, %v", f.name, times, key, again, eventsAndMails(d), err)
					}
				}
			}
		}
	}
}

func TestConcurrentCallsSendInvitationOnce(t *testing.T) {
	d := amsterdamFixture(t)
	var all sync.WaitGroup
	for range 6 {
		b := d.anotherProcess()
		all.Go(func() {
			if _, err := bundletest.Answer[createdEvent](t, b, createTool, invitationArgs(nil)); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if got := eventsAndMails(d); got != [2]int{1, 1} {
		t.Errorf("got %v", got)
	}
	if item := onlyItem(t, d); item.Status != "sent" || item.Subject != "Lunch" || item.Kind != "invite" || len(item.To) != 1 || item.Event == "" {
		t.Errorf("the outbox has %+v", item)
	}
}

func TestKeyNamesOneInvitation(t *testing.T) {
	d := amsterdamFixture(t)
	first := bundletest.Must[createdEvent](t, d.bundle, createTool, invitationArgs(args{"idempotency_key": "k"}))
	again := bundletest.Must[createdEvent](t, d.bundle, createTool, invitationArgs(args{"idempotency_key": "k"}))
	if again.Status != "repeated" || again.Event.ID != first.Event.ID {
		t.Errorf("again: %+v", again)
	}
	for name, other := range map[string]args{
		"another time":  {"idempotency_key": "k", "start": "2026-11-25T12:00"},
		"no mail":       {"idempotency_key": "k", "notify": "none"},
		"nobody":        {"idempotency_key": "k", "attendees": []string{}},
		"another guest": {"idempotency_key": "k", "attendees": []string{"carol@example.net"}},
	} {
		if _, err := bundletest.Answer[createdEvent](t, d.bundle, createTool, invitationArgs(other)); metadata.CodeOf(err) != metadata.Conflict {
			t.Errorf("%s: %v", name, err)
		}
	}
	if got := eventsAndMails(d); got != [2]int{1, 1} {
		t.Errorf("got %v", got)
	}
}

func TestOutboxRetryResolvesUnknownOutcome(t *testing.T) {
	for name, after := range map[string]bool{"that was not sent": false, "that was sent": true} {
		d := amsterdamFixture(t)
		withdraw := d.google.Fault(fakeapi.Fault{Method: "calendar.events.insert", Status: 500, AfterEffect: after})
		withdrawGet := d.google.Fault(fakeapi.Fault{Method: "calendar.events.get", Status: 404})
		if _, err := bundletest.Answer[createdEvent](t, d.bundle, createTool, invitationArgs(nil)); metadata.CodeOf(err) != metadata.OutcomeUnknown {
			t.Fatalf("%s: %v", name, err)
		}
		withdraw()
		withdrawGet()
		box := calendar.OpenOutbox(d.deps)
		item := onlyItem(t, d)
		if item.Status != "unknown" || item.Error == "" || item.Next == "" {
			t.Errorf("%s: %+v", name, item)
		}
		if item, err := box.Retry(bundletest.WithUserConsent(t.Context()), item.ID); err != nil || item.Status != "sent" || eventsAndMails(d) != [2]int{1, 1} {
			t.Errorf("%s: retried: %+v, %v, %v", name, item, err, eventsAndMails(d))
		}
		if _, err := box.Retry(bundletest.WithUserConsent(t.Context()), item.ID); metadata.CodeOf(err) != metadata.Conflict {
			t.Errorf("%s: retried again: %v", name, err)
		}
		if _, err := box.Drop(t.Context(), item.ID); metadata.CodeOf(err) != metadata.Conflict {
			t.Errorf("%s: dropped after that: %v", name, err)
		}
	}
}

func TestOutboxDropFreesKey(t *testing.T) {
	d := amsterdamFixture(t)
	withdraw := d.google.Fault(fakeapi.Fault{Method: "calendar.events.insert", Status: 429})
	if _, err := bundletest.Answer[createdEvent](t, d.bundle, createTool, invitationArgs(args{"idempotency_key": "k"})); metadata.CodeOf(err) != metadata.RateLimited {
		t.Fatal(err)
	}
	box := calendar.OpenOutbox(d.deps)
	item := onlyItem(t, d)
	if item.Status != "failed" {
		t.Errorf("got %+v", item)
	}
	if item, err := box.Drop(t.Context(), item.ID); err != nil || item.Status != "dropped" {
		t.Errorf("got %+v, %v", item, err)
	}
	withdraw()
	bundletest.Must[createdEvent](t, d.bundle, createTool, invitationArgs(args{"idempotency_key": "k", "title": "Dinner"}))
	_, err := box.Show(t.Context(), item.ID+"x")
	if e := bundletest.AsError(t, err); e.Code != metadata.NotFound || len(e.Problems) != 1 || e.Problems[0].Suggestion == "" {
		t.Errorf("an id misspelt: %+v", e)
	}
}

func TestOutboxRetryUsesOriginalAccount(t *testing.T) {
	d := amsterdamFixture(t)
	d.google.Fault(fakeapi.Fault{Method: "calendar.events.insert", Status: 429, Nth: 1})
	if _, err := bundletest.Answer[createdEvent](t, d.bundle, createTool, invitationArgs(nil)); metadata.CodeOf(err) != metadata.RateLimited {
		t.Fatal(err)
	}
	d.accounts = []calendar.Account{{Name: "home", Address: "other@example.com"}}
	box := calendar.OpenOutbox(d.deps)
	item := onlyItem(t, d)
	if _, err := box.Retry(bundletest.WithUserConsent(t.Context()), item.ID); metadata.CodeOf(err) != metadata.SignInRequired {
		t.Errorf("got %v", err)
	}
	d.accounts = []calendar.Account{{Name: "renamed", Address: ann}}
	if item, err := box.Retry(bundletest.WithUserConsent(t.Context()), item.ID); err != nil || item.Status != "sent" {
		t.Errorf("got %+v, %v", item, err)
	}
}

func TestHoldWaitsForInvitation(t *testing.T) {
	d := amsterdamFixture(t)
	running := 0
	d.deps.Hold = func() func() { running++; return func() { running-- } }
	d.google.Fault(fakeapi.Fault{Method: "calendar.events.insert", OnFault: func() {
		if running != 1 {
			t.Errorf("held %d times while it is sent", running)
		}
	}, Nth: 1})
	bundletest.Must[createdEvent](t, d.anotherProcess(), createTool, invitationArgs(nil))
	if running != 0 {
		t.Errorf("held %d times after that", running)
	}
}
