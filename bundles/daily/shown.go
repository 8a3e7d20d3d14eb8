package daily

import (
	"time"
	"unicode/utf8"

	"kota/bundles/internal/htmltext"
	"kota/bundles/internal/timeparse"
	"kota/bundles/internal/untrusted"
	"kota/store"
)

// briefly is how many characters of a text a list shows.
const briefly = 200

// fenced is a text with a fence around it where it is long, and not the user's.
func fenced(text string, whose *untrusted.Provenance) string {
	if whose == nil || utf8.RuneCountInString(text) <= briefly {
		return text
	}
	return untrusted.New(nil).Around(text)
}

// shortened is a text of at most so many characters.
func shortened(text string, most int) string {
	if htmltext.First(text, most) == text {
		return text
	}
	return htmltext.First(text, most-1) + "…"
}

// timeOf is the time of day of an entry, "" where nobody said one.
func timeOf(e *store.DayEntry) string {
	if e.Moment.IsZero() {
		return ""
	}
	return momentOf(e).Format("15:04")
}

// momentOf is when an entry happened, on the clocks that it was told by; zero
// where nobody said a time.
func momentOf(e *store.DayEntry) time.Time {
	zone, err := timeparse.Zone(e.Zone)
	if err != nil { // a later zone data base has dropped it
		return e.Moment
	}
	return e.Moment.In(zone)
}
