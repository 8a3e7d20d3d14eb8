package calendar_test

import (
	"errors"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"kota/bundles/bundletest"
	"kota/bundles/internal/google/googletest/fakecalendar"
	"kota/metadata"
)

// A changeAnswer is the answer of an action that changes an event.
type changeAnswer struct {
	Status string `json:"status"`
	Event  struct {
		ID    string `json:"event_id"`
		Title string `json:"title"`
		When  string `json:"when"`
	} `json:"event"`
	Etag    string `json:"etag"`
	Changes []struct {
		Field  string `json:"field"`
		Before string `json:"before"`
		After  string `json:"after"`
	} `json:"changes"`
	Recurrence []string `json:"recurrence"`
	Earlier    struct {
		ID string `json:"event_id"`
	} `json:"earlier_series"`
	EarlierEnd []string `json:"earlier_recurrence"`
	Lost       []struct {
		ID    string `json:"event_id"`
		Title string `json:"title"`
		When  string `json:"when"`
		Stood string `json:"instead_of"`
	} `json:"exceptions_lost"`
	Kept       int      `json:"exceptions_kept"`
	Mailed     []string `json:"mailed"`
	NotInvited []string `json:"not_invited"`
	Conflicts  []args   `json:"conflicts"`
	Already    bool     `json:"already"`
	Undo       string   `json:"undo_id"`
	Notes      []string `json:"notes"`
}

// seedChanges adds the events of the examples of update and delete to the calendar.
func seedChanges(d *fixture) {
	d.ann.SetZone("Europe/Amsterdam")
	d.ann.AddEvent("primary", timedEvent("4fd1cu8m", "Budget", "2026-11-24T15:00", "2026-11-24T16:00"))
	weekly := timedEvent("6hq2c9kl", "Standup", "2026-10-06T09:00", "2026-10-06T09:15")
	weekly["recurrence"] = []string{"RRULE:FREQ=WEEKLY"}
	d.ann.AddEvent("primary", weekly)
}

// timedEvent returns an event in Amsterdam in Google's JSON.
func timedEvent(id, title, start, end string) args {
	at := func(clock string) args { return args{"dateTime": clock + ":00", "timeZone": "Europe/Amsterdam"} }
	return args{"id": id, "summary": title, "start": at(start), "end": at(end)}
}

// merge adds more fields to the event and returns it.
func merge(e args, more args) args {
	maps.Copy(e, more)
	return e
}

// oneLunch returns a fixture in Amsterdam with one event at noon of 2026-11-24.
func oneLunch(t *testing.T, more args) *fixture {
	t.Helper()
	d := newFixture(t)
	d.ann.SetZone("Europe/Amsterdam")
	d.ann.AddEvent("primary", merge(timedEvent("lunch", "Lunch", "2026-11-24T12:00", "2026-11-24T13:00"), more))
	return d
}

func (d *fixture) updateLunch(t *testing.T, more args) changeAnswer {
	t.Helper()
	return bundletest.Must[changeAnswer](t, d.bundle, "calendar_update_event", merge(args{"event_id": "lunch"}, more))
}

// changeSummary returns the changes in an answer as text: "title Lunch > Dinner".
func (c changeAnswer) changeSummary() string {
	parts := []string{}
	for _, one := range c.Changes {
		parts = append(parts, one.Field+" "+one.Before+" > "+one.After)
	}
	return strings.Join(parts, "; ")
}

func TestUpdateChangesOnlyNamedFields(t *testing.T) {
	for name, c := range map[string]struct {
		asked   args
		changes string
	}{
		"a start keeps the length":      {args{"start": "2026-11-24 18:00"}, "when Tue 2026-11-24 12:00–13:00 +01:00 > Tue 2026-11-24 18:00–19:00 +01:00"},
		"an end changes the length":     {args{"end": "2026-11-24 14:30"}, "when Tue 2026-11-24 12:00–13:00 +01:00 > Tue 2026-11-24 12:00–14:30 +01:00"},
		"a duration changes the length": {args{"duration": "20m"}, "when Tue 2026-11-24 12:00–13:00 +01:00 > Tue 2026-11-24 12:00–12:20 +01:00"},
		"a date makes it all day":       {args{"start": "2026-11-25"}, "when Tue 2026-11-24 12:00–13:00 +01:00 > Wed 2026-11-25, all day"},
		"an offset is a moment":         {args{"start": "2026-11-24T12:00:00-05:00"}, "when Tue 2026-11-24 12:00–13:00 +01:00 > Tue 2026-11-24 18:00–19:00 +01:00"},
		"another zone":                  {args{"start": "2026-11-24 12:00", "timezone": "America/New_York"}, "when Tue 2026-11-24 12:00–13:00 +01:00 > Tue 2026-11-24 18:00–19:00 +01:00"},
		"texts":                         {args{"title": "Dinner", "location": "Here"}, "location  > Here; title Lunch > Dinner"},
		"a text is emptied":             {args{"title": ""}, "title Lunch > "},
	} {
		t.Run(name, func(t *testing.T) {
			d := oneLunch(t, args{"description": "Bring the figures."})
			before := d.ann.Event("primary", "lunch")
			got := d.updateLunch(t, c.asked)
			if got.Status != "updated" || got.changeSummary() != c.changes || got.Undo == "" || len(d.google.Invitations()) > 0 {
				t.Errorf("got %+v", got)
			}
			after := d.ann.Event("primary", "lunch")
			if after["etag"] != got.Etag || after["description"] != before["description"] {
				t.Errorf("left %v", after)
			}
			undone := bundletest.Must[args](t, d.bundle, "calendar_undo", args{"undo_id": got.Undo})
			if back := d.ann.Event("primary", "lunch"); jsonOf(t, withoutVersion(back)) != jsonOf(t, withoutVersion(before)) {
				t.Errorf("undone to %v, which was %v: %v", back, before, undone)
			}
		})
	}
}

// withoutVersion returns an event without the fields that count its changes.
func withoutVersion(e map[string]any) map[string]any {
	e = maps.Clone(e)
	for _, name := range []string{"etag", "sequence", "updated"} {
		delete(e, name)
	}
	return e
}

func TestUpdateNamesPersonalFieldsAsArguments(t *testing.T) {
	got := oneLunch(t, nil).updateLunch(t, args{"color": "banana", "reminders": []string{"10m", "1d email"}, "show_as": "free", "visibility": "private"})
	if want := "color the calendar's > banana; reminders the calendar's > 10m popup, 1 day email; show_as busy > free; visibility default > private"; got.changeSummary() != want {
		t.Errorf("got %s\nwant %s", got.changeSummary(), want)
	}
}

func TestUnchangedUpdateIsNotSent(t *testing.T) {
	d := oneLunch(t, nil)
	got := d.updateLunch(t, args{"title": "Lunch", "start": "2026-11-24T11:00:00Z", "location": "", "remove_attendees": []string{bob}})
	if got.Status != "unchanged" || len(got.Notes) == 0 || got.Undo != "" || d.google.Calls("calendar.events.patch") != 0 {
		t.Errorf("got %+v", got)
	}
}

func TestUpdateDryRunShowsChanges(t *testing.T) {
	d := oneLunch(t, nil)
	before := jsonOf(t, d.ann.Event("primary", "lunch"))
	got := d.updateLunch(t, args{"start": "2026-11-25", "dry_run": true})
	if got.Status != "dry_run" || got.Event.When != "Wed 2026-11-25, all day" || got.Undo != "" {
		t.Errorf("got %+v", got)
	}
	if d.google.Calls("calendar.events.patch") != 0 || jsonOf(t, d.ann.Event("primary", "lunch")) != before {
		t.Error("it was changed")
	}
}

func TestUpdateKeepsZoneUnlessNamed(t *testing.T) {
	d := oneLunch(t, args{
		"start": args{"dateTime": "2026-11-24T09:00:00", "timeZone": "America/New_York"},
		"end":   args{"dateTime": "2026-11-24T10:00:00", "timeZone": "America/New_York"},
	})
	zoneOf := func() string { return d.ann.Event("primary", "lunch")["start"].(map[string]any)["timeZone"].(string) }
	if got := d.updateLunch(t, args{"start": "2026-11-24 16:00"}); got.Event.When != "Tue 2026-11-24 16:00–17:00 +01:00" || zoneOf() != "America/New_York" {
		t.Errorf("got %+v in %s", got, zoneOf())
	}
	if got := d.updateLunch(t, args{"end": "2026-11-24 18:00"}); got.Event.When != "Tue 2026-11-24 16:00–18:00 +01:00" || zoneOf() != "America/New_York" {
		t.Errorf("got %+v in %s", got, zoneOf())
	}
	if got := d.updateLunch(t, args{"start": "2026-11-24 16:00", "timezone": "Europe/Amsterdam"}); got.Status != "updated" || zoneOf() != "Europe/Amsterdam" {
		t.Errorf("got %+v in %s", got, zoneOf())
	}
}

func TestUpdateKeepsChangesMadeMeanwhile(t *testing.T) {
	d := oneLunch(t, nil)
	changeBeforePatch(t, d, `{"location": "Attic"}`)
	got := d.updateLunch(t, args{"title": "Dinner"})
	if e := d.ann.Event("primary", "lunch"); got.Status != "updated" || e["summary"] != "Dinner" || e["location"] != "Attic" {
		t.Errorf("got %+v of %v", got, e)
	}
	undone := bundletest.Must[args](t, d.bundle, "calendar_undo", args{"undo_id": got.Undo})
	if e := d.ann.Event("primary", "lunch"); e["summary"] != "Lunch" || e["location"] != "Attic" {
		t.Errorf("undone to %v: %v", e, undone)
	}
}

// changeBeforePatch changes the event just before its first patch is sent.
func changeBeforePatch(t *testing.T, d *fixture, patch string) {
	t.Helper()
	d.wrapTransport = beforeRequest("PATCH", func() { d.ann.ChangeEvent("primary", "lunch", patch) })
}

// beforeRequest calls act once, just before the first request with that HTTP method is
// sent.
func beforeRequest(verb string, act func()) func(http.RoundTripper) http.RoundTripper {
	once := sync.Once{}
	return func(next http.RoundTripper) http.RoundTripper {
		return roundTripFunc(func(r *http.Request) (*http.Response, error) {
			if r.Method == verb {
				once.Do(act)
			}
			return next.RoundTrip(r)
		})
	}
}

type roundTripFunc func(*http.Request) (*http.Response, error)

func (f roundTripFunc) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

func TestTwoChangesOfSameFieldConflict(t *testing.T) {
	for name, c := range map[string]struct {
		theirs string
		asked  args
		fields []string
	}{
		"the same field": {`{"summary": "Picnic"}`, args{"title": "Dinner"}, []string{"title"}},
		"its end when the start is moved": {
			`{"end": {"dateTime": "2026-11-24T14:00:00+01:00"}}`, args{"start": "2026-11-24 18:00"}, []string{"when"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			d := oneLunch(t, nil)
			changeBeforePatch(t, d, c.theirs)
			_, err := bundletest.Answer[changeAnswer](t, d.bundle, "calendar_update_event", merge(args{"event_id": "lunch"}, c.asked))
			e := bundletest.AsError(t, err)
			got := []string{}
			for _, p := range e.Problems {
				got = append(got, p.Path)
			}
			etag := d.ann.Event("primary", "lunch")["etag"].(string)
			if e.Code != metadata.Conflict || !slices.Equal(got, c.fields) || !strings.Contains(e.Hint, etag) {
				t.Errorf("got %+v", e)
			}
			if recent := bundletest.Must[args](t, d.bundle, "calendar_undo", args{}); recent["recent"] != nil {
				t.Errorf("a change that was not made can be undone: %v", recent)
			}
		})
	}
}

func TestTwoEqualChangesDoNotConflict(t *testing.T) {
	d := oneLunch(t, nil)
	changeBeforePatch(t, d, `{"summary": "Dinner"}`)
	got := d.updateLunch(t, args{"title": "Dinner"})
	if got.Status != "unchanged" || got.Undo != "" {
		t.Errorf("got %+v", got)
	}
	if recent := bundletest.Must[args](t, d.bundle, "calendar_undo", args{}); recent["recent"] != nil {
		t.Errorf("a change that was not made can be undone: %v", recent)
	}
}

func TestUpdateAddsVideoCallAndUndoRemovesIt(t *testing.T) {
	d := oneLunch(t, nil)
	got := d.updateLunch(t, args{"meet": true})
	link := d.ann.Event("primary", "lunch")["hangoutLink"]
	if got.Status != "updated" || link == nil || len(got.Changes) != 1 || got.Changes[0].After != link {
		t.Errorf("got %+v, link %v", got, link)
	}
	if again := d.updateLunch(t, args{"meet": true}); again.Status != "unchanged" {
		t.Errorf("got %+v", again)
	}
	d.undo(t, got.Undo)
	if link := d.ann.Event("primary", "lunch")["hangoutLink"]; link != nil {
		t.Errorf("undone to %v", link)
	}
}

func TestUpdateRefusesReadOnlyCalendar(t *testing.T) {
	d := newFixture(t)
	owner := d.google.User(bob)
	team := owner.AddCalendar(fakecalendar.Calendar{Summary: "Team"})
	owner.AddEvent(team, timedEvent("lunch", "Lunch", "2026-11-24T12:00", "2026-11-24T13:00"))
	owner.ShareCalendar(team, ann, "reader")
	for _, tool := range []string{"calendar_update_event", "calendar_delete_event"} {
		_, err := bundletest.Answer[changeAnswer](t, d.bundle, tool, args{"event_id": "lunch", "calendar": "Team"})
		if e := bundletest.AsError(t, err); e.Code != metadata.Refused || !strings.Contains(e.Message, "Team") {
			t.Errorf("%s: %+v", tool, e)
		}
	}
}

func TestOneOfTwoWritersWithSameEtagWins(t *testing.T) {
	d := oneLunch(t, nil)
	etag := d.ann.Event("primary", "lunch")["etag"]
	d.updateLunch(t, args{"title": "Dinner", "etag": etag})
	_, err := bundletest.Answer[changeAnswer](t, d.bundle, "calendar_update_event", args{"event_id": "lunch", "location": "Attic", "etag": etag})
	if e := bundletest.AsError(t, err); e.Code != metadata.Conflict || !strings.Contains(e.Message, "Dinner") || len(e.Problems) != 1 || e.Problems[0].Path != "location" {
		t.Errorf("got %+v", e)
	}
	if e := d.ann.Event("primary", "lunch"); e["location"] != nil || e["summary"] != "Dinner" {
		t.Errorf("left %v", e)
	}
}

func TestUndoOverwritesNothing(t *testing.T) {
	d := oneLunch(t, nil)
	got := d.updateLunch(t, args{"title": "Dinner", "location": "Here"})
	d.ann.ChangeEvent("primary", "lunch", `{"summary": "Picnic"}`)
	_, err := bundletest.Answer[args](t, d.bundle, "calendar_undo", args{"undo_id": got.Undo})
	e := bundletest.AsError(t, err)
	if e.Code != metadata.Conflict || len(e.Problems) != 1 || e.Problems[0].Path != "title" {
		t.Errorf("got %+v", e)
	}
	d.ann.ChangeEvent("primary", "lunch", `{"summary": "Dinner"}`)
	bundletest.Must[args](t, d.bundle, "calendar_undo", args{"undo_id": got.Undo})
	_, err = bundletest.Answer[args](t, d.bundle, "calendar_undo", args{"undo_id": got.Undo})
	if !errors.As(err, &e) || e.Code != metadata.Conflict {
		t.Errorf("twice: %v", err)
	}
}

func TestUpdateKeepsGuestAnswers(t *testing.T) {
	d := oneLunch(t, args{"attendees": []args{{"email": bob, "responseStatus": "accepted", "optional": true, "comment": "late"}, {"email": "eve@example.net"}}})
	got := d.updateLunch(t, args{"add_attendees": []string{"Carol <carol@example.net>", "BOB@example.org", ann}, "remove_attendees": []string{"eve@example.net"}})
	guests := d.ann.Event("primary", "lunch")["attendees"].([]any)
	bobs := guests[0].(map[string]any)
	if len(guests) != 2 || bobs["responseStatus"] != "accepted" || bobs["optional"] != true || bobs["comment"] != "late" || guests[1].(map[string]any)["email"] != "carol@example.net" {
		t.Errorf("left %v", guests)
	}
	d.ann.ChangeEvent("primary", "lunch", args{"attendees": []args{{"email": bob, "responseStatus": "declined"}, {"email": "carol@example.net"}}})
	bundletest.Must[args](t, d.bundle, "calendar_undo", args{"undo_id": got.Undo})
	guests = d.ann.Event("primary", "lunch")["attendees"].([]any)
	if len(guests) != 2 || guests[0].(map[string]any)["responseStatus"] != "declined" || guests[1].(map[string]any)["email"] != "eve@example.net" {
		t.Errorf("undone to %v", guests)
	}
}

func TestUndoDoesNotInviteGuestTwice(t *testing.T) {
	d := oneLunch(t, args{"attendees": []args{{"email": bob}, {"email": "eve@example.net"}}})
	got := d.updateLunch(t, args{"remove_attendees": []string{"eve@example.net"}})
	d.ann.ChangeEvent("primary", "lunch", args{"attendees": []args{{"email": bob}, {"email": "eve@example.net", "responseStatus": "accepted"}}})
	changes := d.google.Calls("calendar.events.patch")
	if note := undoNote(t, d, got.Undo).Note; !strings.Contains(note, "already has its old values") || d.google.Calls("calendar.events.patch") != changes {
		t.Errorf("got %q after %d changes", note, d.google.Calls("calendar.events.patch")-changes)
	}
	guests := d.ann.Event("primary", "lunch")["attendees"].([]any)
	if len(guests) != 2 || guests[1].(map[string]any)["email"] != "eve@example.net" || guests[1].(map[string]any)["responseStatus"] != "accepted" {
		t.Errorf("undone to %v", guests)
	}
}
