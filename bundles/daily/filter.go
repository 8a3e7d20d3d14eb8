package daily

import "kota/store"

// firstDate is before all that is kept.
const firstDate = "0001-01-01"

// between chooses the entries from one date to another. "" is no bound.
func between(from, to string) store.EntryFilter { return store.EntryFilter{From: from, To: to} }

// taskDay asks for the tasks as they stand on a day, and for what was done and
// dropped between two.
func taskDay(today, on, from, to string, limit int) store.TaskDay {
	return store.TaskDay{On: on, From: from, To: to, Latest: on >= today, Limit: limit}
}
