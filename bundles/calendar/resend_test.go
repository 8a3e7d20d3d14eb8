package calendar_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"kota/bundles/bundletest"
	"kota/metadata"
)

const carol = "carol@example.net" // she does not use Google Calendar

// lunchWithoutMail returns a fixture with a lunch to which two guests are invited without
// mail. One of them has answered.
func lunchWithoutMail(t *testing.T, more args) *fixture {
	t.Helper()
	d := newFixture(t)
	d.google.User(bob)
	d.ann.AddEvent("primary", merge(timedEvent("lunch", "Lunch", "2026-11-24T12:00", "2026-11-24T13:00"), merge(args{
		"description": "Bring the figures.",
		"attendees":   []args{{"email": bob, "responseStatus": "accepted", "comment": "with pleasure"}, {"email": carol}},
	}, more)))
	return d
}

// lunchContent returns the event without the fields that change on every write.
func (d *fixture) lunchContent() args {
	e := merge(d.ann.Event("primary", "lunch"), nil)
	for _, name := range []string{"etag", "updated", "sequence"} {
		delete(e, name)
	}
	return e
}

// mailedPeople returns the people that Google has mailed about an event.
func (d *fixture) mailedPeople() []string {
	to := []string{}
	for _, one := range d.google.Invitations() {
		to = append(to, one.To)
	}
	slices.Sort(to)
	return to
}

func TestResendMailsInvitation(t *testing.T) {
	for notify, want := range map[string]struct{ to, mailed []string }{
		"all":      {[]string{bob, carol}, []string{bob, carol}},
		"external": {[]string{carol}, nil},
	} {
		d := lunchWithoutMail(t, nil)
		before := jsonOf(t, d.lunchContent())
		got := d.updateLunch(t, args{"notify": notify})
		if got.Status != "invited" || !slices.Equal(got.Mailed, want.mailed) || got.Undo != "" || len(got.Changes) > 0 {
			t.Errorf("%s: got %+v", notify, got)
		}
		if to := d.mailedPeople(); !slices.Equal(to, want.to) {
			t.Errorf("%s: mailed %q, want %q", notify, to, want.to)
		}
		if now := jsonOf(t, d.lunchContent()); now != before {
			t.Errorf("%s: the event is\n%s\nwhich was\n%s", notify, now, before)
		}
		if item := onlyItem(t, d); item.Kind != "invite" || item.Status != "sent" || item.Event != "lunch" || len(item.To) != 2 {
			t.Errorf("%s: the outbox has %+v", notify, item)
		}
	}
}

func TestRepeatedResendMailsOnce(t *testing.T) {
	d := lunchWithoutMail(t, nil)
	d.updateLunch(t, args{"notify": "all"})
	if got := d.updateLunch(t, args{"notify": "all"}); got.Status != "unchanged" || !strings.Contains(got.notesText(), "less than ten minutes ago") || len(got.Mailed) > 0 || len(d.mailedPeople()) != 2 {
		t.Errorf("got %+v, mailed %q", got, d.mailedPeople())
	}
	d.ann.ChangeEvent("primary", "lunch", `{"summary": "Dinner"}`)
	if got := d.updateLunch(t, args{"notify": "all"}); got.Status != "invited" || len(d.mailedPeople()) != 4 {
		t.Errorf("to another title: got %+v, mailed %q", got, d.mailedPeople())
	}
	d.now = d.now.Add(11 * time.Minute)
	if got := d.updateLunch(t, args{"notify": "all"}); got.Status != "invited" || len(d.mailedPeople()) != 6 {
		t.Errorf("later: got %+v, mailed %q", got, d.mailedPeople())
	}
}

func TestResendNeedsApproval(t *testing.T) {
	d := lunchWithoutMail(t, nil)
	before := jsonOf(t, d.ann.Events("primary"))
	asked, err := askedPeople(t, d, "calendar_update_event", args{"event_id": "lunch", "notify": "all"})
	if !slices.Equal(asked, []string{bob, carol}) || metadata.CodeOf(err) != metadata.ApprovalNeeded {
		t.Errorf("asked for %q, %v", asked, err)
	}
	if got := d.updateLunch(t, args{"notify": "all", "dry_run": true}); got.Status != "dry_run" || !slices.Equal(got.Mailed, []string{bob, carol}) {
		t.Errorf("dry run: %+v", got)
	}
	out, err := prepareTool(t, d.bundle, "calendar_update_event", args{"event_id": "lunch", "notify": "all"}).Draft.Do(bundletest.WithUserConsent(t.Context()))
	if err != nil || !strings.Contains(jsonOf(t, out), `"unchanged"`) {
		t.Errorf("as a draft: %v, %v", jsonOf(t, out), err)
	}
	if now := jsonOf(t, d.ann.Events("primary")); now != before || len(d.mailedPeople()) > 0 {
		t.Errorf("mailed %q, changed to %s", d.mailedPeople(), now)
	}
}

func TestResendMailsWholeSeries(t *testing.T) {
	d := lunchAndSeriesWithBob(t)
	for _, scope := range []string{"this", "following"} {
		_, err := bundletest.Answer[changeAnswer](t, d.bundle, "calendar_update_event", args{"event_id": "standup", "instance": "2026-11-03", "scope": scope, "notify": "all"})
		if bundletest.ProblemPath(t, err) != "scope" {
			t.Errorf("%s: %v", scope, err)
		}
	}
	before := sortedLines(readOccurrences(t, d.eventsAPI(t, ann)))
	if got := d.changeStandup(t, args{"scope": "all", "notify": "all"}); got.Status != "invited" || !slices.Equal(d.mailedPeople(), []string{bob}) {
		t.Errorf("got %+v, mailed %q", got, d.mailedPeople())
	}
	if now := sortedLines(readOccurrences(t, d.eventsAPI(t, ann))); now != before {
		t.Errorf("shows\n%s", now)
	}
}

func TestResendExplainsWhyNobodyIsMailed(t *testing.T) {
	for name, c := range map[string]struct {
		more args
		says string
	}{
		"no guests": {args{"attendees": []args{}}, "no guests"},
		"over":      {timedEvent("lunch", "Lunch", "2026-11-20T12:00", "2026-11-20T13:00"), "the event is over, and Google sends no mail about past events"},
	} {
		d := lunchWithoutMail(t, c.more)
		got := d.updateLunch(t, args{"notify": "all"})
		if got.Status != "unchanged" || !strings.Contains(got.notesText(), c.says) || len(d.mailedPeople()) > 0 {
			t.Errorf("%s: got %+v", name, got)
		}
	}
	d := newFixture(t)
	d.google.User(bob).AddEvent("primary", merge(timedEvent("lunch", "Lunch", "2026-11-24T12:00", "2026-11-24T13:00"), args{"attendees": []args{{"email": ann}, {"email": carol}}}))
	_, err := bundletest.Answer[changeAnswer](t, d.bundle, "calendar_update_event", args{"event_id": "lunch", "notify": "all"})
	if metadata.CodeOf(err) != metadata.Refused {
		t.Errorf("somebody else's: %v", err)
	}
	d = lunchWithoutMail(t, nil)
	if got := d.updateLunch(t, args{"add_attendees": bob, "notify": "all"}); got.Status != "unchanged" || !strings.Contains(got.notesText(), `"notify" alone mails`) || len(d.mailedPeople()) > 0 {
		t.Errorf("who is a guest already: %+v", got)
	}
}

func TestAnswerExplainsHowToMailLater(t *testing.T) {
	d := newFixture(t)
	made := bundletest.Must[createdEvent](t, d.bundle, "calendar_create_event", args{"title": "Lunch", "start": "2026-11-24T12:00", "attendees": []string{bob}})
	how := `calendar_update_event {"event_id": "` + made.Event.ID + `", "notify": "all"} mails them the invitation`
	if !strings.Contains(strings.Join(made.Notes, "\n"), how) {
		t.Errorf("created: %q", made.Notes)
	}
	got := bundletest.Must[changeAnswer](t, d.bundle, "calendar_update_event", args{"event_id": made.Event.ID, "title": "Dinner"})
	if !strings.Contains(got.notesText(), how) {
		t.Errorf("updated: %q", got.Notes)
	}
	series := bundletest.Must[createdEvent](t, d.bundle, "calendar_create_event", args{"title": "Walk", "start": "2026-11-24T12:00", "attendees": []string{bob}, "recurrence": "FREQ=WEEKLY"})
	if !strings.Contains(strings.Join(series.Notes, "\n"), `"scope": "all", "notify": "all"} mails them`) {
		t.Errorf("a series: %q", series.Notes)
	}
	if deleted := bundletest.Must[changeAnswer](t, d.bundle, "calendar_delete_event", args{"event_id": made.Event.ID}); strings.Contains(deleted.notesText(), "mails them") {
		t.Errorf("deleted: %q", deleted.Notes)
	}
}

// After any failure, the event is unchanged and nobody is mailed twice.
func TestAnyFailureResendsOnce(t *testing.T) {
	for _, f := range faults {
		for _, c := range []struct{ nth, times int }{{1, 1}, {2, 1}, {1, 6}, {2, 6}} { // mailing takes two requests
			d := lunchWithoutMail(t, nil)
			before := jsonOf(t, d.lunchContent())
			fault := f.fault
			fault.Method, fault.Nth, fault.Times = "calendar.events.patch", c.nth, c.times
			withdraw := d.google.Fault(fault)
			got, err := bundletest.Answer[changeAnswer](t, d.bundle, "calendar_update_event", args{"event_id": "lunch", "notify": "all"})
			want := f.code
			if want == metadata.OutcomeUnknown && c.times == 1 {
				want = "" // it is requested again with its etag
			}
			if mails := len(d.mailedPeople()); metadata.CodeOf(err) != want || (err == nil) != (mails == 2) {
				t.Errorf("%s at request %d, %d times: %+v, %v, %d mails, want %q", f.name, c.nth, c.times, got, err, mails, want)
			}
			withdraw()
			if now := jsonOf(t, d.lunchContent()); now != before && c.times == 1 {
				t.Errorf("%s at request %d: the event is\n%s", f.name, c.nth, now)
			}
			for range 2 { // a client in another process repeats the call
				again, err := bundletest.Answer[changeAnswer](t, d.anotherProcess(), "calendar_update_event", args{"event_id": "lunch", "notify": "all"})
				if err != nil || len(d.mailedPeople()) != 2 || jsonOf(t, d.lunchContent()) != before {
					t.Errorf("%s at request %d, %d times: again: %+v, %v, mailed %q", f.name, c.nth, c.times, again, err, d.mailedPeople())
				}
			}
		}
	}
}
