package calendar_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"kota/bundles/bundletest"
	"kota/bundles/calendar"
	"kota/bundles/internal/google/googletest/fakeapi"
	"kota/bundles/internal/google/googletest/fakecalendar"
	"kota/metadata"
)

func TestInstanceIsFoundByOriginalStart(t *testing.T) {
	d := seriesWithExceptions(t)
	if got := d.changeStandup(t, args{"instance": "2026-10-20", "scope": "this", "title": "Moved"}); got.Event.ID != "standup_20261020T070000Z" {
		t.Errorf("got %+v", got)
	}
	for range 2 {
		d.deleteStandup(t, args{"instance": "2026-11-17", "scope": "this"})
	}
	if got := d.deleteStandup(t, args{"instance": "2026-11-17 09:00", "scope": "this"}); !got.Already {
		t.Errorf("got %+v", got)
	}
	_, err := bundletest.Answer[changeAnswer](t, d.bundle, "calendar_update_event", args{"event_id": "standup", "instance": "2026-10-22", "scope": "this", "title": "New"})
	if e := bundletest.AsError(t, err); e.Code != metadata.NotFound || !strings.Contains(e.Message, "Wed 2026-10-21") || e.Hint == "" {
		t.Errorf("got %+v", e)
	}
}

func TestInstanceMayBeNamedByIDAndTime(t *testing.T) {
	d := seriesWithExceptions(t)
	for _, c := range []struct{ event, instance string }{
		{"standup_20261117T080000Z", "2026-11-17"}, {"standup_20261117T080000Z", "2026-11-17T09:00"}, {"standup_20261020T070000Z", "2026-10-20"},
		{"standup_20261020T070000Z", "2026-10-21"}, {"standup_20261117T080000Z", "standup_20261117T080000Z"}, {"standup", "standup_20261117T080000Z"},
	} {
		got := bundletest.Must[changeAnswer](t, d.bundle, "calendar_update_event", args{"event_id": c.event, "instance": c.instance, "scope": "this", "title": "Twice", "dry_run": true})
		if got.Status != "dry_run" || c.event != "standup" && got.Event.ID != c.event {
			t.Errorf("%v: got %+v", c, got)
		}
	}
	_, err := bundletest.Answer[changeAnswer](t, d.bundle, "calendar_update_event", args{"event_id": "standup_20261117T080000Z", "instance": "2026-11-03", "scope": "this", "title": "New"})
	if e := bundletest.AsError(t, err); bundletest.ProblemPath(t, err) != "instance" || !strings.Contains(e.Error(), "Tue 2026-11-17") {
		t.Errorf("got %v", err)
	}
}

func TestRepeatedSplitIsDoneOnce(t *testing.T) {
	d := sixTuesdays(t)
	asked := merge(followingArgs(), args{"notify": "none"})
	first := bundletest.Must[changeAnswer](t, d.bundle, "calendar_update_event", asked)
	got := bundletest.Must[changeAnswer](t, d.anotherProcess(), "calendar_update_event", asked)
	if got.Status != "unchanged" || got.Event.ID != first.Event.ID || got.Undo != first.Undo || !strings.Contains(got.notesText(), "an earlier call already split the series") {
		t.Errorf("got %+v", got)
	}
	_, err := bundletest.Answer[changeAnswer](t, d.bundle, "calendar_update_event", merge(args{"title": "Other"}, args{"event_id": "standup", "instance": "2026-11-10", "scope": "following"}))
	if e := bundletest.AsError(t, err); e.Code != metadata.NotFound || !strings.Contains(e.Hint, first.Event.ID) {
		t.Errorf("got %+v", e)
	}
	_, err = bundletest.Answer[changeAnswer](t, d.bundle, "calendar_delete_event", args{"event_id": "standup", "instance": "2026-11-10", "scope": "following"})
	if e := bundletest.AsError(t, err); e.Code != metadata.NotFound || !strings.Contains(e.Hint, first.Event.ID) {
		t.Errorf("got %+v", e)
	}
	d.mustShow(t, splitDates...)
	d.undo(t, first.Undo)
	d.mustShow(t, oldDates...)
	for _, already := range []bool{false, true} {
		if got := d.deleteStandup(t, args{"instance": "2026-11-03", "scope": "following"}); got.Already != already {
			t.Errorf("got %+v", got)
		}
	}
}

func TestUnfinishedSplitIsReported(t *testing.T) {
	d := sixTuesdays(t)
	unfinished := func() []string {
		t.Helper()
		undos, err := d.deps.Stores.Undos(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		titles, err := calendar.UnfinishedSplits(t.Context(), undos)
		if err != nil {
			t.Fatal(err)
		}
		if listed := strings.Contains(jsonOf(t, bundletest.Must[args](t, d.anotherProcess(), "calendar_undo", args{})), "repeat the call or undo it"); listed != (len(titles) > 0) {
			t.Errorf("listed %v, reported %v", listed, titles)
		}
		return titles
	}
	if titles := unfinished(); len(titles) > 0 {
		t.Errorf("reported %v", titles)
	}
	back := []func(){
		d.google.Fault(fakeapi.Fault{Method: "calendar.events.patch", Status: 500}),
		d.google.Fault(fakeapi.Fault{Method: "calendar.events.delete", Status: 500}),
	}
	if _, err := bundletest.Answer[changeAnswer](t, d.bundle, "calendar_update_event", followingArgs()); metadata.CodeOf(err) != metadata.OutcomeUnknown {
		t.Fatalf("got %v", err)
	}
	if titles := unfinished(); len(titles) != 1 || !strings.Contains(titles[0], `"Old" from Tue 2026-11-03`) {
		t.Errorf("reported %v", titles)
	}
	for _, withdraw := range back {
		withdraw()
	}
	bundletest.Must[changeAnswer](t, d.anotherProcess(), "calendar_update_event", followingArgs())
	if titles := unfinished(); len(titles) > 0 {
		t.Errorf("finished, but reported %v", titles)
	}
	if shows := strings.Split(sortedLines(readOccurrences(t, d.eventsAPI(t, ann))), "\n"); !slices.Equal(shows, splitDates) {
		t.Errorf("shows %v", shows)
	}
}

func TestEventIDMayBeALink(t *testing.T) {
	d := oneLunch(t, nil)
	link := d.ann.Event("primary", "lunch")["htmlLink"].(string)
	for _, text := range []string{link, " " + link + "&ctz=Europe/Amsterdam", strings.Replace(link, "calendar/event?eid=", "calendar/u/0/r/eventedit/", 1)} {
		if got := bundletest.Must[changeAnswer](t, d.bundle, "calendar_update_event", args{"event_id": text, "title": "Dinner", "dry_run": true}); got.Event.ID != "lunch" {
			t.Errorf("%s: got %+v", text, got)
		}
	}
	if got := bundletest.Must[args](t, d.bundle, "calendar_get_event", args{"event_id": link}); got["event_id"] != "lunch" {
		t.Errorf("got %v", got)
	}
	bundletest.Must[args](t, d.bundle, "calendar_move_event", args{"event_id": link, "to": d.ann.AddCalendar(fakecalendar.Calendar{Summary: "Team"}), "dry_run": true})
	_, err := bundletest.Answer[changeAnswer](t, d.bundle, "calendar_update_event", args{"event_id": "https://example.com/?eid=x", "title": "Dinner"})
	if bundletest.ProblemPath(t, err) != "event_id" {
		t.Errorf("got %v", err)
	}
}
