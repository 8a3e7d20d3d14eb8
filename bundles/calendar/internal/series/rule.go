package series

import (
	"slices"
	"strings"
	"time"

	calendarapi "google.golang.org/api/calendar/v3"

	"kota/bundles/calendar/internal/event"
	"kota/bundles/calendar/internal/eventtime"
	"kota/bundles/internal/recurrence"
	"kota/metadata"
)

// RecurrenceOf parses the recurrence of a series. zone is as in eventtime.Of.
func RecurrenceOf(series *calendarapi.Event, zone *time.Location) (*recurrence.Set, error) {
	s, ok := eventtime.Of(series, zone)
	if !ok {
		return nil, metadata.Errorf(metadata.Unavailable, "Google does not say when the series starts").
			WithHint("Change it in Google Calendar, or one instance at a time with scope this.")
	}
	set, err := recurrence.Parse(series.Recurrence, eventtime.RuleStart(s))
	if err != nil {
		return nil, metadata.Errorf(metadata.Unavailable, "the series repeats in a way that cannot be changed here: %w", err).
			WithHint("Change it in Google Calendar, give a new recurrence with scope all, or change one instance at a time with scope this.")
	}
	return set, nil
}

// Storable returns the lines and the first span of a series in the form that Google can
// store: see recurrence.Set.StartOutsideGap.
func Storable(s eventtime.Span, set *recurrence.Set) ([]string, eventtime.Span, error) {
	storable, err := set.StartOutsideGap()
	if err != nil {
		return nil, s, err
	}
	return storable.Lines(), s.StartingAt(storable.Start().Time), nil
}

// SplitRule divides the recurrence of a series before the instance t.Single. The caller
// must exclude the cancelled instances of the second half.
func (t *Target) SplitRule(exceptions []*calendarapi.Event) (recurrence.SplitSeries, error) {
	set, err := RecurrenceOf(t.Series, t.Zone)
	if err != nil {
		return recurrence.SplitSeries{}, err
	}
	at := OriginalStart(t.Single, t.Zone)
	cut, err := set.Split(at)
	if err != nil {
		return cut, metadata.Errorf(metadata.Unavailable, "the series cannot be split there: %w", err).
			WithHint("Choose another instance, or change one instance at a time with scope this.")
	}
	if cut.First {
		return cut, nil
	}
	if len(cut.Before) == 0 && slices.ContainsFunc(exceptions, func(e *calendarapi.Event) bool { return OriginalStart(e, t.Zone).Before(at) }) {
		cut.Before = []string{"RRULE:FREQ=DAILY;COUNT=1"} // Google would drop the exceptions of a single event
	}
	return cut, nil
}

// ExcludeCancelled returns the lines of a series that starts at the span, with an EXDATE
// for each cancelled exception from that start on.
func ExcludeCancelled(lines []string, start eventtime.Span, exceptions []*calendarapi.Event, zone *time.Location) ([]string, error) {
	if len(lines) == 0 {
		return lines, nil
	}
	lines = slices.Clone(lines)
	for _, one := range exceptions {
		if one.Status != event.Cancelled || OriginalStart(one, zone).Before(start.Start) {
			continue
		}
		line := "EXDATE:" + OriginalStart(one, zone).UTC().Format("20060102T150405Z")
		if start.AllDay {
			line = "EXDATE;VALUE=DATE:" + OriginalStart(one, zone).Format("20060102")
		}
		lines = append(lines, line)
	}
	set, err := recurrence.Parse(lines, eventtime.RuleStart(start))
	if err != nil {
		return nil, err
	}
	return set.Lines(), nil
}

// ReadRule parses the rules of a series that starts at the span. If they are invalid, it
// adds a problem and returns nil. A start that the rule does not give is a problem too,
// because Google would add that start to the series.
func ReadRule(p *eventtime.Problems, lines []string, start eventtime.Span) *recurrence.Set {
	set, err := recurrence.Parse(lines, eventtime.RuleStart(start))
	if err != nil {
		p.AddWithReason("recurrence", `a rule such as "FREQ=WEEKLY;BYDAY=TU"`, strings.Join(lines, " "), err)
		return nil
	}
	given, _ := start.Arguments(start.Zone)
	if next, stray := set.StartNotInRule(); stray {
		first := eventtime.Span{Start: next, End: next, Zone: start.Zone, AllDay: start.AllDay}
		date, _ := first.Arguments(first.Zone)
		p.Add("start", "a date of the rule; the first is "+first.StartWords(), given)
		p.Suggest(date)
		return nil
	}
	if first, ok := set.First(); !ok || !first.Equal(start.Start) {
		p.Add("recurrence", "one that does not exclude its own start, "+start.StartWords(), strings.Join(lines, " "))
		return nil
	}
	return set
}

// At most MaxChecked instances of a series, within CheckedYears years, are checked for
// conflicts.
const (
	MaxChecked   = 100
	CheckedYears = 1
)
