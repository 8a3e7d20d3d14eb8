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

// A DayEntry is one version of an entry in the diary.
type DayEntry struct {
	Row
	Date       string         `json:"date"`                 // the day it belongs to: "2026-11-20"
	Moment     time.Time      `json:"moment,omitzero"`      // when it happened; in UTC, to the millisecond; zero if no time of day was given
	Zone       string         `json:"zone"`                 // the IANA zone of the person who logged it, in which Moment was given
	Type       string         `json:"type"`                 // in the form of NormalizeName: "food"
	Section    string         `json:"section,omitempty"`    // a part of the day; "" for none
	Text       string         `json:"text,omitempty"`       // may be empty if there is a mood, an energy or a metric
	Mood       int            `json:"mood,omitempty"`       // 1 to 5; 0: not given
	Energy     int            `json:"energy,omitempty"`     // 1 to 5; 0: not given
	Metrics    map[string]any `json:"metrics"`              // a float64 or a bool per name; never nil
	Tags       []string       `json:"tags"`                 // never nil, each once
	Links      []string       `json:"links"`                // "event:abc"; never nil, each once
	Backfilled bool           `json:"backfilled,omitempty"` // logged after its day had ended
	Source     string         `json:"source,omitempty"`     // where the text comes from; "" for the user's own words
}

// Clean normalizes an entry for storage. It returns ErrInvalid or ErrTooLarge if it cannot be
// stored.
func (e *DayEntry) Clean() error {
	e.Text = strings.TrimSpace(strings.ToValidUTF8(e.Text, "\uFFFD"))
	e.Section = CleanLabel(e.Section)
	e.Moment = StoredTime(e.Moment)
	var err error
	if e.Type, err = NormalizeName(e.Type); err != nil {
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
		return fmt.Errorf("%w: the entry is empty", ErrInvalid)
	case utf8.RuneCountInString(e.Section) > MaxLabel:
		return fmt.Errorf("%w: a section has at most %d characters", ErrInvalid, MaxLabel)
	case e.Moment.Year() < 1 || e.Moment.Year() > 9999: // JSON cannot represent other years
		return fmt.Errorf("%w: the year of the entry is %d, not from 1 to 9999", ErrInvalid, e.Moment.Year())
	case e.Zone == "":
		return fmt.Errorf("%w: the entry has no time zone", ErrInvalid)
	}
	return errors.Join(CheckDate(e.Date), checkScale(MoodName, e.Mood), checkScale(EnergyName, e.Energy), CheckSize("text", e.Text, MaxText))
}

// An EntryEdit changes parts of an entry. A nil field changes nothing.
type EntryEdit struct {
	ID          string
	Date        *string
	Moment      *time.Time
	Zone        *string
	Type        *string
	Section     *string
	Text        *string
	Mood        *int           // 0 removes it
	Energy      *int           // 0 removes it
	Metrics     map[string]any // values to set; a nil value removes the metric
	AddTags     []string
	RemoveTags  []string
	AddLinks    []string
	RemoveLinks []string
	Backfilled  *bool
	Source      *string // where the change comes from; nil: as before; "" takes effect only if Text changes
	IfVersion   *int64  // the required current version; nil: any
}

// Apply applies the edit to next. It returns ErrInvalid or ErrTooLarge if the result cannot be
// stored.
func (e *EntryEdit) Apply(next *DayEntry) error {
	before := *next
	next.Date, next.Moment, next.Zone = valueOr(e.Date, next.Date), valueOr(e.Moment, next.Moment), valueOr(e.Zone, next.Zone)
	next.Type, next.Section, next.Text = valueOr(e.Type, next.Type), valueOr(e.Section, next.Section), valueOr(e.Text, next.Text)
	next.Mood, next.Energy, next.Backfilled = valueOr(e.Mood, next.Mood), valueOr(e.Energy, next.Energy), valueOr(e.Backfilled, next.Backfilled)
	next.Tags, next.Links = withoutTags(slices.Concat(next.Tags, e.AddTags), e.RemoveTags), without(slices.Concat(next.Links, e.AddLinks), e.RemoveLinks)
	next.Metrics = maps.Clone(next.Metrics)
	for given, value := range e.Metrics {
		name, err := NormalizeName(given)
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
	if e.Source != nil && (next.Text != before.Text || *e.Source != "" && string(EncodeJSON(next)) != string(EncodeJSON(&before))) {
		next.Source = *e.Source
	}
	return nil
}

// withoutTags returns the TagList of tags without those in removed. Like TagList, it ignores case
// and a leading "#".
func withoutTags(tags, removed []string) []string {
	removed = TagList(removed)
	return slices.DeleteFunc(TagList(tags), func(tag string) bool {
		return slices.ContainsFunc(removed, func(other string) bool { return strings.EqualFold(other, tag) })
	})
}

// without removes the texts in removed from texts, in place.
func without(texts, removed []string) []string {
	removed = CleanList(removed)
	return slices.DeleteFunc(texts, func(text string) bool { return slices.Contains(removed, text) })
}

// A LogRequest is what one call adds to the diary: at most 50 entries and at most 50 tasks. The
// store ignores their Row.
type LogRequest struct {
	Entries []DayEntry
	Tasks   []Task
	Key     string // idempotency key: repeated calls have one effect; "" for none
}

// Check returns ErrInvalid for a request with nothing to log or with too much.
func (l LogRequest) Check() error {
	switch {
	case len(l.Entries) == 0 && len(l.Tasks) == 0:
		return fmt.Errorf("%w: there is nothing to log", ErrInvalid)
	case len(l.Entries) > MaxEntries || len(l.Tasks) > MaxEntries:
		return fmt.Errorf("%w: %d entries and %d tasks; the limit is %d of each", ErrInvalid, len(l.Entries), len(l.Tasks), MaxEntries)
	}
	return CheckSize("idempotency key", l.Key, MaxKey)
}

// A LogResult says what a call added.
type LogResult struct {
	Entries  []*DayEntry // in the order given; never nil
	Tasks    []*Task
	Undo     string // for Restore: deletes them; "" if nothing was added
	Repeated bool   // nothing was added, because an earlier call had this key; Entries and Tasks are the rows of that call as they are now
}

// The names of mood and energy in a MetricRange. No metric may have these names.
const (
	MoodName   = "mood"
	EnergyName = "energy"
)

// An EntryFilter selects entries that are not deleted. An entry must match all conditions; the
// zero filter matches every entry.
type EntryFilter struct {
	From, To string        // dates, both included; "": no bound
	Type     string        // "": any
	Section  string        // "": any
	Tags     []string      // the entry has all of them
	Metrics  []MetricRange // the entry matches all of them
	Link     string        // the entry has this link: "event:abc"; "": any
}

// A MetricRange matches entries with a metric from Min to Max, both included. True counts as 1,
// false as 0.
type MetricRange struct {
	Name     string   // may also be "mood" or "energy"
	Min, Max *float64 // nil: no bound
}

// An EntryPage is one part of a listing.
type EntryPage struct {
	Newest bool   // newest first instead of oldest first
	Limit  int    // at least 1
	Cursor string // Next of the previous part; "" for the first
}
