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

// An Changes is what a call changes of an entry: nil, "" and no metrics change
// nothing.
type Changes struct {
	Text     *string
	Type     *string
	Date     string
	Time     string // "none" takes it out
	Timezone string
	Section  *string
	Mood     *int
	Energy   *int
	Metrics  map[string]any
	Tags     []string
	Links    []string
}

// ReadChanges is what the arguments make of an entry, and why it is on the day that
// they move it to.
func ReadChanges(ctx context.Context, p *days.Problems, clock days.Clock, e *store.DayEntry, in Changes) (change store.EntryEdit, why string) {
	source := untrusted.Source(ctx, "")
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
	checkLabels(p, "", "", or(in.Section), in.Tags, in.Links)
	if in.Tags != nil {
		tags := EachTag(in.Tags)
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

// moveEntry places an entry anew: at the time of day that it had on another date, or
// at another time of its day.
func moveEntry(p *days.Problems, e *store.DayEntry, date, at string, c days.Present) days.Chosen {
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
	wall := timeparse.WallOf(e.Moment.In(c.Moment.Location())).Floating()
	moved.Moment, _ = p.At("date", date, c.OnClock(moved.Date, wall.Sub(wall.Truncate(24*time.Hour))), c)
	return moved
}

// without are the items of a list that are not in the other.
func without(list, other []string) []string {
	return slices.DeleteFunc(slices.Clone(list), func(item string) bool { return slices.Contains(other, item) })
}

// or is the text that is pointed to, "" for none.
func or(text *string) string {
	if text == nil {
		return ""
	}
	return *text
}
