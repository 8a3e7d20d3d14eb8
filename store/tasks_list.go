package store

import (
	"cmp"
	"slices"
	"strings"
)

// A TaskQuery asks for the tasks as of a day.
type TaskQuery struct {
	On           string // the day of the list
	From, To     string // dates, both included: the range for done and dropped tasks; "": On
	IncludeLater bool   // set it if On is today or later. The lists then include tasks added or ended after On, by a clock that was ahead. A date in To has no effect then
	Limit        int    // maximum length of each list, at least 1
	Skip         int    // number of tasks to skip in each list

	IDs            []string // only these; nil: any
	Words          string   // words or parts of words that are all in the text, in any order and case; "": any
	DueFrom, DueTo string   // dates, both included: the range for Due; "": no bound
}

// LastDate is the last valid date.
const LastDate = "9999-12-31"

// Until returns the last date of tasks that belong to this list: On, or LastDate if IncludeLater
// is set.
func (query TaskQuery) Until() string {
	if query.IncludeLater {
		return LastDate
	}
	return query.On
}

// A ListedTask is a task as of a day.
type ListedTask struct {
	*Task
	CarriedFrom string // for an open task, the date when it was added, or became visible again after it was deferred; "" if that is not before On
	DaysCarried int    // days since CarriedFrom
	Overdue     int    // days since the due date; 0 if it is not overdue
}

// A TaskList holds the tasks as of a day. Each list has at most Limit tasks, and is never nil.
// Each count also includes the tasks on other pages.
type TaskList struct {
	Open     []ListedTask // sorted by due date, then by age: the longest overdue is first
	Deferred []ListedTask // deferred until a later date, the soonest first
	Done     []ListedTask // by the date they were done
	Dropped  []ListedTask

	OpenCount, DeferredCount, DoneCount, DroppedCount, CarriedCount, OverdueCount int
}

// ListTasks returns the tasks that match query, as of query.On. The dates of query must be valid.
func ListTasks(tasks []*Task, query TaskQuery) TaskList {
	list := TaskList{}
	for _, task := range tasks {
		if query.matches(task) {
			list.add(task, query)
		}
	}
	list.sort()
	list.paginate(query.Skip, query.Limit)
	return list
}

// matches reports whether a task matches the filters of query.
func (query TaskQuery) matches(task *Task) bool {
	if (query.DueFrom != "" || query.DueTo != "") && (task.Due == "" || task.Due < query.DueFrom || query.DueTo != "" && task.Due > query.DueTo) {
		return false
	}
	if query.IDs != nil && !slices.Contains(query.IDs, task.ID) {
		return false
	}
	text := NormalizeKey(task.Text)
	return !slices.ContainsFunc(strings.Fields(NormalizeKey(query.Words)), func(word string) bool { return !strings.Contains(text, word) })
}

// add adds a task to the lists in which it belongs. A task may be in two lists. For example, it
// was open on query.On, and was done later, within From and To.
func (l *TaskList) add(task *Task, query TaskQuery) {
	if task.Ended != "" && task.Ended >= query.From && task.Ended <= query.To {
		ended := ListedTask{Task: task}
		if task.State == TaskDone {
			l.Done = append(l.Done, ended)
		} else {
			l.Dropped = append(l.Dropped, ended)
		}
	}
	if task.Added > query.Until() || task.Ended != "" && task.Ended <= query.Until() {
		return
	}
	if task.Deferred > query.On {
		l.Deferred = append(l.Deferred, ListedTask{Task: task})
		return
	}
	open := ListedTask{Task: task}
	if since := max(task.Added, task.Deferred); since < query.On {
		open.CarriedFrom, open.DaysCarried = since, daysBetween(since, query.On)
		l.CarriedCount++
	}
	if task.Due != "" && task.Due < query.On {
		open.Overdue = daysBetween(task.Due, query.On)
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
