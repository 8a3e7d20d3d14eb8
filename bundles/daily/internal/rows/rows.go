// Package rows says how the rows of the diary are asked for, summed up and shown, in
// the same way by every action. It writes nothing.
//
// Explain gives the errors of the store their code and next step. Measure sums up
// days. Shortened and Fenced cut a text and set apart what others wrote.
package rows

import "kota/store"

// FirstDate is before all that is kept.
const FirstDate = "0001-01-01"

// Between chooses the entries from one date to another. "" is no bound.
func Between(from, to string) store.EntryFilter { return store.EntryFilter{From: from, To: to} }

// TaskDay asks for the tasks as they stand on a day, and for what was done and
// dropped between two.
func TaskDay(today, on, from, to string, limit int) store.TaskDay {
	return store.TaskDay{On: on, From: from, To: to, Latest: on >= today, Limit: limit}
}
