package diary

import "kota/store"

// taskTable stores tasks.
var taskTable = table[store.Task]{
	table: "tasks", prefix: store.TaskPrefix,
	columns: "text, state, made, due, deferred, ended, source",
	fields: func(t *store.Task) []any {
		return []any{&t.Text, &t.State, &t.Added, &t.Due, &t.Deferred, &t.Ended, &t.Source}
	},
	row: func(t *store.Task) *store.Row { return &t.Row },
}
