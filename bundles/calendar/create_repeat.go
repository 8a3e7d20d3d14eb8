package calendar

import (
	"kota/bundles/calendar/internal/eventtime"
	"kota/bundles/calendar/internal/series"
)

// repeat makes the event a series by lines such as "FREQ=WEEKLY;BYDAY=TU".
func (n *newEvent) repeat(p *eventtime.Problems, lines []string) {
	n.spans = []eventtime.Span{n.span}
	if len(lines) == 0 {
		return
	}
	set := series.ReadRule(p, lines, n.span)
	if set == nil {
		return
	}
	n.event.Recurrence = set.Lines()
	n.notes = append(n.notes, series.RuleNotes(set, n.span)...)
	instances, _ := set.Between(n.span.Start, n.span.Start.AddDate(series.CheckedYears, 0, 0), series.MaxChecked)
	n.spans = n.span.Repeated(instances)
}
