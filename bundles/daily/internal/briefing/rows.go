package briefing

import (
	"context"
	"fmt"
	"time"

	"kota/bundles/daily/internal/rows"
	"kota/bundles/daily/sources"
	"kota/bundles/internal/budget"
	"kota/bundles/internal/htmltext"
	"kota/bundles/internal/persist"
	"kota/bundles/internal/untrusted"
	"kota/store"
)

// Limits on texts in items, in tokens.
const (
	maxTitleTokens = 16
	maxPlaceTokens = 10
	maxNameTokens  = 10
	MaxTaskTokens  = 24
)

type briefEvent struct {
	When     string `json:"when"`
	Title    string `json:"title"`
	Where    string `json:"where,omitempty"`
	Calendar string `json:"calendar,omitempty"`
	MyAnswer string `json:"my_answer,omitempty"`

	Provenance *untrusted.Provenance `json:"provenance,omitempty"` // if others wrote the texts

	importance int
}

func (r briefEvent) rank() int                         { return r.importance }
func (r briefEvent) provenance() *untrusted.Provenance { return r.Provenance }

type briefTask struct {
	ID      string `json:"id"`
	Text    string `json:"text"`
	Due     string `json:"due,omitempty"`
	Overdue int    `json:"overdue_days,omitempty"`
	Carried int    `json:"days_carried,omitempty"`

	Provenance *untrusted.Provenance `json:"provenance,omitempty"` // if others wrote the text, or may have
}

func (r briefTask) rank() int                         { return 0 }
func (r briefTask) provenance() *untrusted.Provenance { return r.Provenance }

type briefMail struct {
	ID      string `json:"id"`
	From    string `json:"from"`
	Subject string `json:"subject"`
	At      string `json:"at"`
	Account string `json:"account,omitempty"`

	Provenance *untrusted.Provenance `json:"provenance,omitempty"` // if others wrote the texts
}

func (r briefMail) rank() int                         { return 0 }
func (r briefMail) provenance() *untrusted.Provenance { return r.Provenance }

type briefMemory struct {
	Key  string `json:"key"`
	Text string `json:"text"`
	Ends string `json:"ends"`

	Provenance *untrusted.Provenance `json:"provenance,omitempty"` // if others wrote the text, or may have
}

func (r briefMemory) rank() int                         { return 0 }
func (r briefMemory) provenance() *untrusted.Provenance { return r.Provenance }

// eventsSource returns a source of the day's events. If space is short, events that have ended,
// were declined or take no time are left out first.
func eventsSource(ask func(context.Context, string, string) (sources.Found[sources.Event], error), date string, now time.Time) briefSource[briefEvent] {
	from := briefSource[briefEvent]{offReason: "the calendar is not connected", moreCall: fmt.Sprintf(`calendar_list_events {"from":%q,"to":%[1]q,"calendars":["all"],"account":"*"}`, date)}
	if ask == nil {
		return from
	}
	from.ask = func(ctx context.Context) (sources.Found[briefEvent], error) {
		found, err := ask(ctx, date, now.Location().String())
		return convertItems(found, func(e sources.Event) briefEvent {
			row := briefEvent{
				When: htmltext.Line(e.When), Title: budget.Brief(htmltext.Line(e.Title), maxTitleTokens), Where: budget.Brief(htmltext.Line(e.Location), maxPlaceTokens),
				Calendar: budget.Brief(htmltext.Line(e.Calendar), maxNameTokens), MyAnswer: e.MyAnswer,
			}
			if e.Untrusted {
				row.Provenance = untrusted.Mark(ctx, untrusted.Event, "")
			}
			switch {
			case e.MyAnswer == "no":
				row.importance = 3
			case e.TakesNoTime:
				row.importance = 2
			case !e.Ends.IsZero() && !e.Ends.After(now):
				row.importance = 1
			}
			return row
		}), err
	}
	return from
}

// mailSource returns a source of the unread messages.
func mailSource(ask func(context.Context) (sources.Found[sources.Mail], error), now time.Time) briefSource[briefMail] {
	from := briefSource[briefMail]{offReason: "mail is not connected", moreCall: `gmail_search_messages {"query":"in:inbox is:unread","account":"*"}`}
	if ask == nil {
		return from
	}
	from.ask = func(ctx context.Context) (sources.Found[briefMail], error) {
		found, err := ask(ctx)
		return convertItems(found, func(m sources.Mail) briefMail {
			row := briefMail{
				ID: m.ID, Account: budget.Brief(htmltext.Line(m.Account), maxNameTokens), From: budget.Brief(htmltext.Line(m.From), maxNameTokens), Subject: budget.Brief(htmltext.Line(m.Subject), maxTitleTokens),
				At: formatShort(m.At, now),
			}
			if m.Untrusted {
				row.Provenance = untrusted.Mark(ctx, untrusted.Mail, "")
			}
			return row
		}), err
	}
	return from
}

// formatShort formats a time for people: the clock time if it is today, otherwise the day.
func formatShort(at, now time.Time) string {
	at = at.In(now.Location())
	switch {
	case at.Format(time.DateOnly) == now.Format(time.DateOnly):
		return at.Format("15:04")
	case at.Year() == now.Year():
		return at.Format("Mon 2 Jan")
	}
	return at.Format(time.DateOnly)
}

// memoryDays is how many days ahead a briefing looks for expiring memories.
const memoryDays = 7

// memoriesSource returns a source of the memories that expire within a week.
func memoriesSource(ask func(context.Context, time.Time) (sources.Found[sources.Memory], error), now time.Time) briefSource[briefMemory] {
	from := briefSource[briefMemory]{offReason: "memory is not connected", moreCall: fmt.Sprintf(`memory_list {"expires_before":%q}`, now.AddDate(0, 0, memoryDays+1).Format(time.DateOnly))}
	if ask == nil {
		return from
	}
	from.ask = func(ctx context.Context) (sources.Found[briefMemory], error) {
		found, err := ask(ctx, now.AddDate(0, 0, memoryDays))
		return convertItems(found, func(m sources.Memory) briefMemory {
			return briefMemory{
				Key: budget.Brief(htmltext.Line(m.Key), maxTitleTokens), Text: budget.Brief(htmltext.Line(m.Text), MaxTaskTokens),
				Ends: m.Ends.In(now.Location()).Format("2006-01-02 15:04"), Provenance: untrusted.MarkMemory(ctx, m.Source),
			}
		}), err
	}
	return from
}

// maxTasks is the maximum number of tasks that are read. An answer holds fewer.
const maxTasks = 50

// tasksSource returns a source of the tasks that are open on a date.
func (b *Briefer) tasksSource(date string) briefSource[briefTask] {
	return briefSource[briefTask]{moreCall: `daily_task {"limit":100}`, ask: func(ctx context.Context) (sources.Found[briefTask], error) {
		diary, err := b.Open(ctx)
		if err != nil {
			return sources.Found[briefTask]{}, err
		}
		list, err := diary.Tasks(ctx, rows.TaskDay(b.Today().From(), date, date, date, maxTasks))
		if err != nil {
			return sources.Found[briefTask]{}, persist.Explain(err)
		}
		found := sources.Found[store.ListedTask]{Items: list.Open, More: list.OpenCount - len(list.Open)}
		return convertItems(found, func(t store.ListedTask) briefTask {
			return briefTask{ID: t.ID, Text: budget.Brief(htmltext.Line(t.Text), MaxTaskTokens), Due: t.Due, Overdue: t.Overdue, Carried: t.DaysCarried, Provenance: untrusted.MarkDiary(ctx, t.Source)}
		}), nil
	}}
}

// convertItems converts the items of a source with convert.
func convertItems[T any, R briefRow](found sources.Found[T], convert func(T) R) sources.Found[R] {
	items := sources.Found[R]{More: found.More, Unread: found.Unread}
	for _, one := range found.Items {
		items.Items = append(items.Items, convert(one))
	}
	return items
}
