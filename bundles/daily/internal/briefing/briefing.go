// Package briefing tells what a day holds. Each source has a status of its own, so
// that nothing is told from what could not be read. A source is waited for 8 seconds,
// and a briefing has at most 1,500 tokens: the least important is left out first.
//
// Briefer.On is where to start; part.go asks one source, fit.go leaves out.
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

// A Diary is what the store keeps of a day.
type Diary interface {
	Days(ctx context.Context, f store.EntryFilter) ([]store.DayFacts, error)
	Entries(ctx context.Context, f store.EntryFilter, p store.EntryPage) ([]*store.DayEntry, string, error)
	Tasks(ctx context.Context, day store.TaskDay) (store.TaskList, error)
	Documents(ctx context.Context, f store.DocumentFilter, limit int) ([]*store.Document, error)
}

// A Briefer briefs a tenant. It remembers what each source answered last.
type Briefer struct {
	days.Clock
	Sources sources.Set
	Open    func(context.Context) (Diary, error)
	Stages  func(context.Context) (persist.StageStore, error)
	Log     func() *slog.Logger // nil discards

	earlier lastAnswers
}

// A Briefing is what a day holds. Its parts stand in the order in which they
// matter.
type Briefing struct {
	Date      string                 `json:"date"`
	Day       string                 `json:"day"`
	Why       string                 `json:"why,omitempty"` // today is not the date that clocks show
	Timezone  string                 `json:"timezone"`
	Foreign   string                 `json:"foreign,omitempty"` // which parts others wrote
	Calendar  briefPart[briefEvent]  `json:"calendar"`
	Tasks     briefPart[briefTask]   `json:"tasks"`
	Mail      briefPart[briefMail]   `json:"mail"`
	Memories  briefPart[briefMemory] `json:"memories"`
	Yesterday briefPart[briefLoop]   `json:"yesterday"`
}

// On tells what a date holds, as it is known now. why says why it is today.
func (b *Briefer) On(ctx context.Context, date, why string, now time.Time) (Briefing, error) {
	out := Briefing{Date: date, Day: days.InWords(date), Why: why, Timezone: now.Location().String()}
	all := panicsafe.New(5)
	all.Go(func() error {
		out.Calendar = briefOn(ctx, b, "calendar", date, eventsOf(b.Sources.Events, date, now))
		return nil
	})
	all.Go(func() error {
		out.Mail = briefOn(ctx, b, "mail", date, mailOf(b.Sources.Mail, now))
		return nil
	})
	all.Go(func() error {
		out.Memories = briefOn(ctx, b, "memories", date, memoriesOf(b.Sources.Memories, now))
		return nil
	})
	all.Go(func() error {
		out.Tasks = briefOn(ctx, b, "tasks", date, b.tasksOn(date))
		return nil
	})
	all.Go(func() error {
		out.Yesterday = briefOn(ctx, b, "yesterday", date, b.openSince(days.AddDays(date, -1)))
		return nil
	})
	if err := all.Wait(); err != nil {
		return Briefing{}, err
	}
	if err := ctx.Err(); err != nil {
		return Briefing{}, err // nobody waits for it any more
	}
	if len(out.Calendar.Items)+len(out.Mail.Items) > 0 {
		out.Foreign = sources.Notice
	}
	out.fit()
	return out, nil
}
