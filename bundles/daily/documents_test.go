package daily_test

import (
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"kota/bundles/bundletest"
	"kota/bundles/daily"
	"kota/bundles/staged"
	"kota/metadata"
	"kota/store"
	"kota/store/tables/diary"
)

// writeDocument calls one of the actions that write documents.
func (d *fixture) writeDocument(t *testing.T, tool string, a args) staged.Answer {
	t.Helper()
	return bundletest.Must[staged.Answer](t, d.bundle, tool, a)
}

// withDeps returns the fixture with other dependencies.
func (d *fixture) withDeps(change func(*daily.Deps)) *fixture {
	change(&d.deps)
	d.bundle = daily.New(d.deps)
	return d
}

func (d *fixture) diary(t *testing.T) *diary.Store {
	t.Helper()
	db, err := d.db(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return diary.New(db, "local")
}

// addEntry logs an entry at noon of a day and returns its id.
func (d *fixture) addEntry(t *testing.T, date string, e store.DayEntry) string {
	t.Helper()
	day, err := time.ParseInLocation(time.DateOnly, date, d.zone)
	if err != nil {
		t.Fatal(err)
	}
	e.Date, e.Moment, e.Zone = date, day.Add(12*time.Hour), d.zone.String()
	if e.Type == "" {
		e.Type = "note"
	}
	logged, err := d.diary(t).Log(t.Context(), store.LogRequest{Entries: []store.DayEntry{e}})
	if err != nil {
		t.Fatal(err)
	}
	return logged.Entries[0].ID
}

func TestPeriodHasOnePlan(t *testing.T) {
	d := newFixture(t)
	plan := func(focus string) staged.Answer {
		return d.writeDocument(t, "daily_plan", args{"type": "day_plan", "answers": args{"focus": focus}})
	}
	first, second := plan("Rest"), plan("Work")
	kept, err := d.diary(t).Document(t.Context(), first.ID)
	if err != nil || first.ID != second.ID || kept.Version != 2 || !strings.Contains(kept.Body, "Work") {
		t.Errorf("got %s and %s: %+v, %v", first.ID, second.ID, kept, err)
	}
	undo := second.Next.Actions[len(second.Next.Actions)-1]
	bundletest.Must[struct{}](t, d.bundle, undo.Tool, undo.Args)
	if kept, err := d.diary(t).Document(t.Context(), first.ID); err != nil || !strings.Contains(kept.Body, "Rest") {
		t.Errorf("undone: %+v, %v", kept, err)
	}
}

func TestDocumentTitleIsOneLine(t *testing.T) {
	d := newFixture(t)
	got := d.writeDocument(t, "daily_plan", args{"type": "meeting_notes", "title": "Roof\n# Costs \u202e", "answers": args{"people": "Anna"}})
	if got.Title != "Roof # Costs" {
		t.Errorf("got the title %q", got.Title)
	}
}

func TestDayHasSeveralNotes(t *testing.T) {
	d := newFixture(t)
	note := func() staged.Answer {
		return d.writeDocument(t, "daily_plan", args{"type": "meeting_notes", "about": "The roof", "answers": args{"people": "Anna"}})
	}
	first, again := note(), note()
	if first.ID != again.ID || first.Repeated || !again.Repeated || first.Title != "The roof" || first.Period != "2026-11-21" {
		t.Errorf("the same words at once: got %+v and %+v", first, again)
	}
	d.now = d.now.Add(10 * time.Minute)
	if later := note(); later.ID == first.ID || later.Repeated {
		t.Errorf("later: got %+v", later)
	}
}

func TestNewPlanKeepsUnansweredFields(t *testing.T) {
	d := newFixture(t)
	first := d.writeDocument(t, "daily_plan", args{"period": "today", "answers": args{"focus": "one", "must": []string{"m1"}, "notes": "precious"}})
	begun := d.writeDocument(t, "daily_plan", args{"type": "day_plan"})
	if r := begun.Replaces; r == nil || r.ID != first.ID || r.Version != 1 || !slices.Equal(r.KeptFields, []string{"focus", "must", "notes"}) {
		t.Errorf("the instructions say it replaces %+v", r)
	}
	for _, want := range []string{"\none", "- m1", "precious", "<schedule>"} {
		if !strings.Contains(begun.Starter, want) {
			t.Errorf("the starter lacks %q:\n%s", want, begun.Starter)
		}
	}
	second := d.writeDocument(t, "daily_plan", args{"period": "today", "answers": args{"focus": "two", "notes": ""}})
	if r := second.Replaces; second.Repeated || r == nil || r.ID != first.ID || r.Version != 1 || !slices.Equal(r.KeptFields, []string{"must"}) {
		t.Errorf("made at once: got %+v", second)
	}
	third := d.writeDocument(t, "daily_plan", args{"handle": begun.Handle, "answers": args{"schedule": "09:00 report"}})
	kept, err := d.diary(t).Document(t.Context(), first.ID)
	if err != nil || third.ID != first.ID || third.Replaces.Version != 2 || string(kept.Fields) != `{"focus":"two","must":["m1"],"notes":"","schedule":["09:00 report"]}` {
		t.Errorf("by a handle from before: got %+v, kept %s, %v", third, kept.Fields, err)
	}
	if again := d.writeDocument(t, "daily_plan", args{"period": "today", "answers": args{"focus": "two"}}); !again.Repeated || again.Replaces != nil {
		t.Errorf("as it is: got %+v", again)
	}
	read := bundletest.Must[struct {
		Document struct{ Version int64 }
		Versions []struct {
			Version int64
			Text    string
			UndoID  string `json:"undo_id"`
		}
	}](t, d.bundle, "daily_get", args{"id": first.ID})
	if read.Document.Version != 3 || len(read.Versions) != 2 || read.Versions[1].Version != 1 || !strings.Contains(read.Versions[1].Text, "precious") || read.Versions[0].UndoID == "" {
		t.Errorf("read back: %+v", read)
	}
	bundletest.Must[struct{}](t, d.bundle, "daily_edit", args{"id": first.ID, "version": 1})
	if kept, err := d.diary(t).Document(t.Context(), first.ID); err != nil || !strings.Contains(kept.Body, "precious") {
		t.Errorf("brought back: %+v, %v", kept, err)
	}
}

// Clients that plan the same day at the same time lose nothing of each other's plans.
func TestConcurrentPlansOfADayAreMerged(t *testing.T) {
	d := newFixture(t)
	var all sync.WaitGroup
	for _, field := range []string{"must", "schedule", "notes"} {
		all.Go(func() {
			if _, err := bundletest.Call(t, d.bundle, "daily_plan", args{"period": "today", "answers": args{"focus": "Rest", field: field}}); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	found, err := d.diary(t).Documents(t.Context(), store.DocumentFilter{}, 9)
	if err != nil || len(found) != 1 || string(found[0].Fields) != `{"focus":"Rest","must":["must"],"notes":"notes","schedule":["schedule"]}` {
		t.Errorf("got %+v, %v", found, err)
	}
}

func TestUndoRestoresDocument(t *testing.T) {
	d := newFixture(t)
	made := d.writeDocument(t, "daily_plan", args{"type": "meeting_notes", "answers": args{"people": "oops"}})
	back := made.Next.Actions[len(made.Next.Actions)-1]
	d.callFails(t, "daily_edit", args{"id": made.ID, "text": "other"}, metadata.ValidationError)
	d.callFails(t, "daily_edit", args{"id": made.ID, "delete": true, "if_version": 2}, metadata.Conflict)
	gone := bundletest.Must[struct {
		Status string
		UndoID string `json:"undo_id"`
	}](t, d.bundle, back.Tool, back.Args)
	if _, err := d.diary(t).Document(t.Context(), made.ID); gone.Status != "deleted" || !errors.Is(err, store.ErrNotFound) {
		t.Errorf("got %+v, and it is there: %v", gone, err)
	}
	d.callFails(t, "daily_edit", args{"id": made.ID, "delete": true}, metadata.NotFound)
	if read := bundletest.Must[struct{ Versions []any }](t, d.bundle, "daily_get", args{"id": made.ID}); len(read.Versions) != 1 {
		t.Errorf("of one that is deleted: got %+v", read)
	}
	bundletest.Must[struct{}](t, d.bundle, "daily_edit", args{"undo_id": gone.UndoID})
	if _, err := d.diary(t).Document(t.Context(), made.ID); err != nil {
		t.Errorf("brought back: %v", err)
	}
}
