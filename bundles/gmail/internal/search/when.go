package search

import (
	"strconv"
	"strings"
	"time"

	"kota/bundles/internal/lazyregexp"
)

// timeAgo matches a time span in words or in Gmail's form: "2 weeks", "3 months ago", "7d".
var timeAgo = lazyregexp.New(`^(\d{1,4}) ?(h|hours?|d|days?|w|weeks?|m|months?|y|years?)( ago)?$`)

// ParseWhen returns the time that text means in now's zone, or false if it cannot be
// parsed. A span such as "7d" means that long before now. A day, week, month or year means
// its beginning; weeks begin on Monday.
func ParseWhen(text string, now time.Time) (time.Time, bool) {
	text = strings.ToLower(strings.TrimSpace(text))
	today := time.Date(now.Year(), now.Month(), now.Day(), 0, 0, 0, 0, now.Location())
	monday := today.AddDate(0, 0, -(int(today.Weekday())+6)%7)
	first := today.AddDate(0, 0, 1-today.Day())
	switch text {
	case "now":
		return now, true
	case "today":
		return today, true
	case "yesterday":
		return today.AddDate(0, 0, -1), true
	case "tomorrow":
		return today.AddDate(0, 0, 1), true
	case "this week":
		return monday, true
	case "last week":
		return monday.AddDate(0, 0, -7), true
	case "this month":
		return first, true
	case "last month":
		return first.AddDate(0, -1, 0), true
	case "this year":
		return first.AddDate(0, 1-int(first.Month()), 0), true
	}
	if span := timeAgo().FindStringSubmatch(text); span != nil {
		n, _ := strconv.Atoi(span[1])
		return earlier(now, n, span[2][0]), true
	}
	for _, layout := range []string{time.DateOnly, "2006/01/02", "2006-01", "2006-01-02t15:04", "2006-01-02t15:04:05", "2006-01-02 15:04"} {
		if at, err := time.ParseInLocation(layout, text, now.Location()); err == nil {
			return at, true
		}
	}
	at, err := time.Parse(time.RFC3339, strings.ToUpper(text))
	return at, err == nil
}

// earlier returns the time n units before now.
func earlier(now time.Time, n int, unit byte) time.Time {
	switch unit {
	case 'h':
		return now.Add(-time.Duration(n) * time.Hour)
	case 'd':
		return now.AddDate(0, 0, -n)
	case 'w':
		return now.AddDate(0, 0, -7*n)
	case 'm':
		return now.AddDate(0, -n, 0)
	}
	return now.AddDate(-n, 0, 0)
}
