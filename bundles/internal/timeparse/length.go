package timeparse

import (
	"strconv"
	"strings"
	"time"
)

const (
	day  = 24 * time.Hour
	week = 7 * day
)

// MaxLength is the longest duration that [ParseLength] accepts.
const MaxLength = 366 * day

const acceptedLengthForms = `: give a length such as "45m", "1h 30m", "2 days" or "PT1H30M"`

// ParseLength parses a duration: "90m", "1h30m", "1.5 hours", "2 days", "1
// week", ISO 8601 ("PT1H30M", "P1D", "P2W"), or a bare number of minutes. A day
// is 24 hours. The result is not negative, at most [MaxLength], and in whole
// seconds. Months and years are refused, because they have no fixed length. The
// error is a *[FormError].
func ParseLength(text string) (time.Duration, error) {
	refuse := func(why string) (time.Duration, error) {
		return 0, &FormError{text, why + acceptedLengthForms}
	}
	trimmed := strings.ToLower(strings.TrimSpace(text))
	if len(trimmed) > maxText {
		return refuse("is not a length of time")
	}
	if minutes, err := strconv.ParseUint(trimmed, 10, 32); err == nil {
		trimmed = strconv.FormatUint(minutes, 10) + "m"
	} else if iso, ok := strings.CutPrefix(trimmed, "p"); ok {
		if trimmed, ok = fromISO(iso); !ok {
			return refuse("is not a length of time")
		}
	}
	found, rest := amounts(trimmed)
	if len(found) == 0 || rest != "" {
		return refuse("is not a length of time")
	}
	var sum float64
	for _, a := range found {
		sum += a.count * a.unit.Seconds()
	}
	if sum > MaxLength.Seconds() {
		return refuse("is longer than a year")
	}
	var length time.Duration
	for _, a := range found {
		length += a.length()
	}
	return length, nil
}

// fromISO converts the text after the P of ISO 8601 into amounts. M before T
// means months.
func fromISO(text string) (string, bool) {
	days, clock, timed := strings.Cut(text, "t")
	if timed == (clock == "") || strings.ContainsAny(days, "hms") || strings.ContainsAny(clock, "dw") || strings.Contains(text, " ") {
		return "", false
	}
	return days + clock, true
}

// maxAmount is a hundred years: more is a mistake, and would soon overflow a
// [time.Duration].
const maxAmount = 36525 * day

// amount is a number of units of time.
type amount struct {
	count float64
	unit  time.Duration
}

func (a amount) length() time.Duration {
	return time.Duration(a.count * float64(a.unit)).Round(time.Second)
}

// amounts parses the amounts of time at the beginning of a lower-case text,
// such as "1h 30m" or "2 hours". It returns them and the rest of the text. Each
// unit must be smaller than the one before it, so no unit occurs twice.
func amounts(text string) (found []amount, rest string) {
	last := 2 * week
	for rest = strings.TrimLeft(text, " "); rest != ""; {
		number := len(rest) - len(strings.TrimLeft(rest, "0123456789."))
		unread := strings.TrimLeft(rest[number:], " ")
		letters := len(unread) - len(strings.TrimLeft(unread, "abcdefghijklmnopqrstuvwxyz"))
		count, err := strconv.ParseFloat(rest[:number], 64)
		unit, ok := unitOf(unread[:letters])
		if err != nil || !ok || unit >= last || count*unit.Seconds() > maxAmount.Seconds() {
			break
		}
		found = append(found, amount{count, unit})
		last = unit
		rest = strings.TrimLeft(unread[letters:], " ")
	}
	return found, rest
}

func unitOf(word string) (time.Duration, bool) {
	switch word {
	case "s", "sec", "secs", "second", "seconds":
		return time.Second, true
	case "m", "min", "mins", "minute", "minutes":
		return time.Minute, true
	case "h", "hr", "hrs", "hour", "hours":
		return time.Hour, true
	case "d", "day", "days":
		return day, true
	case "w", "week", "weeks":
		return week, true
	}
	return 0, false
}
