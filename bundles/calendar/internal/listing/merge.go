package listing

import (
	"slices"

	"kota/bundles/calendar/internal/agenda"
)

// merge merges the results of several calendars into one list of at most limit events. If an
// event has several copies, the list has only the most detailed one. more is true if more
// events follow, or may follow in a calendar that was not read to its end.
func merge(results []searchResult, limit int, order func(a, b position) int) (events []occurrence, more bool) {
	var until *position
	for _, f := range results {
		if !f.complete && (until == nil || f.knownUntil.compare(*until) < 0) {
			until = &f.knownUntil
		}
	}
	for _, f := range results {
		for _, one := range f.events {
			if until != nil && one.compare(*until) > 0 {
				continue
			}
			events = append(events, one)
		}
	}
	slices.SortStableFunc(events, func(a, b occurrence) int { return order(a.position, b.position) })
	events = mergeCopies(events)
	if len(events) > limit {
		return events[:limit], true
	}
	return events, until != nil
}

// mergeCopies merges the copies of each event. The list must be sorted by position.
func mergeCopies(sorted []occurrence) []occurrence {
	var events []occurrence
	for _, one := range sorted {
		last := len(events) - 1
		if last < 0 || events[last].position != one.position {
			events = append(events, one)
			continue
		}
		best := &events[last]
		if rank(one.from) < rank(best.from) {
			best.event, one.event = one.event, best.event
			best.from, one.from = one.from, best.from
		}
		best.alsoIn = append(best.alsoIn, one.from)
	}
	return events
}

// rank returns a number that is lower if the calendar's copy of an event has more
// details.
func rank(from *agenda.Source) int {
	if from.Entry.Primary {
		return 0
	}
	if at := slices.Index([]string{"owner", "writer", "writerWithoutPrivateAccess", "reader"}, from.Entry.AccessRole); at >= 0 {
		return at + 1
	}
	return 9
}
