package rows

import (
	"time"
	"unicode/utf8"

	"kota/bundles/internal/htmltext"
	"kota/bundles/internal/timeparse"
	"kota/bundles/internal/untrusted"
	"kota/store"
)

// Brief is the maximum number of characters of a text that a list shows.
const Brief = 200

// Fence puts a fence around a text that is longer than Brief and that others wrote, or
// may have. A nil provenance means that the user wrote it.
func Fence(text string, provenance *untrusted.Provenance) string {
	if provenance == nil || utf8.RuneCountInString(text) <= Brief {
		return text
	}
	return untrusted.New(nil).Wrap(text)
}

// Shorten cuts a text to at most that many characters.
func Shorten(text string, most int) string {
	if htmltext.First(text, most) == text {
		return text
	}
	return htmltext.First(text, most-1) + "…"
}

// TimeOf returns the time of day of an entry, or "" if the entry has no time.
func TimeOf(e *store.DayEntry) string {
	if e.Moment.IsZero() {
		return ""
	}
	return MomentOf(e).Format("15:04")
}

// MomentOf returns the time of an entry in the zone in which it was logged, or the zero
// time if the entry has no time.
func MomentOf(e *store.DayEntry) time.Time {
	zone, err := timeparse.Zone(e.Zone)
	if err != nil { // the time zone database no longer has the zone
		return e.Moment
	}
	return e.Moment.In(zone)
}
