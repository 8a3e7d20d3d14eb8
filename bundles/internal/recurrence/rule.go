package recurrence

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/teambition/rrule-go"

	"kota/bundles/internal/timeparse"
)

// rule is an RRULE or EXRULE. An empty list is an absent part.
type rule struct {
	freq      rrule.Frequency
	interval  int       // at least 1
	count     int       // 0 without one
	until     time.Time // the last moment, or for whole days the last local time; zero without one
	weekStart time.Weekday
	days      []weekday

	months, monthDays, yearDays, weeks, positions, hours, minutes, seconds []int
}

// weekday is a day of BYDAY. If n is 0, it is that day of every week, otherwise
// the nth such day of a month or year. A negative n counts from the end.
type weekday struct {
	n   int
	day time.Weekday
}

var (
	freqNames = [...]string{rrule.YEARLY: "YEARLY", rrule.MONTHLY: "MONTHLY", rrule.WEEKLY: "WEEKLY", rrule.DAILY: "DAILY"}
	dayNames  = [...]string{"SU", "MO", "TU", "WE", "TH", "FR", "SA"}
)

// list is a part of a rule that lists numbers.
type list struct {
	name     string
	values   *[]int // the field of the rule
	from, to int
	negative bool // whether a value may be negative, which counts from the end
}

// lists returns the parts that list numbers, in the order of RFC 5545 section
// 3.3.10, in which they apply.
func (r *rule) lists() []list {
	return []list{
		{"BYMONTH", &r.months, 1, 12, false},
		{"BYWEEKNO", &r.weeks, 1, 53, true},
		{"BYYEARDAY", &r.yearDays, 1, 366, true},
		{"BYMONTHDAY", &r.monthDays, 1, 31, true},
		{"BYHOUR", &r.hours, 0, 23, false},
		{"BYMINUTE", &r.minutes, 0, 59, false},
		{"BYSECOND", &r.seconds, 0, 59, false},
		{"BYSETPOS", &r.positions, 1, 366, true},
	}
}

// readRule reads the text after "RRULE:". The text of an error completes a
// sentence about the line.
func (s *Set) readRule(value string) (rule, error) {
	r := rule{freq: -1, interval: 1, weekStart: time.Monday}
	seen := map[string]bool{}
	for part := range strings.SplitSeq(strings.ToUpper(value), ";") {
		name, value, _ := strings.Cut(part, "=")
		if seen[name] {
			return r, fmt.Errorf("has %s twice", brief(name))
		}
		seen[name] = true
		if err := s.readPart(&r, name, value); err != nil {
			return r, err
		}
	}
	if r.freq < 0 {
		return r, errors.New("has no FREQ: give DAILY, WEEKLY, MONTHLY or YEARLY")
	}
	if err := s.check(r); err != nil {
		return r, err
	}
	endless := r
	endless.until, endless.count = time.Time{}, 0
	if _, ok := s.localTimes(endless, s.wall)(); !ok {
		return r, errors.New("never happens: there is no such day")
	}
	return r, nil
}

func (s *Set) readPart(r *rule, name, value string) error {
	for _, l := range r.lists() {
		if l.name == name {
			return l.read(value)
		}
	}
	n, isNumber := number(value)
	switch name {
	case "FREQ":
		r.freq = rrule.Frequency(slices.Index(freqNames[:], value))
		if r.freq < 0 {
			return errors.New("has a FREQ that is unknown or not supported; allowed: DAILY, WEEKLY, MONTHLY and YEARLY")
		}
	case "INTERVAL":
		if r.interval = n; !isNumber || n < 1 || n > 9999 {
			return errors.New("has an INTERVAL that is not from 1 to 9999")
		}
	case "COUNT":
		if r.count = n; !isNumber || n < 1 || n > MaxCount {
			return errors.New("has a COUNT that is not from 1 to 10000")
		}
	case "UNTIL":
		return s.readUntil(r, value)
	case "WKST":
		day := slices.Index(dayNames[:], value)
		if r.weekStart = time.Weekday(day); day < 0 {
			return errors.New("has a WKST that is not a day such as MO")
		}
	case "BYDAY":
		return r.readDays(value)
	default:
		return fmt.Errorf("has %s, which RFC 5545 does not know", brief(name))
	}
	return nil
}

func (l list) read(value string) error {
	for text := range strings.SplitSeq(value, ",") {
		n, ok := number(text)
		size := n
		if l.negative && n < 0 {
			size = -n
		}
		if !ok || size < l.from || size > l.to {
			if l.negative {
				return fmt.Errorf("has a %s that is not from %d to %d or -%d to -%d", l.name, l.from, l.to, l.to, l.from)
			}
			return fmt.Errorf("has a %s that is not from %d to %d", l.name, l.from, l.to)
		}
		if !slices.Contains(*l.values, n) {
			*l.values = append(*l.values, n)
		}
	}
	return nil
}

func (r *rule) readDays(value string) error {
	for text := range strings.SplitSeq(value, ",") {
		nth, name := "", text
		if len(text) > 2 {
			nth, name = text[:len(text)-2], text[len(text)-2:]
		}
		n, ok := number(nth)
		day := slices.Index(dayNames[:], name)
		if day < 0 || nth != "" && (!ok || n == 0 || n < -53 || n > 53) {
			return errors.New("has a BYDAY that is not a day such as MO, 2TU or -1FR")
		}
		if d := (weekday{n, time.Weekday(day)}); !slices.Contains(r.days, d) {
			r.days = append(r.days, d)
		}
	}
	return nil
}

// readUntil reads a rule's end: RFC 5545 requires a day for whole days and a
// UTC moment for times. Other forms are read as meant, with a note.
func (s *Set) readUntil(r *rule, value string) error {
	day, clock, timed := strings.Cut(value, "T")
	clock, utc := strings.CutSuffix(clock, "Z")
	wall, err := time.Parse("20060102 150405", day+" "+clock)
	if !timed && !utc {
		wall, err = time.Parse("20060102", day)
	}
	if err != nil {
		return errors.New("has an UNTIL that is neither a day such as 20261231 nor a time such as 20261231T225959Z")
	}
	switch {
	case s.start.Date && timed:
		r.until = wall.Truncate(24 * time.Hour)
		s.note("the series has whole days, so UNTIL=%s was read as UNTIL=%s", value, day)
	case s.start.Date:
		r.until = wall
	case utc:
		r.until = wall
	default:
		if !timed {
			wall = wall.Add(24*time.Hour - time.Second)
		}
		r.until = timeparse.Resolve(wall, s.start.Zone).Time.UTC()
		s.note("UNTIL=%s was read in %s: UNTIL=%s", value, s.start.Zone, r.until.Format(utcForm))
	}
	if first := s.first(); r.until.Before(first) {
		return errors.New("has an UNTIL before the start of the series")
	}
	return nil
}

// first returns the start in the form of rule.until.
func (s *Set) first() time.Time {
	if s.start.Date {
		return s.wall
	}
	return s.start.Time
}

func (s *Set) note(format string, args ...any) {
	s.notes = append(s.notes, fmt.Sprintf(format, args...))
}

// maxPerDay is the limit on how often the rules of a series may repeat within a
// day. With it, counting until the year 2200 takes at most a second.
const maxPerDay = 24

// timesPerDay returns how often the rule can repeat on one of its days.
func (r rule) timesPerDay() int {
	return max(1, len(r.hours)) * max(1, len(r.minutes)) * max(1, len(r.seconds))
}

// check refuses parts that cannot be combined (RFC 5545 section 3.3.10), or
// that KOTA does not support.
func (s *Set) check(r rule) error {
	numbered := slices.ContainsFunc(r.days, func(d weekday) bool { return d.n != 0 })
	inMonth := r.freq == rrule.MONTHLY || len(r.months) > 0
	daily := r.timesPerDay()
	for _, other := range slices.Concat(s.rules, s.exrules) {
		daily += other.timesPerDay()
	}
	switch {
	case r.count > 0 && !r.until.IsZero():
		return errors.New("has both COUNT and UNTIL: give one of them")
	case numbered && r.freq > rrule.MONTHLY:
		return errors.New("has numbers in BYDAY, which only work with MONTHLY and YEARLY")
	case numbered && len(r.weeks) > 0:
		return errors.New("has numbers in BYDAY, which do not work with BYWEEKNO")
	case len(r.monthDays) > 0 && r.freq == rrule.WEEKLY:
		return errors.New("has BYMONTHDAY, which does not work with WEEKLY")
	case len(r.yearDays) > 0 && r.freq != rrule.YEARLY:
		return errors.New("has BYYEARDAY, which only works with YEARLY")
	case len(r.weeks) > 0 && r.freq != rrule.YEARLY:
		return errors.New("has BYWEEKNO, which only works with YEARLY")
	case len(r.positions) > 0 && len(r.days)+len(r.months)+len(r.monthDays)+len(r.yearDays)+len(r.weeks)+len(r.hours)+len(r.minutes)+len(r.seconds) == 0:
		return errors.New("has BYSETPOS without another part that begins with BY")
	case s.start.Date && len(r.hours)+len(r.minutes)+len(r.seconds) > 0:
		return errors.New("has a time of day, but the events are all-day")
	case len(r.positions) > 0 && len(r.weeks) > 0:
		return errors.New("has BYSETPOS with BYWEEKNO, which KOTA does not support")
	case daily > maxPerDay:
		return errors.New("repeats more than 24 times a day, alone or together with the other rules")
	case inMonth && slices.ContainsFunc(r.days, func(d weekday) bool { return d.n < -5 || d.n > 5 }):
		return errors.New("never happens: no month has more than 5 of one weekday")
	}
	return nil
}

// text returns the rule as the value of a line. date says that the series has
// whole days.
func (r rule) text(date bool) string {
	parts := []string{"FREQ=" + freqNames[r.freq]}
	if !r.until.IsZero() {
		form := utcForm
		if date {
			form = dateForm
		}
		parts = append(parts, "UNTIL="+r.until.Format(form))
	}
	if r.count > 0 {
		parts = append(parts, "COUNT="+strconv.Itoa(r.count))
	}
	if r.interval > 1 {
		parts = append(parts, "INTERVAL="+strconv.Itoa(r.interval))
	}
	for _, l := range r.lists() {
		if l.name == "BYHOUR" && len(r.days) > 0 {
			parts = append(parts, "BYDAY="+r.dayList())
		}
		if len(*l.values) > 0 {
			parts = append(parts, l.name+"="+strings.Trim(strings.Join(strings.Fields(fmt.Sprint(*l.values)), ","), "[]"))
		}
	}
	if r.weekStart != time.Monday {
		parts = append(parts, "WKST="+dayNames[r.weekStart])
	}
	return strings.Join(parts, ";")
}

func (r rule) dayList() string {
	var names []string
	for _, d := range r.days {
		name := dayNames[d.day]
		if d.n != 0 {
			name = strconv.Itoa(d.n) + name
		}
		names = append(names, name)
	}
	return strings.Join(names, ",")
}
