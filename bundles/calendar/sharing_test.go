package calendar_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"kota/bundles"
	"kota/bundles/bundletest"
	"kota/bundles/calendar"
	"kota/bundles/internal/google/googletest"
	"kota/bundles/internal/google/googletest/fakeapi"
	"kota/bundles/internal/google/googletest/fakecalendar"
	"kota/metadata"
)

const eve = "eve@example.net"

// A writeCall is a call that writes to the calendar of the test.
type writeCall struct {
	tool string
	args args
}

// writeCalls returns calls of every action that writes events. The calendar must have an
// event "dentist", and the main calendar one with the id "secret".
func writeCalls(in string) []writeCall {
	return []writeCall{
		{"calendar_create_event", args{"calendar": in, "title": "The code is 4711", "start": "2026-11-24T12:00"}},
		{"calendar_quick_add", args{"calendar": in, "text": "The code is 4711 tomorrow 12:00"}},
		{"calendar_update_event", args{"calendar": in, "event_id": "dentist", "title": "The code is 4711"}},
		{"calendar_delete_event", args{"calendar": in, "event_id": "dentist"}},
		{"calendar_move_event", args{"calendar": in, "event_id": "dentist", "to": "Own"}},
		{"calendar_move_event", args{"event_id": "secret", "to": in}},
	}
}

// eventInPrimary returns a fixture with an event "secret" in the user's main calendar.
func eventInPrimary(t *testing.T) *fixture {
	t.Helper()
	d := newFixture(t)
	d.ann.AddEvent("primary", timedEvent("secret", "The code is 4711", "2026-11-25T12:00", "2026-11-25T13:00"))
	d.ann.AddCalendar(fakecalendar.Calendar{Summary: "Own"})
	return d
}

// lunchArgs returns the arguments of an event without guests in that calendar.
func lunchArgs(calendar string) args {
	return args{"title": "Lunch", "start": "2026-11-24T12:00", "calendar": calendar}
}

// askedPeopleWhenTainted is askedPeople in a tainted session.
func askedPeopleWhenTainted(t *testing.T, d *fixture, tool string, a args) (asked []string, err error) {
	t.Helper()
	ctx := bundletest.WithUntrusted(t.Context(), func() {}, func() bool { return true })
	no := metadata.Errorf(metadata.ApprovalNeeded, "ask first").WithHint("Ask.")
	ctx = bundletest.WithSendPolicy(ctx, bundles.SendPolicy{
		Confirm: func(_ context.Context, out bundles.Outgoing) error { asked = out.People; return no },
		Check:   func(context.Context, bundles.Outgoing) error { return no },
	})
	_, err = prepareTool(t, d.bundle, tool, a).Do(ctx)
	return asked, err
}

// A stranger shares a calendar and gives the right to write. The id of the calendar is
// not a person's address.
func TestCalendarSharedByStrangerNeedsApproval(t *testing.T) {
	for _, role := range []string{"writer", "owner"} {
		d := eventInPrimary(t)
		hers := d.google.User(eve).AddCalendar(fakecalendar.Calendar{Summary: "Team"})
		d.google.User(eve).ShareCalendar(hers, ann, role)
		d.google.User(eve).ShareCalendar(hers, bob, "reader")
		d.google.User(eve).AddEvent(hers, timedEvent("dentist", "Dentist", "2026-11-24T12:00", "2026-11-24T13:00"))
		before := jsonOf(t, d.google.User(eve).Events(hers))
		for _, w := range writeCalls(hers) {
			if asked, err := askedPeople(t, d, w.tool, w.args); !slices.Equal(asked, []string{eve, bob}) || metadata.CodeOf(err) != metadata.ApprovalNeeded {
				t.Errorf("%s, %s %v asked for %q, %v", role, w.tool, w.args, asked, err)
			}
		}
		if role == "owner" {
			rename := args{"operation": "update", "calendar": hers, "name": "The code is 4711"}
			if asked, err := askedPeople(t, d, "calendar_manage_calendar", rename); len(asked) != 1 || err == nil {
				t.Errorf("renaming it asked for %q, %v", asked, err)
			}
		}
		if now := jsonOf(t, d.google.User(eve).Events(hers)); now != before {
			t.Errorf("%s: it has %s, and had %s", role, now, before)
		}
		for _, w := range writeCalls(hers)[:4] {
			got := bundletest.Must[changeAnswer](t, d.bundle, w.tool, w.args)
			if asked, err := askedPeople(t, d, "calendar_undo", args{"undo_id": got.Undo}); !slices.Contains(asked, eve) || err == nil {
				t.Errorf("%s, the undo of %s asked for %q, %v", role, w.tool, asked, err)
			}
		}
	}
}

func TestDryRunShowsRefusalForOthersCalendar(t *testing.T) {
	d := newFixture(t)
	hers := d.google.User(eve).AddCalendar(fakecalendar.Calendar{Summary: "Team"})
	d.google.User(eve).ShareCalendar(hers, ann, "writer")
	ctx := bundletest.WithSendPolicy(t.Context(), bundles.SendPolicy{Check: func(context.Context, bundles.Outgoing) error {
		return metadata.Errorf(metadata.Refused, "no").WithHint("Ask.")
	}})
	call := prepareTool(t, d.bundle, "calendar_create_event", args{"calendar": hers, "title": "Lunch", "start": "2026-11-24T12:00", "dry_run": true})
	if out, err := call.Do(ctx); err != nil || !strings.Contains(jsonOf(t, out), "REFUSED") {
		t.Errorf("got %s, %v", jsonOf(t, out), err)
	}
}

func TestWriteToSharedOwnCalendarAsksForSharers(t *testing.T) {
	other := "ann@work.example"
	for name, c := range map[string]struct {
		with func(u *googletest.User, id string)
		want []string
	}{
		"nobody":              {func(*googletest.User, string) {}, nil},
		"own other account":   {func(u *googletest.User, id string) { u.ShareCalendar(id, other, "owner") }, nil},
		"a reader":            {func(u *googletest.User, id string) { u.ShareCalendar(id, bob, "reader") }, []string{bob}},
		"a second owner":      {func(u *googletest.User, id string) { u.ShareCalendar(id, bob, "owner") }, []string{bob}},
		"a group":             {func(u *googletest.User, id string) { u.GrantRole(id, "group:team@example.org", "reader") }, []string{"team@example.org"}},
		"a domain":            {func(u *googletest.User, id string) { u.GrantRole(id, "domain:example.org", "reader") }, []string{"example.org"}},
		"everybody":           {func(u *googletest.User, id string) { u.GrantRole(id, "default", "reader") }, []string{"everybody: the calendar is public"}},
		"busy times, a guest": {func(u *googletest.User, id string) { u.ShareCalendar(id, bob, "freeBusyReader") }, nil},
		"busy times, all":     {func(u *googletest.User, id string) { u.GrantRole(id, "default", "freeBusyReader") }, nil},
	} {
		t.Run(name, func(t *testing.T) {
			d := newFixture(t)
			d.accounts = append(d.accounts, calendar.Account{Name: "work", Address: other})
			club := d.ann.AddCalendar(fakecalendar.Calendar{Summary: "Club"})
			c.with(d.ann, club)
			c.with(d.ann, "primary")
			lunch := lunchArgs("primary")
			if asked, _ := askedPeople(t, d, "calendar_create_event", lunchArgs(club)); !slices.Equal(asked, c.want) {
				t.Errorf("in one of several: asked for %q, want %q", asked, c.want)
			}
			if asked, err := askedPeople(t, d, "calendar_create_event", lunch); asked != nil || err != nil {
				t.Errorf("in the main one: asked for %q, %v", asked, err)
			}
			if asked, _ := askedPeopleWhenTainted(t, d, "calendar_create_event", lunch); !slices.Equal(asked, c.want) {
				t.Errorf("in the main one, after strangers were read: asked for %q, want %q", asked, c.want)
			}
		})
	}
}

// Google does not always name the data owner of a calendar.
func TestSharingDecidesWithoutDataOwner(t *testing.T) {
	d := newFixture(t)
	club := d.ann.AddCalendar(fakecalendar.Calendar{Summary: "Club"})
	team := d.ann.AddCalendar(fakecalendar.Calendar{Summary: "Team"})
	d.ann.ShareCalendar(team, bob, "reader")
	hers := d.ann.AddCalendar(fakecalendar.Calendar{Summary: "Hers", Role: "writer", Owner: eve})
	d.wrapTransport = rewriteAnswers("/users/me/calendarList", func(list map[string]any) {
		for _, one := range list["items"].([]any) {
			delete(one.(map[string]any), "dataOwner")
		}
	})
	for id, want := range map[string][]string{club: nil, team: {bob}, hers: {hers, eve}} {
		if asked, _ := askedPeople(t, d, "calendar_create_event", lunchArgs(id)); !slices.Equal(asked, want) {
			t.Errorf("asked for %q, want %q", asked, want)
		}
	}
}

func TestSharersAreReadOncePerFewMinutes(t *testing.T) {
	d := newFixture(t)
	club := d.ann.AddCalendar(fakecalendar.Calendar{Summary: "Club"})
	lunch := lunchArgs(club)
	for range 3 {
		if asked, err := askedPeople(t, d, "calendar_create_event", lunch); asked != nil || err != nil {
			t.Fatalf("asked for %q, %v", asked, err)
		}
	}
	if n := d.google.Calls("calendar.acl.list"); n != 1 {
		t.Errorf("asked Google %d times", n)
	}
	d.ann.ShareCalendar(club, bob, "reader")
	d.now = d.now.Add(5 * time.Minute)
	if asked, _ := askedPeople(t, d, "calendar_create_event", lunch); !slices.Equal(asked, []string{bob}) {
		t.Errorf("later asked for %q", asked)
	}
}

// The account signed in before KOTA asked for the right to see the sharing.
func TestUnknownSharingNeedsApproval(t *testing.T) {
	d := newFixture(t)
	d.scopes = []string{"calendar.readonly", "calendar.events", "calendar.calendars", "calendar.calendarlist"}
	club := d.ann.AddCalendar(fakecalendar.Calendar{Summary: "Club"})
	hers := d.ann.AddCalendar(fakecalendar.Calendar{Summary: "Hers", Role: "writer", Owner: eve})
	lunch := lunchArgs("primary")
	for range 2 {
		if asked, err := askedPeople(t, d, "calendar_create_event", lunchArgs(club)); len(asked) != 1 || !strings.Contains(asked[0], "kota auth login") || err == nil {
			t.Errorf("asked for %q, %v", asked, err)
		}
	}
	if n := d.google.Calls("calendar.acl.list"); n != 1 {
		t.Errorf("asked Google %d times", n)
	}
	if asked, _ := askedPeople(t, d, "calendar_create_event", lunchArgs(hers)); !slices.Equal(asked, []string{eve}) {
		t.Errorf("another's: asked for %q", asked)
	}
	if asked, err := askedPeople(t, d, "calendar_create_event", lunch); asked != nil || err != nil {
		t.Errorf("the main one: asked for %q, %v", asked, err)
	}
	if asked, _ := askedPeopleWhenTainted(t, d, "calendar_create_event", lunch); len(asked) != 1 {
		t.Errorf("the main one, after strangers were read: asked for %q", asked)
	}
}

// Google fails for a moment, so it is unknown who would be reached.
func TestNothingIsWrittenWhileSharingIsUnavailable(t *testing.T) {
	d := newFixture(t)
	club := d.ann.AddCalendar(fakecalendar.Calendar{Summary: "Club"})
	d.google.Fault(fakeapi.Fault{Method: "calendar.acl.list", Status: 503})
	_, err := bundletest.Answer[changeAnswer](t, d.bundle, "calendar_create_event", lunchArgs(club))
	if metadata.CodeOf(err) != metadata.Unavailable || len(d.ann.Events(club)) != 0 {
		t.Errorf("got %v; it has %v", err, d.ann.Events(club))
	}
}

func TestSubscribeToStrangersCalendarNeedsApproval(t *testing.T) {
	d := newFixture(t)
	other := "ann@work.example"
	d.accounts = append(d.accounts, calendar.Account{Name: "work", Address: other})
	d.google.User(other).ShareCalendar("primary", ann, "reader")
	hers := d.google.User(eve).AddCalendar(fakecalendar.Calendar{Summary: "Fixtures"})
	d.google.User(eve).GrantRole(hers, "default", "reader")
	d.google.User(eve).AddCalendar(fakecalendar.Calendar{ID: "en.dutch#holiday@group.v.calendar.google.com"})
	d.google.User(eve).GrantRole("en.dutch#holiday@group.v.calendar.google.com", "default", "reader")
	for id, want := range map[string][]string{hers: {hers}, other: nil, "en.dutch#holiday@group.v.calendar.google.com": nil} {
		if id == other {
			bundletest.Must[manageAnswer](t, d.bundle, "calendar_manage_calendar", args{"operation": "unsubscribe", "calendar": other})
		}
		asked, err := askedPeople(t, d, "calendar_manage_calendar", args{"operation": "subscribe", "calendar": id})
		if !slices.Equal(asked, want) || (err == nil) != (want == nil) {
			t.Errorf("%s: asked for %q, %v", id, asked, err)
		}
	}
	got := manageCalendar(t, d, args{"operation": "subscribe", "calendar": hers})
	off := manageCalendar(t, d, args{"operation": "unsubscribe", "calendar": hers})
	if asked, err := askedPeople(t, d, "calendar_undo", args{"undo_id": off.Undo}); !slices.Equal(asked, []string{eve}) || err == nil || got.Status != "subscribed" {
		t.Errorf("on the list again: asked for %q, %v", asked, err)
	}
}
