package calendar

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"kota/bundles/internal/pattern"
)

// Words that stand before a time of day and before a day.
var (
	beforeClocks = []string{"at", "from", "um", "von", "om", "van", "à"}
	beforeDays   = []string{"on", "am", "op", "le"}
)

// Words for what comes again: "every week".
var (
	everyWords  = []string{"every", "each", "jeden", "jede", "jedes", "elke", "iedere", "chaque"}
	periodWords = []string{
		"day", "week", "weekday", "month", "year", "other", "second", "tag", "woche", "monat", "jahr", "dag", "maand", "jaar", "jour", "semaine", "mois", "année",
	}
)

// daysAhead reads words for a day near today.
func daysAhead(words []string) (int, bool) {
	if len(words) != 1 {
		return 0, false
	}
	switch words[0] {
	case "today", "heute", "vandaag", "aujourd'hui", "aujourd’hui":
		return 0, true
	case "tomorrow", "morgen", "demain":
		return 1, true
	case "übermorgen", "overmorgen", "après-demain":
		return 2, true
	}
	return 0, false
}

// weekdayName returns the English name of a weekday in one of the languages, ""
// for any other word. Short forms are words of their own too often: "sun".
func weekdayName(word string) string {
	for _, names := range []string{
		"sunday monday tuesday wednesday thursday friday saturday",
		"sonntag montag dienstag mittwoch donnerstag freitag samstag",
		"zondag maandag dinsdag woensdag donderdag vrijdag zaterdag",
		"dimanche lundi mardi mercredi jeudi vendredi samedi",
	} {
		for day, name := range strings.Fields(names) {
			if word == name {
				return strings.ToLower(time.Weekday(day).String())
			}
		}
	}
	return ""
}

// monthNamed returns the month of that name, or of three letters or more that
// it begins with, in one of the languages; 0 for any other word.
func monthNamed(word string) time.Month {
	word = strings.TrimSuffix(word, ".")
	if len([]rune(word)) < 3 || word == "jui" { // June or July
		return 0
	}
	for _, names := range []string{
		"january february march april may june july august september october november december",
		"januar februar märz april mai juni juli august september oktober november dezember",
		"januari februari maart april mei juni juli augustus september oktober november december",
		"janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
	} {
		for i, name := range strings.Fields(names) {
			if strings.HasPrefix(name, word) {
				return time.Month(i + 1)
			}
		}
	}
	return 0
}

// dayNumber reads "3", "3rd" or "3.", 0 for any other word.
func dayNumber(word string) int {
	for _, end := range []string{"st", "nd", "rd", "th", "er", "."} {
		word = strings.TrimSuffix(word, end)
	}
	n, err := strconv.Atoi(word)
	if err != nil || n < 1 || n > 31 {
		return 0
	}
	return n
}

// clockForm is a time of day, with its end or without: it has minutes or says
// which half of the day it is of.
var clockForm = pattern.Of(`^(\d{1,2})(?:[:h.](\d{2}))? ?(am|pm|a\.m\.|p\.m\.|uhr|uur|h)?(?: ?(?:-|–|to|until|till|bis|tot) ?(\d{1,2})(?:[:h.](\d{2}))? ?(am|pm|a\.m\.|p\.m\.|uhr|uur|h)?)?$`)

// clockLike is what looks like a time of day.
var clockLike = pattern.Of(`^\d{1,2}(:\d{2}|:?\d{0,2}(am|pm|uhr))`)

// dateLike is what looks like a date in numbers, of which nobody can tell the
// day from the month.
var dateLike = pattern.Of(`^\d{1,2}(?:\.\d{1,2}\.(?:\d{2,4})?|/\d{1,2}(?:/\d{2,4})?)$`)

// hoursLike is what may be hours without minutes.
var hoursLike = pattern.Of(`^\d{1,2}[-–]\d{1,2}$`)

// clock reads "15:00", "at 9am", "9:30-11:00", "from 3pm to 4pm" or "noon".
func (l *quickLine) clock(words []string) (quickPart, bool) {
	if len(words) > 1 && isOne(words[0], beforeClocks) {
		words = words[1:]
	}
	if len(words) == 1 && isOne(words[0], []string{"noon", "midi"}) {
		return quickPart{start: "12:00"}, true
	}
	found := clockForm().FindStringSubmatch(strings.Join(words, " "))
	if found == nil {
		return quickPart{}, false
	}
	half, lastHalf := found[3], found[6]
	if half == "" && found[4] != "" {
		half = lastHalf // 3-4pm
	}
	if found[2] == "" && half == "" || found[4] != "" && found[5] == "" && lastHalf == "" {
		return quickPart{}, false
	}
	part := quickPart{}
	ok := false
	if part.start, ok = clockOf(found[1], found[2], half); !ok || found[4] == "" {
		return part, ok
	}
	if lastHalf == "" && strings.HasPrefix(half, "p") {
		return quickPart{}, false
	}
	part.end, ok = clockOf(found[4], found[5], lastHalf)
	if ok && part.end <= part.start && found[3] == "" && strings.HasPrefix(half, "p") { // 11-1pm
		part.start, ok = clockOf(found[1], found[2], "am")
	}
	return part, ok
}

// clockOf returns a time of day of 24 hours as "15:00".
func clockOf(hour, minute, half string) (string, bool) {
	h, err := strconv.Atoi(hour)
	m, _ := strconv.Atoi(minute) // digits, or nothing
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
