package google

import (
	"net/http"
	"strings"
	"sync"
	"time"
)

// methodCost is the cost of a Gmail method, by the HTTP method and the path after
// /gmail/v1/users/ID/; a * stands for one path element.
type methodCost struct {
	method, path string
	units        int
}

// methodCosts are the costs for projects made since May 2026, from
// https://developers.google.com/workspace/gmail/api/reference/quota. The cost of
// threads.get is an assumption: that it grew like that of messages.get. Older
// projects pay a quarter for methods that read a message, and have 15,000 units
// a minute.
var methodCosts = []methodCost{
	{"GET", "profile", 1},
	{"GET", "history", 2},
	{"GET", "messages", 5},
	{"GET", "messages/*", 20},
	{"GET", "messages/*/attachments/*", 20},
	{"POST", "messages", 25},
	{"POST", "messages/import", 25},
	{"POST", "messages/send", 100},
	{"POST", "messages/batchModify", 50},
	{"POST", "messages/batchDelete", 50},
	{"POST", "messages/*/modify", 5},
	{"POST", "messages/*/trash", 20},
	{"POST", "messages/*/untrash", 20},
	{"DELETE", "messages/*", 20},
	{"GET", "threads", 10},
	{"GET", "threads/*", 40},
	{"POST", "threads/*/modify", 10},
	{"POST", "threads/*/trash", 20},
	{"POST", "threads/*/untrash", 20},
	{"DELETE", "threads/*", 20},
	{"GET", "drafts", 5},
	{"GET", "drafts/*", 20},
	{"POST", "drafts", 10},
	{"POST", "drafts/send", 100},
	{"PUT", "drafts/*", 15},
	{"DELETE", "drafts/*", 10},
	{"GET", "labels", 1},
	{"GET", "labels/*", 1},
	{"POST", "labels", 5},
	{"PUT", "labels/*", 5},
	{"PATCH", "labels/*", 5},
	{"DELETE", "labels/*", 5},
	{"GET", "settings/*", 1},
	{"GET", "settings/*/*", 1},
	{"PUT", "settings/*", 5},
	{"POST", "settings/filters", 5},
	{"DELETE", "settings/*/*", 5},
	{"POST", "settings/*", 100},
	{"PUT", "settings/*/*", 100},
	{"PATCH", "settings/*/*", 100},
}

// defaultCost is the cost assumed for a method that is not in the table.
const defaultCost = 20

// cost returns the units that a request costs, and whether they count for
// Calendar.
func cost(method, path string) (units int, calendar bool) {
	_, rest, gmail := strings.Cut(path, "gmail/v1/users/")
	if !gmail {
		return 1, strings.Contains(path, "calendar/v3/")
	}
	_, rest, _ = strings.Cut(rest, "/")
	if method == http.MethodHead {
		method = http.MethodGet
	}
	for _, p := range methodCosts {
		if p.method == method && matchesPath(p.path, rest) {
			return p.units, false
		}
	}
	return defaultCost, false
}

// isPeoplePath reports whether a path is one of the People API, which has no prefix of its own.
func isPeoplePath(path string) bool {
	_, rest, found := strings.Cut(path, "/v1/")
	return found && (strings.HasPrefix(rest, "people") || strings.HasPrefix(rest, "otherContacts") || strings.HasPrefix(rest, "contactGroups"))
}

// matchesPath reports whether a path has the form of a methodCost.path.
func matchesPath(pattern, path string) bool {
	want, got := strings.Split(pattern, "/"), strings.Split(path, "/")
	if len(want) != len(got) {
		return false
	}
	for i, element := range want {
		if element != "*" && element != got[i] {
			return false
		}
	}
	return true
}

// slidingWindow grants at most limit units in any minute, in order of arrival. A token
// bucket that starts full would grant twice that in its first minute, and
// Google would answer 429.
type slidingWindow struct {
	limit int
	mu    sync.Mutex
	spent []grant // sorted by time; the last ones may be in the future
}

// grant is a number of units, and the time at which they may be used.
type grant struct {
	at    time.Time
	units int
}

const minute = time.Minute

// reserve grants units for the time now+wait and returns wait. More units than
// the limit count as the limit. It grants nothing and returns false if wait
// would be longer than maxWait.
func (w *slidingWindow) reserve(now time.Time, units int, maxWait time.Duration) (wait time.Duration, ok bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	units = min(units, w.limit)
	w.forget(now)
	at, first, used := now, 0, 0
	for _, g := range w.spent {
		used += g.units
		if g.at.After(at) {
			at = g.at
		}
	}
	for first < len(w.spent) && (used+units > w.limit || !w.spent[first].at.Add(minute).After(at)) {
		if free := w.spent[first].at.Add(minute); free.After(at) {
			at = free
		}
		used -= w.spent[first].units
		first++
	}
	if wait = at.Sub(now); wait > maxWait {
		return wait, false
	}
	w.spent = append(w.spent, grant{at, units})
	return wait, true
}

// forget removes the grants that are older than a minute.
func (w *slidingWindow) forget(now time.Time) {
	old := 0
	for old < len(w.spent) && !w.spent[old].at.Add(minute).After(now) {
		old++
	}
	w.spent = w.spent[old:]
}
