package calendar_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	calendarapi "google.golang.org/api/calendar/v3"
	"google.golang.org/api/option"

	"kota/bundles"
	"kota/bundles/bundletest"
	"kota/bundles/internal/google/googletest/fakeapi"
	"kota/bundles/internal/google/googletest/fakecalendar"
	"kota/metadata"
)

type calendarRow struct {
	ID        string `json:"calendar"`
	Name      string
	Zone      string `json:"timezone"`
	Access    string
	Primary   bool
	Hidden    bool
	Color     string
	Reminders string
	Owner     string
}

type manageAnswer struct {
	Status   string
	Calendar calendarRow
	Before   calendarRow
	Events   *int
	Undo     string `json:"undo_id"`
	Note     string
}

func manageCalendar(t *testing.T, d *fixture, with args) manageAnswer {
	t.Helper()
	return bundletest.Must[manageAnswer](t, d.bundle, "calendar_manage_calendar", with)
}

// calendarsOf returns the calendars on Ann's list by name.
func calendarsOf(t *testing.T, d *fixture) map[string]calendarRow {
	t.Helper()
	got := bundletest.Must[struct{ Calendars []calendarRow }](t, d.bundle, "calendar_list_calendars", args{})
	all := map[string]calendarRow{}
	for _, c := range got.Calendars {
		all[c.Name] = c
	}
	return all
}

func undoNote(t *testing.T, d *fixture, id string) struct{ Undone, Note string } {
	t.Helper()
	return bundletest.Must[struct{ Undone, Note string }](t, d.bundle, "calendar_undo", args{"undo_id": id})
}

func TestUndoCreateCalendarWhileEmpty(t *testing.T) {
	d := newFixture(t)
	planned := manageCalendar(t, d, args{"operation": "create", "name": "Club", "color": "cherry blossom", "dry_run": true})
	if planned.Status != "dry_run" || planned.Calendar.Name != "Club" || len(calendarsOf(t, d)) != 1 {
		t.Fatalf("a dry run: %+v", planned)
	}
	made := manageCalendar(t, d, args{"operation": "create", "name": "Club", "description": "Games", "color": "cherry blossom", "timezone": "asia/tokyo"})
	if made.Status != "created" || made.Calendar != (calendarRow{ID: made.Calendar.ID, Name: "Club", Zone: "Asia/Tokyo", Access: "owner", Color: "cherry blossom"}) {
		t.Errorf("got %+v", made)
	}
	again := manageCalendar(t, d, args{"operation": "create", "name": "Club"})
	if again.Status != "unchanged" || again.Calendar.ID != made.Calendar.ID || again.Undo != "" {
		t.Errorf("again: %+v", again)
	}
	id := d.ann.AddEvent(made.Calendar.ID, eventAt("Chess", "2026-11-24T20:00+01:00", time.Hour))
	if _, err := bundletest.Answer[manageAnswer](t, d.bundle, "calendar_undo", args{"undo_id": made.Undo}); metadata.CodeOf(err) != metadata.Conflict {
		t.Errorf("with an event in it: %v", err)
	}
	d.ann.DeleteEvent(made.Calendar.ID, id)
	undoNote(t, d, made.Undo)
	if _, there := calendarsOf(t, d)["Club"]; there {
		t.Error("it is still there")
	}
}

func TestCreateCalendarUsesAccountZone(t *testing.T) {
	d := newFixture(t)
	d.ann.SetZone("Pacific/Auckland")
	if got := manageCalendar(t, d, args{"operation": "create", "name": "Club"}).Calendar.Zone; got != "Pacific/Auckland" {
		t.Errorf("it is in %s", got)
	}
}

func TestUndoUpdateCalendarRestoresSettings(t *testing.T) {
	d := newFixture(t)
	d.ann.AddCalendar(fakecalendar.Calendar{Summary: "Club", Color: "2"})
	got := manageCalendar(t, d, args{"operation": "update", "calendar": "Club", "name": "Chess club", "color": "Tomato", "hidden": true, "timezone": "Asia/Tokyo"})
	if got.Status != "updated" || got.Before.Name != "Club" || got.Calendar.Name != "Chess club" || got.Calendar.Color != "tomato" || !got.Calendar.Hidden || got.Calendar.Zone != "Asia/Tokyo" {
		t.Fatalf("got %+v", got)
	}
	if same := manageCalendar(t, d, args{"operation": "update", "calendar": "Chess club", "color": "3"}); same.Status != "unchanged" || same.Undo != "" {
		t.Errorf("the same again: %+v", same)
	}
	manageCalendar(t, d, args{"operation": "update", "calendar": "Chess club", "color": "grape"})
	_, err := bundletest.Answer[manageAnswer](t, d.bundle, "calendar_undo", args{"undo_id": got.Undo})
	e := bundletest.AsError(t, err)
	if c := calendarsOf(t, d)["Chess club"]; e.Code != metadata.Conflict || len(e.Problems) != 1 || e.Problems[0].Got != "now: grape" || c.Color != "grape" || !c.Hidden {
		t.Errorf("changed since: %+v, %+v", e, c)
	}
	bundletest.Must[args](t, d.bundle, "calendar_undo", args{"undo_id": got.Undo, "overwrite": true})
	if c := calendarsOf(t, d)["Club"]; c.Color != "flamingo" || c.Hidden || c.Zone != zone.String() {
		t.Errorf("put back: %+v", c)
	}
}

func TestOthersCalendarAllowsOnlyPersonalSettings(t *testing.T) {
	d := newFixture(t)
	d.google.User(bob).ShareCalendar("primary", ann, "reader")
	got := manageCalendar(t, d, args{"operation": "update", "calendar": bob, "name": "Bob", "color": "sage"})
	if got.Calendar.Name != "Bob" || got.Calendar.Color != "sage" {
		t.Errorf("got %+v", got)
	}
	if _, err := bundletest.Answer[manageAnswer](t, d.bundle, "calendar_manage_calendar", args{"operation": "update", "calendar": "Bob", "timezone": "Asia/Tokyo"}); metadata.CodeOf(err) != metadata.Refused {
		t.Errorf("its zone: %v", err)
	}
	if _, err := bundletest.Answer[manageAnswer](t, d.bundle, "calendar_manage_calendar", args{"operation": "delete", "calendar": "Bob"}); metadata.CodeOf(err) != metadata.Refused || !strings.Contains(bundletest.AsError(t, err).Hint, "unsubscribe") {
		t.Errorf("deleting it: %v", err)
	}
	undoNote(t, d, got.Undo)
	if c := calendarsOf(t, d)[bob]; c.ID != bob || c.Color == "sage" {
		t.Errorf("put back: %+v", calendarsOf(t, d))
	}
}

func TestSubscribeAndUnsubscribeAreUndone(t *testing.T) {
	d := newFixture(t)
	id := d.google.User(bob).AddCalendar(fakecalendar.Calendar{Summary: "Trips"})
	d.google.User(bob).ShareCalendar(id, ann, "reader")
	off := manageCalendar(t, d, args{"operation": "unsubscribe", "calendar": "Trips"})
	if _, there := calendarsOf(t, d)["Trips"]; there || off.Status != "unsubscribed" {
		t.Fatalf("got %+v", off)
	}
	on := manageCalendar(t, d, args{"operation": "subscribe", "calendar": id, "color": "mango"})
	if on.Status != "subscribed" || on.Calendar.Name != "Trips" || on.Calendar.Color != "mango" || on.Calendar.Hidden {
		t.Errorf("got %+v", on)
	}
	if again := manageCalendar(t, d, args{"operation": "subscribe", "calendar": id}); again.Status != "unchanged" {
		t.Errorf("again: %+v", again)
	}
	undoNote(t, d, on.Undo)
	if _, there := calendarsOf(t, d)["Trips"]; there {
		t.Error("the subscription is not taken back")
	}
	undoNote(t, d, off.Undo)
	if _, there := calendarsOf(t, d)["Trips"]; !there {
		t.Error("it is not on the list again")
	}
	if _, err := bundletest.Answer[manageAnswer](t, d.bundle, "calendar_manage_calendar", args{"operation": "subscribe", "calendar": "nobody@example.org"}); metadata.CodeOf(err) != metadata.NotFound {
		t.Errorf("got %v", err)
	}
}

func TestDeleteCalendarRefusesEvents(t *testing.T) {
	d := newFixture(t)
	id := d.ann.AddCalendar(fakecalendar.Calendar{Summary: "Club"})
	event := d.ann.AddEvent(id, eventAt("Chess", "2026-11-24T20:00+01:00", time.Hour))
	for _, in := range []args{{"dry_run": true}, {}} {
		in["operation"], in["calendar"] = "delete", "Club"
		_, err := bundletest.Answer[manageAnswer](t, d.bundle, "calendar_manage_calendar", in)
		if e := bundletest.AsError(t, err); e.Code != metadata.Refused || !strings.Contains(e.Message, "1 event") || len(calendarsOf(t, d)) != 2 {
			t.Errorf("%v with an event: %v", in, e)
		}
	}
	d.ann.DeleteEvent(id, event)
	if planned := manageCalendar(t, d, args{"operation": "delete", "calendar": "Club", "dry_run": true}); planned.Status != "dry_run" || *planned.Events != 0 || len(calendarsOf(t, d)) != 2 {
		t.Errorf("a dry run: %+v", planned)
	}
	got := manageCalendar(t, d, args{"operation": "delete", "calendar": "Club"})
	if got.Status != "deleted" || len(calendarsOf(t, d)) != 1 {
		t.Errorf("got %+v", got)
	}
	if _, err := bundletest.Answer[manageAnswer](t, d.bundle, "calendar_manage_calendar", args{"operation": "delete", "calendar": id}); metadata.CodeOf(err) != metadata.NotFound {
		t.Errorf("again: %v", err)
	}
	undoNote(t, d, got.Undo)
	if _, there := calendarsOf(t, d)["Club"]; !there {
		t.Error("it is not made again")
	}
}

func TestLostCalendarAnswerIsResolved(t *testing.T) {
	for operation, with := range map[string]args{
		"create": {"name": "New", "description": "of the choir", "timezone": "Asia/Tokyo"}, "update": {"calendar": "Club", "name": "Chess"}, "delete": {"calendar": "Club"}, "unsubscribe": {"calendar": "Club"},
	} {
		d := newFixture(t)
		d.ann.AddCalendar(fakecalendar.Calendar{Summary: "Club"})
		for _, method := range []string{"calendars.insert", "calendars.patch", "calendars.delete", "calendarList.delete"} {
			d.google.Fault(fakeapi.Fault{Method: "calendar." + method, AfterEffect: true, Status: 503, Times: 1})
		}
		with["operation"] = operation
		if got, err := bundletest.Answer[manageAnswer](t, d.bundle, "calendar_manage_calendar", with); err != nil || !strings.HasPrefix(got.Status, operation) && operation != "unsubscribe" {
			t.Errorf("%s: got %+v, %v", operation, got, err)
		}
		all := calendarsOf(t, d)
		_, made := all["New"]
		_, renamed := all["Chess"]
		_, left := all["Club"]
		if made != (operation == "create") || renamed != (operation == "update") || left != (operation == "create") {
			t.Errorf("%s: there are %v", operation, all)
		}
	}
}

// Somebody else creates or adds a calendar while the answer to KOTA's request is lost.
func TestLostCalendarAnswerWithOtherSettingsIsUnknown(t *testing.T) {
	d := newFixture(t)
	trips := d.google.User(bob).AddCalendar(fakecalendar.Calendar{Summary: "Trips"})
	api, err := calendarapi.NewService(t.Context(), option.WithHTTPClient(d.google.HTTPClient(ann)), option.WithEndpoint(d.google.URL()+"/calendar/v3/"))
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		method    string
		ask       args
		meanwhile func() error
	}{
		"another description": {"calendars.insert", args{"operation": "create", "name": "New", "description": "of the choir"}, func() error {
			_, err := api.Calendars.Insert(&calendarapi.Calendar{Summary: "New", TimeZone: zone.String()}).Do()
			return err
		}},
		"another zone": {"calendars.insert", args{"operation": "create", "name": "Newer", "timezone": "Asia/Tokyo"}, func() error {
			_, err := api.Calendars.Insert(&calendarapi.Calendar{Summary: "Newer", TimeZone: zone.String()}).Do()
			return err
		}},
		"another color": {"calendarList.insert", args{"operation": "subscribe", "calendar": trips, "color": "mango"}, func() error {
			d.google.User(bob).ShareCalendar(trips, ann, "reader")
			return nil
		}},
		"a calendar called so": {"calendarList.insert", args{"operation": "subscribe", "calendar": "carol@example.org"}, func() error {
			d.ann.AddCalendar(fakecalendar.Calendar{Summary: "carol@example.org"})
			return nil
		}},
	} {
		t.Run(name, func(t *testing.T) {
			d.google.Fault(fakeapi.Fault{Method: "calendar." + c.method, Status: 503, Nth: 1, OnFault: func() {
				if err := c.meanwhile(); err != nil {
					t.Error(err)
				}
			}})
			if got, err := bundletest.Answer[manageAnswer](t, d.bundle, "calendar_manage_calendar", c.ask); metadata.CodeOf(err) != metadata.OutcomeUnknown {
				t.Errorf("got %+v, %v", got, err)
			}
			d.now = d.now.Add(2 * time.Minute)
		})
	}
}

// If it is unknown whether Google made a calendar, one with that name may be the user's
// own.
func TestUndoUnknownCreateKeepsCalendarOfSameName(t *testing.T) {
	for name, later := range map[string]func(d *fixture){
		"nothing was made": func(*fixture) {},
		"the user made it": func(d *fixture) { d.ann.AddCalendar(fakecalendar.Calendar{Summary: "New"}) },
	} {
		d := newFixture(t)
		d.google.Fault(fakeapi.Fault{Method: "calendar.calendars.insert", Status: 503, Times: 1})
		_, err := bundletest.Answer[manageAnswer](t, d.bundle, "calendar_manage_calendar", args{"operation": "create", "name": "New"})
		e := bundletest.AsError(t, err)
		if e.Code != metadata.OutcomeUnknown {
			t.Fatalf("%s: making it answers %v", name, e)
		}
		_, undo, _ := strings.Cut(e.Hint, `"undo_id": "`)
		undo, _, _ = strings.Cut(undo, `"`)
		later(d)
		before := len(calendarsOf(t, d))
		_, err = bundletest.Answer[map[string]any](t, d.bundle, "calendar_undo", args{"undo_id": undo})
		if is := calendarsOf(t, d); len(is) != before || (err != nil) != (before > 1) || err != nil && metadata.CodeOf(err) != metadata.OutcomeUnknown {
			t.Errorf("%s: undone, there are %v, %v", name, is, err)
		}
	}
}

func TestManageCalendarRefusesInvalidArguments(t *testing.T) {
	d := newFixture(t)
	before := len(d.google.Requests())
	for _, c := range []struct {
		args args
		path string
	}{
		{args{"operation": "delete"}, "calendar"}, {args{"operation": "delete", "calendar": "primary"}, "calendar"}, {args{"operation": "delete", "calendar": strings.ToUpper(ann)}, "calendar"},
		{args{"operation": "unsubscribe", "calendar": "PRIMARY"}, "calendar"}, {args{"operation": "delete", "calendar": "Club", "dry_run": true, "name": "x"}, "operation"},
		{args{"operation": "create"}, "name"}, {args{"operation": "create", "name": " \u200b"}, "name"}, {args{"operation": "create", "name": "a\r\nb"}, "name"},
		{args{"operation": "create", "name": "Club", "timezone": "Mars/Phobos"}, "timezone"}, {args{"operation": "create", "name": "Club", "timezone": "Local"}, "timezone"},
		{args{"operation": "create", "name": "Club", "color": "invisible"}, "color"}, {args{"operation": "create", "name": "Club", "calendar": "Club"}, "calendar"},
		{args{"operation": "update", "calendar": "primary"}, "operation"}, {args{"operation": "subscribe", "calendar": "Club"}, "calendar"},
		{args{"operation": "subscribe", "calendar": bob, "timezone": "UTC"}, "operation"}, {args{"operation": "burn"}, "operation"}, {args{}, "operation"},
	} {
		if _, err := bundletest.Answer[manageAnswer](t, d.bundle, "calendar_manage_calendar", c.args); bundletest.ProblemPath(t, err) != c.path {
			t.Errorf("%v: got %v", c.args, err)
		}
	}
	if asked := len(d.google.Requests()) - before; asked != 0 {
		t.Errorf("%d requests were sent", asked)
	}
	if _, err := bundletest.Answer[manageAnswer](t, d.bundle, "calendar_manage_calendar", args{"operation": "delete", "calendar": "Clubs"}); bundletest.ProblemPath(t, err) != "calendar" {
		t.Errorf("an unknown name: %v", err)
	}
}

func TestUndoPartialCalendarChange(t *testing.T) {
	d := newFixture(t)
	d.ann.AddCalendar(fakecalendar.Calendar{Summary: "Club", Color: "2"})
	d.google.Fault(fakeapi.Fault{Method: "calendar.calendars.patch", Status: 403, Times: 1})
	_, err := bundletest.Answer[manageAnswer](t, d.bundle, "calendar_manage_calendar", args{"operation": "update", "calendar": "Club", "name": "Chess", "color": "sage"})
	e := bundletest.AsError(t, err)
	_, rest, found := strings.Cut(e.Hint, `"undo_id": "`)
	undo, _, _ := strings.Cut(rest, `"`)
	if e.Code != metadata.Refused || !found || calendarsOf(t, d)["Club"].Color != "sage" {
		t.Fatalf("got %v, %q", err, e.Hint)
	}
	undoNote(t, d, undo)
	if got := calendarsOf(t, d)["Club"].Color; got != "flamingo" {
		t.Errorf("its color is %q", got)
	}
}

func TestRenamingOwnCalendarRemovesPersonalName(t *testing.T) {
	d := newFixture(t)
	id := d.ann.AddCalendar(fakecalendar.Calendar{Summary: "Club"})
	if _, err := calendarAPI(t, d).CalendarList.Patch(id, &calendarapi.CalendarListEntry{SummaryOverride: "Mine"}).Do(); err != nil {
		t.Fatal(err)
	}
	if got := manageCalendar(t, d, args{"operation": "update", "calendar": "Mine", "name": "Chess"}); got.Before.Name != "Mine" || got.Calendar.Name != "Chess" {
		t.Errorf("got %+v", got)
	}
}

// calendarAPI returns an API client for Ann's calendars, as another program has it.
func calendarAPI(t *testing.T, d *fixture) *calendarapi.Service {
	t.Helper()
	api, err := calendarapi.NewService(t.Context(), option.WithHTTPClient(d.google.HTTPClient(ann)), option.WithEndpoint(d.google.URL()+"/calendar/v3/"))
	if err != nil {
		t.Fatal(err)
	}
	return api
}

func TestMainCalendarCanBeHidden(t *testing.T) {
	d := newFixture(t) // Ann has no other calendar, so nothing is ticked afterwards
	got := manageCalendar(t, d, args{"operation": "update", "calendar": "primary", "hidden": true})
	if got.Status != "updated" || got.Before.Hidden || !got.Calendar.Hidden {
		t.Errorf("got %+v", got)
	}
	if again := manageCalendar(t, d, args{"operation": "update", "calendar": "primary", "hidden": true}); again.Status != "unchanged" || !again.Calendar.Hidden {
		t.Errorf("again: %+v", again)
	}
}

func TestDeleteAndUnsubscribeNeedCalendar(t *testing.T) {
	d := newFixture(t)
	for _, operation := range []string{"delete", "unsubscribe"} {
		_, err := bundletest.Answer[manageAnswer](t, d.bundle, "calendar_manage_calendar", args{"operation": operation})
		if e := bundletest.AsError(t, err); bundletest.ProblemPath(t, err) != "calendar" || strings.Contains(e.Message, "primary") {
			t.Errorf("%s: %v", operation, e)
		}
	}
}

// A calendar may be shared, so changing its shared properties needs approval.
func TestSharedCalendarSettingsNeedApproval(t *testing.T) {
	d := newFixture(t)
	id := d.ann.AddCalendar(fakecalendar.Calendar{Summary: "Club"})
	before := jsonOf(t, calendarsOf(t, d)["Club"])
	for name, c := range map[string]struct {
		asks  args
		shows string
	}{
		"its name":        {args{"name": "Chess club"}, "New name: Chess club"},
		"its description": {args{"description": "Meet at the bridge"}, "New description: Meet at the bridge"},
		"its zone":        {args{"timezone": "Asia/Tokyo", "color": "grape"}, "New timezone: Asia/Tokyo"},
	} {
		out := approvalRequest(t, d, "calendar_manage_calendar", merge(c.asks, args{"operation": "update", "calendar": "Club"}))
		if !strings.Contains(approvalText(out), c.shows) || len(out.People) != 1 || jsonOf(t, calendarsOf(t, d)["Club"]) != before {
			t.Errorf("%s: asked about %q with\n%s", name, out.People, approvalText(out))
		}
	}
	got := manageCalendar(t, d, args{"operation": "update", "calendar": "Club", "description": "Meet at noon"})
	if out := approvalRequest(t, d, "calendar_undo", args{"undo_id": got.Undo}); !strings.Contains(approvalText(out), "New description: nothing") {
		t.Errorf("undone it says\n%s", approvalText(out))
	}
	nobody := bundletest.WithSendPolicy(t.Context(), bundles.SendPolicy{Confirm: func(context.Context, bundles.Outgoing) error { return errors.New("asked") }})
	if _, err := prepareTool(t, d.bundle, "calendar_manage_calendar", args{"operation": "update", "calendar": "Club", "color": "grape", "hidden": true}).Do(nobody); err != nil {
		t.Errorf("how the user alone sees it: %v", err)
	}
	requested := bundles.Deletion{}
	confirming := bundletest.WithConfirmDestroy(nobody, func(_ context.Context, asked bundles.Deletion) error { requested = asked; return errors.New("no") })
	_, err := prepareTool(t, d.bundle, "calendar_manage_calendar", args{"operation": "delete", "calendar": "Club"}).Do(confirming)
	if err == nil || len(requested.All) != 1 || requested.All[0] != id || calendarsOf(t, d)["Club"].Name != "Club" {
		t.Errorf("deleted it: %v, asked about %+v", err, requested)
	}
}
