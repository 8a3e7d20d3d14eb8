package main

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"kota/bundles/bundletest"
)

// guestCall is a call that other people would notice.
type guestCall struct {
	name string
	// prepare makes what the call concerns, and returns the tool and its arguments.
	prepare func(d *testHome, title string) (tool string, args object)
	// drafted is the status that the call returns while sending waits for the
	// user, or "" if nothing is done.
	drafted string
	// mailed are the kinds of mail that are sent if sending is allowed. visible
	// is whether Bob's calendar then shows a difference.
	mailed  []string
	visible bool
}

// withBob makes an event of Ann's with Bob as a guest, and returns its id.
func withBob(d *testHome, title string) string {
	return d.google.User(ann).AddEvent("primary", hourEvent(14, title, bob))
}

// seriesWithBob makes a series of Ann's with Bob as a guest, three days from
// the day before someday.
func seriesWithBob(d *testHome, title string) string {
	e := hourEvent(14-24, title, bob)
	e["start"].(object)["timeZone"], e["end"].(object)["timeZone"] = "Europe/Amsterdam", "Europe/Amsterdam"
	e["recurrence"] = []string{"RRULE:FREQ=DAILY;COUNT=3"}
	return d.google.User(ann).AddEvent("primary", e)
}

// seriesWithBobOnSomeday makes a series like seriesWithBob, but Bob is a guest
// only on someday.
func seriesWithBobOnSomeday(d *testHome, title string) string {
	e := hourEvent(14-24, title)
	e["start"].(object)["timeZone"], e["end"].(object)["timeZone"] = "Europe/Amsterdam", "Europe/Amsterdam"
	e["recurrence"] = []string{"RRULE:FREQ=DAILY;COUNT=3"}
	user := d.google.User(ann)
	id := user.AddEvent("primary", e)
	start, err := time.Parse(time.RFC3339, hourEvent(14, title)["start"].(object)["dateTime"].(string))
	if err != nil {
		panic(err) // times in tests are valid
	}
	user.ChangeEvent("primary", id+"_"+start.UTC().Format("20060102T150405Z"), object{"attendees": []object{{"email": bob}}})
	return id
}

var guestCalls = []guestCall{
	{
		name: "create with a guest", drafted: "draft", visible: true,
		prepare: func(d *testHome, title string) (string, object) {
			return "calendar_create_event", object{"title": title, "start": someday + "T10:00", "attendees": []string{bob}, "idempotency_key": title}
		},
	},
	{
		name: "create with a guest who is mailed", drafted: "draft", mailed: []string{"invite"}, visible: true,
		prepare: func(d *testHome, title string) (string, object) {
			return "calendar_create_event", object{"title": title, "start": someday + "T10:00", "attendees": bob, "notify": "all", "idempotency_key": title}
		},
	},
	{
		name: "create with an optional guest, every week", drafted: "draft", mailed: []string{"invite"}, visible: true,
		prepare: func(d *testHome, title string) (string, object) {
			return "calendar_create_event", object{
				"title": title, "start": someday + "T10:00", "optional_attendees": []string{bob}, "recurrence": "FREQ=WEEKLY;COUNT=3", "notify": "all", "idempotency_key": title,
			}
		},
	},
	{
		name: "change the time under a guest", visible: true,
		prepare: func(d *testHome, title string) (string, object) {
			return "calendar_update_event", object{"event_id": withBob(d, title), "start": someday + "T18:00"}
		},
	},
	{
		name: "change the title and mail the guest", mailed: []string{"update"}, visible: true,
		prepare: func(d *testHome, title string) (string, object) {
			return "calendar_update_event", object{"event_id": withBob(d, title), "title": title + "!", "notify": "all"}
		},
	},
	{
		name: "remove the guest", visible: true,
		prepare: func(d *testHome, title string) (string, object) {
			return "calendar_update_event", object{"event_id": withBob(d, title), "remove_attendees": []string{bob}}
		},
	},
	{
		name: "add a guest and mail", drafted: "unchanged", mailed: []string{"invite"}, visible: true,
		prepare: func(d *testHome, title string) (string, object) {
			id := d.google.User(ann).AddEvent("primary", hourEvent(14, title))
			return "calendar_update_event", object{"event_id": id, "add_attendees": []string{bob}, "notify": "all"}
		},
	},
	{
		name: "add a guest and change the title", drafted: "draft", visible: true,
		prepare: func(d *testHome, title string) (string, object) {
			id := d.google.User(ann).AddEvent("primary", hourEvent(14, title))
			return "calendar_update_event", object{"event_id": id, "add_attendees": []string{bob}, "title": title + "!"}
		},
	},
	{
		name: "delete under a guest", visible: true,
		prepare: func(d *testHome, title string) (string, object) {
			return "calendar_delete_event", object{"event_id": withBob(d, title)}
		},
	},
	{
		name: "delete and mail the guest", mailed: []string{"cancel"}, visible: true,
		prepare: func(d *testHome, title string) (string, object) {
			return "calendar_delete_event", object{"event_id": withBob(d, title), "notify": "all"}
		},
	},
	{
		name: "delete a whole series with a guest", mailed: []string{"cancel"}, visible: true,
		prepare: func(d *testHome, title string) (string, object) {
			return "calendar_delete_event", object{"event_id": seriesWithBob(d, title), "scope": "all", "notify": "all"}
		},
	},
	{
		name: "delete one of a series and mail the guest", mailed: []string{"cancel"}, visible: true,
		prepare: func(d *testHome, title string) (string, object) {
			return "calendar_delete_event", object{"event_id": seriesWithBob(d, title), "instance": someday, "scope": "this", "notify": "all"}
		},
	},
	{
		name: "change one of a series under a guest", visible: true,
		prepare: func(d *testHome, title string) (string, object) {
			return "calendar_update_event", object{"event_id": seriesWithBob(d, title), "instance": someday, "scope": "this", "location": "Room 4"}
		},
	},
	{
		name: "change a whole series and mail the guest", mailed: []string{"update"}, visible: true,
		prepare: func(d *testHome, title string) (string, object) {
			return "calendar_update_event", object{"event_id": seriesWithBob(d, title), "scope": "all", "title": title + "!", "notify": "all"}
		},
	},
	{
		name: "delete a series of which one has a guest", mailed: []string{"cancel"}, visible: true,
		prepare: func(d *testHome, title string) (string, object) {
			return "calendar_delete_event", object{"event_id": seriesWithBobOnSomeday(d, title), "scope": "all", "notify": "all"}
		},
	},
	{
		name: "end a series before the one that has a guest", visible: true,
		prepare: func(d *testHome, title string) (string, object) {
			return "calendar_delete_event", object{"event_id": seriesWithBobOnSomeday(d, title), "scope": "following", "instance": someday}
		},
	},
	{
		name: "change the title of a series of which one has a guest", visible: true,
		prepare: func(d *testHome, title string) (string, object) {
			return "calendar_update_event", object{"event_id": seriesWithBobOnSomeday(d, title), "scope": "all", "title": title + "!"}
		},
	},
	{
		name: "change an event of somebody who lets guests do so", visible: true,
		prepare: func(d *testHome, title string) (string, object) {
			e := hourEvent(14, title, ann)
			e["guestsCanModify"] = true
			return "calendar_update_event", object{"event_id": d.google.User(bob).AddEvent("primary", e), "location": "Room 4"}
		},
	},
	{
		name: "move to another calendar under a guest", visible: true,
		prepare: func(d *testHome, title string) (string, object) {
			return "calendar_move_event", object{"event_id": withBob(d, title), "to": d.google.User(ann).AddCalendar(bundletest.GoogleCalendar{Summary: "Work of " + title})}
		},
	},
}

// gates are the lines of bundles.yaml that forbid reaching other people, with
// the error of calls that do nothing instead of drafting.
var gates = []struct {
	lines   string
	drafts  bool
	instead string
	asks    bool // whether it asks, so that a dry run reports nothing
}{
	{lines: "", instead: "APPROVAL_REQUIRED", asks: true}, // and there is no terminal
	{lines: "send: ask\n", instead: "APPROVAL_REQUIRED", asks: true},
	{lines: "send: draft\n", drafts: true, instead: "APPROVAL_REQUIRED"},
	{lines: "send: refuse\n", instead: "REFUSED"},
	{lines: "send: allow\nsend_to: []\n", instead: "REFUSED"},
	{lines: "send: allow\nsend_to: [" + ann + ", \"*.example.org\"]\n", instead: "REFUSED"},
	{lines: "send: allow\nprofile: kind\nprofiles: {kind: {send_to: [example.net]}}\n", instead: "REFUSED"},
	{lines: "profile: no-send\nsend: allow\n", instead: "WRITES_DISABLED"},
	{lines: "profile: read-only\nsend: allow\n", instead: "WRITES_DISABLED"},
}

// calendarStates returns all that other people have and were mailed, and what Ann has.
func (d *testHome) calendarStates() (others, own string) {
	d.t.Helper()
	return fmt.Sprintf("mailed %v\nbob has %v", d.google.Invitations(), d.google.User(bob).Events("primary")),
		fmt.Sprint(d.google.User(ann).Events("primary"))
}

func TestForbiddenChangesReachNoGuest(t *testing.T) {
	t.Parallel()
	for _, gate := range gates {
		t.Run("under "+strings.ReplaceAll(strings.TrimSpace(gate.lines), "\n", " and "), func(t *testing.T) {
			t.Parallel()
			d := newCalendarHome(t, "")
			d.configure(gate.lines)
			for i, act := range guestCalls {
				tool, args := act.prepare(d, fmt.Sprintf("Occasion %d", i))
				others, own := d.calendarStates()
				answer, failure := d.call(tool, args)
				nowOthers, nowOwn := d.calendarStates()
				if diff := cmp.Diff(others, nowOthers); diff != "" {
					t.Errorf("%s: others hear of it:\n%s", act.name, diff)
				}
				switch {
				case !gate.drafts || act.drafted == "":
					if failure == nil || failure.Code != gate.instead || failure.Hint == "" {
						t.Errorf("%s: answered %+v, %+v; want %s with a hint", act.name, answer, failure, gate.instead)
					}
					if own != nowOwn {
						t.Errorf("%s: something was done:\n%s", act.name, cmp.Diff(own, nowOwn))
					}
				case failure != nil:
					t.Errorf("%s: %+v", act.name, failure)
				case answer.Status != act.drafted || !slices.Equal(answer.NotInvited, []string{bob}) || !strings.Contains(answer.raw, "send: ask"):
					t.Errorf("%s: the answer does not say what was not done: %s", act.name, answer.raw)
				}
			}
		})
	}
}

func TestAllowedChangesReachGuestsOnce(t *testing.T) {
	t.Parallel()
	for _, act := range guestCalls {
		t.Run(act.name, func(t *testing.T) {
			t.Parallel()
			d := newCalendarHome(t, "send: allow\n")
			tool, args := act.prepare(d, "Occasion")
			others, _ := d.calendarStates()
			d.mustCall(tool, args)
			once, _ := d.calendarStates()
			if (others != once) != act.visible {
				t.Errorf("what others have:\n%s", cmp.Diff(others, once))
			}
			d.call(tool, args) // as a client that has lost the answer does
			if twice, _ := d.calendarStates(); once != twice {
				t.Errorf("the repeated call reached them again:\n%s", cmp.Diff(once, twice))
			}
			kinds := []string{}
			for _, mail := range d.google.Invitations() {
				kinds = append(kinds, mail.Kind)
			}
			if !slices.Equal(kinds, append([]string{}, act.mailed...)) {
				t.Errorf("mailed %q, want %q", kinds, act.mailed)
			}
		})
	}
}

// Users may answer an invitation freely; a comment to the organizer, and mail,
// is sent like any other.
func TestInvitationAnswerIsFreeAndCommentIsSent(t *testing.T) {
	t.Parallel()
	d := newCalendarHome(t, "")
	for i, c := range []struct {
		lines, plain, spoken string // the statuses or errors of an answer without and with a comment
	}{
		{"", "answered", "APPROVAL_REQUIRED"},
		{"send: draft\n", "answered", "answered"},
		{"send: allow\nsend_to: []\n", "answered", "REFUSED"},
		{"send: refuse\n", "answered", "REFUSED"},
		{"profile: no-send\n", "answered", "WRITES_DISABLED"},
		{"profile: read-only\n", "WRITES_DISABLED", "WRITES_DISABLED"},
		{"send: allow\n", "answered", "answered"},
	} {
		d.configure(c.lines)
		for want, args := range map[string]object{
			"plain " + c.plain:   {"answer": "maybe"},
			"spoken " + c.spoken: {"answer": "no", "comment": "I am on a train", "notify": "all"},
		} {
			args["event_id"] = d.google.User(bob).AddEvent("primary", hourEvent(i, "Occasion", ann))
			mailed := len(d.google.Invitations())
			answer, failure := d.call("calendar_respond_event", args)
			got := ""
			if failure != nil {
				got = failure.Code
			} else {
				got = answer.Status
			}
			kind, status, _ := strings.Cut(want, " ")
			event := fmt.Sprint(d.google.User(bob).Event("primary", args["event_id"].(string)))
			may := c.lines == "send: allow\n" && kind == "spoken"
			if got != status || (len(d.google.Invitations()) > mailed) != may || strings.Contains(event, "train") != may {
				t.Errorf("%q, %s: answered %q; mailed %v; Bob has %s", c.lines, kind, got, d.google.Invitations()[mailed:], event)
			}
			if answered := !strings.Contains(event, "needsAction"); answered != (status == "answered") {
				t.Errorf("%q, %s: Bob has %s", c.lines, kind, event)
			}
		}
	}
}

// A dry run of any call is a read: it reports, and reaches no other people.
func TestDryRunReachesNobody(t *testing.T) {
	t.Parallel()
	for _, lines := range []string{"send: allow\n", "profile: read-only\n"} {
		d := newCalendarHome(t, "")
		d.configure(lines)
		for i, act := range guestCalls {
			tool, args := act.prepare(d, fmt.Sprintf("Occasion %d", i))
			args["dry_run"] = true
			others, own := d.calendarStates()
			if answer := d.mustCall(tool, args); answer.Status != "dry_run" {
				t.Errorf("%s: answered %s", act.name, answer.raw)
			}
			if nowOthers, nowOwn := d.calendarStates(); others != nowOthers || own != nowOwn {
				t.Errorf("%s: something was done:\n%s\n%s", act.name, cmp.Diff(others, nowOthers), cmp.Diff(own, nowOwn))
			}
		}
	}
}

// A dry run reports what the call would do: make the event without its guests,
// or nothing.
func TestDryRunShowsEffectOfPolicy(t *testing.T) {
	t.Parallel()
	d := newCalendarHome(t, "")
	for _, gate := range gates {
		d.configure(gate.lines)
		for i, act := range guestCalls {
			tool, args := act.prepare(d, fmt.Sprintf("Occasion %d", i))
			args["dry_run"] = true
			answer, failure := d.call(tool, args)
			noted := slices.ContainsFunc(answer.Notes, func(note string) bool { return strings.Contains(note, gate.instead) })
			noted = noted || gate.asks
			drafted := gate.drafts && act.drafted != "" && len(answer.NotInvited) > 0
			if failure != nil || !noted && !drafted {
				t.Errorf("%q, %s: answered %+v, %+v; want a word of %s", gate.lines, act.name, answer, failure, gate.instead)
			}
		}
	}
	d.configure("send: allow\n")
	for i, act := range guestCalls {
		tool, args := act.prepare(d, fmt.Sprintf("Occasion %d", i))
		args["dry_run"] = true
		if answer := d.mustCall(tool, args); slices.ContainsFunc(answer.Notes, func(note string) bool { return strings.Contains(note, "bundles.yaml") }) {
			t.Errorf("%s is allowed, and answers %+v", act.name, answer)
		}
	}
}

// An undo is a change like any other: what guests would see of it also waits.
func TestUndoOfEventWithGuestWaitsForApproval(t *testing.T) {
	t.Parallel()
	d := newCalendarHome(t, "send: allow\n")
	done := d.mustCall("calendar_update_event", object{"event_id": withBob(d, "Occasion"), "title": "Other", "notify": "all"})
	for _, gate := range gates {
		d.configure(gate.lines)
		others, own := d.calendarStates()
		answer, failure := d.call("calendar_undo", object{"undo_id": done.Undo})
		if failure == nil || failure.Code != gate.instead {
			t.Errorf("%q: answered %+v, %+v; want %s", gate.lines, answer, failure, gate.instead)
		}
		if nowOthers, nowOwn := d.calendarStates(); others != nowOthers || own != nowOwn {
			t.Errorf("%q: something was undone:\n%s", gate.lines, cmp.Diff(others, nowOthers))
		}
	}
	d.configure("send: allow\n")
	d.mustCall("calendar_undo", object{"undo_id": done.Undo})
	if kinds := len(d.google.Invitations()); kinds != 2 {
		t.Errorf("%d mails have left, want one of the change and one of its undoing", kinds)
	}
}

// A line of text is not a list of guests.
func TestAddressInTextInvitesNobody(t *testing.T) {
	t.Parallel()
	d := newCalendarHome(t, "send: allow\n")
	others, _ := d.calendarStates()
	answer := d.mustCall("calendar_quick_add", object{"text": "Lunch with " + bob + " tomorrow 12:00"})
	if now, _ := d.calendarStates(); others != now {
		t.Errorf("others hear of it:\n%s", cmp.Diff(others, now))
	}
	if e := d.google.User(ann).Event("primary", answer.Event.ID); e["attendees"] != nil {
		t.Errorf("made %v", e)
	}
}
