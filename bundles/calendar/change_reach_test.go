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

// bobInThirdInstance returns a fixture with a series of Ann's. Bob is a guest of only the
// third instance.
func bobInThirdInstance(t *testing.T) *fixture {
	t.Helper()
	d := newFixture(t)
	d.google.User(bob)
	d.ann.AddEvent("primary", merge(timedEvent("standup", "Standup", "2026-12-01T09:00", "2026-12-01T09:30"), args{"recurrence": []string{"RRULE:FREQ=WEEKLY;COUNT=6"}}))
	d.ann.ChangeEvent("primary", "standup_20261215T080000Z", args{"attendees": []args{{"email": bob}}})
	return d
}

// bobsEvents returns Bob's events.
func (d *fixture) bobsEvents(t *testing.T) string {
	t.Helper()
	return jsonOf(t, d.google.User(bob).Events("primary"))
}

func TestSeriesChangeAsksForGuestOfOneInstance(t *testing.T) {
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
			d := bobInThirdInstance(t)
			d.ann.AddCalendar(fakecalendar.Calendar{Summary: "Work"})
			asks := merge(c.args, args{"event_id": "standup"})
			own, his := jsonOf(t, d.ann.Events("primary")), d.bobsEvents(t)
			if asked, err := askedPeople(t, d, c.tool, asks); !slices.Equal(asked, []string{bob}) || err == nil {
				t.Errorf("asked for %q, %v", asked, err)
			}
			if jsonOf(t, d.ann.Events("primary")) != own || d.bobsEvents(t) != his {
				t.Errorf("changed without approval: Ann has %s, Bob %s", jsonOf(t, d.ann.Events("primary")), d.bobsEvents(t))
			}
			got := bundletest.Must[changeAnswer](t, d.bundle, c.tool, merge(asks, args{"notify": "all"}))
			if !slices.Equal(got.Mailed, []string{bob}) || len(outboxItems(t, d)) == 0 || d.bobsEvents(t) == his {
				t.Errorf("allowed, it says %q, the outbox has %+v, and Bob %s", got.Mailed, outboxItems(t, d), d.bobsEvents(t))
			}
			mailed := len(outboxItems(t, d))
			if asked, err := askedPeople(t, d, "calendar_undo", args{"undo_id": got.Undo}); !slices.Equal(asked, []string{bob}) || err == nil {
				t.Errorf("its undo asked for %q, %v", asked, err)
			}
			bundletest.Must[args](t, d.bundle, "calendar_undo", args{"undo_id": got.Undo})
			if len(outboxItems(t, d)) == mailed {
				t.Error("guests who were mailed about the change are not mailed about its undo")
			}
		})
	}
}

func TestPersonalSeriesChangeReachesNobody(t *testing.T) {
	d := bobInThirdInstance(t)
	if asked, err := askedPeople(t, d, "calendar_update_event", args{"event_id": "standup", "scope": "all", "color": "tomato"}); asked != nil || err != nil {
		t.Errorf("asked for %q, %v", asked, err)
	}
}

func outboxItems(t *testing.T, d *fixture) []bundles.OutboxItem {
	t.Helper()
	items, err := calendar.OpenOutbox(d.deps).List(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return items
}

// A change that reaches hidden guests asks the user too.
func TestHiddenGuestsNeedApproval(t *testing.T) {
	d := newFixture(t)
	d.google.User(bob)
	d.ann.AddEvent("primary", merge(timedEvent("lunch", "Lunch", "2026-11-24T12:00", "2026-11-24T13:00"), args{"attendees": []args{{"email": bob}}}))
	d.wrapTransport = rewriteAnswers("/events/lunch", func(e map[string]any) {
		delete(e, "attendees")
		e["attendeesOmitted"] = true
	})
	to := d.ann.AddCalendar(fakecalendar.Calendar{Summary: "Work"})
	his := d.bobsEvents(t)
	for tool, more := range map[string]args{
		"calendar_update_event": {"start": "2026-11-24 16:00"}, "calendar_delete_event": {}, "calendar_move_event": {"to": to},
	} {
		asked, err := askedPeople(t, d, tool, merge(args{"event_id": "lunch"}, more))
		if len(asked) != 1 || !strings.Contains(asked[0], "does not show") || err == nil || d.bobsEvents(t) != his {
			t.Errorf("%s asked for %q, %v; Bob has %s", tool, asked, err, d.bobsEvents(t))
		}
	}
	if asked, err := askedPeople(t, d, "calendar_update_event", args{"event_id": "lunch", "color": "tomato"}); asked != nil || err != nil {
		t.Errorf("of a colour: asked for %q, %v", asked, err)
	}
}

// rewriteAnswers changes Google's answers to GET requests whose path ends with path.
func rewriteAnswers(path string, change func(e map[string]any)) func(http.RoundTripper) http.RoundTripper {
	return func(next http.RoundTripper) http.RoundTripper {
		return roundTripFunc(func(r *http.Request) (*http.Response, error) {
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
			answer.Body, answer.ContentLength = bodyOf(raw), int64(len(raw))
			answer.Header.Del("Content-Length")
			return answer, err
		})
	}
}

func TestUpdateRecordsInvitationInOutbox(t *testing.T) {
	d := oneLunch(t, nil)
	d.updateLunch(t, args{"add_attendees": []string{bob}})
	if item := onlyItem(t, d); item.Event != "lunch" || item.Status != "sent" || !slices.Equal(item.To, []string{bob}) {
		t.Errorf("the outbox has %+v", item)
	}
}

// Bob sees changes in his own calendar, also if he is not invited.
func TestWriteToSharedCalendarAsksForOwner(t *testing.T) {
	d := newFixture(t)
	his := d.google.User(bob)
	his.ShareCalendar("primary", ann, "writer")
	his.AddEvent("primary", timedEvent("dentist", "Dentist", "2026-11-24T12:00", "2026-11-24T13:00"))
	talk := addMeeting(d.google.User("cleo@example.com"), "primary", "Talk", "2026-11-24T15:00:00+01:00", "2026-11-24T16:00:00+01:00", `, "attendees": [{"email": "bob@example.org"}]`)
	before := d.bobsEvents(t)
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
		{"calendar_respond_event", args{"ics": strings.NewReplacer(bob, "cleo@example.com", ann, bob).Replace(invitationFile("REQUEST")), "answer": "yes"}},
	} {
		asked, err := askedPeople(t, d, c.tool, merge(c.args, args{"calendar": bob}))
		if !slices.Contains(asked, bob) || err == nil {
			t.Errorf("%s %v asked for %q, %v", c.tool, c.args, asked, err)
		}
	}
	if now := d.bobsEvents(t); now != before {
		t.Errorf("Bob has %s, and had %s", now, before)
	}
	got := bundletest.Must[changeAnswer](t, d.bundle, "calendar_update_event", args{"event_id": "dentist", "calendar": bob, "title": "Doctor"})
	if asked, err := askedPeople(t, d, "calendar_undo", args{"undo_id": got.Undo}); !slices.Equal(asked, []string{bob}) || err == nil {
		t.Errorf("the undo asked for %q, %v", asked, err)
	}
}

// A group's calendar belongs to nobody else, and the user's other account is the user.
func TestWriteToUnsharedCalendarNeedsNoApproval(t *testing.T) {
	d := newFixture(t)
	club := d.ann.AddCalendar(fakecalendar.Calendar{Summary: "Club"})
	other := "ann@work.example"
	d.accounts = append(d.accounts, calendar.Account{Name: "work", Address: other})
	d.google.User(other).ShareCalendar("primary", ann, "writer")
	for _, in := range []string{"primary", ann, club, other} {
		if asked, err := askedPeople(t, d, "calendar_create_event", args{"title": "Lunch", "start": "2026-11-24T12:00", "calendar": in}); asked != nil || err != nil {
			t.Errorf("%s: asked for %q, %v", in, asked, err)
		}
	}
}

func bodyOf(raw []byte) io.ReadCloser { return io.NopCloser(bytes.NewReader(raw)) }
