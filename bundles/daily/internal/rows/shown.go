package rows

import (
	"time"
	"unicode/utf8"

	"kota/bundles/internal/htmltext"
	"kota/bundles/internal/timeparse"
	"kota/bundles/internal/untrusted"
	"kota/store"
)

// Brief is how many characters of a text a list shows.
const Brief = 200

// Fenced is a text with a fence around it where it is long, and not the user's.
func Fenced(text string, whose *untrusted.Provenance) string {
	if whose == nil || utf8.RuneCountInString(text) <= Brief {
		return text
	}
	return untrusted.New(nil).Around(text)
}

// Shortened is a text of at most so many characters.
func Shortened(text string, most int) string {
	if htmltext.First(text, most) == text {
		return text
	}
	return htmltext.First(text, most-1) + "…"
}

// TimeOf is the time of day of an entry, "" where nobody said one.
func TimeOf(e *store.DayEntry) string {
	if e.Moment.IsZero() {
		return ""
	}
	return MomentOf(e).Format("15:04")
}

// MomentOf is when an entry happened, on the clocks that it was told by; zero
// where nobody said a time.
func MomentOf(e *store.DayEntry) time.Time {
	zone, err := timeparse.Zone(e.Zone)
	if err != nil { // a later zone data base has dropped it
		return e.Moment
	}
	return e.Moment.In(zone)
}
