package calendar

import "kota/bundles/calendar/internal/eventtime"

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
