package store

import (
	"cmp"
	"slices"
	"strings"
)

// A TaskQuery asks for the tasks as of a day.
type TaskQuery struct {
	On           string // the date for which open, overdue and carried tasks are computed
	From, To     string // dates, both included: the range for done and dropped tasks; "": On
	IncludeLater bool   // On is the current day: tasks with later dates, from a clock that was ahead, count on this day
	Limit        int    // of each list, at least 1
	Skip         int    // of each list: tasks on previous pages

	IDs            []string // only these; nil: any
	Words          string   // words in the text, in any order and case; "": any
	DueFrom, DueTo string   // dates, both included: the range for Due; "": no bound
}

// LastDate is the last valid date.
const LastDate = "9999-12-31"

// Until returns the latest date of tasks that belong to this list: On, or LastDate if
// Latest is set.
func (day TaskQuery) Until() string {
	if day.IncludeLater {
		return LastDate
	}
	return day.On
}

// A ListedTask is a task as of a day.
type ListedTask struct {
	*Task
	CarriedFrom string // the earlier date since which it is open: when it was added, or became visible again; "" if that is On itself
	DaysCarried int    // days since then
	Overdue     int    // days since it was due; 0 if it is not overdue
}

// A TaskList holds the tasks as of a day. Each list has at most Limit tasks, and is never nil.
// Each count covers all tasks.
type TaskList struct {
	Open     []ListedTask // sorted by due date, then by age: the longest overdue is first
	Deferred []ListedTask // deferred until a later date, the soonest first
	Done     []ListedTask // by the date they were done
	Dropped  []ListedTask

	OpenCount, DeferredCount, DoneCount, DroppedCount, CarriedCount, OverdueCount int
}

// ListTasks returns the tasks that match day, as of that day. The dates of day must be valid.
func ListTasks(tasks []*Task, day TaskQuery) TaskList {
	list := TaskList{}
	for _, task := range tasks {
		if day.matches(task) {
			list.add(task, day)
		}
	}
	list.sort()
	list.paginate(day.Skip, day.Limit)
	return list
}

// matches reports whether a task matches the filters of day.
func (day TaskQuery) matches(task *Task) bool {
	if (day.DueFrom != "" || day.DueTo != "") && (task.Due == "" || task.Due < day.DueFrom || day.DueTo != "" && task.Due > day.DueTo) {
		return false
	}
	if day.IDs != nil && !slices.Contains(day.IDs, task.ID) {
		return false
	}
	text := NormalizeKey(task.Text)
	return !slices.ContainsFunc(strings.Fields(NormalizeKey(day.Words)), func(word string) bool { return !strings.Contains(text, word) })
}

// add adds a task to its lists. A task may be in two: open on the day, and done later within From
// and To.
func (l *TaskList) add(task *Task, day TaskQuery) {
	if task.Ended != "" && task.Ended >= day.From && task.Ended <= day.To {
		ended := ListedTask{Task: task}
		if task.State == TaskDone {
			l.Done = append(l.Done, ended)
		} else {
			l.Dropped = append(l.Dropped, ended)
		}
	}
	if task.Added > day.Until() || task.Ended != "" && task.Ended <= day.Until() {
		return
	}
	if task.Deferred > day.On {
		l.Deferred = append(l.Deferred, ListedTask{Task: task})
		return
	}
	open := ListedTask{Task: task}
	if since := max(task.Added, task.Deferred); since < day.On {
		open.CarriedFrom, open.DaysCarried = since, daysBetween(since, day.On)
		l.CarriedCount++
	}
	if task.Due != "" && task.Due < day.On {
		open.Overdue = daysBetween(task.Due, day.On)
		l.OverdueCount++
	}
	l.Open = append(l.Open, open)
}

func (l *TaskList) sort() {
	slices.SortStableFunc(l.Open, func(a, b ListedTask) int {
		return cmp.Or(cmp.Compare(dueOrNever(a), dueOrNever(b)), cmp.Compare(a.Added, b.Added))
	})
	slices.SortStableFunc(l.Deferred, func(a, b ListedTask) int { return cmp.Compare(a.Deferred, b.Deferred) })
	for _, ended := range [][]ListedTask{l.Done, l.Dropped} {
		slices.SortStableFunc(ended, func(a, b ListedTask) int { return cmp.Compare(a.Ended, b.Ended) })
	}
}

func dueOrNever(t ListedTask) string { return cmp.Or(t.Due, "never") }

func (l *TaskList) paginate(skip, limit int) {
	for list, count := range map[*[]ListedTask]*int{&l.Open: &l.OpenCount, &l.Deferred: &l.DeferredCount, &l.Done: &l.DoneCount, &l.Dropped: &l.DroppedCount} {
		*count = len(*list)
		from := min(skip, len(*list))
		*list = append([]ListedTask{}, (*list)[from:from+min(limit, len(*list)-from)]...)
	}
}
