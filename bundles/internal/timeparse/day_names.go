package timeparse

import (
	"strconv"
	"strings"
	"time"
)

// weekday parses a complete name that [ParseWeekday] accepts, or at least the
// first 3 letters of an English name.
func weekday(word string) (time.Weekday, bool) {
	for day := time.Sunday; day <= time.Saturday; day++ {
		if len(word) >= 3 && strings.HasPrefix(strings.ToLower(day.String()), word) {
			return day, true
		}
	}
	return ParseWeekday(word)
}

// ParseWeekday returns the weekday with that complete name in small letters, in
// English, German, Dutch or French.
func ParseWeekday(word string) (time.Weekday, bool) {
	for _, names := range []string{
		"sunday monday tuesday wednesday thursday friday saturday",
		"sonntag montag dienstag mittwoch donnerstag freitag samstag",
		"zondag maandag dinsdag woensdag donderdag vrijdag zaterdag",
		"dimanche lundi mardi mercredi jeudi vendredi samedi",
	} {
		for day, name := range strings.Fields(names) {
			if word == name {
				return time.Weekday(day), true
			}
		}
	}
	return 0, false
}

// ParseMonth returns the month whose name begins with the word, in the
// languages of ParseWeekday. The word must have at least three letters.
// ParseMonth returns 0 for any other word.
func ParseMonth(word string) time.Month {
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

// ParseDayNumber parses the day of a month, "3", "3rd" or "3."; it returns 0 for any
// other word.
func ParseDayNumber(word string) int {
	word = strings.TrimSuffix(word, ",")
	for _, end := range []string{"st", "nd", "rd", "th", "er", "."} {
		word = strings.TrimSuffix(word, end)
	}
	n, err := strconv.Atoi(word)
	if err != nil || n < 1 || n > 31 {
		return 0
	}
	return n
}
