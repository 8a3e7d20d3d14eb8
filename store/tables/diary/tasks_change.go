package diary

import (
	"context"
	"errors"
	"fmt"

	"kota/store"
	"kota/store/engine"
)

// AddTasks adds tasks, like Log without entries.
func (d *Store) AddTasks(ctx context.Context, tasks []store.Task, key string) (store.LogResult, error) {
	return d.Log(ctx, store.LogRequest{Tasks: tasks, Key: key})
}

// ChangeTasks makes the same change to several tasks in one transaction. operation is the name of
// the change in History. A task that already has the new state keeps its date, unless DateGiven
// is set. It returns ErrNotFound without any change if one of the tasks does not exist or is
// deleted. It returns a *TaskError for deferring a task that has ended and, if DateGiven is set,
// for an end before the task was added. It returns ErrInvalid without an id, and for a change
// that TaskChange.Check refuses, such as an invalid or missing date. It returns a *SizeError for
// a text over MaxTask bytes.
func (d *Store) ChangeTasks(ctx context.Context, operation string, c store.TaskChange, ids ...string) (store.TaskChangeResult, error) {
	changed, err := d.changeTasks(ctx, operation, c, ids)
	if err != nil {
		return store.TaskChangeResult{}, fmt.Errorf("%s: %w", operation, err)
	}
	return changed, nil
}

func (d *Store) changeTasks(ctx context.Context, operation string, c store.TaskChange, ids []string) (store.TaskChangeResult, error) {
	if len(ids) == 0 {
		return store.TaskChangeResult{}, fmt.Errorf("%w: give the id of a task", store.ErrInvalid)
	}
	if err := c.Check(); err != nil {
		return store.TaskChangeResult{}, err
	}
	changed := store.TaskChangeResult{}
	err := d.db.Write(ctx, func(t engine.Tx) error {
		changed = store.TaskChangeResult{Tasks: []*store.Task{}}
		r := d.newChangeSet(t, operation)
		if err := r.fetch(ids); err != nil {
			return err
		}
		seen := map[int64]bool{}
		for _, id := range ids {
			number := store.DiaryNumber(taskTable.prefix, id)
			if number != 0 && seen[number] {
				continue
			}
			seen[number] = true
			edited, err := editRow(r, taskTable, id, nil, c.Apply)
			if errors.Is(err, store.ErrNotFound) {
				return &store.NotFoundError{Key: id}
			}
			if err != nil {
				return fmt.Errorf("%s: %w", id, err)
			}
			changed.Tasks = append(changed.Tasks, edited.After)
		}
		changed.Undo = r.undoID()
		return nil
	})
	return changed, err
}
