// Package task lists and changes tasks. A task is one row until it is done or dropped.
// Overdue and carried days are computed when a task is read. A change of several tasks changes
// all of them or none.
//
// Start at Tasks.
package task

import (
	"context"

	"kota/bundles/daily/internal/days"
	"kota/bundles/internal/untrusted"
	"kota/store"
)

// A Diary is the part of the store that holds tasks.
type Diary interface {
	Tasks(ctx context.Context, day store.TaskQuery) (store.TaskList, error)
	AddTasks(ctx context.Context, tasks []store.Task, key string) (store.LogResult, error)
	ChangeTasks(ctx context.Context, operation string, c store.TaskChange, ids ...string) (store.TaskChangeResult, error)
}

// Tasks reads and changes the tasks of a tenant.
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

// Args are the arguments of a call.
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
	Date    string `json:"date"` // the day for which overdue and carried are computed
	Tasks   []Row  `json:"tasks,omitempty"`
	Resting []Row  `json:"resting,omitempty"`
	Done    []Row  `json:"done,omitempty"`
	Dropped []Row  `json:"dropped,omitempty"`
	Counts  Counts `json:"counts"` // of all tasks that match the call, listed or not

	Note       string `json:"note,omitempty"`
	NextCursor string `json:"next_cursor,omitempty"`

	UndoID   string `json:"undo_id,omitempty"`  // for daily_edit: undoes this change
	Repeated bool   `json:"repeated,omitempty"` // an earlier call with the same key added the tasks
}

// A Row is a task on a given day.
type Row struct {
	ID          string `json:"id"`
	Text        string `json:"text"`
	Cut         bool   `json:"cut,omitempty"`                       // the text is longer: daily_task {ids} returns it in full
	State       string `json:"state,omitempty" enum:"done,dropped"` // absent if open
	Due         string `json:"due,omitempty"`
	OverdueDays int    `json:"overdue_days,omitempty"`
	CarriedFrom string `json:"carried_from,omitempty"` // the day since which it is open
	DaysCarried int    `json:"days_carried,omitempty"`
	Until       string `json:"until,omitempty"` // deferred until this day
	On          string `json:"on,omitempty"`    // the day on which it was done or dropped

	Provenance *untrusted.Provenance `json:"provenance,omitempty"` // if others wrote the text, or may have
}

type Counts struct {
	Open    int `json:"open"`
	Overdue int `json:"overdue"`
	Carried int `json:"carried"`
	Resting int `json:"resting"`
	Done    int `json:"done"`
	Dropped int `json:"dropped"`
}
