package entry

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"kota/bundles/daily/internal/days"
	"kota/bundles/daily/internal/rows"
	"kota/bundles/internal/timeparse"
	"kota/bundles/internal/untrusted"
	"kota/store"
)

// Changes are the changes that a call makes to an entry. A nil or "" field changes
// nothing. Tags replaces all tags, and Links all links: an empty list removes them if it
// is not nil.
type Changes struct {
	Text     *string
	Type     *string
	Date     string
	Time     string // "none" removes it
	Timezone string
	Section  *string
	Mood     *int
	Energy   *int
	Metrics  map[string]any
	Tags     []string
	Links    []string
}

// ReadChanges returns the edit that the arguments ask for. why is the reason for a new
// date.
func ReadChanges(ctx context.Context, p *days.Problems, clock days.Clock, e *store.DayEntry, in Changes) (change store.EntryEdit, why string) {
	source := untrusted.SourceToStore(ctx, "")
	change = store.EntryEdit{
		ID: e.ID, IfVersion: &e.Version, Type: in.Type, Section: in.Section, Text: in.Text, Mood: in.Mood, Energy: in.Energy,
		Metrics: readMetrics(p, "metrics", in.Metrics), Source: &source,
	}
	if in.Text != nil {
		p.Text("text", *in.Text)
	}
	if in.Type != nil {
		CheckName(p, "type", *in.Type)
	}
	checkLabels(p, "", "", valueOf(in.Section), in.Tags, in.Links)
	if in.Tags != nil {
		tags := SplitTags(in.Tags)
		change.AddTags, change.RemoveTags = tags, without(e.Tags, tags)
	}
	if in.Links != nil {
		change.AddLinks, change.RemoveLinks = in.Links, without(e.Links, in.Links)
	}
	zone := p.Zone("timezone", in.Timezone, rows.MomentOf(e).Location())
	if in.Timezone != "" {
		name := zone.String()
		change.Zone = &name
	}
	untimed := strings.EqualFold(in.Time, "none")
	if untimed {
		change.Moment, in.Time = new(time.Time), ""
	}
	if in.Date == "" && in.Time == "" {
		return change, ""
	}
	c := clock.At(zone)
	moved := moveEntry(p, e, in.Date, in.Time, c)
	if untimed {
		moved.Moment = time.Time{}
	}
	logged, _ := clock.DayOf(e.Created.In(zone))
	backfilled := moved.Date < logged
	change.Date, change.Moment, change.Backfilled = &moved.Date, &moved.Moment, &backfilled
	return change, moved.Why
}

// moveEntry returns the new day and time of an entry. With only a date it keeps the time
// of day, unless the date names one. With only a time it keeps the day.
func moveEntry(p *days.Problems, e *store.DayEntry, date, at string, c days.CallTime) days.EntryTime {
	if at != "" {
		return p.Choose("", cmp.Or(date, e.Date), at, c)
	}
	moved := p.Choose("", date, "", c)
	if named, _ := p.Days("date", date, c); len(p.Problems) > 0 || !named.Moment.IsZero() {
		return moved
	}
	if e.Moment.IsZero() {
		moved.Moment = time.Time{}
		return moved
	}
	wall := timeparse.LocalTimeOf(e.Moment.In(c.Moment.Location())).Floating()
	moved.Moment, _ = p.ResolveClockTime("date", date, c.ClockTime(moved.Date, wall.Sub(wall.Truncate(24*time.Hour))), c)
	return moved
}

// without returns the items of list that are not in other.
func without(list, other []string) []string {
	return slices.DeleteFunc(slices.Clone(list), func(item string) bool { return slices.Contains(other, item) })
}

// valueOf returns the text that the pointer refers to, or "" for nil.
func valueOf(text *string) string {
	if text == nil {
		return ""
	}
	return *text
}
