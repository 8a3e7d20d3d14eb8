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

// A TaskError says why a change does not fit a task. It answers to errors.Is
// with ErrInvalid.
type TaskError struct{ ID, Why string }

// Error names the task.
func (e *TaskError) Error() string { return e.ID + " " + e.Why }

// Is reports whether target is ErrInvalid.
func (e *TaskError) Is(target error) bool { return target == ErrInvalid }

// Clean puts a task that is to be added into the form in which it is kept.
func (t *Task) Clean() error {
	t.Text = strings.TrimSpace(strings.ToValidUTF8(t.Text, "\uFFFD"))
	t.State, t.Ended = TaskOpen, ""
	if t.Text == "" {
		return fmt.Errorf("%w: the task says nothing", ErrInvalid)
	}
	err := errors.Join(CheckDate(t.Made), CheckSize("task", t.Text, MaxTask))
	for _, date := range []string{t.Due, t.Deferred} {
		if date != "" {
			err = errors.Join(err, CheckDate(date))
		}
	}
	return err
}

// A TaskChange changes parts of tasks. What is nil stays as it is.
type TaskChange struct {
	State    *string // TaskOpen, TaskDone or TaskDropped
	On       string  // the date it is done or dropped; needed for these
	Told     bool    // somebody said On, which is not just today: a task that has ended already takes it too, and it is not before the task was made
	Text     *string
	Source   string  // of Text
	Due      *string // "": none
	Deferred *string // rests until that date; "": it does not
}

// Check refuses what fits no task.
func (c TaskChange) Check() error {
	if c.State != nil && !slices.Contains([]string{TaskOpen, TaskDone, TaskDropped}, *c.State) {
		return fmt.Errorf("%w: a task is not %q", ErrInvalid, *c.State)
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
		return fmt.Errorf("%w: the task says nothing", ErrInvalid)
	}
	return CheckSize("task", *c.Text, MaxTask)
}

// Apply makes a task what it is after the change.
func (c TaskChange) Apply(next *Task) error {
	if c.State != nil && (*c.State != next.State || c.Told) {
		next.State, next.Ended = *c.State, c.On
	}
	if next.State == TaskOpen {
		next.Ended = ""
	}
	switch {
	case next.Ended != "" && c.Deferred != nil:
		return &TaskError{next.ID, "is " + next.State + " since " + next.Ended + ": what rests has to be open"}
	case c.Told && next.Ended != "" && next.Ended < next.Made:
		return &TaskError{next.ID, "is on the list since " + next.Made + " only, and was not " + next.State + " on " + next.Ended}
	}
	if text := strings.TrimSpace(strings.ToValidUTF8(or(c.Text, next.Text), "\uFFFD")); text != next.Text {
		next.Text, next.Source = text, c.Source
	}
	next.Due, next.Deferred = or(c.Due, next.Due), or(c.Deferred, next.Deferred)
	return nil
}

// ChangedTasks says what a change of tasks did.
type ChangedTasks struct {
	Tasks []*Task // as they are now, in the order of the ids
	Undo  string  // for Restore; "" when everything was so already, and there is no new version
}
