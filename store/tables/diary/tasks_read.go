package diary

import (
	"cmp"
	"context"
	"fmt"

	"kota/store"
)

// Tasks returns the tasks as of a day, in the past or future too. A task is open from the day it
// was added until the day before it was done or dropped. Nothing is stored when a day ends. Past
// values of Deferred are unknown, so the current one counts. It returns ErrInvalid for an invalid
// date in query, and for a limit below 1.
func (d *Store) Tasks(ctx context.Context, query store.TaskQuery) (store.TaskList, error) {
	list, err := d.tasks(ctx, query)
	if err != nil {
		return store.TaskList{}, fmt.Errorf("list tasks: %w", err)
	}
	return list, nil
}

func (d *Store) tasks(ctx context.Context, query store.TaskQuery) (store.TaskList, error) {
	query.From, query.To = cmp.Or(query.From, query.On), cmp.Or(query.To, query.On)
	if query.IncludeLater {
		query.To = store.LastDate
	}
	for _, date := range []string{query.On, query.From, query.To, cmp.Or(query.DueFrom, query.On), cmp.Or(query.DueTo, query.On)} {
		if err := store.CheckDate(date); err != nil {
			return store.TaskList{}, err
		}
	}
	if query.Limit < 1 {
		return store.TaskList{}, fmt.Errorf("%w: limit %d is below 1", store.ErrInvalid, query.Limit)
	}
	// The index sorts ended tasks by the date of their end, separately from the open tasks.
	found, err := taskTable.scanAll(d.db.Read(ctx).Query(`
		SELECT `+taskTable.allColumns()+` FROM tasks WHERE owner = ?1 AND ended = '' AND deleted IS NULL AND made <= ?2
		UNION ALL SELECT `+taskTable.allColumns()+` FROM tasks WHERE owner = ?1 AND ended <> '' AND deleted IS NULL AND (ended > ?2 AND made <= ?2 OR ended BETWEEN ?3 AND ?4)
		ORDER BY 1`, d.owner, query.Until(), query.From, query.To))
	if err != nil {
		return store.TaskList{}, err
	}
	return store.ListTasks(found, query), nil
}
