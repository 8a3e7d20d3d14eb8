package daily

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

// openTasks are those that are open at the end of a period, or today while it
// lasts, overdue ones first.
func (d *daily) openTasks(ctx context.Context, diary Diary, p days.Period) (string, error) {
	list, err := d.tasksOf(ctx, diary, p)
	return d.taskLines(ctx, list.Open, list.OpenCount), err
}

func (d *daily) doneTasks(ctx context.Context, diary Diary, p days.Period) (string, error) {
	list, err := d.tasksOf(ctx, diary, p)
	return d.taskLines(ctx, list.Done, list.DoneCount), err
}

func (d *daily) droppedTasks(ctx context.Context, diary Diary, p days.Period) (string, error) {
	list, err := d.tasksOf(ctx, diary, p)
	return d.taskLines(ctx, list.Dropped, list.DroppedCount), err
}

func (d *daily) tasksOf(ctx context.Context, diary Diary, p days.Period) (store.TaskList, error) {
	return diary.Tasks(ctx, rows.TaskDay(d.Today().From(), d.LastOf(p), p.From(), p.To(), mostShown))
}

// taskLines are "- Book the train (due 2026-11-20, 2 days overdue) [t4c0w7d]".
func (d *daily) taskLines(ctx context.Context, tasks []store.ListedTask, count int) string {
	said := []string{}
	for _, t := range tasks {
		untrusted.Logged(ctx, t.Source) // the flow says so in its answer
		said = append(said, "- "+htmltext.Short(t.Text, mostQuoted)+d.standing(t)+" ["+t.ID+"]")
	}
	if more := count - len(tasks); more > 0 {
		said = append(said, fmt.Sprintf("- … and %d more", more))
	}
	return strings.Join(said, "\n")
}

// standing is how an open task stands. What is due between today and a day that
// is planned for is not overdue yet.
func (d *daily) standing(t store.ListedTask) string {
	said := []string{}
	switch {
	case t.Overdue > 0 && t.Due < d.Today().From():
		said = append(said, fmt.Sprintf("due %s, %s overdue", t.Due, metadata.Counted(t.Overdue, "day")))
	case t.Due != "":
		said = append(said, "due "+t.Due)
	}
	if t.CarriedFrom != "" && t.CarriedFrom < d.Today().From() {
		said = append(said, "since "+t.CarriedFrom)
	}
	if len(said) == 0 {
		return ""
	}
	return " (" + strings.Join(said, ", ") + ")"
}
