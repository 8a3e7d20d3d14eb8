package diary

import (
	"context"
	"fmt"
	"time"

	"kota/store"
	"kota/store/sqlite"
)

// Log adds entries and tasks in one transaction: all of them or none. A key
// that was used before adds nothing, also when two calls come at once, and
// returns what the first call made, as it is now and without what was erased;
// when what it asked for was something else, times and dates aside, Log
// returns a *KeyError. It returns ErrInvalid for what cannot be kept: no entry
// and no task, more than the limits allow, a date that there is not, an entry
// that says nothing; and a *SizeError for a text of more than MaxText bytes.
func (d *Store) Log(ctx context.Context, l store.Logging) (store.Logged, error) {
	logged, err := d.log(ctx, l)
	if err != nil {
		return store.Logged{}, fmt.Errorf("log: %w", err)
	}
	return logged, nil
}

func (d *Store) log(ctx context.Context, l store.Logging) (store.Logged, error) {
	if err := l.Check(); err != nil {
		return store.Logged{}, err
	}
	entries, tasks := make([]store.DayEntry, len(l.Entries)), make([]store.Task, len(l.Tasks))
	for i, e := range l.Entries {
		if err := e.Clean(); err != nil {
			return store.Logged{}, fmt.Errorf("entry %d: %w", i, err)
		}
		entries[i] = e
	}
	for i, task := range l.Tasks {
		if err := task.Clean(); err != nil {
			return store.Logged{}, fmt.Errorf("task %d: %w", i, err)
		}
		tasks[i] = task
	}
	call := newCall(d.owner, l.Key, func() any { return timeless(entries, tasks) })
	logged := store.Logged{}
	err := d.db.Write(ctx, func(t *sqlite.Tx) error {
		made, err := call.begin(t)
		if err != nil {
			return err
		}
		if made != nil {
			logged, err = d.logged(t, made)
			return err
		}
		logged = store.Logged{Entries: make([]*store.DayEntry, len(entries)), Tasks: make([]*store.Task, len(tasks))}
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
		logged.Undo = store.MadeUndo(logged.Entries, logged.Tasks)
		return call.end(t, ids)
	})
	return logged, err
}

// logged reads what a call made before.
func (d *Store) logged(t *sqlite.Tx, made []string) (store.Logged, error) {
	logged := store.Logged{Entries: []*store.DayEntry{}, Tasks: []*store.Task{}, Repeated: true}
	for _, id := range made {
		err := appendRow(t, entryTable, d.owner, id, &logged.Entries)
		if err == nil {
			err = appendRow(t, taskTable, d.owner, id, &logged.Tasks)
		}
		if err != nil {
			return store.Logged{}, err
		}
	}
	return logged, nil
}

// appendRow reads a row, unless the id is of another kind or was erased.
func appendRow[T any](t *sqlite.Tx, s table[T], owner, id string, to *[]*T) error {
	one, err := s.get(t, owner, id)
	if err == nil {
		*to = append(*to, one)
	}
	return sqlite.Except(err, store.ErrNotFound)
}

// timeless is what a call asks for without the times and without what was read
// before it: one that is repeated may find others.
func timeless(entries []store.DayEntry, tasks []store.Task) any {
	asked := []any{}
	for _, e := range entries {
		e.Row, e.Date, e.Moment, e.Zone, e.Backfilled, e.Source = store.Row{}, "", time.Time{}, "", false, ""
		asked = append(asked, e)
	}
	for _, task := range tasks {
		asked = append(asked, task.Text)
	}
	return asked
}
