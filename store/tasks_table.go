package store

// taskShelf keeps tasks.
var taskShelf = shelf[Task]{
	table: "tasks", letter: taskLetter,
	columns: "text, state, made, due, deferred, ended, source",
	fields: func(t *Task) []any {
		return []any{&t.Text, &t.State, &t.Made, &t.Due, &t.Deferred, &t.Ended, &t.Source}
	},
	row: func(t *Task) *Row { return &t.Row },
}
