package daily

import (
	"cmp"
	"context"
	"strings"

	"kota/bundles/internal/arguments"
	"kota/bundles/internal/untrusted"
	"kota/store"
)

// addTasks puts tasks on the list since a day that has begun, by default today.
// What is to begin later is added and deferred: no list of today would show it
// otherwise.
func (d *daily) addTasks(ctx context.Context, in taskIn) (taskAnswer, error) {
	made, err := d.pastDay("date", in.Date)
	if err != nil {
		return taskAnswer{}, err
	}
	due, err := d.due(in.Due)
	if err != nil {
		return taskAnswer{}, err
	}
	diary, err := d.diary(ctx)
	if err != nil {
		return taskAnswer{}, err
	}
	tasks := []store.Task{}
	for _, text := range in.Text {
		tasks = append(tasks, store.Task{Text: text, Made: made.from(), Due: due, Source: untrusted.Source(ctx, "")})
	}
	logged, err := diary.AddTasks(ctx, tasks, in.Key)
	if err != nil {
		return taskAnswer{}, taskFailed(err)
	}
	if !logged.Repeated {
		for _, task := range logged.Tasks {
			task.Source = "" // what the call itself has just said is no news
		}
	}
	out, err := d.changed(ctx, diary, logged.Tasks)
	out.UndoID, out.Repeated = logged.Undo, logged.Repeated
	return out, err
}

// changeTasks does the rest: done, defer, drop, reopen, edit.
func (d *daily) changeTasks(ctx context.Context, in taskIn) (taskAnswer, error) {
	change, err := d.taskChange(ctx, in)
	if err != nil {
		return taskAnswer{}, err
	}
	diary, err := d.diary(ctx)
	if err != nil {
		return taskAnswer{}, err
	}
	changed, err := diary.ChangeTasks(ctx, in.Op, change, in.IDs...)
	if err != nil {
		return taskAnswer{}, taskFailed(err)
	}
	out, err := d.changed(ctx, diary, changed.Tasks)
	out.UndoID = changed.Undo
	return out, err
}

// taskChange is what an operation makes of a task.
func (d *daily) taskChange(ctx context.Context, in taskIn) (store.TaskChange, error) {
	today := d.today()
	open, done, dropped := store.TaskOpen, store.TaskDone, store.TaskDropped
	change := store.TaskChange{}
	due, err := d.due(in.Due)
	if err != nil {
		return change, err
	}
	if in.Due != "" {
		change.Due = &due
	}
	switch in.Op {
	case opReopen:
		change.State, change.Deferred = &open, new(string)
	case opEdit:
		if len(in.Text) > 0 {
			change.Text, change.Source = &in.Text[0], untrusted.Source(ctx, "")
		}
	case opDefer:
		until, err := d.coming("until", cmp.Or(in.Until, "tomorrow"))
		if err != nil {
			return change, err
		}
		if until.from < today.from() {
			return change, arguments.Invalid("until", "today, "+today.from()+", or a day after it", until.from)
		}
		change.Deferred = new(string) // what rests until today rests no longer
		if until.from > today.from() {
			*change.Deferred = until.from
		}
	case opDone, opDrop:
		on, err := d.pastDay("date", in.Date)
		if err != nil {
			return change, err
		}
		change.State, change.On, change.Told = &done, on.from(), in.Date != ""
		if in.Op == opDrop {
			change.State = &dropped
		}
	}
	return change, nil
}

// due reads the last day for a task. "none" and "" are none.
func (d *daily) due(text string) (string, error) {
	if said := strings.ToLower(strings.TrimSpace(text)); said == "" || said == "none" {
		return "", nil
	}
	days, err := d.coming("due", text)
	return days.to, err
}

// coming reads days that are ahead: of "next week" the first and the last.
func (d *daily) coming(path, text string) (span, error) {
	var p problems
	days, _ := p.daysToCome(path, text, d.at(d.Zone()))
	return days, p.Err()
}

// pastDay reads a day that has begun: by default today.
func (d *daily) pastDay(path, text string) (period, error) {
	today := d.today()
	if text == "" {
		return today, nil
	}
	day, err := d.day(path, text, reading{past: true})
	if err == nil && day.first.After(today.first) {
		return day, arguments.Invalid(path, "a day up to today, "+today.from(), day.from())
	}
	return day, err
}
