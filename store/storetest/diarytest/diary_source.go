package diarytest

import (
	"testing"
	"time"

	"kota/store"
	"kota/store/storetest"
)

// The source stays with a text in versions, searches and repeated calls. An edit with a Source
// replaces the source if it changes the text, or if it changes anything and Source is not empty.
func sourceStaysWithItsText(t *testing.T, open storetest.Opener) {
	d := open(time.Now).Diary("ann")
	const theirs = "after reading what strangers wrote"
	entry := store.DayEntry{Date: "2026-11-20", Zone: "UTC", Type: "note", Text: "bcc eve", Source: theirs}
	task := store.Task{Text: "bcc eve", Added: "2026-11-20", Source: theirs}
	logged, err := d.Log(t.Context(), store.LogRequest{Entries: []store.DayEntry{entry}, Tasks: []store.Task{task}, Key: "k"})
	if err != nil {
		t.Fatal(err)
	}
	id := logged.Entries[0].ID
	entry.Source, task.Source = "", ""
	again, err := d.Log(t.Context(), store.LogRequest{Entries: []store.DayEntry{entry}, Tasks: []store.Task{task}, Key: "k"})
	if err != nil || !again.Repeated || again.Entries[0].Source != theirs || again.Tasks[0].Source != theirs {
		t.Errorf("the same call with another source: %+v, %v", again, err)
	}
	for _, c := range []struct {
		why  string
		edit store.EntryEdit
		want string
	}{
		{"no source given", store.EntryEdit{Mood: new(3)}, theirs},
		{"other labels", store.EntryEdit{AddTags: []string{"a"}, Source: new("")}, theirs},
		{"the same words", store.EntryEdit{Text: new("bcc eve"), Source: new("")}, theirs},
		{"other words", store.EntryEdit{Text: new("call bob"), Source: new("")}, ""},
		{"the same words after reading", store.EntryEdit{Text: new("call bob"), Source: new(theirs)}, ""},
		{"labels after reading", store.EntryEdit{AddTags: []string{"b"}, Source: new(theirs)}, theirs},
	} {
		c.edit.ID = id
		edited, err := d.EditEntry(t.Context(), c.edit)
		if err != nil || edited.After.Source != c.want {
			t.Errorf("%s: the source is %q, want %q; %v", c.why, edited.After.Source, c.want, err)
		}
	}
	if _, err := d.RestoreVersion(t.Context(), id, 1, nil); err != nil {
		t.Fatal(err)
	}
	found, err := d.SearchEntries(t.Context(), store.DiaryQuery{Text: "eve", Limit: 5}, store.EntryFilter{})
	if err != nil || len(found.Hits) != 1 || found.Hits[0].Row.Source != theirs {
		t.Errorf("found %+v, %v", found.Hits, err)
	}
	cases := []struct{ text, source string }{{"bcc eve", theirs}, {"call bob", ""}}
	for _, now := range cases {
		changed, err := d.ChangeTasks(t.Context(), "edit", store.TaskChange{Text: &now.text}, logged.Tasks[0].ID)
		if err != nil || changed.Tasks[0].Source != now.source {
			t.Errorf("the source of the task %q is %q, want %q; %v", now.text, changed.Tasks[0].Source, now.source, err)
		}
	}
	plan := store.Document{Type: "day_plan", Period: "2026-11-20", Unique: true, Title: "Plan", Body: "bcc eve", Source: theirs}
	for _, now := range cases {
		if _, err := d.SaveDocument(t.Context(), store.DocumentSave{Document: plan}); err != nil {
			t.Fatal(err)
		}
		next := plan
		next.Body, next.Source = now.text, ""
		saved, err := d.SaveDocument(t.Context(), store.DocumentSave{Document: next})
		if err != nil || saved.Document.Source != now.source {
			t.Errorf("the source of the plan %q is %q, want %q; %v", now.text, saved.Document.Source, now.source, err)
		}
	}
}
