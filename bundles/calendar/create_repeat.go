package calendar

import (
	"strings"

	"kota/bundles/internal/recurrence"
)

// Conflicts of a series are looked for among so many of its instances.
const (
	mostChecked  = 100
	checkedYears = 1
)

// repeat makes the event a series by lines such as "FREQ=WEEKLY;BYDAY=TU".
func (n *newEvent) repeat(p *problems, lines []string) {
	n.spans = []span{n.span}
	if len(lines) == 0 {
		return
	}
	set := readRule(p, lines, n.span)
	if set == nil {
		return
	}
	n.event.Recurrence = set.Lines()
	n.notes = append(n.notes, repeatNotes(set, n.span)...)
	instances, _ := set.Between(n.span.start, n.span.start.AddDate(checkedYears, 0, 0), mostChecked)
	n.spans = n.span.repeated(instances)
}

// readRule reads the rules of a series that starts at the span. It returns nil,
// and notes what is wrong, for what is none. A start that the rule does not make
// is refused: Google would add it to the series.
func readRule(p *problems, lines []string, start span) *recurrence.Set {
	set, err := recurrence.Parse(lines, startOf(start))
	if err != nil {
		p.explain("recurrence", `a rule such as "FREQ=WEEKLY;BYDAY=TU"`, strings.Join(lines, " "), err)
		return nil
	}
	given, _ := start.ends(start.zone)
	if next, stray := set.Stray(); stray {
		first := span{start: next, end: next, zone: start.zone, allDay: start.allDay}
		date, _ := first.ends(first.zone)
		p.Add("start", "a date that the rule makes, the first of which is "+first.begins(), given)
		p.suggest(date)
		return nil
	}
	if first, ok := set.First(); !ok || !first.Equal(start.start) {
		p.Add("recurrence", "one that does not exclude its own start, "+start.begins(), strings.Join(lines, " "))
		return nil
	}
	return set
}
