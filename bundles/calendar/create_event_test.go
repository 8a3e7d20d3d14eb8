package calendar_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"kota/bundles/bundletest"
	"kota/bundles/internal/google/googletest/fakecalendar"
	"kota/metadata"
)

// A createdEvent is an answer of create_event or quick_add.
type createdEvent struct {
	Status string `json:"status"`
	Event  struct {
		ID     string `json:"event_id"`
		Title  string `json:"title"`
		When   string `json:"when"`
		Guests string `json:"guests"`
		Type   string `json:"type"`
		Meet   string `json:"meet"`
	} `json:"event"`
	Start      string   `json:"start"`
	End        string   `json:"end"`
	Zone       string   `json:"timezone"`
	Recurrence []string `json:"recurrence"`
	Repeats    string   `json:"repeats"`
	Etag       string   `json:"etag"`
	Link       string   `json:"link"`
	Invited    []string `json:"invited"`
	Mailed     []string `json:"mailed"`
	NotInvited []string `json:"not_invited"`
	Conflicts  []struct {
		Title string `json:"title"`
	} `json:"conflicts"`
	Notes []string `json:"notes"`
	Undo  string   `json:"undo_id"`
}

const createTool = "calendar_create_event"

// amsterdamFixture returns a fixture whose user lives in Amsterdam.
func amsterdamFixture(t *testing.T) *fixture {
	t.Helper()
	d := newFixture(t)
	d.ann.SetZone("Europe/Amsterdam")
	return d
}

func TestCreateAnswerMatchesStoredEvent(t *testing.T) {
	for name, c := range map[string]struct {
		args                         args
		start, end, when, sent, note string
	}{
		"in the calendar's zone": {
			args{"title": "Lunch", "start": "2026-11-24T12:30"},
			"2026-11-24T12:30:00+01:00", "2026-11-24T13:30:00+01:00", "Tue 2026-11-24 12:30–13:30 +01:00",
			"2026-11-24T12:30:00+01:00 Europe/Amsterdam", "",
		},
		"with an offset": {
			args{"title": "Lunch", "start": "2026-11-24T12:30:00Z", "duration": "45m"},
			"2026-11-24T13:30:00+01:00", "2026-11-24T14:15:00+01:00", "Tue 2026-11-24 13:30–14:15 +01:00",
			"2026-11-24T13:30:00+01:00 Europe/Amsterdam", "",
		},
		"in a zone": {
			args{"title": "Lunch", "start": "tomorrow 9:00", "end": "10:30", "timezone": "America/New_York"},
			"2026-11-22T09:00:00-05:00", "2026-11-22T10:30:00-05:00", "Sun 2026-11-22 09:00–10:30 -05:00",
			"2026-11-22T15:00:00+01:00 America/New_York", "",
		},
		"whole days": {
			args{"title": "Lisbon", "start": "2026-12-01", "end": "2026-12-04"},
			"2026-12-01", "2026-12-04", "Tue 2026-12-01 – Fri 2026-12-04, all day", "2026-12-01", "",
		},
		"a day in words": {
			args{"title": "Fair", "start": "friday"},
			"2026-11-27", "2026-11-27", "Fri 2026-11-27, all day", "2026-11-27", "",
		},
		"a time that happens twice": {
			args{"title": "Watch", "start": "2026-11-01T01:30", "duration": "30m", "timezone": "America/New_York"},
			"2026-11-01T01:30:00-04:00", "2026-11-01T01:00:00-05:00", "", "2026-11-01T06:30:00+01:00 America/New_York", "happens twice",
		},
		"across the end of summer time": {
			args{"title": "Night", "start": "2026-10-25T00:30", "end": "2026-10-25T04:30"},
			"2026-10-25T00:30:00+02:00", "2026-10-25T04:30:00+01:00", "", "2026-10-25T00:30:00+02:00 Europe/Amsterdam", "the event is in the past",
		},
		"summer time of half an hour": {
			args{"title": "Surf", "start": "2026-04-05T01:45", "timezone": "Australia/Lord_Howe"},
			"2026-04-05T01:45:00+11:00", "2026-04-05T02:15:00+10:30", "", "2026-04-04T16:45:00+02:00 Australia/Lord_Howe", "happens twice",
		},
	} {
		d := amsterdamFixture(t)
		got := bundletest.Must[createdEvent](t, d.bundle, createTool, c.args)
		if got.Status != "created" || got.Start != c.start || got.End != c.end || got.Etag == "" || got.Link != "" {
			t.Errorf("%s: got %+v", name, got)
		}
		if c.when != "" && got.Event.When != c.when {
			t.Errorf("%s: when %q, want %q", name, got.Event.When, c.when)
		}
		if said := strings.Join(got.Notes, "; "); !strings.Contains(said, c.note) || c.note == "" && said != "" {
			t.Errorf("%s: notes %q", name, said)
		}
		start := d.ann.Event("primary", got.Event.ID)["start"].(map[string]any)
		if stored := strings.TrimSpace(fmt.Sprint(textField(start, "dateTime"), textField(start, "date"), " ", textField(start, "timeZone"))); stored != c.sent {
			t.Errorf("%s: Google has %q, want %q", name, stored, c.sent)
		}
	}
}

func textField(of map[string]any, name string) string {
	text, _ := of[name].(string)
	return text
}

func TestSeriesKeepsLocalTimeAcrossClockChange(t *testing.T) {
	d := amsterdamFixture(t)
	got := bundletest.Must[createdEvent](t, d.bundle, createTool, args{"title": "Standup", "start": "2026-03-23T09:30", "duration": "15m", "recurrence": "freq=weekly;byday=mo;until=20260406"})
	if got.Status != "created" || got.Repeats == "" || jsonOf(t, got.Recurrence) != `["RRULE:FREQ=WEEKLY;UNTIL=20260406T215959Z;BYDAY=MO"]` ||
		len(got.Notes) != 2 || got.Notes[1] != "the first event of the series is in the past" {
		t.Errorf("got %+v", got)
	}
	stored := d.ann.Event("primary", got.Event.ID)["start"].(map[string]any)
	if stored["timeZone"] != "Europe/Amsterdam" {
		t.Errorf("Google has %v", stored)
	}
	noted := bundletest.Must[createdEvent](t, d.bundle, createTool, args{"title": "Call", "start": "2026-04-06T09:40", "duration": "5m"})
	if len(noted.Conflicts) != 1 {
		t.Errorf("after summer time began: %+v", noted)
	}
}

func TestCreateChecksConflictsOfEveryDate(t *testing.T) {
	d := amsterdamFixture(t)
	d.ann.AddEvent("primary", `{"summary":"Dentist","start":{"dateTime":"2026-12-08T17:45:00+01:00"},"end":{"dateTime":"2026-12-08T18:15:00+01:00"}}`)
	a := args{"title": "Piano", "start": "2026-11-24T17:30", "duration": "45m", "recurrence": []string{"FREQ=WEEKLY;BYDAY=TU;COUNT=8"}, "on_conflict": "block"}
	_, err := bundletest.Answer[createdEvent](t, d.bundle, createTool, a)
	if e := bundletest.AsError(t, err); e.Code != metadata.Conflict || !strings.Contains(e.Problems[0].Got, "Dentist") {
		t.Errorf("got %+v", e)
	}
}

func TestCreateStoresAllDetails(t *testing.T) {
	d := amsterdamFixture(t)
	got := bundletest.Must[createdEvent](t, d.bundle, createTool, args{
		"title": "Figures", "start": "2026-11-24T15:00", "location": "Room 5", "description": "from Ann <ann@example.com>", "meet": true,
		"reminders": []string{"10m", "1d email"}, "color": "tomato", "visibility": "private", "show_as": "free", "guests_can": []string{"modify"},
		"attendees": []string{bob, "Carol <carol@example.net>", "BOB@example.org"}, "optional_attendees": []string{"dave@example.net", ann}, "notify": "all",
	})
	if got.Status != "created" || got.Event.Meet == "" || len(got.Notes) != 1 {
		t.Errorf("got %+v", got)
	}
	mailed := []string{}
	for _, mail := range d.google.Invitations() {
		mailed = append(mailed, mail.To)
	}
	slices.Sort(mailed)
	if want := []string{bob, "carol@example.net", "dave@example.net"}; !slices.Equal(mailed, want) || len(got.Mailed) != 3 || len(got.Invited) != 3 {
		t.Errorf("mailed %q, said %q", mailed, got.Mailed)
	}
	stored := jsonOf(t, d.ann.Event("primary", got.Event.ID))
	for _, part := range []string{
		`"location":"Room 5"`, `"colorId":"11"`, `"visibility":"private"`, `"transparency":"transparent"`, `"guestsCanModify":true`, `"guestsCanInviteOthers":false`,
		`{"method":"popup","minutes":10}`, `{"method":"email","minutes":1440}`, `"useDefault":false`, `"description":"from Ann \u0026lt;ann@example.com\u0026gt;"`,
	} {
		if !strings.Contains(stored, part) {
			t.Errorf("there is no %s in %s", part, stored)
		}
	}
}

func TestEmptyRemindersReplaceDefaults(t *testing.T) {
	d := amsterdamFixture(t)
	for useDefault, a := range map[bool]args{true: {"title": "a", "start": "2026-11-24"}, false: {"title": "a", "start": "2026-11-24", "reminders": []string{}}} {
		made := bundletest.Must[createdEvent](t, d.bundle, createTool, a)
		stored := d.ann.Event("primary", made.Event.ID)["reminders"].(map[string]any)
		if overrides, _ := stored["overrides"].([]any); (stored["useDefault"] == true) != useDefault || len(overrides) > 0 {
			t.Errorf("usual %v: Google has %v", useDefault, stored)
		}
	}
}

func TestDescriptionIsReadBackUnchanged(t *testing.T) {
	for _, text := range []string{"Bring:\n- the figures\n- Ann & Bob", "from Ann <ann@example.com>\nsee x < y", "AT&amp;T & co"} {
		d := amsterdamFixture(t)
		made := bundletest.Must[createdEvent](t, d.bundle, createTool, args{"title": "a", "start": "2026-11-24", "description": text})
		got := bundletest.Must[struct {
			Description string `json:"description"`
		}](t, d.bundle, "calendar_get_event", args{"event_id": made.Event.ID})
		if plain := strings.NewReplacer("  \n", "\n", "\\", "").Replace(got.Description); plain != text {
			t.Errorf("%q comes back as %q", text, got.Description)
		}
	}
}

func TestCreateMailsNobodyByDefault(t *testing.T) {
	for notify, want := range map[string]int{"": 0, "none": 0, "external": 1, "all": 2} {
		d := amsterdamFixture(t)
		d.google.User("carol@example.net") // she uses Google Calendar
		a := args{"title": "Lunch", "start": "2026-11-24T12:00", "attendees": []string{bob, "carol@example.net"}}
		if notify != "" {
			a["notify"] = notify
		}
		got := bundletest.Must[createdEvent](t, d.bundle, createTool, a)
		if mailed := d.google.Invitations(); len(mailed) != want || len(got.Invited) != 2 || (len(got.Mailed) == 2) != (notify == "all") {
			t.Errorf("%q: mailed %v, said %+v", notify, mailed, got)
		}
		if notify != "all" && len(got.Notes) == 0 {
			t.Errorf("%q: no note says who is informed", notify)
		}
	}
}

func TestCreateStatusEvents(t *testing.T) {
	for want, a := range map[string]args{
		"focus":            {"title": "Write", "start": "2026-11-24T09:00", "end": "12:00", "type": "focus"},
		"ooo":              {"title": "Away", "start": "2026-11-24T09:00", "duration": "1 day", "type": "ooo", "decline": "new"},
		"working_location": {"title": "", "start": "2026-11-24", "type": "working_location", "location": "office: Main Street"},
	} {
		d := amsterdamFixture(t)
		got := bundletest.Must[createdEvent](t, d.bundle, createTool, a)
		if got.Event.Type != want || got.Event.Title == "" || len(got.Notes) > 0 {
			t.Errorf("%s: got %+v", want, got)
		}
		team := d.ann.AddCalendar(fakecalendar.Calendar{Summary: "Team"})
		a["calendar"] = team
		if _, err := bundletest.Answer[createdEvent](t, d.bundle, createTool, a); bundletest.ProblemPath(t, err) != "calendar" {
			t.Errorf("%s in another calendar: %v", want, err)
		}
	}
}

func TestCreateDryRunMakesNothing(t *testing.T) {
	d := amsterdamFixture(t)
	d.ann.AddEvent("primary", `{"summary":"Standup","start":{"dateTime":"2026-11-24T12:15:00+01:00"},"end":{"dateTime":"2026-11-24T12:30:00+01:00"}}`)
	a := args{"title": "Lunch", "start": "2026-11-24T12:00", "attendees": []string{bob}, "notify": "all", "dry_run": true, "idempotency_key": "k", "meet": true}
	got := bundletest.Must[createdEvent](t, d.bundle, createTool, a)
	if got.Status != "dry_run" || got.Event.When != "Tue 2026-11-24 12:00–13:00 +01:00" || len(got.Mailed) != 1 || len(got.Conflicts) != 1 {
		t.Errorf("got %+v", got)
	}
	for _, r := range d.google.Requests() {
		if strings.HasSuffix(r.Method, ".insert") {
			t.Errorf("asked %s", r.Method)
		}
	}
	delete(a, "dry_run")
	bundletest.Must[createdEvent](t, d.bundle, createTool, a)
	a["dry_run"] = true
	if got := bundletest.Must[createdEvent](t, d.bundle, createTool, a); got.Status != "repeated" {
		t.Errorf("after it was made: %+v", got)
	}
}

func TestCreateListsOrBlocksConflicts(t *testing.T) {
	d := amsterdamFixture(t)
	d.ann.AddEvent("primary", `{"summary":"Standup","start":{"dateTime":"2026-11-24T12:15:00+01:00"},"end":{"dateTime":"2026-11-24T12:30:00+01:00"}}`)
	a := args{"title": "Lunch", "start": "2026-11-24T12:00", "on_conflict": "block"}
	_, err := bundletest.Answer[createdEvent](t, d.bundle, createTool, a)
	if e := bundletest.AsError(t, err); e.Code != metadata.Conflict || !strings.Contains(e.Problems[0].Got, "Standup") || len(d.ann.Events("primary")) != 1 {
		t.Errorf("blocked: %+v", e)
	}
	a["on_conflict"] = "warn"
	if got := bundletest.Must[createdEvent](t, d.bundle, createTool, a); len(got.Conflicts) != 1 || got.Conflicts[0].Title != "Standup" {
		t.Errorf("warned: %+v", got)
	}
	a["on_conflict"] = "ignore"
	if got := bundletest.Must[createdEvent](t, d.bundle, createTool, a); len(got.Conflicts) != 0 {
		t.Errorf("ignored: %+v", got)
	}
}

func TestCreateNotesPastEvent(t *testing.T) {
	d := amsterdamFixture(t)
	got := bundletest.Must[createdEvent](t, d.bundle, createTool, args{"title": "Call", "start": "yesterday 15:00"})
	if got.Status != "created" || !slices.Contains(got.Notes, "the event is in the past") {
		t.Errorf("got %+v", got)
	}
	if now := bundletest.Must[createdEvent](t, d.bundle, createTool, args{"title": "Now", "start": "today 11:30"}); len(now.Notes) != 0 {
		t.Errorf("what is going on is not past: %+v", now)
	}
}

func TestCreateNotesDuplicate(t *testing.T) {
	d := amsterdamFixture(t)
	a := args{"title": "Lunch", "start": "2026-11-24T12:30"}
	bundletest.Must[createdEvent](t, d.bundle, createTool, a)
	if again := bundletest.Must[createdEvent](t, d.bundle, createTool, a); again.Status != "created" || !strings.Contains(strings.Join(again.Notes, ""), "now there are two") {
		t.Errorf("got %+v", again)
	}
	if other := bundletest.Must[createdEvent](t, d.bundle, createTool, args{"title": "Call", "start": "2026-11-24T12:30"}); len(other.Conflicts) == 0 || len(other.Notes) > 0 {
		t.Errorf("of another at that time: %+v", other)
	}
}

func TestDryRunHasNoEventID(t *testing.T) {
	d := seriesWithExceptions(t)
	for tool, a := range map[string]args{
		createTool:              {"title": "Lunch", "start": "2026-11-24T12:30", "dry_run": true},
		"calendar_update_event": {"event_id": "standup", "instance": "2026-11-03", "scope": "following", "title": "New", "dry_run": true},
	} {
		got := bundletest.Must[struct {
			Event map[string]any `json:"event"`
		}](t, d.bundle, tool, a)
		if id, given := got.Event["event_id"]; given {
			t.Errorf("%s: event_id %q", tool, id)
		}
	}
}
