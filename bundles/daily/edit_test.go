package daily_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"kota/bundles/bundletest"
	"kota/bundles/daily"
	"kota/metadata"
)

// editAnswer is an answer of daily_edit.
type editAnswer struct {
	IDs       []string
	Status    string
	Version   int64
	Date, Why string
	Before    *entry
	UndoID    string `json:"undo_id"`
}

// onlyEntry returns the only entry of the diary.
func (d *fixture) onlyEntry(t *testing.T) (date string, e entry) {
	t.Helper()
	days := bundletest.Must[getAnswer](t, d.bundle, "daily_get", args{"from": "1990-01-01"}).Days
	if len(days) != 1 || len(days[0].Entries) != 1 {
		t.Fatalf("there are %+v", days)
	}
	return days[0].Date, days[0].Entries[0]
}

func TestEditChangesGivenFieldsAndCanBeUndone(t *testing.T) {
	d := newFixture(t)
	id := bundletest.Must[logAnswer](t, d.bundle, "daily_log", args{
		"text": "Slept", "mood": 3, "energy": 2, "metrics": args{"sleep": 7, "dreams": true}, "tags": []string{"a", "b"}, "links": []string{"event:x"}, "time": "07:00",
	}).IDs[0]
	_, was := d.onlyEntry(t)
	change := bundletest.Must[editAnswer](t, d.bundle, "daily_edit", args{"id": id, "text": "Slept well", "mood": 0, "metrics": args{"sleep": 8, "dreams": nil}, "tags": []string{"b", "c"}, "if_version": 1})
	want := entry{ID: id, Time: "07:00", Type: "note", Text: "Slept well", Energy: 2, Metrics: args{"sleep": 8.0}, Tags: []string{"b", "c"}, Links: []string{"event:x"}}
	if _, is := d.onlyEntry(t); !cmp.Equal(is, want) {
		t.Error(cmp.Diff(want, is))
	}
	if change.Status != "edited" || change.Version != 2 || !cmp.Equal(*change.Before, was) {
		t.Errorf("got %+v", change)
	}
	back := bundletest.Must[editAnswer](t, d.bundle, "daily_edit", args{"undo_id": change.UndoID})
	if _, is := d.onlyEntry(t); !cmp.Equal(is, was) || back.Status != "restored" || !cmp.Equal(back.IDs, []string{id}) {
		t.Errorf("taken back: %+v, %+v", is, back)
	}
	bundletest.Must[editAnswer](t, d.bundle, "daily_edit", args{"undo_id": back.UndoID})
	if _, is := d.onlyEntry(t); !cmp.Equal(is, want) {
		t.Errorf("taken forth: %s", cmp.Diff(want, is))
	}
	bundletest.Must[editAnswer](t, d.bundle, "daily_edit", args{"id": id, "text": "Slept"})
	d.callFails(t, "daily_edit", args{"undo_id": change.UndoID}, metadata.Conflict) // it was changed later
}

func TestDeletedEntryCanBeRestored(t *testing.T) {
	d := newFixture(t)
	id := bundletest.Must[logAnswer](t, d.bundle, "daily_log", args{"text": "a secret"}).IDs[0]
	gone := bundletest.Must[editAnswer](t, d.bundle, "daily_edit", args{"id": id, "delete": true})
	if days := bundletest.Must[getAnswer](t, d.bundle, "daily_get", args{}).Days; len(days) != 0 || gone.Status != "deleted" {
		t.Errorf("got %+v, %+v", days, gone)
	}
	alone := bundletest.Must[getAnswer](t, d.bundle, "daily_get", args{"id": id})
	if len(alone.Days) != 0 || len(alone.Versions) != 1 || alone.Versions[0].Operation != "delete" || alone.Versions[0].UndoID != gone.UndoID {
		t.Errorf("its versions: %+v", alone)
	}
	d.callFails(t, "daily_edit", args{"id": id, "delete": true}, metadata.NotFound) // it is already deleted
	if e := d.callFails(t, "daily_edit", args{"id": id, "version": 1, "text": "x"}, metadata.ValidationError); e.Problems[0].Got != `"1"` {
		t.Errorf("got %+v", e.Problems)
	}
	bundletest.Must[editAnswer](t, d.bundle, "daily_edit", args{"id": id, "version": 1})
	if _, is := d.onlyEntry(t); is.Text != "a secret" {
		t.Errorf("got %+v", is)
	}
}

func TestMovedEntryKeepsOtherFields(t *testing.T) {
	type where struct {
		date, time, why string
		backfilled      bool
	}
	for name, c := range map[string]struct {
		first, change args
		want          where
	}{
		"another day, the same time":            {args{"time": "09:00"}, args{"date": "2026-11-19"}, where{"2026-11-19", "09:00", "", true}},
		"a word":                                {args{"time": "09:00"}, args{"date": "friday"}, where{"2026-11-20", "09:00", "the last Friday", true}},
		"another time, the same day":            {args{"date": "2026-11-19", "time": "09:00"}, args{"time": "22:15"}, where{"2026-11-19", "22:15", "", true}},
		"a time of the night after":             {args{"date": "2026-11-19", "time": "09:00"}, args{"time": "01:15"}, where{"2026-11-19", "01:15", "01:15 is in the night after that day: the next day starts at 04:00", true}},
		"what was in the night stays there":     {args{"date": "2026-11-18", "time": "01:15"}, args{"date": "2026-11-19"}, where{"2026-11-19", "01:15", "", true}},
		"what had no time gets none":            {args{"date": "2026-11-18"}, args{"date": "2026-11-19"}, where{"2026-11-19", "", "", true}},
		"not even today's":                      {args{"date": "2026-11-18"}, args{"date": "2026-11-21"}, where{"2026-11-21", "", "", false}},
		"back to the day of its first log":      {args{"date": "2026-11-18", "time": "09:00"}, args{"date": "2026-11-21"}, where{"2026-11-21", "09:00", "", false}},
		"both":                                  {args{}, args{"date": "2026-11-19", "time": "22:15"}, where{"2026-11-19", "22:15", "", true}},
		"a moment":                              {args{}, args{"date": "2026-11-19T22:15"}, where{"2026-11-19", "22:15", "", true}},
		"the day of 23 hours has that hour too": {args{"date": "2026-03-27", "time": "03:30"}, args{"date": "2026-03-28"}, where{"2026-03-28", "03:30", "", true}},
	} {
		t.Run(name, func(t *testing.T) {
			d := newFixture(t)
			c.first["text"] = "x"
			id := bundletest.Must[logAnswer](t, d.bundle, "daily_log", c.first).IDs[0]
			c.change["id"] = id
			out := bundletest.Must[editAnswer](t, d.bundle, "daily_edit", c.change)
			date, e := d.onlyEntry(t)
			if is := (where{date, e.Time, out.Why, e.Backfilled}); is != c.want || out.Date != date {
				t.Errorf("got %+v, want %+v; it answers %s", is, c.want, out.Date)
			}
		})
	}
}

func TestEditedTimeIsInZoneOfEntry(t *testing.T) {
	d := newFixture(t)
	id := bundletest.Must[logAnswer](t, d.bundle, "daily_log", args{"text": "x", "time": "09:00", "timezone": "Asia/Tokyo"}).IDs[0]
	bundletest.Must[editAnswer](t, d.bundle, "daily_edit", args{"id": id, "time": "08:30"})
	if date, e := d.onlyEntry(t); date != "2026-11-21" || e.Time != "08:30" || e.Zone != "Asia/Tokyo" {
		t.Errorf("got %s, %+v", date, e)
	}
}

func TestLaterEditDoesNotBackfillEntry(t *testing.T) {
	d := newFixture(t)
	id := bundletest.Must[logAnswer](t, d.bundle, "daily_log", args{"text": "x", "time": "09:00"}).IDs[0]
	d.advanceDays(2)
	bundletest.Must[editAnswer](t, d.bundle, "daily_edit", args{"id": id, "time": "08:30"})
	if date, e := d.onlyEntry(t); date != "2026-11-21" || e.Time != "08:30" || e.Backfilled {
		t.Errorf("got %s, %+v", date, e)
	}
}

// Another client changes the entry between the read and the write of a call.
func TestEditRefusesEntryChangedMeanwhile(t *testing.T) {
	for name, change := range map[string]args{"an edit": {"tags": []string{"mine"}}, "a deletion": {"delete": true}} {
		t.Run(name, func(t *testing.T) {
			d := newFixture(t)
			change["id"] = bundletest.Must[logAnswer](t, d.bundle, "daily_log", args{"text": "x", "tags": []string{"old"}}).IDs[0]
			meanwhile := func() {
				bundletest.Must[editAnswer](t, daily.New(d.deps), "daily_edit", args{"id": change["id"], "tags": []string{"theirs"}})
			}
			other := d.deps.Zone
			d.withDeps(func(deps *daily.Deps) {
				deps.Zone = func() *time.Location { // called between the read and the write
					between := meanwhile
					if meanwhile = nil; between != nil {
						between()
					}
					return other()
				}
			})
			d.callFails(t, "daily_edit", change, metadata.Conflict)
			if _, e := d.onlyEntry(t); !cmp.Equal(e.Tags, []string{"theirs"}) {
				t.Errorf("got %+v", e)
			}
		})
	}
}

func TestNewZoneKeepsMomentOfEntry(t *testing.T) {
	d := newFixture(t)
	id := bundletest.Must[logAnswer](t, d.bundle, "daily_log", args{"text": "x", "time": "09:00"}).IDs[0]
	bundletest.Must[editAnswer](t, d.bundle, "daily_edit", args{"id": id, "timezone": "Asia/Tokyo"})
	if date, e := d.onlyEntry(t); date != "2026-11-21" || e.Time != "17:00" || e.Zone != "Asia/Tokyo" {
		t.Errorf("got %s, %+v", date, e)
	}
}

func TestEditWithoutChangeMakesNoVersion(t *testing.T) {
	d := newFixture(t)
	id := bundletest.Must[logAnswer](t, d.bundle, "daily_log", args{"text": "x", "tags": []string{"a"}}).IDs[0]
	if out := bundletest.Must[editAnswer](t, d.bundle, "daily_edit", args{"id": id, "text": "x", "tags": []string{"a"}}); out.Status != "unchanged" || out.Version != 1 || out.UndoID != "" {
		t.Errorf("got %+v", out)
	}
}

func TestInvalidEditChangesNothing(t *testing.T) {
	d := newFixture(t)
	id := bundletest.Must[logAnswer](t, d.bundle, "daily_log", args{"text": "x", "mood": 3, "date": "2026-03-28"}).IDs[0]
	bundletest.Must[editAnswer](t, d.bundle, "daily_edit", args{"id": id, "energy": 3})
	_, was := d.onlyEntry(t)
	task := bundletest.Must[logAnswer](t, d.bundle, "daily_log", args{"tasks": []string{"Buy bread"}}).TaskIDs[0]
	for name, c := range map[string]struct {
		in   args
		code metadata.Code
		path string
	}{
		"nothing":                   {args{}, metadata.ValidationError, "id"},
		"nothing to change":         {args{"id": id}, metadata.ValidationError, "text"},
		"a change and a deletion":   {args{"id": id, "text": "y", "delete": true}, metadata.ValidationError, "delete"},
		"a change and a version":    {args{"id": id, "text": "y", "version": 1}, metadata.ValidationError, "version"},
		"an undo and a change":      {args{"undo_id": "z1", "id": id}, metadata.ValidationError, "undo_id"},
		"mood 9":                    {args{"id": id, "mood": 9}, metadata.ValidationError, "mood"},
		"30 February":               {args{"id": id, "date": "2026-02-30"}, metadata.ValidationError, "date"},
		"a day to come":             {args{"id": id, "date": "2027-01-01"}, metadata.ValidationError, "date"},
		"an hour that clocks skip":  {args{"id": id, "time": "02:30"}, metadata.ValidationError, "time"},
		"a metric in words":         {args{"id": id, "metrics": args{"a": "b"}}, metadata.ValidationError, "metrics.a"},
		"nothing left to say":       {args{"id": id, "text": "", "mood": 0, "energy": 0}, metadata.ValidationError, ""},
		"an older version":          {args{"id": id, "text": "y", "if_version": 1}, metadata.Conflict, ""},
		"an older version deleted":  {args{"id": id, "delete": true, "if_version": 1}, metadata.Conflict, ""},
		"an older version replaced": {args{"id": id, "version": 1, "if_version": 1}, metadata.Conflict, ""},
		"an undo and a version":     {args{"undo_id": "z1", "if_version": 1}, metadata.ValidationError, "undo_id"},
		"an unknown entry":          {args{"id": "e000000", "text": "y"}, metadata.NotFound, ""},
		"a task":                    {args{"id": task, "delete": true}, metadata.NotFound, ""},
		"an unknown change":         {args{"undo_id": "z999999"}, metadata.NotFound, ""},
		"a version that was not":    {args{"id": id, "version": 7}, metadata.NotFound, ""},
		"the version that is there": {args{"id": id, "version": 2}, metadata.NotFound, ""},
	} {
		t.Run(name, func(t *testing.T) {
			if e := d.callFails(t, "daily_edit", c.in, c.code); c.path != "" && bundletest.ProblemPath(t, e) != c.path {
				t.Errorf("got %+v", e)
			}
			if _, is := d.onlyEntry(t); !cmp.Equal(is, was) {
				t.Error(cmp.Diff(was, is))
			}
		})
	}
}

func TestGetReturnsVersionForEdit(t *testing.T) {
	d := newFixture(t)
	id := bundletest.Must[logAnswer](t, d.bundle, "daily_log", args{"text": "tea"}).IDs[0]
	for want := int64(1); want <= 2; want++ {
		read := bundletest.Must[struct {
			Days []struct{ Entries []struct{ Version int64 } }
		}](t, d.bundle, "daily_get", args{"id": id}).Days[0].Entries[0]
		if read.Version != want {
			t.Errorf("got version %d, want %d", read.Version, want)
		}
		bundletest.Must[struct{}](t, d.bundle, "daily_edit", args{"id": id, "if_version": read.Version, "text": []string{"coffee", "water"}[want-1]})
	}
}
