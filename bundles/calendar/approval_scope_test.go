package calendar_test

import (
	"maps"
	"strings"
	"testing"

	"kota/bundles/bundletest"
	"kota/bundles/internal/google/googletest/fakecalendar"
)

// lunchAndEndlessSeries returns a fixture with a single event and an endless series, both
// with a guest.
func lunchAndEndlessSeries(t *testing.T) *fixture {
	t.Helper()
	d := oneLunch(t, args{"attendees": []args{{"email": bob}}})
	d.google.User(bob)
	d.ann.AddCalendar(fakecalendar.Calendar{Summary: "Work"})
	d.ann.AddEvent("primary", merge(timedEvent("standup", "Standup", "2026-11-16T15:00", "2026-11-16T15:30"), args{
		"recurrence": []string{"RRULE:FREQ=WEEKLY;BYDAY=MO,TH"}, "attendees": []args{{"email": bob}},
	}))
	return d
}

// An approval of one event does not cover the whole series.
func TestApprovalShowsPartOfSeries(t *testing.T) {
	const (
		every  = "every week on Mon and Thu, without end"
		all    = "Which: the whole series, " + every + "\n"
		one    = "Which: this event of a series\n"
		follow = "Which: this and all later events, from Mon 2026-11-30 15:00–15:30 +01:00 on, of the series that repeats " + every + "\n"
	)
	ends := func(t *testing.T, d *fixture) string {
		return bundletest.Must[changeAnswer](t, d.bundle, "calendar_delete_event", args{"event_id": "standup", "scope": "following", "instance": "2026-11-30"}).Undo
	}
	for name, c := range map[string]struct {
		tool  string
		asks  args
		undo  func(t *testing.T, d *fixture) string
		what  string
		shows string // "" if it does not repeat
	}{
		"delete all":                           {"calendar_delete_event", args{"event_id": "standup", "scope": "all"}, nil, "cancellation", all},
		"delete this":                          {"calendar_delete_event", args{"event_id": "standup", "scope": "this", "instance": "2026-11-30"}, nil, "cancellation", one},
		"delete following":                     {"calendar_delete_event", args{"event_id": "standup", "scope": "following", "instance": "2026-11-30"}, nil, "cancellation of a part of a series", follow},
		"delete the first and all that follow": {"calendar_delete_event", args{"event_id": "standup", "scope": "following", "instance": "2026-11-16"}, nil, "cancellation", all},
		"delete a single one":                  {"calendar_delete_event", args{"event_id": "lunch"}, nil, "cancellation", ""},
		"update all":                           {"calendar_update_event", args{"event_id": "standup", "scope": "all", "title": "New"}, nil, "change of an event", all},
		"update this":                          {"calendar_update_event", args{"event_id": "standup", "scope": "this", "instance": "2026-11-30", "title": "New"}, nil, "change of an event", one},
		"update following":                     {"calendar_update_event", args{"event_id": "standup", "scope": "following", "instance": "2026-11-30", "title": "New"}, nil, "change of a series", follow},
		"update a single one":                  {"calendar_update_event", args{"event_id": "lunch", "title": "New"}, nil, "change of an event", ""},
		"move":                                 {"calendar_move_event", args{"event_id": "standup", "to": "Work"}, nil, "move of an event", all},
		"create": {"calendar_create_event", args{"title": "Walk", "start": "2026-11-23 15:00", "attendees": []string{bob}, "recurrence": []string{"FREQ=WEEKLY;COUNT=4"}}, nil,
			"invitation", "Which: the whole series, every week, 4 times\n"},
		"undo the end of a series": {"calendar_undo", args{}, ends, "change of an event", "New recurrence: " + every + " (RRULE:FREQ=WEEKLY;BYDAY=MO,TH)\n"},
		"undo the change of all that follow": {"calendar_undo", args{}, func(t *testing.T, d *fixture) string {
			return bundletest.Must[changeAnswer](t, d.bundle, "calendar_update_event", args{"event_id": "standup", "scope": "following", "instance": "2026-11-30", "title": "New"}).Undo
		}, "undo of a change of a series", "Which: all later events of a series, which continues as before: " + every + "\n"},
	} {
		t.Run(name, func(t *testing.T) {
			d := lunchAndEndlessSeries(t)
			if c.undo != nil {
				c.asks["undo_id"] = c.undo(t, d)
			}
			out := approvalRequest(t, d, c.tool, c.asks)
			shown := approvalText(out)
			if out.What != c.what || !strings.Contains(shown, c.shows) || c.shows == "" && strings.Contains(shown, "Which: ") {
				t.Errorf("asked for a %s:\n%s\nwant a %s with\n%s", out.What, shown, c.what, c.shows)
			}
			if strings.Count(shown, "Which: ") > 1 || strings.Contains(c.what, "cancellation") && strings.Contains(shown, "RRULE") {
				t.Errorf("shown is\n%s", shown)
			}
		})
	}
}

// The approval always shows who is mailed, also if nobody is.
func TestApprovalShowsWhoIsMailed(t *testing.T) {
	for name, c := range map[string]struct {
		tool string
		asks args
	}{
		"create": {"calendar_create_event", args{"title": "Walk", "start": "2026-11-23 15:00", "attendees": []string{bob}}},
		"update": {"calendar_update_event", args{"event_id": "standup", "scope": "following", "instance": "2026-11-30", "title": "New"}},
		"delete": {"calendar_delete_event", args{"event_id": "lunch"}},
		"move":   {"calendar_move_event", args{"event_id": "standup", "to": "Work"}},
	} {
		for notify, want := range map[string]string{
			"":         "Mail: to nobody; only guests who use Google Calendar see it\n",
			"none":     "Mail: to nobody; only guests who use Google Calendar see it\n",
			"external": "Mail: to guests who do not use Google Calendar\n",
			"all":      "Mail: to all guests\n",
		} {
			t.Run(name+" "+notify, func(t *testing.T) {
				asks := maps.Clone(c.asks)
				if notify != "" {
					asks["notify"] = notify
				}
				if shown := approvalText(approvalRequest(t, lunchAndEndlessSeries(t), c.tool, asks)); !strings.Contains(shown, "Reaches: "+bob+"\n"+want) {
					t.Errorf("shown is\n%s", shown)
				}
			})
		}
	}
}

// A series follows the clocks of its zone. A change of the zone needs approval even if
// the first instance is at the same moment.
func TestApprovalShowsTimeZoneChange(t *testing.T) {
	const noon, there = "Mon 2026-11-16 15:00–15:30 +01:00", "Mon 2026-11-16 09:00–09:30 -05:00, America/New_York"
	moved := args{"event_id": "standup", "scope": "all", "start": "2026-11-16 09:00", "timezone": "America/New_York"}
	undone := func(asked args) func(t *testing.T, d *fixture) args {
		return func(t *testing.T, d *fixture) args {
			return args{"undo_id": bundletest.Must[changeAnswer](t, d.bundle, "calendar_update_event", asked).Undo}
		}
	}
	asked := func(asked args) func(*testing.T, *fixture) args {
		return func(*testing.T, *fixture) args { return asked }
	}
	lunch := args{"event_id": "lunch", "start": "2026-11-24 11:00", "timezone": "Europe/London"}
	for name, c := range map[string]struct {
		tool  string
		asks  func(t *testing.T, d *fixture) args
		shows []string
	}{
		"of a series": {"calendar_update_event", asked(moved), []string{
			"When: " + noon + "\n", "New when: " + noon + " (" + there + ")\ninstead of: " + noon + "\n", "New time zone: Europe/Amsterdam → America/New_York\n"}},
		"of a series, undone": {"calendar_undo", undone(moved), []string{
			"When: " + noon + " (" + there + ")\n", "New when: " + noon + "\n", "New time zone: America/New_York → Europe/Amsterdam\n"}},
		"of one event":         {"calendar_update_event", asked(lunch), []string{"New time zone: Europe/Amsterdam → Europe/London\n"}},
		"of one event, undone": {"calendar_undo", undone(lunch), []string{"New time zone: Europe/London → Europe/Amsterdam\n"}},
		"of a new series": {"calendar_create_event", asked(args{"title": "Walk", "start": "2026-11-23 09:00", "timezone": "America/New_York", "attendees": []string{bob}, "recurrence": []string{"FREQ=WEEKLY"}}),
			[]string{"When: Mon 2026-11-23 15:00–16:00 +01:00 (Mon 2026-11-23 09:00–10:00 -05:00, America/New_York)\n"}},
		"with the clocks of here": {"calendar_create_event", asked(args{"title": "Walk", "start": "2026-11-23 09:00", "timezone": "Europe/Berlin", "attendees": []string{bob}}),
			[]string{"When: Mon 2026-11-23 09:00–10:00 +01:00 (Europe/Berlin)\n"}},
	} {
		t.Run(name, func(t *testing.T) {
			d := lunchAndEndlessSeries(t)
			shown := approvalText(approvalRequest(t, d, c.tool, c.asks(t, d)))
			for _, text := range c.shows {
				if !strings.Contains(shown, text) {
					t.Errorf("not shown is %q of\n%s", text, shown)
				}
			}
		})
	}
}

// A date moves if its moment changes, not if only the clock time changes.
func TestDryRunCountsDatesWhoseMomentChanges(t *testing.T) {
	for name, c := range map[string]struct {
		event, start, zone, says string
	}{
		"the same moment, except in some weeks": {"standup", "2026-11-16 09:00", "America/New_York", "the time zone becomes America/New_York, so "},
		"the same moment in all weeks":          {"standup", "2026-11-16 15:00", "Europe/Berlin", "the time zone becomes Europe/Berlin, and no date moves: the first is then Mon 2026-11-16 15:00"},
		"the same clock time in another zone":   {"standup", "2026-11-16 15:00", "America/New_York", "all dates move 6h later, and the time zone becomes America/New_York, 2 of them past: the first is then Mon 2026-11-16 15:00"},
		"another day in the new zone":           {"stroll", "2026-11-17 05:00", "Australia/Brisbane", "the time zone becomes Australia/Brisbane, so "},
	} {
		t.Run(name, func(t *testing.T) {
			d := lunchAndEndlessSeries(t)
			d.ann.AddEvent("primary", merge(timedEvent("stroll", "Stroll", "2026-11-16T20:00", "2026-11-16T21:00"), args{"recurrence": []string{"RRULE:FREQ=WEEKLY"}}))
			got := bundletest.Must[changeAnswer](t, d.bundle, "calendar_update_event", args{"event_id": c.event, "scope": "all", "start": c.start, "timezone": c.zone, "dry_run": true})
			if !strings.Contains(got.notesText(), c.says) || strings.Contains(got.notesText(), "no longer has an event") {
				t.Errorf("says %q, want %q", got.notesText(), c.says)
			}
		})
	}
}
