package diary

import (
	"context"
	"fmt"
	"time"

	"kota/store"
	"kota/store/engine"
)

// Log adds entries and tasks in one transaction. A call with a key that was used before adds
// nothing, even if both calls run at the same time. Log then returns the rows that the first call
// created, as they are now. After Erase of one of these rows, the key counts as new. Log returns
// a *KeyError if the first call had another request. It compares the entries without their dates,
// times and sources, and only the texts of the tasks. It returns ErrInvalid for anything that
// cannot be stored: no entry and no task, more than the limits allow, an invalid date, an empty
// entry. It returns a *SizeError for an entry over MaxText bytes, a task over MaxTask bytes or a
// key over MaxKey bytes.
func (d *Store) Log(ctx context.Context, l store.LogRequest) (store.LogResult, error) {
	logged, err := d.log(ctx, l)
	if err != nil {
		return store.LogResult{}, fmt.Errorf("log: %w", err)
	}
	return logged, nil
}

func (d *Store) log(ctx context.Context, l store.LogRequest) (store.LogResult, error) {
	if err := l.Check(); err != nil {
		return store.LogResult{}, err
	}
	entries, tasks := make([]store.DayEntry, len(l.Entries)), make([]store.Task, len(l.Tasks))
	for i, e := range l.Entries {
		if err := e.Clean(); err != nil {
			return store.LogResult{}, fmt.Errorf("entry %d: %w", i, err)
		}
		entries[i] = e
	}
	for i, task := range l.Tasks {
		if err := task.Clean(); err != nil {
			return store.LogResult{}, fmt.Errorf("task %d: %w", i, err)
		}
		tasks[i] = task
	}
	call := newIdempotentCall(d.owner, l.Key, func() any { return withoutTimes(entries, tasks) })
	logged := store.LogResult{}
	err := d.db.Write(ctx, func(t engine.Tx) error {
		made, err := call.earlier(t)
		if err != nil {
			return err
		}
		if made != nil {
			logged, err = d.readLogged(t, made)
			return err
		}
		logged = store.LogResult{Entries: make([]*store.DayEntry, len(entries)), Tasks: make([]*store.Task, len(tasks))}
		now, ids := t.Now(), []string{}
		for i := range entries {
			one := entries[i]
			if err := entryTable.insert(t, d.owner, &one, now); err != nil {
				return err
			}
			logged.Entries[i], ids = &one, append(ids, one.ID)
		}
		for i := range tasks {
			one := tasks[i]
			if err := taskTable.insert(t, d.owner, &one, now); err != nil {
				return err
			}
			logged.Tasks[i], ids = &one, append(ids, one.ID)
		}
		logged.Undo = store.CreationUndoID(logged.Entries, logged.Tasks)
		return call.record(t, ids)
	})
	return logged, err
}

// readLogged reads the rows that an earlier call created.
func (d *Store) readLogged(t engine.Tx, ids []string) (store.LogResult, error) {
	logged, r := store.LogResult{Entries: []*store.DayEntry{}, Tasks: []*store.Task{}, Repeated: true}, d.newChangeSet(t, "")
	if err := r.fetch(ids); err != nil {
		return store.LogResult{}, err
	}
	for _, id := range ids {
		err := appendRow(r, entryTable, d.owner, id, &logged.Entries)
		if err == nil {
			err = appendRow(r, taskTable, d.owner, id, &logged.Tasks)
		}
		if err != nil {
			return store.LogResult{}, err
		}
	}
	return logged, nil
}

// appendRow reads a row and appends it, unless the id is of another kind or was erased.
func appendRow[T any](q engine.Querier, s table[T], owner any, id string, to *[]*T) error {
	one, err := s.get(q, owner, id)
	if err == nil {
		*to = append(*to, one)
	}
	return engine.Ignore(err, store.ErrNotFound)
}

// withoutTimes returns the entries without dates, times and sources, and the texts of the tasks.
// What it omits may differ when a call is repeated.
func withoutTimes(entries []store.DayEntry, tasks []store.Task) any {
	request := []any{}
	for _, e := range entries {
		e.Row, e.Date, e.Moment, e.Zone, e.Backfilled, e.Source = store.Row{}, "", time.Time{}, "", false, ""
		request = append(request, e)
	}
	for _, task := range tasks {
		request = append(request, task.Text)
	}
	return request
}
