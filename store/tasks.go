package store

import (
	"errors"
	"fmt"
	"strings"
)

// The states of a task.
const (
	TaskOpen    = "open"
	TaskDone    = "done"
	TaskDropped = "dropped"
)

// A Task is one thing to be done, in one of its states. There is one row of it
// from the day it was made until it is done or dropped.
type Task struct {
	Row
	Text     string `json:"text"`
	State    string `json:"state"`              // TaskOpen, TaskDone or TaskDropped
	Made     string `json:"made"`               // the date it was first on the list
	Due      string `json:"due,omitempty"`      // the last date to do it; "" when there is none
	Deferred string `json:"deferred,omitempty"` // the date until which it rests; "" when it does not
	Ended    string `json:"ended,omitempty"`    // the date it was done or dropped; "" while it is open
	Source   string `json:"source,omitempty"`   // where the words come from; "": they are the user's
}

// taskShelf keeps tasks.
var taskShelf = shelf[Task]{
	table: "tasks", letter: taskLetter,
	columns: "text, state, made, due, deferred, ended, source",
	fields: func(t *Task) []any {
		return []any{&t.Text, &t.State, &t.Made, &t.Due, &t.Deferred, &t.Ended, &t.Source}
	},
	row: func(t *Task) *Row { return &t.Row },
}

// A TaskError says why a change does not fit a task. It answers to errors.Is
// with ErrInvalid.
type TaskError struct{ ID, Why string }

// Error names the task.
func (e *TaskError) Error() string { return e.ID + " " + e.Why }

// Is reports whether target is ErrInvalid.
func (e *TaskError) Is(target error) bool { return target == ErrInvalid }

// clean puts a task that is to be added into the form in which it is kept.
func (t *Task) clean() error {
	t.Text = strings.TrimSpace(strings.ToValidUTF8(t.Text, "\uFFFD"))
	t.State, t.Ended = TaskOpen, ""
	if t.Text == "" {
		return fmt.Errorf("%w: the task says nothing", ErrInvalid)
	}
	err := errors.Join(checkDate(t.Made), sized("task", t.Text, MaxTask))
	for _, date := range []string{t.Due, t.Deferred} {
		if date != "" {
			err = errors.Join(err, checkDate(date))
		}
	}
	return err
}
