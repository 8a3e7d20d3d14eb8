package diarytest

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"kota/store"
	"kota/store/storetest"
)

var tasksContract = storetest.Contract{
	"tasks are changed all or none":                       tasksAreChangedAllOrNone,
	"each change of tasks can be undone":                  taskChangesCanBeUndone,
	"an open task is carried over and never copied":       openTaskIsCarriedOver,
	"a deferred task returns":                             deferredTaskReturns,
	"a done task was open before":                         doneTaskWasOpenBefore,
	"overdue tasks come first":                            overdueTasksComeFirst,
	"an ended task refuses an earlier end and a deferral": endedTaskRefusesEarlierEndAndDeferral,
	"a repeated id changes a task once":                   repeatedIDsChangeATaskOnce,
	"a list of tasks refuses invalid dates":               taskListRefusesInvalidDates,
}

func addTasks(t testing.TB, d storetest.Diary, tasks ...store.Task) []*store.Task {
	t.Helper()
	logged, err := d.AddTasks(t.Context(), tasks, "")
	if err != nil {
		t.Fatal(err)
	}
	return logged.Tasks
}

// endTasks marks tasks as done or dropped on a date.
func endTasks(t testing.TB, d storetest.Diary, state, on string, ids ...string) (store.TaskChangeResult, error) {
	t.Helper()
	return d.ChangeTasks(t.Context(), map[string]string{store.TaskDone: "done", store.TaskDropped: "drop"}[state], store.TaskChange{State: &state, On: on}, ids...)
}

// deferTasks defers tasks until a date.
func deferTasks(t testing.TB, d storetest.Diary, until string, ids ...string) (store.TaskChangeResult, error) {
	t.Helper()
	return d.ChangeTasks(t.Context(), "defer", store.TaskChange{Deferred: &until}, ids...)
}

// taskLine returns the tasks of a query on one line. "from 11-20=1" is the date since which a
// task is carried over, and the number of days.
func taskLine(t testing.TB, d storetest.Diary, query store.TaskQuery) string {
	t.Helper()
	if query.Limit == 0 {
		query.Limit = 99
	}
	list, err := d.Tasks(t.Context(), query)
	if err != nil {
		t.Fatal(err)
	}
	texts := []string{}
	for _, open := range list.Open {
		text := open.Text
		if open.CarriedFrom != "" {
			text += fmt.Sprintf(" from %s=%d", open.CarriedFrom[5:], open.DaysCarried)
		}
		if open.Overdue > 0 {
			text += fmt.Sprintf(" late %d", open.Overdue)
		}
		texts = append(texts, text)
	}
	for what, tasks := range map[string][]store.ListedTask{" | resting": list.Deferred, " | done": list.Done, " | dropped": list.Dropped} {
		for _, task := range tasks {
			texts = append(texts, what+" "+task.Text)
		}
	}
	if list.OpenCount != len(list.Open) && query.Limit == 99 {
		t.Errorf("%d of %d open", len(list.Open), list.OpenCount)
	}
	return strings.Join(texts, ", ")
}

// An open task stays the same row when days end.
func openTaskIsCarriedOver(t *testing.T, open storetest.Opener) {
	d := open(time.Now).Diary("ann")
	task := addTasks(t, d, store.Task{Text: "call", Added: "2026-11-20", Due: "2026-11-22"})[0]
	for on, want := range map[string]string{
		"2026-11-19": "",
		"2026-11-20": "call",
		"2026-11-21": "call from 11-20=1",
		"2026-11-22": "call from 11-20=2",
		"2026-11-23": "call from 11-20=3 late 1",
		"2027-02-28": "call from 11-20=100 late 98",
	} {
		if got := taskLine(t, d, store.TaskQuery{On: on}); got != want {
			t.Errorf("on %s: %q, want %q", on, got, want)
		}
	}
	if history, err := d.History(t.Context(), task.ID, 9); err != nil || len(history) != 0 {
		t.Errorf("listing changed it: %+v, %v", history, err)
	}
}

func deferredTaskReturns(t *testing.T, open storetest.Opener) {
	d := open(time.Now).Diary("ann")
	task := addTasks(t, d, store.Task{Text: "call", Added: "2026-11-20"})[0]
	changed, err := deferTasks(t, d, "2026-11-23", task.ID)
	if err != nil || changed.Tasks[0].Deferred != "2026-11-23" {
		t.Fatalf("%+v, %v", changed, err)
	}
	for on, want := range map[string]string{"2026-11-22": " | resting call", "2026-11-23": "call", "2026-11-24": "call from 11-23=1"} {
		if got := taskLine(t, d, store.TaskQuery{On: on}); got != want {
			t.Errorf("on %s: %q, want %q", on, got, want)
		}
	}
}

func doneTaskWasOpenBefore(t *testing.T, open storetest.Opener) {
	d := open(time.Now).Diary("ann")
	task := addTasks(t, d, store.Task{Text: "call", Added: "2026-11-20"})[0]
	done, err := endTasks(t, d, store.TaskDone, "2026-11-22", task.ID)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		day  store.TaskQuery
		want string
	}{
		{store.TaskQuery{On: "2026-11-21"}, "call from 11-20=1"},
		{store.TaskQuery{On: "2026-11-22"}, " | done call"},
		{store.TaskQuery{On: "2026-11-23"}, ""},
		{store.TaskQuery{On: "2026-11-23", From: "2026-11-16"}, " | done call"},
		{store.TaskQuery{On: "2026-11-21", From: "2026-11-16", To: "2026-11-22"}, "call from 11-20=1,  | done call"},
	} {
		if got := taskLine(t, d, c.day); got != c.want {
			t.Errorf("%+v: %q, want %q", c.day, got, c.want)
		}
	}
	again, err := endTasks(t, d, store.TaskDone, "2026-11-25", task.ID)
	if err != nil || again.Undo != "" || again.Tasks[0].Ended != "2026-11-22" {
		t.Errorf("done again: %+v, %v", again, err)
	}
	if _, err := d.Restore(t.Context(), done.Undo); err != nil {
		t.Fatal(err)
	}
	if got := taskLine(t, d, store.TaskQuery{On: "2026-11-23"}); got != "call from 11-20=3" {
		t.Errorf("undone: %q", got)
	}
}

func taskChangesCanBeUndone(t *testing.T, open storetest.Opener) {
	d := open(time.Now).Diary("ann")
	added := addTasks(t, d, store.Task{Text: "a", Added: "2026-11-20"}, store.Task{Text: "b", Added: "2026-11-20"})
	ids := []string{added[0].ID, added[1].ID}
	acts := map[string]func() (store.TaskChangeResult, error){
		"done":  func() (store.TaskChangeResult, error) { return endTasks(t, d, store.TaskDone, "2026-11-20", ids...) },
		"drop":  func() (store.TaskChangeResult, error) { return endTasks(t, d, store.TaskDropped, "2026-11-20", ids...) },
		"defer": func() (store.TaskChangeResult, error) { return deferTasks(t, d, "2026-12-01", ids...) },
		"edit": func() (store.TaskChangeResult, error) {
			return d.ChangeTasks(t.Context(), "edit", store.TaskChange{Text: new("c"), Due: new("2026-11-30")}, ids...)
		},
		"delete": func() (store.TaskChangeResult, error) {
			removed, err := d.Delete(t.Context(), ids...)
			return store.TaskChangeResult{Undo: removed.Undo}, err
		},
	}
	for name, act := range acts {
		changed, err := act()
		if err != nil || changed.Undo == "" {
			t.Fatalf("%s: %+v, %v", name, changed, err)
		}
		if got := taskLine(t, d, store.TaskQuery{On: "2026-11-20"}); got == "a, b" {
			t.Errorf("%s changed nothing", name)
		}
		if history, err := d.History(t.Context(), ids[0], 1); err != nil || history[0].Operation != name || history[0].Undo != changed.Undo {
			t.Errorf("%s: history %+v, %v", name, history, err)
		}
		if restored, err := d.Restore(t.Context(), changed.Undo); err != nil || len(restored.IDs) != 2 {
			t.Fatalf("undo %s: %+v, %v", name, restored, err)
		}
		if got := taskLine(t, d, store.TaskQuery{On: "2026-11-20"}); got != "a, b" {
			t.Errorf("after undoing %s: %q", name, got)
		}
	}
	if _, err := endTasks(t, d, store.TaskDropped, "2026-11-20", ids...); err != nil {
		t.Fatal(err)
	}
	if reopened, err := d.ChangeTasks(t.Context(), "reopen", store.TaskChange{State: new(store.TaskOpen)}, ids...); err != nil || reopened.Tasks[1].Ended != "" || taskLine(t, d, store.TaskQuery{On: "2026-11-20"}) != "a, b" {
		t.Errorf("reopened: %+v, %v", reopened, err)
	}
}

func tasksAreChangedAllOrNone(t *testing.T, open storetest.Opener) {
	d := open(time.Now).Diary("ann")
	task := addTasks(t, d, store.Task{Text: "a", Added: "2026-11-20"})[0]
	if _, err := endTasks(t, d, store.TaskDone, "2026-11-20", task.ID, "t000000"); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("one of them unknown: %v", err)
	}
	for name, c := range map[string]store.TaskChange{
		"an unknown state": {State: new("half")}, "done without a date": {State: new(store.TaskDone)}, "a due date that does not exist": {Due: new("2026-02-30")},
		"deferred to never": {Deferred: new("never")}, "no text": {Text: new(" ")}, "a large text": {Text: new(strings.Repeat("x", store.MaxTask+1))},
	} {
		if _, err := d.ChangeTasks(t.Context(), "edit", c, task.ID); !errors.Is(err, store.ErrInvalid) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if got := taskLine(t, d, store.TaskQuery{On: "2026-11-20"}); got != "a" {
		t.Errorf("the tasks are %q", got)
	}
}

func overdueTasksComeFirst(t *testing.T, open storetest.Opener) {
	d := open(time.Now).Diary("ann")
	addTasks(t, d,
		store.Task{Text: "old", Added: "2026-11-01"}, store.Task{Text: "new", Added: "2026-11-20"}, store.Task{Text: "due", Added: "2026-11-20", Due: "2026-11-25"},
		store.Task{Text: "late", Added: "2026-11-10", Due: "2026-11-19"}, store.Task{Text: "later", Added: "2026-11-10", Due: "2026-11-12"})
	if got := taskLine(t, d, store.TaskQuery{On: "2026-11-20"}); got != "later from 11-10=10 late 8, late from 11-10=10 late 1, due, old from 11-01=19, new" {
		t.Errorf("got %q", got)
	}
	list, err := d.Tasks(t.Context(), store.TaskQuery{On: "2026-11-20", Limit: 1})
	if err != nil || len(list.Open) != 1 || list.OpenCount != 5 || list.OverdueCount != 2 || list.CarriedCount != 3 || list.Done == nil {
		t.Errorf("got %+v, %v", list, err)
	}
}

func repeatedIDsChangeATaskOnce(t *testing.T, open storetest.Opener) {
	d := open(time.Now).Diary("ann")
	id := addTasks(t, d, store.Task{Text: "call", Added: "2026-11-20"})[0].ID
	other := addTasks(t, d, store.Task{Text: "write", Added: "2026-11-20"})[0].ID
	if _, err := d.Delete(t.Context(), id, other, strings.ToUpper(id)); !errors.Is(err, store.ErrNotFound) { // the second time, it is deleted
		t.Errorf("deleted twice: %v", err)
	}
	if changed, err := endTasks(t, d, store.TaskDone, "2026-11-21", id, strings.ToUpper(id), " "+id); err != nil || len(changed.Tasks) != 1 || changed.Tasks[0].Version != 2 {
		t.Errorf("got %+v, %v", changed, err)
	}
}

func endedTaskRefusesEarlierEndAndDeferral(t *testing.T, open storetest.Opener) {
	d := open(time.Now).Diary("ann")
	task := addTasks(t, d, store.Task{Text: "call", Added: "2026-11-20"})[0]
	done := store.TaskDone
	if _, err := d.ChangeTasks(t.Context(), "done", store.TaskChange{State: &done, On: "2026-11-19", DateGiven: true}, task.ID); !errors.Is(err, store.ErrInvalid) || !strings.Contains(err.Error(), "2026-11-20") {
		t.Errorf("done before it was made: %v", err)
	}
	if _, err := endTasks(t, d, store.TaskDone, "2026-11-21", task.ID); err != nil {
		t.Fatal(err)
	}
	if _, err := deferTasks(t, d, "2026-12-01", task.ID); !errors.Is(err, store.ErrInvalid) || !strings.Contains(err.Error(), "done since 2026-11-21") {
		t.Errorf("deferred after it was done: %v", err)
	}
	moved, err := d.ChangeTasks(t.Context(), "done", store.TaskChange{State: &done, On: "2026-11-22", DateGiven: true}, task.ID)
	if err != nil || moved.Tasks[0].Ended != "2026-11-22" || moved.Undo == "" {
		t.Errorf("done on another day: %+v, %v", moved, err)
	}
}

func taskListRefusesInvalidDates(t *testing.T, open storetest.Opener) {
	d := open(time.Now).Diary("ann")
	for name, change := range map[string]func(*store.TaskQuery, string){
		"On":      func(q *store.TaskQuery, date string) { q.On = date },
		"From":    func(q *store.TaskQuery, date string) { q.From = date },
		"To":      func(q *store.TaskQuery, date string) { q.To = date },
		"DueFrom": func(q *store.TaskQuery, date string) { q.DueFrom = date },
		"DueTo":   func(q *store.TaskQuery, date string) { q.DueTo = date },
	} {
		query := store.TaskQuery{On: "2026-11-20", Limit: 9}
		change(&query, "2026-02-28")
		if _, err := d.Tasks(t.Context(), query); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		change(&query, "2026-02-30")
		if _, err := d.Tasks(t.Context(), query); !errors.Is(err, store.ErrInvalid) {
			t.Errorf("%s is a date that does not exist: %v", name, err)
		}
	}
}
