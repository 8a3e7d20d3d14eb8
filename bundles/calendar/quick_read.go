package calendar

import (
	"slices"
	"strings"
	"time"

	"kota/bundles/internal/zoned"
)

// A quick is what a line such as "Lunch with Ann tomorrow 12:00 for 45m" says,
// as arguments of create_event.
type quick struct{ title, start, end, duration string }

// readQuick takes the day, the time and the length out of a line: what is left
// is the title. It answers VALIDATION_ERROR for a line that names no day and no
// time, or several, or nothing else.
func readQuick(text string, at zoned.Context) (quick, error) {
	line := quickLine{words: strings.Fields(text), at: at}
	day, days := line.takeAll(line.day)
	clock, clocks := line.takeAll(line.clock)
	length, lengths := line.takeAll(line.length)
	title := strings.Trim(strings.Join(line.words, " "), " ,;:–-")
	switch {
	case days > 1 || clocks > 1 || lengths > 1:
		return quick{}, notQuick(text, "a line with one day and one time")
	case recursIn(strings.Fields(text)):
		return quick{}, notQuick(text, "a line about one day; calendar_create_event makes a series, with recurrence")
	case line.vague(), clocks == 0 && line.hasHours():
		return quick{}, notQuick(text, `a line whose time is clear, such as "15:00" or "3pm"`)
	case days+clocks == 0:
		return quick{}, notQuick(text, `a line with a day or a time, such as "Lunch tomorrow 12:00"`)
	case title == "":
		return quick{}, notQuick(text, "a line with a title beside the day and the time")
	}
	said := quick{title: title, duration: length.start}
	if clocks == 0 {
		said.start = day.start
		return said, nil
	}
	if days == 0 {
		day.start = line.nextDay(clock.start)
	}
	said.start, said.end = day.start+"T"+clock.start, clock.end
	return said, nil
}

// A quickLine is a line of which some words are taken.
type quickLine struct {
	words []string
	at    zoned.Context
}

// A quickPart is what some words say: a day as "2026-11-24", a time as "15:00"
// with its end, or a length.
type quickPart struct{ start, end string }

// mostWords is how many words a part has: "on the 3rd december 2026".
const mostWords = 5

// takeAll takes the parts of one kind out of the line, the longest first. It
// returns the first of them and how many there were.
func (l *quickLine) takeAll(read func(words []string) (quickPart, bool)) (first quickPart, n int) {
	for size := mostWords; size > 0; size-- {
		for i := 0; i+size <= len(l.words); i++ {
			part, ok := read(lower(l.words[i : i+size]))
			if !ok {
				continue
			}
			if n++; n == 1 {
				first = part
			}
			rest := append([]string{}, l.words[:i]...)
			l.words = append(rest, l.words[i+size:]...)
			i--
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

// length reads "for 2 hours".
func (l *quickLine) length(words []string) (quickPart, bool) {
	if len(words) < 2 || words[0] != "for" {
		return quickPart{}, false
	}
	text := strings.Join(words[1:], " ")
	length, err := zoned.ParseLength(text)
	return quickPart{start: text}, err == nil && length > 0 && strings.ContainsAny(text, "abcdefghijklmnopqrstuvwxyz")
}

// nextDay is the day on which clocks next show that time: today or tomorrow.
func (l *quickLine) nextDay(clock string) string {
	now := l.at.Now.In(l.at.Zone)
	if m, err := zoned.Parse(zoned.Date(now)+"T"+clock, l.at); err == nil && m.Time.Before(now) {
		now = now.AddDate(0, 0, 1)
	}
	return zoned.Date(now)
}

// vague reports whether the words that are left seem to name a time that cannot
// be read: "at 3" may be in the night or in the afternoon, "3/12" in March or in
// December, and there is no 25:00 and no February 30.
func (l *quickLine) vague() bool {
	words := lower(l.words)
	for i, word := range words {
		next := ""
		if i+1 < len(words) {
			next = words[i+1]
		}
		switch {
		case clockLike().MatchString(word), dateLike().MatchString(word), isOne(word, beforeClocks) && startsWithDigit(next):
			return true
		case monthNamed(word) != 0 && startsWithDigit(next), monthNamed(next) != 0 && startsWithDigit(word):
			return true
		}
	}
	return false
}

// hasHours reports whether a word is left such as "10-11", which may be hours.
func (l *quickLine) hasHours() bool { return slices.ContainsFunc(l.words, hoursLike().MatchString) }

// recursIn reports whether the words are of more than one day: "every monday",
// "mondays".
func recursIn(words []string) bool {
	words = lower(words)
	for i, word := range words {
		if single, several := strings.CutSuffix(word, "s"); several && weekdayName(word) == "" && weekdayName(single) != "" {
			return true
		}
		if isOne(word, everyWords) && i+1 < len(words) && (weekdayName(words[i+1]) != "" || isOne(words[i+1], periodWords)) {
			return true
		}
	}
	return false
}

func startsWithDigit(word string) bool { return word != "" && word[0] >= '0' && word[0] <= '9' }

func isOne(word string, of []string) bool {
	for _, one := range of {
		if word == one {
			return true
		}
	}
	return false
}

// day reads "tomorrow", "on friday", "next monday", "2026-12-03" or "dec 3".
func (l *quickLine) day(words []string) (quickPart, bool) {
	if len(words) > 1 && isOne(words[0], beforeDays) {
		words = words[1:]
	}
	if len(words) > 1 && isOne(words[0], []string{"the", "den", "dem"}) {
		words = words[1:]
	}
	ahead, known := daysAhead(words)
	switch {
	case known:
		return quickPart{start: zoned.Date(l.at.Now.In(l.at.Zone).AddDate(0, 0, ahead))}, true
	case len(words) == 2 && isOne(words[0], []string{"next", "this"}) && weekdayName(words[1]) != "":
		return l.parsed(words[0] + " " + weekdayName(words[1]))
	case len(words) == 1 && weekdayName(words[0]) != "":
		return l.parsed(weekdayName(words[0]))
	case len(words) == 1 && len(words[0]) == len(time.DateOnly) && words[0][4] == '-':
		return l.parsed(words[0])
	}
	return l.dated(words)
}

// parsed reads a day as package zoned does.
func (l *quickLine) parsed(text string) (quickPart, bool) {
	m, err := zoned.Parse(text, l.at)
	return quickPart{start: zoned.Date(m.Time)}, err == nil && m.Date
}

// dated reads "dec 3", "3 december" and "december 3rd 2026". Without a year it
// is the next one.
func (l *quickLine) dated(words []string) (quickPart, bool) {
	if len(words) < 2 || len(words) > 3 {
		return quickPart{}, false
	}
	day, month := dayNumber(words[0]), monthNamed(words[1])
	if month == 0 {
		day, month = dayNumber(words[1]), monthNamed(words[0])
	}
	if day == 0 || month == 0 {
		return quickPart{}, false
	}
	today := l.at.Now.In(l.at.Zone)
	year := today.Year()
	if len(words) == 3 {
		t, err := time.Parse("2006", words[2])
		if err != nil {
			return quickPart{}, false
		}
		year = t.Year()
	}
	date := time.Date(year, month, day, 0, 0, 0, 0, time.UTC)
	if len(words) == 2 && zoned.Date(date) < zoned.Date(today) {
		date = time.Date(year+1, month, day, 0, 0, 0, 0, time.UTC)
	}
	return quickPart{start: zoned.Date(date)}, date.Day() == day
}
