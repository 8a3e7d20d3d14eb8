package document

import (
	"strings"

	"kota/bundles/daily/internal/days"
)

// A Kind describes a type of document that comes with KOTA.
type Kind struct {
	Name, title string
	unit        string // each period of this unit has one document; "" if there may be many
	Next        string // the kind to write next, for the next period; "" for none
}

// Kinds returns all kinds in the order in which they are listed.
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

// kindOf returns the kind with that name. A user's own type has no unit, and its title
// comes from its name.
func kindOf(name string) Kind {
	for _, k := range Kinds() {
		if k.Name == name {
			return k
		}
	}
	return Kind{Name: name, title: capitalize(name)}
}

// capitalize turns a name into a heading: "trip_report" becomes "Trip report".
func capitalize(name string) string {
	words := strings.ReplaceAll(name, "_", " ")
	if words == "" {
		return ""
	}
	return strings.ToUpper(words[:1]) + words[1:] // names are ASCII
}

// isReview reports whether the type is one of the reviews that come with KOTA.
func isReview(name string) bool { return strings.HasSuffix(name, "_review") && kindOf(name).unit != "" }

// typeFor returns the first of these types with that unit, or "".
func typeFor(unit string, first []string) string {
	for _, name := range first {
		if kindOf(name).unit == unit {
			return name
		}
	}
	return ""
}

func (k Kind) titleFor(p days.Period) string { return k.title + ", " + p.Words() }
