package sqlite

import (
	"context"
	"kota/store"
	"strconv"
	"strings"
)

// madeOf is the undo id of a call that made rows: the id of the first entry and
// of the first task, each with how many follow one another where it is more
// than one, as "ejmbx4h.3+t0abc12". Rows of a call are numbered in a row.
func madeOf(entries []*store.DayEntry, tasks []*store.Task) string {
	parts := []string{}
	part := func(first string, n int) {
		if n > 1 {
			first += "." + strconv.Itoa(n)
		}
		parts = append(parts, first)
	}
	if len(entries) > 0 {
		part(entries[0].ID, len(entries))
	}
	if len(tasks) > 0 {
		part(tasks[0].ID, len(tasks))
	}
	return strings.Join(parts, "+")
}

// rowsOf are the ids that a madeOf stands for, nil for what is none.
func rowsOf(undo string) []string {
	ids := []string{}
	for part := range strings.SplitSeq(undo, "+") {
		first, count, several := strings.Cut(part, ".")
		some, err := shelfOf(first)
		n := 1
		if several && err == nil {
			n, err = strconv.Atoi(count)
		}
		if err != nil || n < 1 || len(ids)+n > 2*store.MaxEntries {
			return nil
		}
		for i := range int64(n) {
			ids = append(ids, shortID(some.initial(), numberOf(some.initial(), first)+i))
		}
	}
	return ids
}

// IsDiaryUndo reports whether an undo id is one of a Diary's, known or not.
func IsDiaryUndo(undo string) bool { return numberOf(undoLetter, undo) != 0 || rowsOf(undo) != nil }

// unmake deletes what a call has made, when all of it is as it was made.
func (d *Diary) unmake(ctx context.Context, undo string) (store.Restored, error) {
	restored := store.Restored{}
	err := d.db.write(ctx, func(t *tx) error {
		ids := rowsOf(undo)
		if ids == nil {
			return store.ErrNotFound
		}
		r := d.revising(t, opRestore)
		for _, id := range ids {
			some, err := shelfOf(id)
			if err == nil {
				err = some.unmake(r, id)
			}
			if err != nil {
				return err
			}
		}
		restored = store.Restored{IDs: ids, Deleted: true, Undo: r.undo()}
		return nil
	})
	return restored, err
}

// unmake deletes a row that is as it was made.
func (s shelf[T]) unmake(r *revising, id string) error {
	if err := s.asLeft(r, id, 1); err != nil {
		return err
	}
	made, err := s.get(r.tx, r.owner, id)
	if err != nil {
		return err
	}
	next := *made
	s.row(&next).Deleted = r.now
	return revise(r, s, made, &next)
}
