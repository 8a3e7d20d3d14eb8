package availability

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"kota/bundles/calendar/internal/eventtime"
	"kota/bundles/internal/slots"
	"kota/bundles/internal/timeparse"
)

// rows returns the rows of the slots.
func (w *slotSearch) rows(found []slots.Slot) []Slot {
	rows := make([]Slot, 0, len(found))
	for _, s := range found {
		end := s.Start.Add(w.length())
		row := Slot{
			Start: timeparse.RFC3339(s.Start), When: timeparse.Span(s.Start, end, w.Zone), Local: w.local(s.Start, end),
			Unconfirmed: w.someNames(s.Unconfirmed), Without: w.someNames(s.Without),
		}
		if s.Latest.After(s.Start) {
			row.Latest = s.Latest.Format("15:04")
		}
		rows = append(rows, row)
	}
	return rows
}

// searchedWords describes the time range that was searched. For the default range it adds
// how to search further.
func (w *slotSearch) searchedWords() string {
	text := timeparse.Span(time.Unix(w.From, 0), time.Unix(w.To, 0), w.Zone)
	if w.defaultRange {
		text += `, the default two weeks; use "to" to search longer`
	}
	return text
}

func (w *slotSearch) length() time.Duration { return time.Duration(w.Length) * time.Second }

// local lists the time in the zones of other people: "America/New_York Tue 09:00–10:00".
// It leaves out zones with the same clock time as the user's.
func (w *slotSearch) local(start, end time.Time) []string {
	list := []string{}
	_, userOffset := start.In(w.Zone).Zone()
	for _, one := range w.people {
		if _, offset := start.In(one.zone).Zone(); offset == userOffset {
			continue
		}
		text := one.zone.String() + " " + localTime(start, end, one.zone)
		if !slices.Contains(list, text) {
			list = append(list, text)
		}
	}
	return list
}

// localTime returns "Tue 09:00–10:00".
func localTime(start, end time.Time, zone *time.Location) string {
	return start.In(zone).Format("Mon 15:04") + "–" + end.In(zone).Format("15:04")
}

func (w *slotSearch) names(people []int) []string {
	list := []string{}
	for _, i := range people {
		list = append(list, w.people[i].who)
	}
	return list
}

// someNames returns all names if there are at most 5, otherwise 4 names and the number of
// others.
func (w *slotSearch) someNames(people []int) []string {
	const most = 5
	if len(people) <= most {
		return w.names(people)
	}
	return append(w.names(people[:most-1]), fmt.Sprintf("%d more", len(people)-most+1))
}

// warning returns a warning that names the required people whose time is unknown. It
// returns "" if the times of all required people are known.
func (w *slotSearch) warning() string {
	unknown := []string{}
	for i, p := range w.People {
		if !p.Optional && len(p.Unknown) > 0 {
			unknown = append(unknown, w.people[i].who)
		}
	}
	if len(unknown) == 0 {
		return ""
	}
	return "It is unknown when these are busy: " + strings.Join(unknown, ", ") + ". Ask them before you treat an unconfirmed slot as agreed."
}

// allUnconfirmed reports whether there are several slots, all with the same unconfirmed
// people.
func allUnconfirmed(found []slots.Slot) bool {
	return len(found) > 1 && len(found[0].Unconfirmed) > 0 &&
		!slices.ContainsFunc(found, func(s slots.Slot) bool { return !slices.Equal(s.Unconfirmed, found[0].Unconfirmed) })
}

// nextStep returns the call that books a slot.
func (w *slotSearch) nextStep() string {
	others := []string{}
	for _, one := range w.people[1:] {
		if !one.optional {
			others = append(others, strconv.Quote(one.who))
		}
	}
	text := fmt.Sprintf("calendar_create_event {title, start, duration: %q", timeparse.Length(w.length()))
	if len(others) > 0 {
		text += ", attendees: [" + strings.Join(others, ", ") + "]"
	}
	return text + "}"
}

// daysOff returns the reason if the searched range has no wanted weekday: "Sunday is not
// among mon–fri". Otherwise it returns "".
func (w *slotSearch) daysOff() string {
	searched := []string{}
	last := time.Unix(w.To-1, 0).In(w.Zone)
	for day := time.Unix(w.From, 0).In(w.Zone); len(searched) < 7; day = eventtime.DayAfter(day, 1, w.Zone) {
		if day.After(last) {
			break
		}
		if w.days&(1<<day.Weekday()) != 0 {
			return ""
		}
		searched = append(searched, day.Weekday().String())
	}
	verb := " are not among "
	if len(searched) == 1 {
		verb = " is not among "
	}
	return strings.Join(searched, " and ") + verb + w.days.String()
}

// hasNo returns the beginning of a sentence: "you have no" or "bob@example.org has no".
func (w *slotSearch) hasNo(i int) string {
	if w.people[i].who == you {
		return "you have no"
	}
	return w.people[i].who + " has no"
}

// whyNone returns the reasons why the people cannot meet, and changes that would help.
func (w *slotSearch) whyNone() string {
	m := w.ExplainNoSlot()
	length := timeparse.Length(w.length())
	reasons := []string{}
	if off := w.daysOff(); off != "" {
		return "No slot of " + length + " suits all: " + off + `. Use "to" to search longer, or pass other days.`
	}
	if m.HoursApart {
		reasons = append(reasons, "the working hours have no "+length+" in common, so widen working_hours or days")
	}
	for _, i := range m.FullyBusy {
		if !m.HoursApart {
			reasons = append(reasons, w.hasNo(i)+" free slot of "+length+" in working hours")
		}
	}
	if gap := m.Gap.To - m.Gap.From; gap >= 60 {
		when := timeparse.Span(time.Unix(m.Gap.From, 0), time.Unix(m.Gap.To, 0), w.Zone)
		reasons = append(reasons, "the longest time when all are free is "+timeparse.Length(time.Duration(gap/60)*time.Minute)+", "+when)
	}
	helps := slices.DeleteFunc(m.Blocking, func(i int) bool { return i == 0 })
	if len(helps) > 0 {
		reasons = append(reasons, "there is a slot without "+strings.Join(w.names(helps), " or "))
	}
	reasons = append(reasons, `use "to" to search longer, or pass a shorter duration`)
	return "No slot of " + length + " suits all: " + strings.Join(reasons, "; ") + "."
}
