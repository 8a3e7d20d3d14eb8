package store

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// The states of a task.
const (
	TaskOpen    = "open"
	TaskDone    = "done"
	TaskDropped = "dropped"
)

// A Task is one version of a task. A task stays the same row, however often it is carried to
// the next day.
type Task struct {
	Row
	Text     string `json:"text"`
	State    string `json:"state"`              // TaskOpen, TaskDone or TaskDropped
	Added    string `json:"made"`               // the date it was first on the list
	Due      string `json:"due,omitempty"`      // the last date to do it; "" for none
	Deferred string `json:"deferred,omitempty"` // the date until which it is hidden; "" for none
	Ended    string `json:"ended,omitempty"`    // the date it was done or dropped; "" while open
	Source   string `json:"source,omitempty"`   // where the text comes from; "" for the user's own words
}

// A TaskError says why a change does not fit a task. It matches ErrInvalid with errors.Is.
type TaskError struct{ ID, Reason string }

// Error names the task.
func (e *TaskError) Error() string { return e.ID + " " + e.Reason }

// Is reports whether target is ErrInvalid.
func (e *TaskError) Is(target error) bool { return target == ErrInvalid }

// Clean normalizes a new task for storage. It returns ErrInvalid or ErrTooLarge if it cannot be
// stored.
func (t *Task) Clean() error {
	t.Text = strings.TrimSpace(strings.ToValidUTF8(t.Text, "\uFFFD"))
	t.State, t.Ended = TaskOpen, ""
	if t.Text == "" {
		return fmt.Errorf("%w: the task is empty", ErrInvalid)
	}
	err := errors.Join(CheckDate(t.Added), CheckSize("task", t.Text, MaxTask))
	for _, date := range []string{t.Due, t.Deferred} {
		if date != "" {
			err = errors.Join(err, CheckDate(date))
		}
	}
	return err
}

// A TaskChange changes parts of tasks. A nil field changes nothing.
type TaskChange struct {
	State     *string // TaskOpen, TaskDone or TaskDropped
	On        string  // the date the task was done or dropped; required if State is TaskDone or TaskDropped
	DateGiven bool    // the user gave On: it also replaces the date of a task that already has State, and may not be before Added
	Text      *string
	Source    string  // where Text comes from
	Due       *string // "": none
	Deferred  *string // hidden until that date; "": not hidden
}

// Check returns ErrInvalid or ErrTooLarge for a change that is invalid for every task.
func (c TaskChange) Check() error {
	if c.State != nil && !slices.Contains([]string{TaskOpen, TaskDone, TaskDropped}, *c.State) {
		return fmt.Errorf("%w: %q is not a state of a task", ErrInvalid, *c.State)
	}
	if c.State != nil && *c.State != TaskOpen {
		if err := CheckDate(c.On); err != nil {
			return err
		}
	}
	for _, date := range []*string{c.Due, c.Deferred} {
		if date == nil || *date == "" {
			continue
		}
		if err := CheckDate(*date); err != nil {
			return err
		}
	}
	if c.Text == nil {
		return nil
	}
	if strings.TrimSpace(*c.Text) == "" {
		return fmt.Errorf("%w: the task is empty", ErrInvalid)
	}
	return CheckSize("task", *c.Text, MaxTask)
}

// Apply applies the change to next. It returns a *TaskError if the change does not fit.
func (c TaskChange) Apply(next *Task) error {
	if c.State != nil && (*c.State != next.State || c.DateGiven) {
		next.State, next.Ended = *c.State, c.On
	}
	if next.State == TaskOpen {
		next.Ended = ""
	}
	switch {
	case next.Ended != "" && c.Deferred != nil:
		return &TaskError{next.ID, "has been " + next.State + " since " + next.Ended + ": only an open task can be deferred"}
	case c.DateGiven && next.Ended != "" && next.Ended < next.Added:
		return &TaskError{next.ID, "was added on " + next.Added + ", so it cannot be " + next.State + " on " + next.Ended}
	}
	if text := strings.TrimSpace(strings.ToValidUTF8(valueOr(c.Text, next.Text), "\uFFFD")); text != next.Text {
		next.Text, next.Source = text, c.Source
	}
	next.Due, next.Deferred = valueOr(c.Due, next.Due), valueOr(c.Deferred, next.Deferred)
	return nil
}

// TaskChangeResult says what a change of tasks did.
type TaskChangeResult struct {
	Tasks []*Task // as they are now, in the order of the given ids
	Undo  string  // for Restore; "" if nothing changed: then there is no new version
}
