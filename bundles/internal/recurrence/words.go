package recurrence

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/teambition/rrule-go"

	"kota/bundles/internal/timeparse"
)

// Words says in English how a series repeats: "every Tue and Thu until
// 2026-12-31", "every 2 weeks on Mon, 10 times", "monthly on the 2nd Tue". What
// has no such words is said by its rule. Excluded and added dates are counted.
func (s *Set) Words() string {
	var parts []string
	for _, r := range s.rules {
		parts = append(parts, s.ruleWords(r))
	}
	text := strings.Join(parts, "; ")
	if len(s.exrules) > 0 {
		text += ", with exceptions by rule"
	}
	if n := len(s.rdates); n > 0 {
		text += fmt.Sprintf(", and on %d more %s", n, plural(n, "date"))
	}
	if n := len(s.exdates); n > 0 {
		text += fmt.Sprintf(", except %d %s", n, plural(n, "date"))
	}
	return strings.TrimPrefix(text, ", and ")
}

func plural(n int, word string) string {
	if n == 1 {
		return word
	}
	return word + "s"
}

func (s *Set) ruleWords(r rule) string {
	text, ok := r.pattern()
	if !ok {
		return r.text(s.start.Date)
	}
	switch {
	case r.count > 0:
		text += fmt.Sprintf(", %d %s", r.count, plural(r.count, "time"))
	case s.start.Date && !r.until.IsZero():
		text += " until " + timeparse.Date(r.until)
	case !r.until.IsZero():
		text += " until " + timeparse.Date(r.until.In(s.start.Zone))
	}
	return text
}

// pattern says when a rule repeats, and false when it has parts that there are
// no words for.
func (r rule) pattern() (string, bool) {
	every := map[rrule.Frequency][2]string{rrule.DAILY: {"daily", "days"}, rrule.WEEKLY: {"weekly", "weeks"}, rrule.MONTHLY: {"monthly", "months"}, rrule.YEARLY: {"yearly", "years"}}[r.freq]
	text := every[0]
	if r.interval > 1 {
		text = fmt.Sprintf("every %d %s", r.interval, every[1])
	}
	if len(r.weeks)+len(r.yearDays)+len(r.positions)+len(r.hours)+len(r.minutes)+len(r.seconds) > 0 || len(r.days) > 0 && len(r.monthDays) > 0 {
		return "", false
	}
	numbered := slices.ContainsFunc(r.days, func(d weekday) bool { return d.n != 0 })
	switch {
	case len(r.days) > 0 && !numbered && r.freq == rrule.WEEKLY && r.interval == 1:
		text = "every " + dayWords(r.days)
	case len(r.days) > 0 && !numbered && r.freq == rrule.WEEKLY:
		text += " on " + dayWords(r.days)
	case len(r.days) > 0 && !numbered:
		text += " on every " + dayWords(r.days)
	case len(r.days) > 0 && (r.freq == rrule.MONTHLY || len(r.months) > 0):
		text += " on the " + dayWords(r.days)
	case len(r.days) > 0:
		return "", false
	case len(r.monthDays) > 0:
		var days []string
		for _, n := range r.monthDays {
			days = append(days, ordinal(n)+map[bool]string{true: " day"}[n < 0])
		}
		text += " on the " + and(days)
	}
	if len(r.months) > 0 {
		var months []string
		for _, m := range r.months {
			months = append(months, time.Month(m).String()[:3])
		}
		text += " in " + and(months)
	}
	return text, true
}

func dayWords(days []weekday) string {
	var words []string
	for _, d := range days {
		word := d.day.String()[:3]
		if d.n != 0 {
			word = ordinal(d.n) + " " + word
		}
		words = append(words, word)
	}
	if text := and(words); text != "Mon, Tue, Wed, Thu and Fri" {
		return text
	}
	return "weekday"
}

func and(words []string) string {
	last := len(words) - 1
	if last == 0 {
		return words[0]
	}
	return strings.Join(words[:last], ", ") + " and " + words[last]
}

// ordinal returns "1st", "22nd", "last" or "2nd last".
func ordinal(n int) string {
	switch {
	case n == -1:
		return "last"
	case n < 0:
		return ordinal(-n) + " last"
	case n%10 == 1 && n != 11:
		return strconv.Itoa(n) + "st"
	case n%10 == 2 && n != 12:
		return strconv.Itoa(n) + "nd"
	case n%10 == 3 && n != 13:
		return strconv.Itoa(n) + "rd"
	}
	return strconv.Itoa(n) + "th"
}
