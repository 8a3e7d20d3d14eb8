package entry

import (
	"context"
	"time"

	"kota/bundles/daily/internal/rows"
	"kota/bundles/internal/untrusted"
	"kota/store"
)

// A Row is an entry as answers show it.
type Row struct {
	ID         string         `json:"id"`
	Time       string         `json:"time,omitempty"` // "23:30"; absent if the entry has no time
	Zone       string         `json:"zone,omitempty"` // absent if it is the user's zone
	Type       string         `json:"type"`
	Section    string         `json:"section,omitempty"`
	Text       string         `json:"text,omitempty"`
	Cut        bool           `json:"cut,omitempty"` // the text is longer: daily_get {id} returns it in full
	Mood       int            `json:"mood,omitempty"`
	Energy     int            `json:"energy,omitempty"`
	Metrics    map[string]any `json:"metrics,omitempty"`
	Tags       []string       `json:"tags,omitempty"`
	Links      []string       `json:"links,omitempty"`
	Backfilled bool           `json:"backfilled,omitempty"` // logged after its day had ended
	Version    int64          `json:"version,omitempty"`    // only for an entry read by its id

	Provenance *untrusted.Provenance `json:"provenance,omitempty"` // if others wrote the text, or may have
}

// RowOf returns the row of an entry for a user in that zone, with at most that many
// characters of its text.
func RowOf(ctx context.Context, e *store.DayEntry, most int, zone *time.Location) Row {
	text := rows.Shorten(e.Text, most)
	r := Row{
		ID: e.ID, Time: rows.TimeOf(e), Type: e.Type, Section: e.Section, Text: text, Cut: text != e.Text, Mood: e.Mood, Energy: e.Energy,
		Metrics: e.Metrics, Tags: e.Tags, Links: e.Links, Backfilled: e.Backfilled,
		Provenance: untrusted.MarkDiary(ctx, e.Source),
	}
	r.Text = rows.Fence(r.Text, r.Provenance)
	if e.Zone != zone.String() {
		r.Zone = e.Zone
	}
	return r
}
