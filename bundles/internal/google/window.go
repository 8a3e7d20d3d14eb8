package google

import (
	"sync"
	"time"
)

// A window grants at most limit units in any minute, first come first served.
// A token bucket that starts full would grant twice that in its first minute,
// which Google answers with 429.
type window struct {
	limit int
	mu    sync.Mutex
	spent []grant // in the order of time; the last ones may lie ahead
}

// A grant is units to be spent at a time.
type grant struct {
	at    time.Time
	units int
}

const minute = time.Minute

// reserve grants units for the time now+wait and returns wait. It grants
// nothing and returns false when wait would be longer than most.
func (w *window) reserve(now time.Time, units int, most time.Duration) (wait time.Duration, ok bool) {
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
	if wait = at.Sub(now); wait > most {
		return wait, false
	}
	w.spent = append(w.spent, grant{at, units})
	return wait, true
}

// forget drops the grants that no minute from now on holds.
func (w *window) forget(now time.Time) {
	old := 0
	for old < len(w.spent) && !w.spent[old].at.Add(minute).After(now) {
		old++
	}
	w.spent = w.spent[old:]
}
