package slots

import (
	"errors"
	"fmt"
	"iter"
	"strconv"
	"strings"
	"time"
)

// Hours are the times of day at which a person works, in local time.
type Hours []Range

// Range is a half-open interval from Open to Close, in minutes after the
// midnight at which the day begins. Close is above 24 hours for a range that
// ends the next morning.
type Range struct{ Open, Close int }

// Always are the hours of a person who can be met at any time.
var Always = Hours{{0, minutesPerDay}}

const (
	minutesPerDay = 24 * 60
	secondsPerDay = minutesPerDay * 60
	maxRanges     = 8
)

// ErrHours is what ParseHours returns for an invalid text.
var ErrHours = errors.New(`hours such as "09:00-17:00" or "09:00-12:00,13:00-17:00"`)

// errEndBeforeStart is the ErrHours for "9-5", which is ambiguous.
var errEndBeforeStart = fmt.Errorf(`%w, on a 24-hour clock: write "9-5" as "09:00-17:00", and hours that end the next morning as "22:00-06:00"`, ErrHours)

// ParseHours parses "09:00-17:00", "9am-5pm", several of those separated by
// commas, and "22:00-06:00", which ends the next day. A range that ends before
// it starts, or starts before the previous one ends, needs times such as
// "06:00" or "6am". In other ranges "6" is enough. The end may be 24:00.
// ParseHours accepts at most 8 ranges. It returns an ErrHours for any other
// text.
func ParseHours(text string) (Hours, error) {
	parts := strings.Split(text, ",")
	if len(parts) > maxRanges {
		return nil, ErrHours
	}
	hours := Hours{}
	for _, part := range parts {
		from, to, ok := strings.Cut(strings.NewReplacer(" ", "", "–", "-").Replace(part), "-")
		open, openOK := minuteOf(from)
		end, endOK := minuteOf(to)
		if !ok || !openOK || !endOK || open == end || open == minutesPerDay {
			return nil, ErrHours
		}
		back := end < open || len(hours) > 0 && open < hours[len(hours)-1].Close // as in "9-12,1-5"
		if back && !(isUnambiguous(from) && isUnambiguous(to)) {
			return nil, errEndBeforeStart
		}
		if end < open {
			end += minutesPerDay
		}
		hours = append(hours, Range{open, end})
	}
	return hours, nil
}

// isUnambiguous reports whether a time of day needs no am or pm: "22:00", "6am".
func isUnambiguous(text string) bool {
	return len(text) == len("22:00") || strings.HasSuffix(text, "m")
}

// minuteOf returns the minutes after midnight for "9", "09:30", "9am" or
// "24:00". It reports false for any other text.
func minuteOf(text string) (int, bool) {
	text, am := strings.CutSuffix(strings.ToLower(text), "am")
	text, pm := strings.CutSuffix(text, "pm")
	hour, minute, timed := strings.Cut(text, ":")
	h, ok := digits(hour)
	if am || pm {
		ok = ok && am != pm && h >= 1 && h <= 12
		h %= 12
	}
	if pm {
		h += 12
	}
	m := 0
	if timed {
		minuteOK := false
		m, minuteOK = digits(minute)
		ok = ok && minuteOK && len(minute) == 2
	}
	at := h*60 + m
	return at, ok && m < 60 && at <= minutesPerDay
}

func digits(text string) (int, bool) {
	n, err := strconv.ParseUint(text, 10, 8)
	return int(n), err == nil && len(text) <= 2
}

// Days are days of the week, with the bit 1<<time.Weekday set for each.
type Days uint8

// Workdays are Monday to Friday, and AllDays the whole week.
const (
	Workdays Days = 1<<time.Monday | 1<<time.Tuesday | 1<<time.Wednesday | 1<<time.Thursday | 1<<time.Friday
	AllDays  Days = Workdays | 1<<time.Saturday | 1<<time.Sunday
)

// String names the days from Monday on. Three or more in a row become the first
// and the last: "mon–fri, sun".
func (d Days) String() string {
	names := []string{}
	for first := 0; first < 7; first++ {
		last := first
		for last < 7 && d&(1<<((last+1)%7)) != 0 { // Monday is 1
			last++
		}
		switch last - first {
		case 0:
			continue
		case 1, 2:
			for day := first; day < last; day++ {
				names = append(names, dayName(day))
			}
		default:
			names = append(names, dayName(first)+"–"+dayName(last-1))
		}
		first = last
	}
	return strings.Join(names, ", ")
}

// dayName returns "mon" for 0.
func dayName(day int) string { return strings.ToLower(time.Weekday((day + 1) % 7).String()[:3]) }

// ParseDay parses the English name of a day, or at least its first three
// letters, in any case.
func ParseDay(text string) (Days, bool) {
	text = strings.ToLower(strings.TrimSpace(text))
	for day := time.Sunday; day <= time.Saturday; day++ {
		if name := strings.ToLower(day.String()); len(text) >= 3 && strings.HasPrefix(name, text) {
			return 1 << day, true
		}
	}
	return 0, false
}

// Works reports whether the person works during the whole span.
func (p Person) Works(during Span) bool {
	open := p.open(during)
	return len(open) == 1 && open[0] == during
}

// open returns when the person works in the span. A range belongs to the day on
// which it opens.
func (p Person) open(during Span) spanSet {
	open := []Span{}
	for d := range days(during, p.Zone) {
		// A range of the previous day may end after midnight.
		for _, midnight := range []int64{d.midnight - secondsPerDay, d.midnight} {
			if p.Days&(1<<weekday(midnight+d.offset)) == 0 {
				continue
			}
			for _, r := range p.Hours {
				open = append(open, Span{max(d.From, midnight+int64(r.Open)*60), min(d.To, midnight+int64(r.Close)*60)})
			}
		}
	}
	return union(open)
}

// weekday returns the weekday of a moment in UTC. The epoch was a Thursday.
func weekday(unix int64) time.Weekday {
	return time.Weekday((floor(unix, secondsPerDay)/secondsPerDay%7 + 7 + int64(time.Thursday)) % 7)
}

// day is the part of a span within one day and one offset from UTC.
type day struct {
	Span
	midnight int64 // the Unix time of 00:00 on that day at that offset
	offset   int64 // seconds east of UTC
}

// days cuts the span at the midnights of the zone and where its clocks change.
// Within each piece, local time passes as Unix time does.
func days(span Span, zone *time.Location) iter.Seq[day] {
	return func(yield func(day) bool) {
		for at := span.From; at < span.To; {
			local := time.Unix(at, 0).In(zone)
			_, seconds := local.Zone()
			d := day{Span: Span{at, span.To}, offset: int64(seconds)}
			d.midnight = floor(at+d.offset, secondsPerDay) - d.offset
			d.To = min(d.To, d.midnight+secondsPerDay)
			// On the last day of a distant leap year, ZoneBounds returns an end
			// in the past.
			if _, change := local.ZoneBounds(); change.Unix() > at {
				d.To = min(d.To, change.Unix())
			}
			if !yield(d) {
				return
			}
			at = d.To
		}
	}
}

// floor returns the last multiple of step that is not above n. n may be
// negative.
func floor(n, step int64) int64 { return n - (n%step+step)%step }
