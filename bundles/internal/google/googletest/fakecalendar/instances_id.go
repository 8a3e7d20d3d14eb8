package fakecalendar

import (
	"slices"
	"strings"
	"time"

	"kota/bundles/internal/google/googletest/fakeapi"
	"kota/bundles/internal/google/googletest/rrule"
)

// instanceID returns the id of the instance that starts at the time, the same
// in all calendars.
func (c *fakeCalendar) instanceID(series *fakeEvent, at time.Time) string {
	if start, _ := series.data["start"].(fakeapi.Object); start["date"] != nil {
		return series.id + "_" + at.Format(rrule.DayFormat)
	}
	return series.id + "_" + at.UTC().Format(rrule.UTCFormat)
}

// instance returns the instance with that id, as a series of the calendar makes
// it, or nil if no series has it.
func (c *fakeCalendar) instance(id string) *fakeEvent {
	for _, e := range c.all() {
		if !e.recurs() {
			continue
		}
		for _, at := range c.matchingStarts(e, id) {
			if c.instanceID(e, at) == id && c.hasInstanceAt(e, at) {
				return c.newInstance(e, at)
			}
		}
	}
	return nil
}

// matchingStarts returns the starts of the instances that the id may mean.
func (c *fakeCalendar) matchingStarts(e *fakeEvent, id string) []time.Time {
	// Ids are not split at underscores, because ids of imported events begin
	// with an underscore.
	suffix, _ := strings.CutPrefix(id, e.id+"_")
	for _, layout := range []string{rrule.UTCFormat, rrule.DayFormat} {
		if at, err := time.Parse(layout, suffix); err == nil {
			return []time.Time{at}
		}
	}
	return nil
}

// hasInstanceAt reports whether the series has or had an instance that starts at the
// time.
func (c *fakeCalendar) hasInstanceAt(e *fakeEvent, at time.Time) bool {
	return slices.ContainsFunc(c.starts(e.data, at.Add(time.Second)), at.Equal)
}
