// Package daily is the bundle that keeps the day: what happened, what is
// planned, what is still open, and one briefing in the morning that tells
// "nothing" from "could not look".
package daily

import (
	"context"
	"log/slog"
	"time"

	"kota/bundles"
	"kota/bundles/internal/kept"
	"kota/metadata"
	"kota/store"
)

// A Deps is what the bundle needs of the outside.
type Deps struct {
	DB        func(context.Context) (*store.DB, error) // opened on the first call
	Now       func() time.Time
	Zone      func() *time.Location // where the user is; its name is IANA's
	DayStarts func() time.Duration  // after midnight, 0 to 12 hours: what happens before belongs to the day before
	Sources                         // what other bundles know of a day
	Log       func() *slog.Logger   // nil discards

	// Templates are types of documents that the user has made up, in their order
	// and without what they know. Nil: there are none.
	Templates func() []bundles.DocumentType
}

// owner is whose days these are. One person uses a server on stdio.
const owner = "local"

type daily struct {
	Deps
	earlier lastAnswers // what the sources of the briefing answered
}

// New returns the bundle. Nothing of deps is touched before the first call.
func New(deps Deps) bundles.Bundle {
	d := &daily{Deps: deps}
	b := bundles.New(about(),
		d.logAction(),
		d.getAction(),
		d.editAction(),
		d.searchAction(),
		d.briefingAction(),
		d.taskAction(),
		d.planAction(),
		d.reviewAction(),
		d.statsAction(),
	)
	b.Instructions = "It keeps the user's days: log what they say they did, felt, ate or measured with daily_log, and look at the day with daily_get before you speak of it."
	return b
}

func about() metadata.Bundle {
	return metadata.Bundle{
		Key:         "daily",
		Name:        "Daily Log",
		Description: "The day's log, tasks, plans, reviews and a morning briefing",
		Category:    metadata.Core,
		Tags:        []string{"daily", "journal", "log", "health", "planning"},
		Version:     "1",
		Relationships: []metadata.Relationship{
			{Type: metadata.RelatedTo, Bundle: "memory", Description: "Entries link to memories, and the briefing shows those that are due"},
			{Type: metadata.RelatedTo, Bundle: "calendar", Description: "The day's events are part of its plan and its briefing"},
			{Type: metadata.RelatedTo, Bundle: "gmail", Description: "Mail that waits for an answer is part of the briefing"},
		},
	}
}

// diary opens the store and hands out the owner's days.
func (d *daily) diary(ctx context.Context) (*store.Diary, error) {
	db, err := d.DB(ctx)
	if err != nil {
		return nil, kept.Explain(err)
	}
	return db.Diary(owner), nil
}
