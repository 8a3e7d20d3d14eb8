package quickadd

import (
	"fmt"
	"strconv"
	"strings"

	"kota/bundles/internal/lazyregexp"
	"kota/bundles/internal/timeparse"
)

// Words before a time of day and before a day.
var (
	beforeClocks = []string{"at", "from", "um", "von", "om", "van", "à"}
	beforeDays   = []string{"on", "am", "op", "le"}
	articles     = []string{"the", "den", "dem"}
)

// daysAhead reads words for a day relative to today, such as "in 2 weeks". It returns the
// number of days from today, and false for any other words.
func daysAhead(words []string) (int, bool) {
	if len(words) == 1 && words[0] == "tonight" {
		return 0, true
	}
	if ahead, ok := timeparse.ParseRelativeDay(words); ok && ahead >= 0 {
		return ahead, true
	}
	if len(words) != 3 || words[0] != "in" {
		return 0, false
	}
	n, err := strconv.ParseUint(words[1], 10, 8)
	switch words[2] {
	case "day", "days", "tagen", "dagen":
		return int(n), err == nil && n > 0
	case "week", "weeks", "wochen", "weken":
		return 7 * int(n), err == nil && n > 0
	}
	return 0, false
}

// weekdayIn is weekdayName with short forms. Short forms that are also ordinary words, such
// as "sun", are weekdays only after a preposition, an article, "next" or "this".
func weekdayIn(word string, withoutPreposition bool) string {
	if name := weekdayName(word); name != "" {
		return name
	}
	if withoutPreposition && isOneOf(word, ambiguousDays) {
		return ""
	}
	return shortWeekday(word)
}

// ambiguousDays are short forms of weekdays that are also ordinary words.
var ambiguousDays = []string{"mon", "wed", "sat", "sun"}

// shortWeekday returns the weekday of an English short form, or "".
func shortWeekday(word string) string {
	switch strings.TrimSuffix(word, ".") {
	case "mon":
		return "monday"
	case "tue", "tues":
		return "tuesday"
	case "wed", "weds":
		return "wednesday"
	case "thu", "thur", "thurs":
		return "thursday"
	case "fri":
		return "friday"
	case "sat":
		return "saturday"
	case "sun":
		return "sunday"
	}
	return ""
}

// weekdayName returns the English name of a weekday that is given in a language of
// timeparse.ParseWeekday, or "".
func weekdayName(word string) string {
	day, ok := timeparse.ParseWeekday(word)
	if !ok {
		return ""
	}
	return strings.ToLower(day.String())
}

// clockForm matches what may be a time of day, with or without an end. readClock refuses an
// hour that has neither minutes nor a word such as "pm".
var clockForm = lazyregexp.New(`^(\d{1,2})(?:[:h.](\d{2}))? ?(am|pm|a\.m\.|p\.m\.|uhr|uur|h)?(?: ?(?:-|–|to|until|till|bis|tot) ?(\d{1,2})(?:[:h.](\d{2}))? ?(am|pm|a\.m\.|p\.m\.|uhr|uur|h)?)?$`)

// isoDate matches a date in year-month-day order. isoTime matches such a date with a time
// after "T".
var (
	isoDate = lazyregexp.New(`^\d{4}(-\d{2}-|/\d{2}/)\d{2}$`)
	isoTime = lazyregexp.New(`(?i)\b(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2})(?:$|\s)`)
)

// hoursForm matches what may be hours without minutes, such as "9-11".
var hoursForm = lazyregexp.New(`^(\d{1,2})[-–](\d{1,2})$`)

// isZoneName reports whether a word is the unambiguous name of a zone, unlike CST.
func isZoneName(word string) bool {
	if word == "utc" || word == "gmt" {
		return true
	}
	return strings.Contains(word, "/") && timeparse.IsZone(word)
}

// readClock reads "15:00", "at 9am", "9:30-11:00", "from 3pm to 4pm", "noon" or "15:00
// UTC".
func (l *line) readClock(words []string) (fragment, bool) {
	if last := len(words) - 1; last > 0 && isZoneName(words[last]) {
		part, ok := l.readClock(words[:last])
		part.zone, ok = strings.ToUpper(words[last]), ok && part.zone == ""
		if zone, err := timeparse.Zone(words[last]); err == nil {
			part.zone = zone.String()
		}
		return part, ok
	}
	if len(words) > 1 && isOneOf(words[0], beforeClocks) {
		words = words[1:]
	}
	if len(words) == 1 && isOneOf(words[0], []string{"noon", "midi"}) {
		return fragment{start: "12:00"}, true
	}
	found := clockForm().FindStringSubmatch(strings.Join(words, " "))
	if found == nil {
		return fragment{}, false
	}
	half, lastHalf := found[3], found[6]
	if half == "" && found[4] != "" {
		half = lastHalf // 3-4pm
	}
	if found[2] == "" && half == "" || found[4] != "" && found[5] == "" && lastHalf == "" {
		return fragment{}, false
	}
	part := fragment{}
	ok := false
	if part.start, ok = clockTime(found[1], found[2], half); !ok || found[4] == "" {
		return part, ok
	}
	if lastHalf == "" && strings.HasPrefix(half, "p") {
		return fragment{}, false
	}
	part.end, ok = clockTime(found[4], found[5], lastHalf)
	if ok && part.end <= part.start && found[3] == "" && strings.HasPrefix(half, "p") { // 11-1pm
		part.start, ok = clockTime(found[1], found[2], "am")
	}
	return part, ok
}

// clockTime returns a time of day on the 24-hour clock: "15:00".
func clockTime(hour, minute, half string) (string, bool) {
	h, err := strconv.Atoi(hour)
	m, _ := strconv.Atoi(minute) // digits or ""
	if half := strings.ReplaceAll(half, ".", ""); half == "am" || half == "pm" {
		if h < 1 || h > 12 {
			return "", false
		}
		if h %= 12; half == "pm" {
			h += 12
		}
	}
	return fmt.Sprintf("%02d:%02d", h, m), err == nil && h < 24 && m < 60
}
