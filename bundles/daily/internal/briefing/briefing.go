// Package briefing sums up a day from several sources. Each source has its own status, so
// that a failed source does not look empty. A source has 8 seconds to answer. A briefing
// has at most 1,500 tokens and leaves out the least important items first.
//
// Start at Briefer.Brief. File part.go asks one source, and fit.go leaves items out.
package briefing

import (
	"context"
	"log/slog"
	"time"

	"kota/bundles/daily/internal/days"
	"kota/bundles/daily/sources"
	"kota/bundles/internal/panicsafe"
	"kota/bundles/internal/persist"
	"kota/store"
)

// A Diary is the part of the store that a briefing reads.
type Diary interface {
	Days(ctx context.Context, f store.EntryFilter) ([]store.DaySummary, error)
	Entries(ctx context.Context, f store.EntryFilter, p store.EntryPage) ([]*store.DayEntry, string, error)
	Tasks(ctx context.Context, day store.TaskQuery) (store.TaskList, error)
	Documents(ctx context.Context, f store.DocumentFilter, limit int) ([]*store.Document, error)
}

// A Briefer briefs a tenant. It remembers the last answer of each source.
type Briefer struct {
	days.Clock
	Sources sources.Set
	Open    func(context.Context) (Diary, error)
	Stages  func(context.Context) (persist.StageStore, error)
	Log     func() *slog.Logger // nil discards

	lastAnswers lastAnswers
}

// A Briefing is the summary of a day. Its parts are in order of importance.
type Briefing struct {
	Date      string                 `json:"date"`
	Day       string                 `json:"day"`
	Why       string                 `json:"why,omitempty"` // reason why today is not the clock's date
	Timezone  string                 `json:"timezone"`
	Notice    string                 `json:"foreign,omitempty"` // sources.UntrustedNotice, if calendar or mail has items
	Calendar  briefPart[briefEvent]  `json:"calendar"`
	Tasks     briefPart[briefTask]   `json:"tasks"`
	Mail      briefPart[briefMail]   `json:"mail"`
	Memories  briefPart[briefMemory] `json:"memories"`
	Yesterday briefPart[openItem]    `json:"yesterday"`
}

// Brief returns the briefing of a date at the time now. why is the reason for the date.
func (b *Briefer) Brief(ctx context.Context, date, why string, now time.Time) (Briefing, error) {
	out := Briefing{Date: date, Day: days.InWords(date), Why: why, Timezone: now.Location().String()}
	all := panicsafe.New(5)
	all.Go(func() error {
		out.Calendar = loadPart(ctx, b, "calendar", date, eventsSource(b.Sources.Events, date, now))
		return nil
	})
	all.Go(func() error {
		out.Mail = loadPart(ctx, b, "mail", date, mailSource(b.Sources.Mail, now))
		return nil
	})
	all.Go(func() error {
		out.Memories = loadPart(ctx, b, "memories", date, memoriesSource(b.Sources.Memories, now))
		return nil
	})
	all.Go(func() error {
		out.Tasks = loadPart(ctx, b, "tasks", date, b.tasksSource(date))
		return nil
	})
	all.Go(func() error {
		out.Yesterday = loadPart(ctx, b, "yesterday", date, b.openItemsSource(days.AddDays(date, -1)))
		return nil
	})
	if err := all.Wait(); err != nil {
		return Briefing{}, err
	}
	if err := ctx.Err(); err != nil {
		return Briefing{}, err // the caller no longer waits
	}
	if len(out.Calendar.Items)+len(out.Mail.Items) > 0 {
		out.Notice = sources.UntrustedNotice
	}
	out.fit()
	return out, nil
}
