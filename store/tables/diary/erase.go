package diary

import (
	"context"
	"fmt"
	"slices"

	"kota/store"
	"kota/store/engine"
)

// Erase removes entries, tasks and documents for good, with all versions and with the idempotency
// keys of the calls that created them. They cannot be restored. The undo id of a change or
// deletion that included them restores the other rows. The undo id of the call that created them
// no longer works. Deleted rows can be erased too. With dryRun Erase only returns what it would
// remove. It returns ErrNotFound without any change if one of the ids does not exist, and
// ErrInvalid without an id. While text of an earlier erasure is still in the file, it tries to
// remove that text instead of returning ErrNotFound. Keys of the result are the ids. The other
// fields are set as for memories, except Rows and Sources, which are nil.
func (d *Store) Erase(ctx context.Context, ids []string, dryRun bool) (store.EraseResult, error) {
	erased, err := d.erase(ctx, ids, dryRun)
	if err != nil {
		return store.EraseResult{}, fmt.Errorf("erase: %w", err)
	}
	return erased, nil
}

func (d *Store) erase(ctx context.Context, ids []string, dryRun bool) (store.EraseResult, error) {
	if len(ids) == 0 {
		return store.EraseResult{}, fmt.Errorf("%w: give the id of what to erase", store.ErrInvalid)
	}
	if dryRun {
		notFound := d.checkAllExist(d.db.Read(ctx), ids)
		if notFound == nil {
			return store.EraseResult{Keys: ids}, nil
		}
		_, err := d.db.CleaningDue(ctx, notFound)
		return store.EraseResult{Keys: []string{}}, err
	}
	return d.db.Erase(ctx, func(t engine.Tx) ([]string, error) {
		r := d.newChangeSet(t, "erase")
		if err := r.fetch(ids); err != nil {
			return nil, err
		}
		if err := d.checkAllExist(r, ids); err != nil {
			return nil, err
		}
		for _, table := range tables() {
			if err := table.erase(t, d.owner, ids); err != nil {
				return nil, err
			}
		}
		return ids, nil
	})
}

// checkAllExist returns a *NotFoundError for the first id without a row.
func (d *Store) checkAllExist(q engine.Querier, ids []string) error {
	for _, id := range ids {
		table, err := tableOf(id)
		if err == nil {
			err = table.checkExists(q, d.owner, id)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// erase removes the rows of those ids that are its own. It removes them from the index all at once:
// PostgreSQL reads the index in a few trips.
func (s table[T]) erase(t engine.Tx, owner any, ids []string) error {
	numbers := []int64{}
	for _, id := range ids {
		if number := store.DiaryNumber(s.prefix, id); number != 0 {
			numbers = append(numbers, number)
		}
	}
	slices.Sort(numbers)
	numbers = slices.Compact(numbers)
	if s.index != nil && len(numbers) > 0 {
		if err := s.index.Remove(t, owner, numbers); err != nil {
			return err
		}
	}
	for _, number := range numbers {
		if err := s.eraseRow(t, owner, number); err != nil {
			return err
		}
	}
	return nil
}

// eraseRow removes a row, its versions, and the record of the call that created it. The key and the
// digest of that call may reveal what was logged.
func (s table[T]) eraseRow(t engine.Tx, owner any, number int64) error {
	// Other versions of the same call still refer to the call by the number of its first version,
	// which may be removed here. That number is never reused.
	if err := t.Exec("DELETE FROM diary_versions WHERE kind = ? AND row = ? AND owner = ?", s.table, number, owner); err != nil {
		return err
	}
	if err := t.Exec("DELETE FROM diary_calls WHERE owner = ? AND "+t.Dialect().HasElement("made", "?", false), owner, store.DiaryID(s.prefix, number)); err != nil {
		return err
	}
	return t.Exec("DELETE FROM "+s.table+" WHERE id = ? AND owner = ?", number, owner)
}
