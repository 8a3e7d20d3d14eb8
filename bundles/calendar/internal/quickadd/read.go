// Package quickadd reads an event from one line of text, such as "Lunch with Ann tomorrow
// 12:00 for 45m". It never guesses: it refuses a line with a word that may be about the
// time but is not understood. The result depends only on the line, the present time and
// the user's zone. Start with [Read].
package quickadd

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"kota/bundles/internal/arguments"
	"kota/bundles/internal/timeparse"
)

// An Event holds the content of a line such as "Lunch with Ann tomorrow 12:00 for 45m", as
// arguments of create_event.
type Event struct{ Title, Start, End, Duration, Zone string }

// Read takes the day, the time and the length out of a line. The rest is the title. It
// returns VALIDATION_ERROR in these cases:
//   - The line has neither a day nor a time.
//   - It has several days, times or lengths.
//   - It has no title.
//   - A word may be about the time and is not understood.
//   - A weekday may belong to the title.
//   - The zone is unknown, or the end is not after the start.
//   - The day is relative to today, and it is another day now in the zone of the line.
//   - The day is "tonight", and the time is before 17:00.
func Read(text string, at timeparse.Context) (Event, error) {
	l := &line{words: strings.Fields(isoTime().ReplaceAllString(text, "$1 $2")), at: at}
	length, lengths := l.takeAll(lengthMark, l.readLength) // lengths first, because "1h" would otherwise be read as one o'clock
	day, days := l.takeAll(dayMark, l.readDay)
	clock, clocks := l.takeAll(clockMark, l.readClock)
	if days == 1 && clocks == 0 {
		clock, clocks = l.takeHours()
	}
	title := l.title()
	ambiguous := l.ambiguousWord(days > 0, clocks > 0)
	switch {
	case days > 1 || clocks > 1 || lengths > 1:
		return Event{}, errUnreadable(text, "a line with one day and one time", "")
	case ambiguous != "":
		return Event{}, errUnreadable(text, `a line whose day and time are clear, such as "Lunch friday 15:00" or "Lunch 2026-12-03 3pm for 2h"`, ambiguous)
	case days+clocks == 0:
		return Event{}, errUnreadable(text, `a line with a day or a time, such as "Lunch tomorrow 12:00"`, "")
	case title == "":
		return Event{}, errUnreadable(text, "a line with a title besides the day and the time", "")
	case clocks == 0 && day.weekdayOnly && !l.endsWith(dayMark):
		return Event{}, errUnreadable(text, `a line whose day is clear: "on" before it, or a time after it`, day.text)
	}
	result := Event{Title: title, Duration: length.start, Zone: clock.zone}
	if clocks == 0 {
		result.Start = day.start
		return result, nil
	}
	return result.withTimes(text, l.at, day, clock)
}

// withTimes returns the event with the start and the end from the day and the time of
// day.
func (q Event) withTimes(text string, at timeparse.Context, day, clock fragment) (Event, error) {
	today := timeparse.Date(at.Now.In(at.Zone))
	if clock.zone != "" {
		zone, err := timeparse.Zone(clock.zone)
		if err != nil {
			return Event{}, errUnreadable(text, "a line with an existing time zone", clock.zone)
		}
		at.Zone = zone
	}
	switch {
	case day.start == "":
		day.start = nextDay(at, clock.start)
	case !day.absolute && timeparse.Date(at.Now.In(at.Zone)) != today:
		return Event{}, errUnreadable(text, `a line with a date, because it is another day in `+clock.zone+" now", day.text)
	case day.text == "tonight" && clock.start < "17:00":
		return Event{}, errUnreadable(text, "a time in the evening", day.text+" "+clock.start)
	}
	q.Start, q.End = day.start+"T"+clock.start, clock.end
	if clock.end == "" || clock.end > clock.start {
		return q, nil
	}
	date, err := time.Parse(time.DateOnly, day.start)
	if err != nil || !clock.endsNextDay() {
		return Event{}, errUnreadable(text, "an end after the start", clock.text)
	}
	q.End = timeparse.Date(date.AddDate(0, 0, 1)) + "T" + clock.end
	return q, nil
}

// endsNextDay reports whether the end of a time is on the next day. That is true for
// "23:30-01:15". It is false for "11:00-9:00", which is a mistake.
func (p fragment) endsNextDay() bool {
	const longest = 12 * time.Hour
	from, err := time.Parse("15:04", p.start)
	to, failed := time.Parse("15:04", p.end)
	return err == nil && failed == nil && p.end < p.start && to.Add(24*time.Hour).Sub(from) <= longest
}

// A line holds the words of a text. A mark replaces the words of each part that was read.
type line struct {
	words []string
	at    timeparse.Context
}

// Marks for the parts that were read. No text contains them.
const (
	dayMark    = "\x00day"
	clockMark  = "\x00clock"
	lengthMark = "\x00length"
)

func isMark(word string) bool { return strings.HasPrefix(word, "\x00") }

// A fragment is the meaning of some words of a line. It is a day as "2026-11-24", a time as
// "15:00" with its end and zone, or a length.
type fragment struct {
	start, end, zone string
	text             string // the words themselves
	absolute         bool   // a date such as "dec 3", not a weekday or a word such as "tomorrow"
	weekdayOnly      bool   // only a weekday without a preposition, which may belong to the title: "Sunday roast"
}

// maxPartWords is the maximum number of words in a part: "from 3 pm to 4 pm UTC".
const maxPartWords = 7

// takeAll replaces the parts of one kind in the line by marks, the longest first. It
// returns the first part and the number of parts.
func (l *line) takeAll(mark string, read func(words []string) (fragment, bool)) (first fragment, n int) {
	for size := maxPartWords; size > 0; size-- {
		for i := 0; i+size <= len(l.words); i++ {
			words := lower(l.words[i : i+size])
			part, ok := read(words)
			if !ok {
				continue
			}
			part.text = strings.Join(words, " ")
			if n++; n == 1 {
				first = part
			}
			l.words = slices.Replace(slices.Clone(l.words), i, i+size, mark)
		}
	}
	return first, n
}

func lower(words []string) []string {
	folded := make([]string, len(words))
	for i, word := range words {
		folded[i] = strings.Trim(strings.ToLower(word), ",;")
	}
	return folded
}

// title returns the words of the line that are in no part.
func (l *line) title() string {
	rest := slices.DeleteFunc(slices.Clone(l.words), isMark)
	return strings.Trim(strings.Join(rest, " "), " ,;:–-")
}

// endsWith reports whether the line ends with that mark.
func (l *line) endsWith(mark string) bool { return l.words[len(l.words)-1] == mark }

// takeHours reads hours without minutes next to the day, such as "9-11" after "tomorrow".
// It reads only hours from 9 on, which are very unlikely to be in the other half of the
// day.
func (l *line) takeHours() (fragment, int) {
	at := slices.Index(l.words, dayMark)
	for _, i := range []int{at + 1, at - 1} {
		if i < 0 || i >= len(l.words) {
			continue
		}
		found := hoursForm().FindStringSubmatch(lower(l.words[i : i+1])[0])
		if found == nil {
			continue
		}
		from, _ := strconv.Atoi(found[1]) // at most two digits
		to, _ := strconv.Atoi(found[2])
		if from < 9 || to <= from || to > 23 {
			continue
		}
		part := fragment{start: fmt.Sprintf("%02d:00", from), end: fmt.Sprintf("%02d:00", to), text: found[0]}
		l.words = slices.Replace(slices.Clone(l.words), i, i+1, clockMark)
		return part, 1
	}
	return fragment{}, 0
}

// readLength reads "for 2 hours".
func (l *line) readLength(words []string) (fragment, bool) {
	if len(words) < 2 || words[0] != "for" {
		return fragment{}, false
	}
	text := strings.Join(words[1:], " ")
	length, err := timeparse.ParseLength(text)
	return fragment{start: text}, err == nil && length > 0 && strings.ContainsAny(text, "abcdefghijklmnopqrstuvwxyz")
}

// nextDay returns the next day on which that time is in the future: today or tomorrow.
func nextDay(at timeparse.Context, clock string) string {
	now := at.Now.In(at.Zone)
	if m, err := timeparse.Parse(timeparse.Date(now)+"T"+clock, at); err == nil && m.Time.Before(now) {
		now = now.AddDate(0, 0, 1)
	}
	return timeparse.Date(now)
}

// readDay reads "tomorrow", "in 2 weeks", "on friday", "next monday", "2026-12-03"
// or "dec 3".
func (l *line) readDay(words []string) (fragment, bool) {
	before := 0
	if len(words) > 1 && isOneOf(words[0], beforeDays) {
		before = 1
	}
	if len(words) > before+1 && isOneOf(words[before], articles) {
		before++
	}
	words, weekdayOnly := words[before:], before == 0
	ahead, known := daysAhead(words)
	switch {
	case known:
		return fragment{start: timeparse.Date(l.at.Now.In(l.at.Zone).AddDate(0, 0, ahead))}, true
	case len(words) == 2 && isOneOf(words[0], []string{"next", "this"}) && weekdayIn(words[1], false) != "":
		return l.parseDay(words[0] + " " + weekdayIn(words[1], false))
	case len(words) == 1 && weekdayIn(words[0], weekdayOnly) != "":
		part, ok := l.parseDay(weekdayIn(words[0], weekdayOnly))
		part.weekdayOnly = weekdayOnly
		return part, ok
	case len(words) == 1 && isoDate().MatchString(words[0]):
		part, ok := l.parseDay(strings.ReplaceAll(words[0], "/", "-"))
		part.absolute = true
		return part, ok
	}
	return l.parseDate(words)
}

// parseDay reads a day with package timeparse.
func (l *line) parseDay(text string) (fragment, bool) {
	m, err := timeparse.Parse(text, l.at)
	return fragment{start: timeparse.Date(m.Time)}, err == nil && m.Date
}

// parseDate reads "dec 3", "3 december" and "december 3rd 2026". Without a year it is the
// next such date, which may be today.
func (l *line) parseDate(words []string) (fragment, bool) {
	date, ok := timeparse.ParseDate(words, l.at.Now.In(l.at.Zone))
	return fragment{start: timeparse.Date(date), absolute: true}, ok
}

// errUnreadable returns the error for a text that cannot be read. ambiguous is the part
// that was not understood, or "".
func errUnreadable(text, expected, ambiguous string) error {
	got := strconv.QuoteToASCII(arguments.Brief(text))
	if ambiguous != "" {
		got += ", of which " + strconv.QuoteToASCII(arguments.Brief(ambiguous)) + " is not understood"
	}
	return arguments.Invalid("text", expected, got).
		WithHint(`Nothing was created. calendar_create_event takes any title and time: {"title": "Lunch", "start": "2026-12-03T12:00", "end": "2026-12-03T13:30"}.`)
}
