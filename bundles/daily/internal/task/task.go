// Package task lists tasks and changes them. A task is one row until it is done or
// dropped: how late it is and since when it waits is worked out when it is read, and
// a change of several tasks changes all of them or none.
//
// Tasks is where to start.
package task

import (
	"context"

	"kota/bundles/daily/internal/days"
	"kota/bundles/internal/untrusted"
	"kota/store"
)

// A Diary is what the store keeps of tasks.
type Diary interface {
	Tasks(ctx context.Context, day store.TaskDay) (store.TaskList, error)
	AddTasks(ctx context.Context, tasks []store.Task, key string) (store.Logged, error)
	ChangeTasks(ctx context.Context, operation string, c store.TaskChange, ids ...string) (store.ChangedTasks, error)
}

// A Tasks is the tasks of a tenant.
type Tasks struct {
	days.Clock
	Open func(context.Context) (Diary, error)
}

// The operations on tasks.
const (
	OpList   = "list"
	OpAdd    = "add"
	OpDone   = "done"
	OpDefer  = "defer"
	OpDrop   = "drop"
	OpReopen = "reopen"
	OpEdit   = "edit"
)

// A Args is what a call asks of tasks.
type Args struct {
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

type Answer struct {
	Date    string `json:"date"` // the day that carried and overdue are counted for
	Tasks   []Row  `json:"tasks,omitempty"`
	Resting []Row  `json:"resting,omitempty"`
	Done    []Row  `json:"done,omitempty"`
	Dropped []Row  `json:"dropped,omitempty"`
	Counts  Counts `json:"counts"` // of all, listed or not

	Note       string `json:"note,omitempty"`
	NextCursor string `json:"next_cursor,omitempty"`

	UndoID   string `json:"undo_id,omitempty"`  // for daily_edit: brings back what was before this change
	Repeated bool   `json:"repeated,omitempty"` // an earlier call with the key added them
}

// A Row is a task as it stands on a day.
type Row struct {
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

type Counts struct {
	Open    int `json:"open"`
	Overdue int `json:"overdue"`
	Carried int `json:"carried"`
	Resting int `json:"resting"`
	Done    int `json:"done"`
	Dropped int `json:"dropped"`
}
