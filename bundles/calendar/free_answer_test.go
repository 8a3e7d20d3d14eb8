package calendar_test

import (
	"encoding/json"
	"slices"
	"testing"
	"time"

	"kota/bundles/bundletest"
	"kota/bundles/internal/google/googletest/fakeapi"
)

// The organizer sees each answer, so a sequence of answers could leak data.
func TestOneFreeAnswerPerHour(t *testing.T) {
	d := newFixture(t)
	d.google.SetTokenLifetime(24 * time.Hour)
	id, other := d.inviteAnn(), d.inviteAnn()
	answers := func(answer string) ([]string, error) {
		return askedPeople(t, d, "calendar_respond_event", args{"event_id": id, "answer": answer})
	}
	if asked, err := answers("yes"); asked != nil || err != nil {
		t.Fatalf("the first: asked for %q, %v", asked, err)
	}
	if asked, err := answers("yes"); asked != nil || err != nil {
		t.Errorf("the same again: asked for %q, %v", asked, err)
	}
	before := d.answersOf(id)
	for range 2 {
		if asked, err := answers("no"); !slices.Equal(asked, []string{bob}) || err == nil {
			t.Errorf("another: asked for %q, %v", asked, err)
		}
	}
	d.bundle = d.anotherProcess() // another process uses the same count
	if asked, err := answers("maybe"); !slices.Equal(asked, []string{bob}) || err == nil || d.answersOf(id) != before {
		t.Errorf("another: asked for %q, %v; answered %s", asked, err, d.answersOf(id))
	}
	if asked, err := askedPeople(t, d, "calendar_delete_event", args{"event_id": id}); !slices.Equal(asked, []string{bob}) || err == nil {
		t.Errorf("declined by deleting it: asked for %q, %v", asked, err)
	}
	if asked, err := askedPeople(t, d, "calendar_respond_event", args{"event_id": other, "answer": "no"}); asked != nil || err != nil {
		t.Errorf("to another event: asked for %q, %v", asked, err)
	}
	d.now = d.now.Add(time.Hour + time.Second)
	if asked, err := answers("no"); asked != nil || err != nil {
		t.Errorf("an hour later: asked for %q, %v", asked, err)
	}
}

func TestUndoAnswerCountsAsAnswer(t *testing.T) {
	d := newFixture(t)
	id := d.inviteAnn()
	out, err := prepareTool(t, d.bundle, "calendar_respond_event", args{"event_id": id, "answer": "yes"}).Do(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	before := d.answersOf(id)
	undo := args{"undo_id": answerField(t, out, "undo_id")}
	if asked, err := askedPeople(t, d, "calendar_undo", undo); !slices.Equal(asked, []string{bob}) || err == nil || d.answersOf(id) != before {
		t.Errorf("asked for %q, %v; answered %s", asked, err, d.answersOf(id))
	}
	bundletest.Must[args](t, d.bundle, "calendar_undo", undo)

	id = d.inviteAnn()
	if out, err = prepareTool(t, d.bundle, "calendar_delete_event", args{"event_id": id}).Do(t.Context()); err != nil {
		t.Fatal(err)
	}
	before = d.answersOf(id)
	if asked, err := askedPeople(t, d, "calendar_undo", args{"undo_id": answerField(t, out, "undo_id")}); !slices.Equal(asked, []string{bob}) || err == nil || d.answersOf(id) != before {
		t.Errorf("bringing it back: asked for %q, %v; answered %s", asked, err, d.answersOf(id))
	}
}

func TestEveryAnswerInTaintedSessionNeedsApproval(t *testing.T) {
	d := newFixture(t)
	id, deleted := d.inviteAnn(), d.inviteAnn()
	before := d.answersOf(id) + d.answersOf(deleted)
	for tool, a := range map[string]args{
		"calendar_respond_event": {"event_id": id, "answer": "yes"},
		"calendar_delete_event":  {"event_id": deleted},
	} {
		if asked, err := askedPeopleWhenTainted(t, d, tool, a); !slices.Equal(asked, []string{bob}) || err == nil {
			t.Errorf("%s asked for %q, %v", tool, asked, err)
		}
	}
	file := args{"ics": invitationFile("REQUEST"), "answer": "yes"}
	if asked, err := askedPeopleWhenTainted(t, d, "calendar_respond_event", file); len(asked) != 1 || err == nil {
		t.Errorf("one that is not in the calendar asked for %q, %v", asked, err)
	}
	if now := d.answersOf(id) + d.answersOf(deleted); now != before {
		t.Errorf("the answers are %s", now)
	}
	if asked, err := askedPeopleWhenTainted(t, d, "calendar_respond_event", args{"event_id": id, "answer": "yes", "dry_run": true}); asked != nil || err != nil {
		t.Errorf("a dry run asked for %q, %v", asked, err)
	}
}

// answerField returns a text field of an answer.
func answerField(t *testing.T, out any, name string) string {
	t.Helper()
	var fields map[string]any
	if err := json.Unmarshal([]byte(jsonOf(t, out)), &fields); err != nil {
		t.Fatal(err)
	}
	text, _ := fields[name].(string)
	return text
}

// One organizer sees the answers for all dates of a series, so they count as one event.
func TestOneFreeAnswerForWholeSeries(t *testing.T) {
	d := newFixture(t)
	id := d.inviteAnn(`, "recurrence": ["RRULE:FREQ=WEEKLY;COUNT=3"]`)
	first, second := id+"_20261124T110000Z", id+"_20261201T110000Z"
	if asked, err := askedPeople(t, d, "calendar_respond_event", args{"event_id": first, "answer": "yes", "scope": "this"}); asked != nil || err != nil {
		t.Fatalf("the first date: asked for %q, %v", asked, err)
	}
	for name, a := range map[string]args{"another date": {"event_id": second, "scope": "this"}, "all of it": {"event_id": id, "scope": "all"}} {
		if asked, err := askedPeople(t, d, "calendar_respond_event", merge(a, args{"answer": "no"})); !slices.Equal(asked, []string{bob}) || err == nil {
			t.Errorf("%s: asked for %q, %v", name, asked, err)
		}
	}
}

// An answer that reached nobody does not count. One that may have reached somebody counts.
func TestFailedAnswerRefundsFreeAnswer(t *testing.T) {
	for tool, c := range map[string]struct {
		method string
		args   args
	}{
		"calendar_respond_event": {"calendar.events.patch", args{"answer": "yes"}},
		"calendar_delete_event":  {"calendar.events.delete", args{}},
	} {
		d := newFixture(t)
		in := merge(args{"event_id": d.inviteAnn()}, c.args)
		d.google.Fault(fakeapi.Fault{Method: c.method, Status: 403, Nth: 1})
		if asked, err := askedPeople(t, d, tool, in); asked != nil || err == nil {
			t.Fatalf("%s, the first: asked for %q, %v", tool, asked, err)
		}
		if asked, err := askedPeople(t, d, tool, in); asked != nil || err != nil {
			t.Errorf("%s, the retry: asked for %q, %v", tool, asked, err)
		}
		again := args{"event_id": in["event_id"], "answer": "maybe"}
		if asked, err := askedPeople(t, d, "calendar_respond_event", again); tool == "calendar_respond_event" && (!slices.Equal(asked, []string{bob}) || err == nil) {
			t.Errorf("%s, another: asked for %q, %v", tool, asked, err)
		}
	}
}
