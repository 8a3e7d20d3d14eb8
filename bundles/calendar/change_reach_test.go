package calendar_test

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"

	"kota/bundles"
	"kota/bundles/bundletest"
	"kota/bundles/calendar"
	"kota/bundles/internal/google/googletest/fakecalendar"
)

// bobOnTheThird returns a desk with a series of Ann's. Bob is a guest of only the third
// instance.
func bobOnTheThird(t *testing.T) *desk {
	t.Helper()
	d := newDesk(t)
	d.google.User(bob)
	d.ann.AddEvent("primary", with(timed("standup", "Standup", "2026-12-01T09:00", "2026-12-01T09:30"), args{"recurrence": []string{"RRULE:FREQ=WEEKLY;COUNT=6"}}))
	d.ann.ChangeEvent("primary", "standup_20261215T080000Z", args{"attendees": []args{{"email": bob}}})
	return d
}

// hisOf returns Bob's events.
func (d *desk) hisOf(t *testing.T) string {
	t.Helper()
	return jsonOf(t, d.google.User(bob).Events("primary"))
}

func TestTheGuestOfOneInstanceIsAskedForWithItsSeries(t *testing.T) {
	for name, c := range map[string]struct {
		tool string
		args args
	}{
		"delete all":       {"calendar_delete_event", args{"scope": "all"}},
		"delete following": {"calendar_delete_event", args{"scope": "following", "instance": "2026-12-08"}},
		"a new rule":       {"calendar_update_event", args{"scope": "all", "recurrence": "FREQ=WEEKLY;COUNT=2"}},
		"following":        {"calendar_update_event", args{"scope": "following", "instance": "2026-12-08", "title": "New"}},
		"a new title":      {"calendar_update_event", args{"scope": "all", "title": "New"}},
		"move":             {"calendar_move_event", args{"to": "Work"}},
	} {
		t.Run(name, func(t *testing.T) {
			d := bobOnTheThird(t)
			d.ann.AddCalendar(fakecalendar.Calendar{Summary: "Work"})
			asks := with(c.args, args{"event_id": "standup"})
			own, his := jsonOf(t, d.ann.Events("primary")), d.hisOf(t)
			if asked, err := gated(t, d, c.tool, asks); !slices.Equal(asked, []string{bob}) || err == nil {
				t.Errorf("asked for %q, %v", asked, err)
			}
			if jsonOf(t, d.ann.Events("primary")) != own || d.hisOf(t) != his {
				t.Errorf("done unasked: Ann has %s, Bob %s", jsonOf(t, d.ann.Events("primary")), d.hisOf(t))
			}
			got := bundletest.Must[change](t, d.bundle, c.tool, with(asks, args{"notify": "all"}))
			if !slices.Equal(got.Mailed, []string{bob}) || len(outboxOf(t, d)) == 0 || d.hisOf(t) == his {
				t.Errorf("allowed, it says %q, the outbox has %+v, and Bob %s", got.Mailed, outboxOf(t, d), d.hisOf(t))
			}
			mailed := len(outboxOf(t, d))
			if asked, err := gated(t, d, "calendar_undo", args{"undo_id": got.Undo}); !slices.Equal(asked, []string{bob}) || err == nil {
				t.Errorf("its undo asked for %q, %v", asked, err)
			}
			bundletest.Must[args](t, d.bundle, "calendar_undo", args{"undo_id": got.Undo})
			if len(outboxOf(t, d)) == mailed {
				t.Error("who was told of the change is not told of its undo")
			}
		})
	}
}

func TestWhatIsTheUsersOwnOfASeriesReachesNoGuestOfOne(t *testing.T) {
	d := bobOnTheThird(t)
	if asked, err := gated(t, d, "calendar_update_event", args{"event_id": "standup", "scope": "all", "color": "tomato"}); asked != nil || err != nil {
		t.Errorf("asked for %q, %v", asked, err)
	}
}

func outboxOf(t *testing.T, d *desk) []bundles.OutboxItem {
	t.Helper()
	items, err := calendar.OpenOutbox(d.deps).List(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return items
}

// Hidden guests are people too: the call asks for them.
func TestGuestsWhomGoogleDoesNotShowAreAskedFor(t *testing.T) {
	d := newDesk(t)
	d.google.User(bob)
	d.ann.AddEvent("primary", with(timed("lunch", "Lunch", "2026-11-24T12:00", "2026-11-24T13:00"), args{"attendees": []args{{"email": bob}}}))
	d.over = rewriting("/events/lunch", func(e map[string]any) {
		delete(e, "attendees")
		e["attendeesOmitted"] = true
	})
	to := d.ann.AddCalendar(fakecalendar.Calendar{Summary: "Work"})
	his := d.hisOf(t)
	for tool, more := range map[string]args{
		"calendar_update_event": {"start": "2026-11-24 16:00"}, "calendar_delete_event": {}, "calendar_move_event": {"to": to},
	} {
		asked, err := gated(t, d, tool, with(args{"event_id": "lunch"}, more))
		if len(asked) != 1 || !strings.Contains(asked[0], "does not show") || err == nil || d.hisOf(t) != his {
			t.Errorf("%s asked for %q, %v; Bob has %s", tool, asked, err, d.hisOf(t))
		}
	}
	if asked, err := gated(t, d, "calendar_update_event", args{"event_id": "lunch", "color": "tomato"}); asked != nil || err != nil {
		t.Errorf("of a colour: asked for %q, %v", asked, err)
	}
}

// rewriting changes the answers about the event at the end of that path.
func rewriting(path string, change func(e map[string]any)) func(http.RoundTripper) http.RoundTripper {
	return func(next http.RoundTripper) http.RoundTripper {
		return roundTrip(func(r *http.Request) (*http.Response, error) {
			answer, err := next.RoundTrip(r)
			if err != nil || r.Method != http.MethodGet || !strings.HasSuffix(r.URL.Path, path) {
				return answer, err
			}
			defer answer.Body.Close()
			e := map[string]any{}
			if err := json.NewDecoder(answer.Body).Decode(&e); err != nil {
				return nil, err
			}
			change(e)
			raw, err := json.Marshal(e)
			answer.Body, answer.ContentLength = body(raw), int64(len(raw))
			answer.Header.Del("Content-Length")
			return answer, err
		})
	}
}

func TestAnInvitationByAChangeIsInTheOutbox(t *testing.T) {
	d := atWork(t, nil)
	d.update(t, args{"add_attendees": []string{bob}})
	if item := onlyItem(t, d); item.Event != "lunch" || item.Status != "sent" || !slices.Equal(item.To, []string{bob}) {
		t.Errorf("the outbox has %+v", item)
	}
}

// Bob sees changes in his own calendar, invited or not.
func TestTheOwnerOfAnotherCalendarIsAskedFor(t *testing.T) {
	d := newDesk(t)
	his := d.google.User(bob)
	his.ShareCalendar("primary", ann, "writer")
	his.AddEvent("primary", timed("dentist", "Dentist", "2026-11-24T12:00", "2026-11-24T13:00"))
	talk := meets(d.google.User("cleo@example.com"), "primary", "Talk", "2026-11-24T15:00:00+01:00", "2026-11-24T16:00:00+01:00", `, "attendees": [{"email": "bob@example.org"}]`)
	before := d.hisOf(t)
	for _, c := range []struct {
		tool string
		args args
	}{
		{"calendar_create_event", args{"title": "Lunch", "start": "2026-11-24T12:00"}},
		{"calendar_quick_add", args{"text": "Lunch tomorrow 12:00"}},
		{"calendar_update_event", args{"event_id": "dentist", "title": "Doctor"}},
		{"calendar_update_event", args{"event_id": "dentist", "color": "tomato"}},
		{"calendar_delete_event", args{"event_id": "dentist"}},
		{"calendar_delete_event", args{"event_id": talk}},
		{"calendar_move_event", args{"event_id": "dentist", "to": "primary"}},
		{"calendar_respond_event", args{"event_id": talk, "answer": "no"}},
		{"calendar_respond_event", args{"ics": strings.NewReplacer(bob, "cleo@example.com", ann, bob).Replace(inviteFile("REQUEST")), "answer": "yes"}},
	} {
		asked, err := gated(t, d, c.tool, with(c.args, args{"calendar": bob}))
		if !slices.Contains(asked, bob) || err == nil {
			t.Errorf("%s %v asked for %q, %v", c.tool, c.args, asked, err)
		}
	}
	if now := d.hisOf(t); now != before {
		t.Errorf("Bob has %s, and had %s", now, before)
	}
	got := bundletest.Must[change](t, d.bundle, "calendar_update_event", args{"event_id": "dentist", "calendar": bob, "title": "Doctor"})
	if asked, err := gated(t, d, "calendar_undo", args{"undo_id": got.Undo}); !slices.Equal(asked, []string{bob}) || err == nil {
		t.Errorf("the undo asked for %q, %v", asked, err)
	}
}

// A group's calendar belongs to nobody else, and the user's other account is the user.
func TestNobodyIsAskedForACalendarOfNobodyElse(t *testing.T) {
	d := newDesk(t)
	club := d.ann.AddCalendar(fakecalendar.Calendar{Summary: "Club"})
	other := "ann@work.example"
	d.people = append(d.people, calendar.Account{Name: "work", Address: other})
	d.google.User(other).ShareCalendar("primary", ann, "writer")
	for _, in := range []string{"primary", ann, club, other} {
		if asked, err := gated(t, d, "calendar_create_event", args{"title": "Lunch", "start": "2026-11-24T12:00", "calendar": in}); asked != nil || err != nil {
			t.Errorf("%s: asked for %q, %v", in, asked, err)
		}
	}
}

func body(raw []byte) io.ReadCloser { return io.NopCloser(bytes.NewReader(raw)) }
