package document

import (
	"strings"

	"kota/bundles/daily/internal/days"
)

// A Kind is what the types of documents that come with KOTA are known by.
type Kind struct {
	Name, title string
	unit        string // of the period that it is the only one of; "" for one that there may be many of
	After       string // the kind that follows on it, for the next period of its unit; "" for none
}

// Kinds are all of them, in the order in which they are listed.
func Kinds() []Kind {
	return []Kind{
		{"day_plan", "Day plan", days.Day, ""},
		{"week_plan", "Week plan", days.Week, ""},
		{"day_review", "Day review", days.Day, "day_plan"},
		{"week_review", "Week review", days.Week, "week_plan"},
		{"month_review", "Month review", days.Month, ""},
		{"meeting_notes", "Meeting notes", "", ""},
		{"decision_record", "Decision", "", ""},
	}
}

// kindOf returns the kind of that name. A type of the user's own is of no unit,
// and its name says its title.
func kindOf(name string) Kind {
	for _, k := range Kinds() {
		if k.Name == name {
			return k
		}
	}
	return Kind{Name: name, title: capital(name)}
}

// capital is a name as a heading: "trip_report" is "Trip report".
func capital(name string) string {
	words := strings.ReplaceAll(name, "_", " ")
	if words == "" {
		return ""
	}
	return strings.ToUpper(words[:1]) + words[1:] // names are ASCII
}

// isReview reports whether documents of a type look back.
func isReview(name string) bool { return strings.HasSuffix(name, "_review") && kindOf(name).unit != "" }

// typeFor is the type among those that is for a unit of time, "" for none.
func typeFor(unit string, first []string) string {
	for _, name := range first {
		if kindOf(name).unit == unit {
			return name
		}
	}
	return ""
}

func (k Kind) titled(p days.Period) string { return k.title + ", " + p.Words() }
