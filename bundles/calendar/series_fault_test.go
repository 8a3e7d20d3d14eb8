package calendar_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"kota/bundles/bundletest"
	"kota/bundles/internal/google/googletest/fakeapi"
	"kota/metadata"
)

// followingArgs returns a call that moves the fourth of six instances and all after it, and
// mails the guests.
func followingArgs() args {
	return args{"event_id": "standup", "instance": "2026-11-03", "scope": "following", "title": "New", "start": "2026-11-03 10:00", "notify": "all", "on_conflict": "ignore"}
}

// sixTuesdays returns a fixture with a series of six instances, to which Bob is invited.
func sixTuesdays(t *testing.T) *fixture {
	t.Helper()
	d := newFixture(t)
	d.ann.SetZone("Europe/Amsterdam")
	d.google.User(bob) // Bob has a copy of the event
	d.ann.AddEvent("primary", merge(timedEvent("standup", "Old", "2026-10-13T09:00", "2026-10-13T09:30"), args{
		"recurrence": []string{"RRULE:FREQ=WEEKLY;COUNT=6"}, "attendees": []args{{"email": bob}},
	}))
	return d
}

// The six instances before the change, the three changed ones, and the result.
var (
	oldDates   = []string{"2026-10-13 07:00 Old", "2026-10-20 07:00 Old", "2026-10-27 08:00 Old", "2026-11-03 08:00 Old", "2026-11-10 08:00 Old", "2026-11-17 08:00 Old"}
	newDates   = []string{"2026-11-03 09:00 New", "2026-11-10 09:00 New", "2026-11-17 09:00 New"}
	splitDates = append(slices.Clone(oldDates[:3]), newDates...)
)

// shownHalves reports whether Ann's calendar shows the last three instances as before the
// change, and as after it. It fails if neither is shown, or if one of the first three
// instances is missing.
func (d *fixture) shownHalves(t *testing.T) (before, after bool) {
	t.Helper()
	got := strings.Split(sortedLines(readOccurrences(t, d.eventsAPI(t, ann))), "\n")
	has := func(list []string) bool {
		return !slices.ContainsFunc(list, func(one string) bool { return !slices.Contains(got, one) })
	}
	before, after = has(oldDates[3:]), has(newDates)
	want := 3
	for _, half := range []bool{before, after} {
		if half {
			want += 3
		}
	}
	if !has(oldDates[:3]) || !before && !after || len(got) != want {
		t.Errorf("the calendar shows\n%s", strings.Join(got, "\n"))
	}
	return before, after
}

// TestAnyFailureOfSplitLosesNoInstance makes each writing request of a split fail in
// every way: once, twice or always. Either only that request fails, or also the later
// read of the event or the attempt to revert.
func TestAnyFailureOfSplitLosesNoInstance(t *testing.T) {
	type faultCase struct {
		method string
		also   []string
		times  int
	}
	var cases []faultCase
	for times := range 3 {
		for _, method := range []string{"insert", "patch"} {
			cases = append(cases, faultCase{method, nil, times}, faultCase{method, []string{"get"}, times}, faultCase{method, []string{"delete"}, times})
		}
	}
	for i, f := range faults {
		for j, c := range cases {
			if (i+j)%5 != 0 { // every fifth combination, so that each fault and each request occurs
				continue
			}
			name := fmt.Sprintf("%s: %s %d times, with %v", f.name, c.method, c.times, c.also)
			d := sixTuesdays(t)
			series := bundletest.Must[args](t, d.bundle, "calendar_get_event", args{"event_id": "standup"})
			fault := f.fault
			fault.Method, fault.Nth, fault.Times = "calendar.events."+c.method, 1, c.times
			if c.times == 0 {
				fault.Nth = 0
			}
			withdraw := []func(){d.google.Fault(fault)}
			for _, method := range c.also {
				fault := f.fault
				fault.Method, fault.Nth, fault.Times = "calendar.events."+method, 0, 0
				if method == "get" {
					fault = fakeapi.Fault{Method: "calendar.events.get", Nth: 2, Times: 100, Status: 403, Reason: "forbidden"} // reading the event fails
				}
				withdraw = append(withdraw, d.google.Fault(fault))
			}
			_, err := bundletest.Answer[changeAnswer](t, d.bundle, "calendar_update_event", followingArgs())
			for _, back := range withdraw {
				back()
			}
			before, after := d.shownHalves(t)
			mails := len(d.google.Invitations())
			switch code := metadata.CodeOf(err); {
			case code == "" && (before || !after):
				t.Errorf("%s: done, and shows the old %v and the new %v", name, before, after)
			case code != "" && code != metadata.OutcomeUnknown && !before:
				t.Errorf("%s: %v, and yet it was done", name, err)
			case before && after && (code != metadata.OutcomeUnknown || !strings.Contains(err.Error(), "standup") || !strings.Contains(err.Error(), "kota")):
				t.Errorf("%s: both series exist, and the answer is %v", name, err)
			}
			if err == nil {
				if mails > 2 { // an invitation to the new series, and the end of the old one
					t.Errorf("%s: %d mails", name, mails)
				}
				continue
			}
			undone := bundletest.Must[struct {
				Recent []struct {
					ID string `json:"undo_id"`
				} `json:"recent"`
			}](t, d.anotherProcess(), "calendar_undo", args{})
			if before && after && len(undone.Recent) == 0 {
				t.Errorf("%s: events that exist twice cannot be undone", name)
			}
			for _, one := range undone.Recent {
				bundletest.Must[args](t, d.anotherProcess(), "calendar_undo", args{"undo_id": one.ID})
			}
			if before, after := d.shownHalves(t); !before || after {
				t.Errorf("%s: undone, it shows the old %v and the new %v of %v", name, before, after, series)
			}
		}
	}
}

func TestRepeatFinishesInterruptedSplit(t *testing.T) {
	d := sixTuesdays(t)
	var first []map[string]any
	withdraw := d.google.Fault(fakeapi.Fault{Method: "calendar.events.patch", Status: 500})
	withdrawDelete := d.google.Fault(fakeapi.Fault{Method: "calendar.events.delete", Status: 500})
	if _, err := bundletest.Answer[changeAnswer](t, d.bundle, "calendar_update_event", followingArgs()); metadata.CodeOf(err) != metadata.OutcomeUnknown {
		t.Fatalf("got %v", err)
	}
	if before, after := d.shownHalves(t); !before || !after {
		t.Fatal("not in the middle")
	}
	first = d.ann.Events("primary")
	withdraw()
	withdrawDelete()
	got := bundletest.Must[changeAnswer](t, d.anotherProcess(), "calendar_update_event", followingArgs())
	d.mustShow(t, splitDates...)
	if len(d.ann.Events("primary")) != len(first) {
		t.Errorf("a second series was made: %+v", got)
	}
	mails := d.google.Invitations()
	if len(mails) != 2 {
		t.Errorf("mailed %+v", mails)
	}
	d.undo(t, got.Undo)
	d.mustShow(t, oldDates...)
}

func TestSplitRefusesSeriesChangedMeanwhile(t *testing.T) {
	d := sixTuesdays(t)
	d.wrapTransport = beforeRequest("PATCH", func() { d.ann.ChangeEvent("primary", "standup", `{"location": "Attic"}`) })
	_, err := bundletest.Answer[changeAnswer](t, d.bundle, "calendar_update_event", followingArgs())
	if e := bundletest.AsError(t, err); e.Code != metadata.Conflict || e.Hint == "" {
		t.Errorf("got %+v", e)
	}
	d.mustShow(t, oldDates...)
	if e := d.ann.Event("primary", "standup"); e["location"] != "Attic" {
		t.Errorf("left %v", e)
	}
}

func TestSplitAcceptsGuestAnswerMeanwhile(t *testing.T) {
	d := sixTuesdays(t)
	guest := d.google.User(bob)
	d.wrapTransport = beforeRequest("PATCH", func() {
		guest.ChangeEvent("primary", "standup", args{"attendees": []args{{"email": bob, "responseStatus": "accepted"}}})
	})
	bundletest.Must[changeAnswer](t, d.bundle, "calendar_update_event", followingArgs())
	d.mustShow(t, splitDates...)
	if e := d.ann.Event("primary", "standup"); e["attendees"].([]any)[0].(map[string]any)["responseStatus"] != "accepted" {
		t.Errorf("left %v", e)
	}
}

func TestUndoOfSplitKeepsNewSeriesChangedMeanwhile(t *testing.T) {
	for name, c := range map[string]struct {
		change    args
		overwrite bool
		code      metadata.Code
	}{
		"its location":                    {args{"location": "Attic"}, false, metadata.OutcomeUnknown},
		"its location, to be overwritten": {args{"location": "Attic"}, true, ""},
		"a guest's answer":                {args{"attendees": []args{{"email": bob, "responseStatus": "accepted"}}}, false, ""},
	} {
		d := sixTuesdays(t)
		id := ""
		d.wrapTransport = beforeRequest("DELETE", func() { d.ann.ChangeEvent("primary", id, c.change) })
		got := bundletest.Must[changeAnswer](t, d.bundle, "calendar_update_event", followingArgs())
		id = got.Event.ID
		_, err := bundletest.Answer[args](t, d.bundle, "calendar_undo", args{"undo_id": got.Undo, "overwrite": c.overwrite})
		if metadata.CodeOf(err) != c.code {
			t.Errorf("%s: got %v", name, err)
		}
		if before, after := d.shownHalves(t); !before || after != (c.code != "") {
			t.Errorf("%s: it shows the old %v and the new %v", name, before, after)
		}
	}
}

func TestSplitWithUnknownInsertSaysWhatIsUnknown(t *testing.T) {
	d := sixTuesdays(t)
	d.google.Fault(fakeapi.Fault{Method: "calendar.events.insert", Status: 500})
	_, err := bundletest.Answer[changeAnswer](t, d.bundle, "calendar_update_event", followingArgs())
	if e := bundletest.AsError(t, err); e.Code != metadata.OutcomeUnknown || !strings.Contains(e.Message, "the old series standup is unchanged") {
		t.Errorf("got %+v", e)
	}
}
