package task

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"kota/bundles/daily/internal/days"
	"kota/bundles/daily/internal/rows"
	"kota/bundles/internal/arguments"
	"kota/bundles/internal/budget"
	"kota/bundles/internal/untrusted"
	"kota/metadata"
	"kota/store"
)

// List returns the tasks as they are on a day, or at the end of a week or month. If
// the week or month includes today, it returns them as they are today. It adds the
// tasks that were done or dropped in that time.
func (l Tasks) List(ctx context.Context, in Args) (Answer, error) {
	day, err := l.listFilter(in)
	if err != nil {
		return Answer{}, err
	}
	diary, err := l.Open(ctx)
	if err != nil {
		return Answer{}, err
	}
	list, err := diary.Tasks(ctx, day)
	if err != nil {
		return Answer{}, explain(err)
	}
	out := Answer{
		Date: day.On, Tasks: taskRows(ctx, list.Open, day.On), Resting: taskRows(ctx, list.Deferred, day.On),
		Done: taskRows(ctx, list.Done, day.On), Dropped: taskRows(ctx, list.Dropped, day.On), Counts: countsOf(list),
	}
	if in.Date+in.Cursor == "" {
		out.Note = `done and dropped are only today's; use "date" for another day, a week or a month.`
	}
	if seen := day.Skip + day.Limit; seen < max(list.OpenCount, list.DeferredCount, list.DoneCount, list.DroppedCount) {
		out.NextCursor = days.EncodeCursor(strconv.Itoa(seen), in.cursorArguments())
	}
	return out, nil
}

// cursorArguments returns the arguments that a cursor is valid for.
func (in Args) cursorArguments() any { return []any{in.Date, in.Text, in.Due} }

// listFilter reads the arguments of a list.
func (l Tasks) listFilter(in Args) (store.TaskQuery, error) {
	span := l.Today()
	if in.Date != "" {
		var err error
		if span, err = l.Period("date", in.Date, days.ReadOptions{Unit: days.Day, Past: true}); err != nil {
			return store.TaskQuery{}, err
		}
	}
	day := rows.TaskDay(l.Today().From(), l.LastDay(span), span.From(), span.To(), in.Limit)
	day.Words = strings.Join(in.Text, " ")
	if in.Due == "overdue" {
		day.DueTo = days.Midnight(day.On).AddDate(0, 0, -1).Format(time.DateOnly)
	} else if in.Due != "" {
		due, err := l.Period("due", in.Due, days.ReadOptions{Unit: days.Day})
		if err != nil {
			return day, err
		}
		day.DueFrom, day.DueTo = due.From(), due.To()
	}
	var p days.Problems
	skip := "0"
	p.Cursor(in.Cursor, in.cursorArguments(), &skip)
	n, err := strconv.Atoi(skip)
	day.Skip = max(0, n)
	return day, cmp.Or(p.Err(), err)
}

// ByIDs returns the tasks with these ids in any state. One task comes in full; several are
// shortened to the size of an answer.
func (l Tasks) ByIDs(ctx context.Context, ids []string) (Answer, error) {
	diary, err := l.Open(ctx)
	if err != nil {
		return Answer{}, err
	}
	today := l.Today().From()
	day := rows.TaskDay(l.Today().From(), today, rows.FirstDate, today, len(ids))
	day.IDs = ids
	list, err := diary.Tasks(ctx, day)
	if err != nil {
		return Answer{}, explain(err)
	}
	all, needs := map[string]store.ListedTask{}, []int{}
	for _, one := range slices.Concat(list.Open, list.Deferred, list.Done, list.Dropped) {
		all[one.ID] = one
	}
	for _, id := range ids {
		if all[id].Task == nil {
			return Answer{}, explain(&store.NotFoundError{Key: id})
		}
		needs = append(needs, budget.Size(all[id].Text))
	}
	out := Answer{Date: today, Counts: countsOf(list)}
	for i, most := range budget.Divide(needs, budget.DefaultSize, rows.Brief) {
		out.Tasks = append(out.Tasks, taskRow(ctx, all[ids[i]], today, most))
	}
	return out, nil
}

// changeAnswer returns the added or changed tasks as they are today.
func (l Tasks) changeAnswer(ctx context.Context, diary Diary, tasks []*store.Task) (Answer, error) {
	today := l.Today().From()
	list, err := diary.Tasks(ctx, rows.TaskDay(l.Today().From(), today, today, today, 1))
	if err != nil {
		return Answer{}, explain(err)
	}
	out := Answer{Date: today, Counts: countsOf(list)}
	for _, task := range tasks {
		out.Tasks = append(out.Tasks, taskRow(ctx, store.ListedTask{Task: task}, today, rows.Brief))
	}
	return out, nil
}

func taskRows(ctx context.Context, tasks []store.ListedTask, on string) []Row {
	listed := []Row{}
	for _, task := range tasks {
		listed = append(listed, taskRow(ctx, task, on, rows.Brief))
	}
	return listed
}

// taskRow returns the row of a task with at most that many characters of its text.
func taskRow(ctx context.Context, t store.ListedTask, on string, most int) Row {
	text := rows.Shorten(t.Text, most)
	row := Row{
		ID: t.ID, Text: text, Cut: text != t.Text, Due: t.Due, OverdueDays: t.Overdue,
		CarriedFrom: t.CarriedFrom, DaysCarried: t.DaysCarried, On: t.Ended,
		Provenance: untrusted.MarkDiary(ctx, t.Source),
	}
	row.Text = rows.Fence(row.Text, row.Provenance)
	if t.State != store.TaskOpen {
		row.State = t.State
	}
	if t.Deferred > on {
		row.Until = t.Deferred
	}
	return row
}

func countsOf(list store.TaskList) Counts {
	return Counts{
		Open: list.OpenCount, Overdue: list.OverdueCount, Carried: list.CarriedCount,
		Resting: list.DeferredCount, Done: list.DoneCount, Dropped: list.DroppedCount,
	}
}

// explain is rows.Explain for calls with task ids.
func explain(err error) error {
	if unfit := (*store.TaskError)(nil); errors.As(err, &unfit) {
		return arguments.Invalid("ids", "tasks that it applies to: "+unfit.Error(), strconv.Quote(unfit.ID)).
			WithHint("Nothing was changed. daily_task {\"ids\": [%q]} shows it; reopen opens it again, and date is optional.", unfit.ID)
	}
	if missing := (*store.NotFoundError)(nil); errors.As(err, &missing) {
		return &metadata.Error{Code: metadata.NotFound, Message: fmt.Sprintf("there is no task %.40q", missing.Key), Hint: `Nothing was changed. daily_task {"op": "list"} shows the ids.`, Cause: err}
	}
	return rows.Explain(err)
}
