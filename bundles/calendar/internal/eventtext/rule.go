package eventtext

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"kota/bundles/calendar/internal/eventtime"
	"kota/bundles/internal/budget"
	"kota/bundles/internal/htmltext"
)

// DescribeRule describes a recurrence in words: "every 2 weeks on Tue and Thu, 10 times",
// "every month on the last Fri until 2026-12-31". Parts that have no words stay as they
// are, shortened.
func DescribeRule(lines []string, s eventtime.Span) string {
	var words []string
	excluded, added := 0, 0
	for _, line := range lines {
		name, value, _ := strings.Cut(htmltext.Line(line), ":")
		name, _, _ = strings.Cut(strings.ToUpper(name), ";")
		switch name {
		case "RRULE":
			words = append(words, ruleWords(value, s))
		case "EXDATE":
			excluded += strings.Count(value, ",") + 1
		case "RDATE":
			added += strings.Count(value, ",") + 1
		default:
			words = append(words, "other rules")
		}
	}
	text := strings.Join(words, ", and ")
	if added > 0 {
		text = strings.TrimPrefix(text+", and "+Counted(added, "more day", "more days"), ", and ")
	}
	if excluded > 0 {
		text += ", except " + Counted(excluded, "day", "days")
	}
	return text
}

// ruleWords describes the value of an RRULE.
func ruleWords(value string, s eventtime.Span) string {
	parts := map[string]string{}
	var others []string
	for _, part := range strings.Split(strings.ToUpper(value), ";") {
		name, text, _ := strings.Cut(part, "=")
		switch name {
		case "FREQ", "INTERVAL", "COUNT", "UNTIL", "BYDAY", "BYMONTHDAY", "BYMONTH":
			parts[name] = text
		case "WKST", "":
		default:
			others = append(others, budget.Brief(part, 15))
		}
	}
	text := frequencyWords(parts["FREQ"], parts["INTERVAL"])
	if days := daysWords(parts["BYDAY"]); days != "" {
		text += " on " + days
	}
	if days := parts["BYMONTHDAY"]; days != "" {
		text += " on day " + strings.ReplaceAll(budget.Brief(days, 20), ",", ", ")
	}
	if months := monthsWords(parts["BYMONTH"]); months != "" {
		text += " in " + months
	}
	if len(others) > 0 {
		text += " with " + strings.Join(others, ";")
	}
	switch {
	case parts["COUNT"] != "":
		text += ", " + budget.Brief(parts["COUNT"], 5) + " times"
	case parts["UNTIL"] != "":
		text += " until " + untilWords(parts["UNTIL"], s)
	}
	return text
}

// frequencyWords returns the frequency: "every day", "every 2 weeks".
func frequencyWords(freq, interval string) string {
	unit, ok := map[string]string{"DAILY": "day", "WEEKLY": "week", "MONTHLY": "month", "YEARLY": "year"}[freq]
	if !ok {
		unit = budget.Brief(strings.ToLower(freq), 5)
	}
	if n, err := strconv.Atoi(interval); err == nil && n > 1 {
		return fmt.Sprintf("every %d %ss", n, unit)
	}
	return "every " + unit
}

var dayWords = map[string]string{"MO": "Mon", "TU": "Tue", "WE": "Wed", "TH": "Thu", "FR": "Fri", "SA": "Sat", "SU": "Sun"}

// daysWords describes the days of a rule: "Tue and Thu", "the 2nd Tue", "the last Fri".
func daysWords(list string) string {
	switch {
	case list == "":
		return ""
	case list == "MO,TU,WE,TH,FR":
		return "weekdays"
	}
	var words []string
	for _, one := range strings.Split(list, ",") {
		day, ok := dayWords[one[max(0, len(one)-2):]]
		n, err := strconv.Atoi(strings.TrimPrefix(strings.TrimSuffix(one, one[max(0, len(one)-2):]), "+"))
		switch {
		case !ok:
			day = budget.Brief(one, 5)
		case err != nil: // a day without a number
		case n == -1:
			day = "the last " + day
		case n < 0:
			day = "the " + Ordinal(-n) + " last " + day
		default:
			day = "the " + Ordinal(n) + " " + day
		}
		words = append(words, day)
	}
	return joinAnd(words)
}

func monthsWords(list string) string {
	if list == "" {
		return ""
	}
	var words []string
	for _, one := range strings.Split(list, ",") {
		if n, err := strconv.Atoi(one); err == nil && n >= 1 && n <= 12 {
			one = time.Month(n).String()[:3]
		}
		words = append(words, budget.Brief(one, 5))
	}
	return joinAnd(words)
}

// untilWords returns the last day of a rule, in the zone of the event.
func untilWords(text string, s eventtime.Span) string {
	if day, err := time.Parse("20060102", text); err == nil {
		return day.Format(time.DateOnly)
	}
	t, err := time.Parse("20060102T150405Z", text)
	if err != nil {
		return budget.Brief(text, 10)
	}
	if s.Zone != nil {
		t = t.In(s.Zone)
	}
	return t.Format(time.DateOnly)
}

// Ordinal returns an ordinal number: "1st", "22nd".
func Ordinal(n int) string {
	suffix := "th"
	switch {
	case n%100 >= 11 && n%100 <= 13:
	case n%10 == 1:
		suffix = "st"
	case n%10 == 2:
		suffix = "nd"
	case n%10 == 3:
		suffix = "rd"
	}
	return strconv.Itoa(n) + suffix
}

func joinAnd(words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:len(words)-1], ", ") + " and " + words[len(words)-1]
}

// HasPart reports whether the lines of a recurrence contain a rule part or a property with
// one of these names.
func HasPart(rules string, names ...string) bool {
	return slices.ContainsFunc(names, func(name string) bool {
		return strings.Contains(rules, name+"=") || strings.Contains(rules, name+":") || strings.Contains(rules, name+";")
	})
}
