package timeparse

import (
	"strings"
	"time"
)

// Recurrence says how often the days that words name recur. The words alone do not
// say which of them is meant.
type Recurrence int

// How often days recur.
const (
	Once   Recurrence = iota // "2026-11-24", "tomorrow", "last week": once
	Weekly                   // "friday"
	Yearly                   // "24 december", "november"
)

// daysNamed are consecutive days, in floating form.
type daysNamed struct {
	first time.Time
	n     int
	again Recurrence
}

// mostDayWords is how many words may name days: "the end of the next month".
const mostDayWords = 6

// named finds the days that the words begin with. It tries the most words
// first.
func named(said []string, today time.Time) (found daysNamed, rest []string, ok bool) {
	for n := min(len(said), mostDayWords); n > 0; n-- {
		if found, ok := daysCalled(said[:n], today); ok {
			return found, said[n:], true
		}
	}
	return daysNamed{}, said, false
}

// daysCalled parses words that name days, and nothing else.
func daysCalled(said []string, today time.Time) (daysNamed, bool) {
	if by, ok := DaysAhead(said); ok {
		return daysNamed{today.AddDate(0, 0, by), 1, Once}, true
	}
	if first, ok := DateNamed(said, today); ok {
		again := Once
		if len(said) == 2 {
			again = Yearly
		}
		return daysNamed{first, 1, again}, true
	}
	said = withoutArticles(said)
	switch {
	case len(said) > 1 && said[0] == "end":
		of, ok := spanCalled(said[1:], today)
		return daysNamed{of.first.AddDate(0, 0, of.n-1), 1, Once}, ok
	case len(said) == 1:
		if day, ok := weekday(said[0]); ok {
			return daysNamed{today.AddDate(0, 0, (int(day)-int(today.Weekday())+6)%7+1), 1, Weekly}, true
		}
		if month := MonthNamed(said[0]); month != 0 {
			found := monthOf(today.Year(), month)
			if month < today.Month() {
				found = monthOf(today.Year()+1, month)
			}
			found.again = Yearly
			return found, true
		}
		if said[0] == "weekend" {
			return spanCalled(said, today)
		}
	case len(said) == 2 && MonthNamed(said[0]) != 0:
		year, err := time.Parse("2006", said[1])
		return monthOf(year.Year(), MonthNamed(said[0])), err == nil
	case len(said) == 2 && isStep(said[0]) && said[1] != "year": // no plan and no event uses it
		return spanCalled(said, today)
	}
	return daysNamed{}, false
}

// steps are the numbers of weeks, months or years from the current one.
var steps = map[string]int{"this": 0, "next": 1, "last": -1}

func isStep(word string) bool {
	_, ok := steps[word]
	return ok
}

// spanCalled parses "next week", "last friday", or "month" for the current one.
func spanCalled(said []string, today time.Time) (daysNamed, bool) {
	by := 0
	if len(said) == 2 && isStep(said[0]) {
		by, said = steps[said[0]], said[1:]
	}
	if len(said) != 1 {
		return daysNamed{}, false
	}
	monday := today.AddDate(0, 0, -(int(today.Weekday())+6)%7+7*by)
	switch said[0] {
	case "week":
		return daysNamed{monday, 7, Once}, true
	case "weekend":
		return daysNamed{monday.AddDate(0, 0, 5), 2, Once}, true
	case "month":
		return monthOf(today.Year(), today.Month()+time.Month(by)), true
	case "year":
		first := time.Date(today.Year()+by, 1, 1, 0, 0, 0, 0, time.UTC)
		return daysNamed{first, first.AddDate(1, 0, -1).YearDay(), Once}, true
	}
	day, ok := weekday(said[0])
	return daysNamed{monday.AddDate(0, 0, (int(day)+6)%7), 1, Once}, ok
}

func monthOf(year int, month time.Month) daysNamed {
	first := time.Date(year, month, 1, 0, 0, 0, 0, time.UTC)
	return daysNamed{first, first.AddDate(0, 1, -1).Day(), Once}
}

func withoutArticles(said []string) []string {
	kept := make([]string, 0, len(said))
	for _, word := range said {
		if word != "the" && word != "of" && (word != "on" || len(kept) > 0) {
			kept = append(kept, word)
		}
	}
	return kept
}

// DaysAhead parses words for a day relative to today, "tomorrow" or "day before
// yesterday", in small letters and in four languages.
func DaysAhead(said []string) (int, bool) {
	switch strings.TrimPrefix(strings.Join(said, " "), "the ") {
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

// DateNamed parses "dec 3", "3 december", "3rd of december" and "december 3rd
// 2026", in small letters, for the supported years. Without a year it returns
// the first such date that is not before today.
func DateNamed(said []string, today time.Time) (time.Time, bool) {
	said = withoutArticles(said)
	if len(said) < 2 || len(said) > 3 {
		return time.Time{}, false
	}
	day, month := DayNumber(said[0]), MonthNamed(said[1])
	if month == 0 {
		day, month = DayNumber(said[1]), MonthNamed(said[0])
	}
	if day == 0 || month == 0 {
		return time.Time{}, false
	}
	year := today.Year()
	if len(said) == 3 {
		t, err := time.Parse("2006", said[2])
		if err != nil {
			return time.Time{}, false
		}
		year = t.Year()
	}
	date := time.Date(year, month, day, 0, 0, 0, 0, time.UTC)
	for n := 1; len(said) == 2 && n <= MaxLeapYears && (date.Day() != day || Date(date) < Date(today)); n++ {
		date = time.Date(year+n, month, day, 0, 0, 0, 0, time.UTC)
	}
	return date, date.Day() == day && date.Year() >= FirstYear && date.Year() <= LastYear
}

// MaxLeapYears is the maximum number of years from one 29 February to the next:
// 1900 and 2100 have none.
const MaxLeapYears = 8
