package view

import (
	"regexp"
	"strconv"
	"time"
)

var clockTimes = regexp.MustCompile(`^(\d\d):(\d\d)(?:[–-](\d\d):(\d\d))?`)

// eventMinutes returns when an event begins and ends, in minutes since midnight. It returns
// false for an event of the whole day.
func eventMinutes(when string) (from, to int, ok bool) {
	found := clockTimes.FindStringSubmatch(when)
	if found == nil {
		return 0, 0, false
	}
	minutes := func(hour, minute string) int {
		h, _ := strconv.Atoi(hour)
		m, _ := strconv.Atoi(minute)
		return 60*h + m
	}
	from = minutes(found[1], found[2])
	if to = minutes(found[3], found[4]); to < from { // it ends on a later day, or its end is unknown
		to = 24 * 60
		if found[3] == "" {
			to = min(from+30, to)
		}
	}
	return from, to, true
}

// hourAnchor keeps the labels of the first and the last hour inside the strip.
func hourAnchor(hour int) string {
	switch hour {
	case 0:
		return "start"
	case 24:
		return "end"
	}
	return "middle"
}

// shortDay returns a date without its year, and other text unchanged.
func shortDay(date string) string {
	day, err := time.Parse(time.DateOnly, date)
	if err != nil {
		return date
	}
	return day.Format("Mon 2 Jan")
}
