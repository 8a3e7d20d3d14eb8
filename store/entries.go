package store

import "time"

// A DayEntry is one thing that was logged, in one of its states.
type DayEntry struct {
	Row
	Date       string         `json:"date"`                 // the day it belongs to: "2026-11-20"
	Moment     time.Time      `json:"moment,omitzero"`      // when it happened; in UTC, to the millisecond; zero where nobody said a time of the day
	Zone       string         `json:"zone"`                 // the IANA zone of whoever logged it, in which the moment was told
	Type       string         `json:"type"`                 // a name, see Name: "food"
	Section    string         `json:"section,omitempty"`    // of the day; "" when it has none
	Text       string         `json:"text,omitempty"`       // may be empty beside a mood, an energy or metrics
	Mood       int            `json:"mood,omitempty"`       // 1 to 5; 0: not said
	Energy     int            `json:"energy,omitempty"`     // 1 to 5; 0: not said
	Metrics    map[string]any `json:"metrics"`              // a float64 or a bool under each name; never nil
	Tags       []string       `json:"tags"`                 // never nil, each once
	Links      []string       `json:"links"`                // "event:abc"; never nil, each once
	Backfilled bool           `json:"backfilled,omitempty"` // logged after its day had ended
	Source     string         `json:"source,omitempty"`     // where the words come from; "": they are the user's
}

// entryShelf keeps entries.
var entryShelf = shelf[DayEntry]{
	table: "entries", letter: entryLetter, index: &entryIndex,
	columns: "date, moment, zone, type, section, text, mood, energy, metrics, tags, links, backfilled, source",
	fields: func(e *DayEntry) []any {
		return []any{
			&e.Date, asMillis{&e.Moment}, &e.Zone, &e.Type, &e.Section, &e.Text, orNull{&e.Mood}, orNull{&e.Energy},
			asJSON[map[string]any]{&e.Metrics}, asJSON[[]string]{&e.Tags}, asJSON[[]string]{&e.Links}, &e.Backfilled, &e.Source,
		}
	},
	row: func(e *DayEntry) *Row { return &e.Row },
}
