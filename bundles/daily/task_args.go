package daily

import (
	"context"

	"kota/bundles/daily/internal/days"
	"kota/bundles/internal/untrusted"
	"kota/store"
)

// A taskDiary is what the store keeps of tasks.
type taskDiary interface {
	Tasks(ctx context.Context, day store.TaskDay) (store.TaskList, error)
	AddTasks(ctx context.Context, tasks []store.Task, key string) (store.Logged, error)
	ChangeTasks(ctx context.Context, operation string, c store.TaskChange, ids ...string) (store.ChangedTasks, error)
}

// A taskList is the tasks of a tenant.
type taskList struct {
	days.Clock
	Open func(context.Context) (taskDiary, error)
}

// The operations on tasks.
const (
	opList   = "list"
	opAdd    = "add"
	opDone   = "done"
	opDefer  = "defer"
	opDrop   = "drop"
	opReopen = "reopen"
	opEdit   = "edit"
)

// A taskArgs is what a call asks of tasks.
type taskArgs struct {
	Op     string
	IDs    []string
	Text   []string
	Due    string
	Until  string
	Date   string
	Limit  int
	Cursor string
	Key    string
}

type taskAnswer struct {
	Date    string     `json:"date"` // the day that carried and overdue are counted for
	Tasks   []taskRow  `json:"tasks,omitempty"`
	Resting []taskRow  `json:"resting,omitempty"`
	Done    []taskRow  `json:"done,omitempty"`
	Dropped []taskRow  `json:"dropped,omitempty"`
	Counts  taskCounts `json:"counts"` // of all, listed or not

	Note       string `json:"note,omitempty"`
	NextCursor string `json:"next_cursor,omitempty"`

	UndoID   string `json:"undo_id,omitempty"`  // for daily_edit: brings back what was before this change
	Repeated bool   `json:"repeated,omitempty"` // an earlier call with the key added them
}

// A taskRow is a task as it stands on a day.
type taskRow struct {
	ID          string `json:"id"`
	Text        string `json:"text"`
	Cut         bool   `json:"cut,omitempty"`                       // the text goes on: daily_task {ids} has all of it
	State       string `json:"state,omitempty" enum:"done,dropped"` // else it is open
	Due         string `json:"due,omitempty"`
	OverdueDays int    `json:"overdue_days,omitempty"`
	CarriedFrom string `json:"carried_from,omitempty"` // the day since which it waits
	DaysCarried int    `json:"days_carried,omitempty"`
	Until       string `json:"until,omitempty"` // it rests until then
	On          string `json:"on,omitempty"`    // the day it was done or dropped

	Provenance *untrusted.Provenance `json:"provenance,omitempty"` // of what others said, or may have
}

type taskCounts struct {
	Open    int `json:"open"`
	Overdue int `json:"overdue"`
	Carried int `json:"carried"`
	Resting int `json:"resting"`
	Done    int `json:"done"`
	Dropped int `json:"dropped"`
}
