package calendar

import (
	"strings"

	"kota/bundles/calendar/internal/eventtime"
	"kota/bundles/internal/recurrence"
)

// Conflicts of a series are looked for among so many of its instances.
const (
	mostChecked  = 100
	checkedYears = 1
)

// repeat makes the event a series by lines such as "FREQ=WEEKLY;BYDAY=TU".
func (n *newEvent) repeat(p *eventtime.Problems, lines []string) {
	n.spans = []eventtime.Span{n.span}
	if len(lines) == 0 {
		return
	}
	set := readRule(p, lines, n.span)
	if set == nil {
		return
	}
	n.event.Recurrence = set.Lines()
	n.notes = append(n.notes, repeatNotes(set, n.span)...)
	instances, _ := set.Between(n.span.Start, n.span.Start.AddDate(checkedYears, 0, 0), mostChecked)
	n.spans = n.span.Repeated(instances)
}

// readRule reads the rules of a series that starts at the span. It returns nil,
// and notes what is wrong, for what is none. A start that the rule does not make
// is refused: Google would add it to the series.
func readRule(p *eventtime.Problems, lines []string, start eventtime.Span) *recurrence.Set {
	set, err := recurrence.Parse(lines, eventtime.RuleStart(start))
	if err != nil {
		p.Explain("recurrence", `a rule such as "FREQ=WEEKLY;BYDAY=TU"`, strings.Join(lines, " "), err)
		return nil
	}
	given, _ := start.Ends(start.Zone)
	if next, stray := set.Stray(); stray {
		first := eventtime.Span{Start: next, End: next, Zone: start.Zone, AllDay: start.AllDay}
		date, _ := first.Ends(first.Zone)
		p.Add("start", "a date that the rule makes, the first of which is "+first.Begins(), given)
		p.Suggest(date)
		return nil
	}
	if first, ok := set.First(); !ok || !first.Equal(start.Start) {
		p.Add("recurrence", "one that does not exclude its own start, "+start.Begins(), strings.Join(lines, " "))
		return nil
	}
	return set
}
