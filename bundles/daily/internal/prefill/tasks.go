package prefill

import (
	"context"
	"fmt"
	"strings"

	"kota/bundles/daily/internal/days"
	"kota/bundles/daily/internal/rows"
	"kota/bundles/internal/htmltext"
	"kota/bundles/internal/untrusted"
	"kota/metadata"
	"kota/store"
)

// openTasks returns the tasks that are open at the end of a period, or today if the period
// includes today. Overdue tasks come first.
func (g Gatherer) openTasks(ctx context.Context, diary Diary, p days.Period) (string, error) {
	list, err := g.tasksOf(ctx, diary, p)
	return g.taskLines(ctx, list.Open, list.OpenCount), err
}

func (g Gatherer) doneTasks(ctx context.Context, diary Diary, p days.Period) (string, error) {
	list, err := g.tasksOf(ctx, diary, p)
	return g.taskLines(ctx, list.Done, list.DoneCount), err
}

func (g Gatherer) droppedTasks(ctx context.Context, diary Diary, p days.Period) (string, error) {
	list, err := g.tasksOf(ctx, diary, p)
	return g.taskLines(ctx, list.Dropped, list.DroppedCount), err
}

func (g Gatherer) tasksOf(ctx context.Context, diary Diary, p days.Period) (store.TaskList, error) {
	return diary.Tasks(ctx, rows.TaskDay(g.Today().From(), g.LastDay(p), p.From(), p.To(), maxShown))
}

// taskLines formats tasks: "- Book the train (due 2026-11-20, 2 days overdue) [t4c0w7d]".
func (g Gatherer) taskLines(ctx context.Context, tasks []store.ListedTask, count int) string {
	said := []string{}
	for _, t := range tasks {
		untrusted.MarkDiary(ctx, t.Source) // marks the flow's answer as untrusted
		said = append(said, "- "+htmltext.Short(t.Text, maxQuoteLength)+g.taskStatus(t)+" ["+t.ID+"]")
	}
	if more := count - len(tasks); more > 0 {
		said = append(said, fmt.Sprintf("- … and %d more", more))
	}
	return strings.Join(said, "\n")
}

// taskStatus says when a task is due and since when it is open. A task that is due between
// today and the planned day is not overdue yet.
func (g Gatherer) taskStatus(t store.ListedTask) string {
	said := []string{}
	switch {
	case t.Overdue > 0 && t.Due < g.Today().From():
		said = append(said, fmt.Sprintf("due %s, %s overdue", t.Due, metadata.CountOf(t.Overdue, "day")))
	case t.Due != "":
		said = append(said, "due "+t.Due)
	}
	if t.CarriedFrom != "" && t.CarriedFrom < g.Today().From() {
		said = append(said, "since "+t.CarriedFrom)
	}
	if len(said) == 0 {
		return ""
	}
	return " (" + strings.Join(said, ", ") + ")"
}
