package daily

import (
	"context"
	"errors"

	"kota/metadata"
	"kota/store"
)

// listTasks tells how the tasks stand on a day, or at the end of a week or
// month, as far as it has come, and what was done and dropped in it.
func (d *daily) listTasks(ctx context.Context, in taskIn) (taskAnswer, error) {
	span := d.today()
	if in.Date != "" {
		var err error
		if span, err = d.period("date", in.Date, reading{unit: ofDay, past: true}); err != nil {
			return taskAnswer{}, err
		}
	}
	diary, err := d.diary(ctx)
	if err != nil {
		return taskAnswer{}, err
	}
	on := d.lastOf(span)
	list, err := diary.Tasks(ctx, d.tasksBy(on, span.from(), span.to(), in.Limit))
	if err != nil {
		return taskAnswer{}, taskFailed(err)
	}
	return taskAnswer{
		Date: on, Tasks: taskRows(list.Open, on), Resting: taskRows(list.Resting, on),
		Done: taskRows(list.Done, on), Dropped: taskRows(list.Dropped, on), Counts: countsOf(list),
	}, nil
}

// tasksBy asks for the tasks of a day, and for what was done and dropped between
// two.
func (d *daily) tasksBy(on, from, to string, limit int) store.TaskDay {
	return store.TaskDay{On: on, From: from, To: to, Latest: on >= d.today().from(), Limit: limit}
}

// lastOf is the day on which a period is looked at: its last one, or today
// while it lasts.
func (d *daily) lastOf(p period) string {
	today := d.today()
	if today.from() >= p.from() && today.from() <= p.to() {
		return today.from()
	}
	return p.to()
}

// changed tells how tasks stand today that were added or changed.
func (d *daily) changed(ctx context.Context, diary *store.Diary, tasks []*store.Task) (taskAnswer, error) {
	today := d.today().from()
	list, err := diary.Tasks(ctx, d.tasksBy(today, today, today, 1))
	if err != nil {
		return taskAnswer{}, taskFailed(err)
	}
	out := taskAnswer{Date: today, Counts: countsOf(list)}
	for _, task := range tasks {
		out.Tasks = append(out.Tasks, taskRowOf(store.ListedTask{Task: task}, today))
	}
	return out, nil
}

func taskRows(tasks []store.ListedTask, on string) []taskRow {
	rows := []taskRow{}
	for _, task := range tasks {
		rows = append(rows, taskRowOf(task, on))
	}
	return rows
}

func taskRowOf(t store.ListedTask, on string) taskRow {
	row := taskRow{
		ID: t.ID, Text: t.Text, Due: t.Due, OverdueDays: t.Overdue,
		CarriedFrom: t.CarriedFrom, DaysCarried: t.DaysCarried, On: t.Ended,
	}
	if t.State != store.TaskOpen {
		row.State = t.State
	}
	if t.Deferred > on {
		row.Until = t.Deferred
	}
	return row
}

func countsOf(l store.TaskList) taskCounts {
	return taskCounts{
		Open: l.OpenCount, Overdue: l.OverdueCount, Carried: l.CarriedCount,
		Resting: l.RestingCount, Done: l.DoneCount, Dropped: l.DroppedCount,
	}
}

// taskFailed is explain, for ids of tasks.
func taskFailed(err error) error {
	if errors.Is(err, store.ErrNotFound) {
		return &metadata.Error{Code: metadata.NotFound, Message: err.Error(), Hint: `Nothing was changed. daily_task {"op": "list"} shows the ids.`, Cause: err}
	}
	return explain(err)
}
