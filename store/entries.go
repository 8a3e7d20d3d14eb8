package store

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

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

// Clean puts an entry into the form in which it is kept.
func (e *DayEntry) Clean() error {
	e.Text = strings.TrimSpace(strings.ToValidUTF8(e.Text, "\uFFFD"))
	e.Section = CleanLabel(e.Section)
	e.Moment = StoredTime(e.Moment)
	var err error
	if e.Type, err = Name(e.Type); err != nil {
		return fmt.Errorf("type: %w", err)
	}
	if e.Metrics, err = cleanMetrics(e.Metrics); err != nil {
		return err
	}
	if e.Tags, err = cleanTags(e.Tags); err != nil {
		return err
	}
	if e.Links, err = cleanLinks(e.Links); err != nil {
		return err
	}
	switch {
	case e.Text == "" && e.Mood == 0 && e.Energy == 0 && len(e.Metrics) == 0:
		return fmt.Errorf("%w: the entry says nothing", ErrInvalid)
	case utf8.RuneCountInString(e.Section) > MaxLabel:
		return fmt.Errorf("%w: a section has at most %d characters", ErrInvalid, MaxLabel)
	case e.Moment.Year() < 1 || e.Moment.Year() > 9999: // which JSON does not have
		return fmt.Errorf("%w: the entry is of the year %d", ErrInvalid, e.Moment.Year())
	case e.Zone == "":
		return fmt.Errorf("%w: the entry has no time zone", ErrInvalid)
	}
	return errors.Join(CheckDate(e.Date), checkScale(MoodName, e.Mood), checkScale(EnergyName, e.Energy), CheckSize("text", e.Text, MaxText))
}

// An EntryEdit changes parts of an entry. What is nil stays as it is.
type EntryEdit struct {
	ID          string
	Date        *string
	Moment      *time.Time
	Zone        *string
	Type        *string
	Section     *string
	Text        *string
	Mood        *int           // 0: not said
	Energy      *int           // 0: not said
	Metrics     map[string]any // set to these; a nil value takes one away
	AddTags     []string
	RemoveTags  []string
	AddLinks    []string
	RemoveLinks []string
	Backfilled  *bool
	Source      *string // of the words that are given
	IfVersion   *int64  // the version that must stand now
}

// Apply makes an entry what it is after the edit.
func (e *EntryEdit) Apply(next *DayEntry) error {
	was := *next
	next.Date, next.Moment, next.Zone = or(e.Date, next.Date), or(e.Moment, next.Moment), or(e.Zone, next.Zone)
	next.Type, next.Section, next.Text = or(e.Type, next.Type), or(e.Section, next.Section), or(e.Text, next.Text)
	next.Mood, next.Energy, next.Backfilled = or(e.Mood, next.Mood), or(e.Energy, next.Energy), or(e.Backfilled, next.Backfilled)
	next.Tags, next.Links = without(slices.Concat(next.Tags, e.AddTags), e.RemoveTags), without(slices.Concat(next.Links, e.AddLinks), e.RemoveLinks)
	next.Metrics = maps.Clone(next.Metrics)
	for given, value := range e.Metrics {
		name, err := Name(given)
		if err != nil {
			return err
		}
		if value == nil {
			delete(next.Metrics, name)
			continue
		}
		next.Metrics[name] = value
	}
	if err := next.Clean(); err != nil {
		return err
	}
	if e.Source != nil && (next.Text != was.Text || *e.Source != "" && string(EncodeJSON(next)) != string(EncodeJSON(&was))) {
		next.Source = *e.Source
	}
	return nil
}

// without are the texts that are not among some.
func without(texts, some []string) []string {
	some = CleanList(some)
	return slices.DeleteFunc(texts, func(text string) bool { return slices.Contains(some, text) })
}

// A Logging is what one call adds to the diary: at most 50 entries, and at
// most 50 tasks. What their Row says is not read.
type Logging struct {
	Entries []DayEntry
	Tasks   []Task
	Key     string // names the call, so that it has one effect however often it is made; "" for none
}

// Check returns ErrInvalid for a call that logs nothing or too much.
func (l Logging) Check() error {
	switch {
	case len(l.Entries) == 0 && len(l.Tasks) == 0:
		return fmt.Errorf("%w: there is nothing to log", ErrInvalid)
	case len(l.Entries) > MaxEntries || len(l.Tasks) > MaxEntries:
		return fmt.Errorf("%w: %d entries and %d tasks, at most %d of each are taken at once", ErrInvalid, len(l.Entries), len(l.Tasks), MaxEntries)
	}
	return CheckSize("idempotency key", l.Key, MaxKey)
}

// A Logged says what a call added.
type Logged struct {
	Entries  []*DayEntry // in the order given; never nil
	Tasks    []*Task
	Undo     string // for Restore: deletes them; "" when nothing was added
	Repeated bool   // nothing was added: a call with this key was made before, and this is what has become of its rows
}

// The names under which a MetricRange finds the mood and the energy of an
// entry. No metric may have them.
const (
	MoodName   = "mood"
	EnergyName = "energy"
)

// An EntryFilter chooses entries that are not deleted. Its conditions all hold
// at once; the zero EntryFilter chooses every one.
type EntryFilter struct {
	From, To string        // dates, both included; "": no bound
	Type     string        // "": any
	Section  string        // "": any
	Tags     []string      // it has all of them
	Metrics  []MetricRange // it has all of them
	Link     string        // it has this one: "event:abc"; "": any
}

// A MetricRange chooses entries that have a metric, of a value from Min to
// Max. A metric that is true or false counts as 1 or 0.
type MetricRange struct {
	Name     string   // "mood" and "energy" too
	Min, Max *float64 // nil: no bound
}

// An EntryPage is one part of a listing.
type EntryPage struct {
	Newest bool   // the latest first, instead of last
	Limit  int    // at least 1
	Cursor string // the one given with the part before; "" for the first
}
