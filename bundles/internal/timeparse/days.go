package timeparse

import (
	"strings"
	"time"
)

// Recurrence says how often the days in a text recur. For days that recur, the
// text does not say which dates it means.
type Recurrence int

// How often days recur.
const (
	Once   Recurrence = iota // "2026-11-24", "tomorrow", "last week": once
	Weekly                   // "friday"
	Yearly                   // "24 december", "november"
)

// namedDays are consecutive days, in the form of [LocalTime.Floating].
type namedDays struct {
	first      time.Time
	n          int // the number of days
	recurrence Recurrence
}

// maxDayWords is how many words may name days: "the end of the next month".
const maxDayWords = 6

// findDays finds the days that the words begin with. It tries the most words
// first.
func findDays(words []string, today time.Time) (found namedDays, rest []string, ok bool) {
	for n := min(len(words), maxDayWords); n > 0; n-- {
		if found, ok := parseDays(words[:n], today); ok {
			return found, words[n:], true
		}
	}
	return namedDays{}, words, false
}

// parseDays parses words that name days, and nothing else.
func parseDays(words []string, today time.Time) (namedDays, bool) {
	if offset, ok := ParseRelativeDay(words); ok {
		return namedDays{today.AddDate(0, 0, offset), 1, Once}, true
	}
	if first, ok := ParseDate(words, today); ok {
		again := Once
		if len(words) == 2 {
			again = Yearly
		}
		return namedDays{first, 1, again}, true
	}
	words = withoutArticles(words)
	switch {
	case len(words) > 1 && words[0] == "end":
		span, ok := parseSpan(words[1:], today)
		return namedDays{span.first.AddDate(0, 0, span.n-1), 1, Once}, ok
	case len(words) == 1:
		if day, ok := weekday(words[0]); ok {
			return namedDays{today.AddDate(0, 0, (int(day)-int(today.Weekday())+6)%7+1), 1, Weekly}, true
		}
		if month := ParseMonth(words[0]); month != 0 {
			found := monthOf(today.Year(), month)
			if month < today.Month() {
				found = monthOf(today.Year()+1, month)
			}
			found.recurrence = Yearly
			return found, true
		}
		if words[0] == "weekend" {
			return parseSpan(words, today)
		}
	case len(words) == 2 && ParseMonth(words[0]) != 0:
		year, err := time.Parse("2006", words[1])
		return monthOf(year.Year(), ParseMonth(words[0])), err == nil
	case len(words) == 2 && isStep(words[0]) && words[1] != "year": // "next year" is refused: nobody looks for the events of a whole year
		return parseSpan(words, today)
	}
	return namedDays{}, false
}

// steps are the numbers of weeks, months or years from the current one.
var steps = map[string]int{"this": 0, "next": 1, "last": -1}

func isStep(word string) bool {
	_, ok := steps[word]
	return ok
}

// parseSpan parses "next week", "last friday", or "month" for the current one.
func parseSpan(words []string, today time.Time) (namedDays, bool) {
	step := 0
	if len(words) == 2 && isStep(words[0]) {
		step, words = steps[words[0]], words[1:]
	}
	if len(words) != 1 {
		return namedDays{}, false
	}
	monday := today.AddDate(0, 0, -(int(today.Weekday())+6)%7+7*step)
	switch words[0] {
	case "week":
		return namedDays{monday, 7, Once}, true
	case "weekend":
		return namedDays{monday.AddDate(0, 0, 5), 2, Once}, true
	case "month":
		return monthOf(today.Year(), today.Month()+time.Month(step)), true
	case "year":
		first := time.Date(today.Year()+step, 1, 1, 0, 0, 0, 0, time.UTC)
		return namedDays{first, first.AddDate(1, 0, -1).YearDay(), Once}, true
	}
	day, ok := weekday(words[0])
	return namedDays{monday.AddDate(0, 0, (int(day)+6)%7), 1, Once}, ok
}

func monthOf(year int, month time.Month) namedDays {
	first := time.Date(year, month, 1, 0, 0, 0, 0, time.UTC)
	return namedDays{first, first.AddDate(0, 1, -1).Day(), Once}
}

func withoutArticles(words []string) []string {
	kept := make([]string, 0, len(words))
	for _, word := range words {
		if word != "the" && word != "of" && (word != "on" || len(kept) > 0) {
			kept = append(kept, word)
		}
	}
	return kept
}

// ParseRelativeDay parses words for a day relative to today, "tomorrow" or "day
// before yesterday", in small letters and in four languages. It returns the
// number of days from today.
func ParseRelativeDay(words []string) (int, bool) {
	switch strings.TrimPrefix(strings.Join(words, " "), "the ") {
	case "today", "heute", "vandaag", "aujourd'hui", "aujourd’hui":
		return 0, true
	case "tomorrow", "morgen", "demain":
		return 1, true
	case "yesterday", "gestern", "gisteren", "hier":
		return -1, true
	case "day after tomorrow", "übermorgen", "overmorgen", "après-demain":
		return 2, true
	case "day before yesterday", "vorgestern", "eergisteren", "avant-hier":
		return -2, true
	}
	return 0, false
}

// ParseDate parses "dec 3", "3 december", "3rd of december" and "december 3rd
// 2026", in small letters, for the supported years. Without a year it returns
// the first such date that is not before today.
func ParseDate(words []string, today time.Time) (time.Time, bool) {
	words = withoutArticles(words)
	if len(words) < 2 || len(words) > 3 {
		return time.Time{}, false
	}
	day, month := ParseDayNumber(words[0]), ParseMonth(words[1])
	if month == 0 {
		day, month = ParseDayNumber(words[1]), ParseMonth(words[0])
	}
	if day == 0 || month == 0 {
		return time.Time{}, false
	}
	year := today.Year()
	if len(words) == 3 {
		t, err := time.Parse("2006", words[2])
		if err != nil {
			return time.Time{}, false
		}
		year = t.Year()
	}
	date := time.Date(year, month, day, 0, 0, 0, 0, time.UTC)
	for n := 1; len(words) == 2 && n <= MaxLeapYears && (date.Day() != day || Date(date) < Date(today)); n++ {
		date = time.Date(year+n, month, day, 0, 0, 0, 0, time.UTC)
	}
	return date, date.Day() == day && date.Year() >= FirstYear && date.Year() <= LastYear
}

// MaxLeapYears is the maximum number of years from one 29 February to the next:
// 1900 and 2100 have none.
const MaxLeapYears = 8
