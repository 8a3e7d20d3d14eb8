package task

import (
	"cmp"
	"context"
	"strings"

	"kota/bundles/daily/internal/days"
	"kota/bundles/internal/arguments"
	"kota/bundles/internal/untrusted"
	"kota/store"
)

// Add adds tasks as of today or an earlier day. A task that starts later needs two calls:
// one adds the task, another defers it.
func (l Tasks) Add(ctx context.Context, in Args) (Answer, error) {
	made, err := l.pastDay("date", in.Date)
	if err != nil {
		return Answer{}, err
	}
	due, err := l.due(in.Due)
	if err != nil {
		return Answer{}, err
	}
	diary, err := l.Open(ctx)
	if err != nil {
		return Answer{}, err
	}
	tasks := []store.Task{}
	for _, text := range in.Text {
		tasks = append(tasks, store.Task{Text: text, Added: made.From(), Due: due, Source: untrusted.SourceToStore(ctx, "")})
	}
	logged, err := diary.AddTasks(ctx, tasks, in.Key)
	if err != nil {
		return Answer{}, explain(err)
	}
	if !logged.Repeated {
		for _, task := range logged.Tasks {
			task.Source = "" // this call wrote the text, so it needs no provenance
		}
	}
	out, err := l.changeAnswer(ctx, diary, logged.Tasks)
	out.UndoID, out.Repeated = logged.Undo, logged.Repeated
	return out, err
}

// Change handles the other operations: done, defer, drop, reopen, edit.
func (l Tasks) Change(ctx context.Context, in Args) (Answer, error) {
	change, err := l.taskChange(ctx, in)
	if err != nil {
		return Answer{}, err
	}
	diary, err := l.Open(ctx)
	if err != nil {
		return Answer{}, err
	}
	changed, err := diary.ChangeTasks(ctx, in.Op, change, in.IDs...)
	if err != nil {
		return Answer{}, explain(err)
	}
	out, err := l.changeAnswer(ctx, diary, changed.Tasks)
	out.UndoID = changed.Undo
	return out, err
}

// taskChange returns the change that the operation makes.
func (l Tasks) taskChange(ctx context.Context, in Args) (store.TaskChange, error) {
	today := l.Today()
	open, done, dropped := store.TaskOpen, store.TaskDone, store.TaskDropped
	change := store.TaskChange{}
	due, err := l.due(in.Due)
	if err != nil {
		return change, err
	}
	if in.Due != "" {
		change.Due = &due
	}
	switch in.Op {
	case OpReopen:
		change.State, change.Deferred = &open, new(string)
	case OpEdit:
		if len(in.Text) > 0 {
			change.Text, change.Source = &in.Text[0], untrusted.SourceToStore(ctx, "")
		}
	case OpDefer:
		until, err := l.futureSpan("until", cmp.Or(in.Until, "tomorrow"))
		if err != nil {
			return change, err
		}
		if until.From < today.From() {
			return change, arguments.Invalid("until", "today, "+today.From()+", or a day after it", until.From)
		}
		change.Deferred = new(string) // a task deferred to today is open again
		if until.From > today.From() {
			*change.Deferred = until.From
		}
	case OpDone, OpDrop:
		on, err := l.pastDay("date", in.Date)
		if err != nil {
			return change, err
		}
		change.State, change.On, change.DateGiven = &done, on.From(), in.Date != ""
		if in.Op == OpDrop {
			change.State = &dropped
		}
	}
	return change, nil
}

// due reads the last day for a task. It returns "" for "none" and "".
func (l Tasks) due(text string) (string, error) {
	if said := strings.ToLower(strings.TrimSpace(text)); said == "" || said == "none" {
		return "", nil
	}
	span, err := l.futureSpan("due", text)
	return span.To, err
}

// futureSpan reads one or more days ahead, such as the first and last day of "next week".
func (l Tasks) futureSpan(path, text string) (days.Span, error) {
	var p days.Problems
	span, _ := p.FutureDays(path, text, l.At(l.Zone()))
	return span, p.Err()
}

// pastDay reads a day that has begun. The default is today.
func (l Tasks) pastDay(path, text string) (days.Period, error) {
	today := l.Today()
	if text == "" {
		return today, nil
	}
	day, err := l.Day(path, text, days.ReadOptions{Past: true})
	if err == nil && day.First.After(today.First) {
		return day, arguments.Invalid(path, "a day up to today, "+today.From(), day.From())
	}
	return day, err
}
