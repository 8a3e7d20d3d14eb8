// Package rows asks for, sums up and shows the rows of the diary in the same way for every
// action. It writes nothing.
//
// Explain gives the errors of the store their code and next step. Measure sums up days.
// Shorten cuts a text, and Fence marks a long text that others wrote.
package rows

import "kota/store"

// FirstDate is earlier than every stored date.
const FirstDate = "0001-01-01"

// EntriesBetween returns the filter for entries from one date to another, both included. An empty
// bound is open.
func EntriesBetween(from, to string) store.EntryFilter { return store.EntryFilter{From: from, To: to} }

// TaskDay returns the query for the tasks as of one day (on). The query also asks for the tasks
// that were done or dropped in a span (from, to).
func TaskDay(today, on, from, to string, limit int) store.TaskQuery {
	return store.TaskQuery{On: on, From: from, To: to, IncludeLater: on >= today, Limit: limit}
}
