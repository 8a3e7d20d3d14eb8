package store

import (
	"context"
	"fmt"
	"slices"
	"strings"
)

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

// ChangedTasks says what a change of tasks did.
type ChangedTasks struct {
	Tasks []*Task // as they are now, in the order of the ids
	Undo  string  // for Restore; "" when everything was so already, and there is no new version
}

// AddTasks adds tasks, as Log does without an entry.
func (d *Diary) AddTasks(ctx context.Context, tasks []Task, key string) (Logged, error) {
	return d.Log(ctx, Logging{Tasks: tasks, Key: key})
}

// ChangeTasks makes one change to some tasks in one transaction, under the name
// that History tells. Those that are done or dropped already keep their date. It
// returns ErrNotFound, with nothing changed, when there is none with one of the
// ids; a *TaskError for one that is to be deferred when it has ended, or is told
// to have ended before it was made; ErrInvalid without an id and for a change
// that no task can have: a date that there is not, or none for what is done or
// dropped; and a *SizeError for a text of more than MaxTask bytes.
func (d *Diary) ChangeTasks(ctx context.Context, operation string, c TaskChange, ids ...string) (ChangedTasks, error) {
	changed, err := d.changeTasks(ctx, operation, c, ids)
	if err != nil {
		return ChangedTasks{}, fmt.Errorf("%s: %w", operation, err)
	}
	return changed, nil
}

func (d *Diary) changeTasks(ctx context.Context, operation string, c TaskChange, ids []string) (ChangedTasks, error) {
	if len(ids) == 0 {
		return ChangedTasks{}, fmt.Errorf("%w: no id says which task", ErrInvalid)
	}
	if err := c.check(); err != nil {
		return ChangedTasks{}, err
	}
	changed := ChangedTasks{}
	err := d.db.write(ctx, func(t *tx) error {
		changed = ChangedTasks{Tasks: []*Task{}}
		r := d.revising(t, operation)
		for i, id := range ids {
			if slices.Contains(ids[:i], id) {
				continue
			}
			edited, err := editRow(r, taskShelf, id, nil, c.apply)
			if err != nil {
				return fmt.Errorf("%s: %w", id, err)
			}
			changed.Tasks = append(changed.Tasks, edited.Now)
		}
		changed.Undo = r.undo()
		return nil
	})
	return changed, err
}

// check refuses what fits no task.
func (c TaskChange) check() error {
	if c.State != nil && !slices.Contains([]string{TaskOpen, TaskDone, TaskDropped}, *c.State) {
		return fmt.Errorf("%w: a task is not %q", ErrInvalid, *c.State)
	}
	if c.State != nil && *c.State != TaskOpen {
		if err := checkDate(c.On); err != nil {
			return err
		}
	}
	for _, date := range []*string{c.Due, c.Deferred} {
		if date == nil || *date == "" {
			continue
		}
		if err := checkDate(*date); err != nil {
			return err
		}
	}
	if c.Text == nil {
		return nil
	}
	if strings.TrimSpace(*c.Text) == "" {
		return fmt.Errorf("%w: the task says nothing", ErrInvalid)
	}
	return sized("task", *c.Text, MaxTask)
}

// apply makes a task what it is after the change.
func (c TaskChange) apply(next *Task) error {
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
