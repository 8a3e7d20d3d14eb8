package task

import (
	"context"
	"testing"
	"time"

	"kota/bundles/daily/internal/days"
	"kota/metadata"
	"kota/store"
)

// A recorder is a diary that records the day it is asked for.
type recorder struct {
	asked  store.TaskQuery
	change store.TaskChange
}

func (r *recorder) Tasks(_ context.Context, day store.TaskQuery) (store.TaskList, error) {
	r.asked = day
	return store.TaskList{OpenCount: 30}, nil
}

func (r *recorder) AddTasks(context.Context, []store.Task, string) (store.LogResult, error) {
	return store.LogResult{}, nil
}

func (r *recorder) ChangeTasks(_ context.Context, _ string, c store.TaskChange, _ ...string) (store.TaskChangeResult, error) {
	r.change = c
	return store.TaskChangeResult{}, nil
}

// Today is Wednesday 18 November 2026.
func tasks(r *recorder) Tasks {
	now := time.Date(2026, 11, 18, 12, 0, 0, 0, time.UTC)
	return Tasks{
		Clock: days.Clock{Now: func() time.Time { return now }, Zone: func() *time.Location { return time.UTC }, DayStarts: func() time.Duration { return 0 }},
		Open:  func(context.Context) (Diary, error) { return r, nil },
	}
}

func TestListIsAsOfLastBegunDayOfPeriod(t *testing.T) {
	for _, c := range []struct {
		in           Args
		on, from, to string // "": the call is refused
	}{
		{Args{}, "2026-11-18", "2026-11-18", "2026-11-18"}, {Args{Date: "this week"}, "2026-11-18", "2026-11-16", "2026-11-22"},
		{Args{Date: "last week"}, "2026-11-15", "2026-11-09", "2026-11-15"}, {Args{Date: "monday"}, "2026-11-16", "2026-11-16", "2026-11-16"},
		{Args{Date: "soon"}, "", "", ""}, {Args{Cursor: "abc"}, "", "", ""}, {Args{Due: "2026-02-30"}, "", "", ""},
	} {
		var r recorder
		_, err := tasks(&r).List(t.Context(), c.in)
		if (metadata.CodeOf(err) == metadata.ValidationError) != (c.on == "") || err == nil && (r.asked.On != c.on || r.asked.From != c.from || r.asked.To != c.to) {
			t.Errorf("%+v: got %+v, %v", c.in, r.asked, err)
		}
	}
}

func TestCursorIsValidForSameListOnly(t *testing.T) {
	var r recorder
	first, err := tasks(&r).List(t.Context(), Args{Limit: 20, Text: []string{"roof"}})
	if err != nil || first.NextCursor == "" {
		t.Fatal(first, err)
	}
	if next, err := tasks(&r).List(t.Context(), Args{Limit: 20, Text: []string{"roof"}, Cursor: first.NextCursor}); err != nil || r.asked.Skip != 20 || next.NextCursor != "" {
		t.Errorf("skips %d, %+v, %v", r.asked.Skip, next, err)
	}
	if _, err := tasks(&r).List(t.Context(), Args{Limit: 20, Text: []string{"door"}, Cursor: first.NextCursor}); metadata.CodeOf(err) != metadata.ValidationError {
		t.Errorf("of another list: got %v", err)
	}
}

func TestDeferRefusesPastDay(t *testing.T) {
	for _, c := range []struct{ until, want string }{{"", "2026-11-19"}, {"friday", "2026-11-20"}, {"next week", "2026-11-23"}, {"today", ""}, {"yesterday", "refused"}, {"soon", "refused"}} {
		var r recorder
		_, err := tasks(&r).Change(t.Context(), Args{Op: OpDefer, IDs: []string{"t1"}, Until: c.until})
		switch {
		case c.want == "refused":
			if metadata.CodeOf(err) != metadata.ValidationError {
				t.Errorf("%q: got %v", c.until, err)
			}
		case err != nil || r.change.Deferred == nil || *r.change.Deferred != c.want:
			t.Errorf("%q: got %+v, %v", c.until, r.change.Deferred, err)
		}
	}
	var r recorder
	if _, err := tasks(&r).Change(t.Context(), Args{Op: OpDone, IDs: []string{"t1"}, Date: "tomorrow"}); metadata.CodeOf(err) != metadata.ValidationError {
		t.Errorf("done tomorrow: got %v", err)
	}
}
