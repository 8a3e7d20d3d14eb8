package rrule

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"
)

// rrule is a recurrence rule (RFC 5545 3.3.10). Absent parts are empty.
type rrule struct {
	start      Start
	freq       string
	interval   int
	count      int       // 0 means without end
	until      time.Time // zero means without end
	untilDay   bool      // until is a day
	weekStart  time.Weekday
	byDay      []weekdayNum
	byMonth    []int
	byMonthDay []int
	byYearDay  []int
	byWeekNo   []int
	byHour     []int
	byMinute   []int
	bySecond   []int
	bySetPos   []int
}

// weekdayNum is a weekday. With n it is the n-th of the month or year; a
// negative n counts from the end.
type weekdayNum struct {
	n   int
	day time.Weekday
}

var weekdays = map[string]time.Weekday{
	"SU": time.Sunday, "MO": time.Monday, "TU": time.Tuesday, "WE": time.Wednesday,
	"TH": time.Thursday, "FR": time.Friday, "SA": time.Saturday,
}

func parseRule(text string, start Start) (*rrule, error) {
	r := &rrule{start: start, interval: 1, weekStart: time.Monday}
	seen := map[string]bool{}
	for part := range strings.SplitSeq(text, ";") {
		name, value, _ := strings.Cut(part, "=")
		name = strings.ToUpper(name)
		if seen[name] {
			return nil, fmt.Errorf("%s is given twice", name)
		}
		seen[name] = true
		if err := r.set(name, strings.ToUpper(value)); err != nil {
			return nil, err
		}
	}
	return r, r.check(seen)
}

func (r *rrule) set(name, value string) (err error) {
	switch name {
	case "FREQ":
		// Hours, minutes and seconds are refused, because Google answers
		// FREQ=HOURLY with an error (google-api-ruby-client#572: a 500).
		if !slices.Contains([]string{"DAILY", "WEEKLY", "MONTHLY", "YEARLY"}, value) {
			return fmt.Errorf("FREQ=%s is not accepted", value)
		}
		r.freq = value
	case "INTERVAL":
		r.interval, err = number(value, 1, 1<<31-1)
	case "COUNT":
		r.count, err = number(value, 1, 1<<31-1)
	case "UNTIL":
		err = r.setUntil(value)
	case "WKST":
		known := false
		if r.weekStart, known = weekdays[value]; !known {
			return fmt.Errorf("WKST=%s is no weekday", value)
		}
	case "BYDAY":
		r.byDay, err = readWeekdays(value)
	case "BYMONTH":
		r.byMonth, err = numbers(value, 1, 12, false)
	case "BYMONTHDAY":
		r.byMonthDay, err = numbers(value, 1, 31, true)
	case "BYYEARDAY":
		r.byYearDay, err = numbers(value, 1, 366, true)
	case "BYWEEKNO":
		r.byWeekNo, err = numbers(value, 1, 53, true)
	case "BYHOUR":
		r.byHour, err = numbers(value, 0, 23, false)
	case "BYMINUTE":
		r.byMinute, err = numbers(value, 0, 59, false)
	case "BYSECOND":
		r.bySecond, err = numbers(value, 0, 59, false)
	case "BYSETPOS":
		r.bySetPos, err = numbers(value, 1, 366, true)
	default:
		err = fmt.Errorf("unknown rule part %q", name)
	}
	return err
}

// setUntil reads a day or a time in UTC. Google accepts both, whatever DTSTART
// is. It refuses only a local time (googleapis.dart#223), and has itself
// written a time for all-day events (allenporter/ical#177).
func (r *rrule) setUntil(value string) error {
	var err error
	if r.until, err = time.Parse(DayFormat, value); err == nil {
		r.untilDay = true
		return nil
	}
	if r.until, err = time.Parse(UTCFormat, value); err != nil {
		return fmt.Errorf("UNTIL=%s is neither a day nor a time in UTC", value)
	}
	return nil
}

// check refuses the combinations that RFC 5545 forbids.
func (r *rrule) check(seen map[string]bool) error {
	ordinal := slices.ContainsFunc(r.byDay, func(w weekdayNum) bool { return w.n != 0 })
	by := slices.ContainsFunc(slices.Collect(maps.Keys(seen)), func(name string) bool {
		return strings.HasPrefix(name, "BY") && name != "BYSETPOS"
	})
	switch {
	case r.freq == "":
		return errors.New("FREQ is missing")
	case seen["COUNT"] && seen["UNTIL"]:
		return errors.New("COUNT and UNTIL must not be combined")
	case ordinal && r.freq != "MONTHLY" && r.freq != "YEARLY":
		return errors.New("BYDAY with a number needs FREQ=MONTHLY or FREQ=YEARLY")
	case ordinal && seen["BYWEEKNO"]:
		return errors.New("BYDAY with a number must not be combined with BYWEEKNO")
	case seen["BYMONTHDAY"] && r.freq == "WEEKLY":
		return errors.New("BYMONTHDAY must not be combined with FREQ=WEEKLY")
	case seen["BYYEARDAY"] && r.freq != "YEARLY":
		return errors.New("BYYEARDAY needs FREQ=YEARLY")
	case seen["BYWEEKNO"] && r.freq != "YEARLY":
		return errors.New("BYWEEKNO needs FREQ=YEARLY")
	case seen["BYSETPOS"] && !by:
		return errors.New("BYSETPOS needs another BY part")
	case r.start.Zone == nil && (seen["BYHOUR"] || seen["BYMINUTE"] || seen["BYSECOND"]):
		return errors.New("a day has no hours")
	}
	return nil
}

func readWeekdays(value string) ([]weekdayNum, error) {
	var days []weekdayNum
	for text := range strings.SplitSeq(value, ",") {
		cut := max(0, len(text)-2)
		weekday, known := weekdays[text[cut:]]
		if !known {
			return nil, fmt.Errorf("%q is no weekday", text)
		}
		w := weekdayNum{day: weekday}
		if cut > 0 {
			several, err := numbers(text[:cut], 1, 53, true)
			if err != nil {
				return nil, err
			}
			w.n = several[0]
		}
		days = append(days, w)
	}
	return days, nil
}

// numbers reads a list of numbers from low to high. If signed is true, they may
// have a sign: a negative number counts from the end.
func numbers(value string, low, high int, signed bool) ([]int, error) {
	var found []int
	for text := range strings.SplitSeq(value, ",") {
		bare := text
		if signed {
			bare = strings.TrimPrefix(strings.TrimPrefix(text, "-"), "+")
		}
		n, err := number(bare, low, high)
		if err != nil {
			return nil, err
		}
		if strings.HasPrefix(text, "-") {
			n = -n
		}
		found = append(found, n)
	}
	return found, nil
}

// number reads digits, without a sign.
func number(text string, low, high int) (int, error) {
	n, err := strconv.ParseUint(text, 10, 31)
	if err != nil || int(n) < low || int(n) > high {
		return 0, fmt.Errorf("%q is no number from %d to %d", text, low, high)
	}
	return int(n), nil
}
