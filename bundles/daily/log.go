package daily

import (
	"context"
	"fmt"
	"strings"

	"kota/bundles"
	"kota/bundles/daily/internal/days"
	"kota/bundles/daily/internal/entry"
	"kota/bundles/daily/internal/rows"
	"kota/bundles/internal/untrusted"
	"kota/metadata"
	"kota/store"
)

type logIn struct {
	entryIn
	Entries  []itemIn `json:"entries,omitempty" max:"50" doc:"several at once; other arguments are their defaults"`
	Tasks    []string `json:"tasks,omitempty" max:"50" doc:"to do"`
	Timezone string   `json:"timezone,omitempty" doc:"IANA, if not the default" audit:"show"`
	Key      string   `json:"idempotency_key,omitempty" doc:"a repeated call logs once"`
}

// entryIn is one entry, or the defaults of several entries.
type entryIn struct {
	Text    string         `json:"text,omitempty" alias:"note,content,entry" doc:"what happened"`
	Type    string         `json:"type,omitempty" doc:"note (default), journal, food, drink, snack, supplement, activity, training, health, or your own"`
	Date    string         `json:"date,omitempty" alias:"day" doc:"if not now: \"2026-11-20\", \"yesterday\", \"friday\"" audit:"show"`
	Time    string         `json:"time,omitempty" doc:"\"23:30\""`
	Section string         `json:"section,omitempty" doc:"\"morning\""`
	Mood    int            `json:"mood,omitempty" min:"1" max:"5" audit:"hide"`
	Energy  int            `json:"energy,omitempty" min:"1" max:"5" audit:"hide"`
	Metrics map[string]any `json:"metrics,omitempty" doc:"numbers or booleans: {\"sleep_hours\": 7.5}"`
	Tags    []string       `json:"tags,omitempty"`
	Links   []string       `json:"links,omitempty" doc:"memory:KEY, event:ID, mail:ID"`
}

// itemIn is entryIn as an item of a list, without the descriptions.
type itemIn struct {
	Text    string         `json:"text,omitempty" alias:"note,content"`
	Type    string         `json:"type,omitempty"`
	Date    string         `json:"date,omitempty" audit:"show"`
	Time    string         `json:"time,omitempty"`
	Section string         `json:"section,omitempty"`
	Mood    int            `json:"mood,omitempty" min:"1" max:"5" audit:"hide"`
	Energy  int            `json:"energy,omitempty" min:"1" max:"5" audit:"hide"`
	Metrics map[string]any `json:"metrics,omitempty"`
	Tags    []string       `json:"tags,omitempty"`
	Links   []string       `json:"links,omitempty"`
}

func (in logIn) items() []entry.Args {
	list := make([]entry.Args, len(in.Entries))
	for i, one := range in.Entries {
		list[i] = entry.Args(one)
	}
	return list
}

type logOut struct {
	Date       string     `json:"date"`                 // of the first entry, or of the tasks if there are no entries
	Day        string     `json:"day"`                  // in words
	Why        string     `json:"why,omitempty"`        // reason for the date
	Backfilled bool       `json:"backfilled,omitempty"` // the day had ended
	IDs        []string   `json:"ids"`
	TaskIDs    []string   `json:"task_ids,omitempty"`
	Others     []otherDay `json:"other_days,omitempty"` // entries on a different day than the first entry
	UndoID     string     `json:"undo_id,omitempty"`    // for daily_edit: undoes the whole call
	Repeated   bool       `json:"repeated,omitempty"`   // an earlier call with the same key logged it
	Gone       []string   `json:"gone,omitempty"`       // the ids of entries that were deleted since; a different key logs the call again
}

type otherDay struct {
	ID   string `json:"id"`
	Date string `json:"date"`
	Why  string `json:"why,omitempty"`
}

func (d *daily) logAction() bundles.Action {
	return bundles.Bind(metadata.Action{
		Name: "log", Effect: metadata.Writes,
		Summary:     "Log what happened, was felt, eaten, done or measured.",
		Description: "Only adds. The answer says which day it chose, and why.",
		Tags:        []string{"journal", "diary", "track"},
		Aliases:     metadata.Aliases{"add write create append record: - entry log note journal"},
		Examples: []metadata.Example{
			{Title: "A note", Args: logIn{entryIn: entryIn{Text: "Called the landlord about the roof"}}},
			{Title: "How well you slept", Args: logIn{entryIn: entryIn{Text: "Slept badly", Type: "health", Mood: 2, Metrics: map[string]any{"sleep_hours": 5.5}}}},
			{Title: "Yesterday's meals", Args: logIn{
				entryIn: entryIn{Type: "food", Date: "yesterday"},
				Entries: []itemIn{{Text: "Soup", Time: "12:30"}, {Text: "Pasta", Time: "19:00"}},
			}},
			{Title: "After a meeting", Args: logIn{entryIn: entryIn{Text: "Agreed on the budget", Tags: []string{"work"}, Links: []string{"event:abc123"}}, Tasks: []string{"Send the minutes"}}},
		},
		Errors: []metadata.Code{metadata.ValidationError, metadata.Conflict, metadata.TooLarge},
		Notes: []string{
			"With a date, a time before the day starts (such as 01:00) is in the night after that date. A time without a date is the most recent one. An entry without both is logged for now. An entry of another day without a time is listed last on its day.",
			"Words such as \"yesterday\" are relative to the user's current day; a weekday is the most recent one, which may be today. No date may be later than tomorrow.",
			"backfilled: the day had already ended; streaks count such entries separately.",
			"If a call has entries and also a text, mood, energy or metrics of its own, these become the first entry.",
			"Links are stored as given; daily_get with include shows their targets, or that a target no longer exists.",
			"daily_edit changes or deletes an entry. KOTA never acts on the content of a text or a link.",
		},
	}, d.log)
}

func (d *daily) log(ctx context.Context, in logIn) (logOut, error) {
	var p days.Problems
	c := d.At(p.Zone("timezone", in.Timezone, d.Zone()))
	day := p.Choose("", in.Date, in.Time, c)
	entries, times := entry.Read(&p, entry.Args(in.entryIn), in.items(), day, c)
	p.Line("idempotency_key", in.Key, store.MaxKey)
	tasks := make([]store.Task, len(in.Tasks))
	for i, text := range in.Tasks {
		path := fmt.Sprintf("tasks[%d]", i)
		if p.Text(path, text); strings.TrimSpace(text) == "" {
			p.Add(path, "what to do", text)
		}
		tasks[i] = store.Task{Text: text, Added: day.Date, Source: untrusted.SourceToStore(ctx, "")}
	}
	if len(entries)+len(tasks) == 0 {
		p.Add("text", "given, or a mood, energy, metrics, entries or tasks", in.Text)
	}
	if err := p.Err(); err != nil {
		return logOut{}, err
	}
	for i := range entries {
		entries[i].Source = untrusted.SourceToStore(ctx, "")
	}
	diary, err := d.diary(ctx)
	if err != nil {
		return logOut{}, err
	}
	logged, err := diary.Log(ctx, store.LogRequest{Entries: entries, Tasks: tasks, Key: in.Key})
	if err != nil {
		return logOut{}, rows.Explain(err)
	}
	if logged.Repeated {
		return d.repeatedAnswer(logged, day), nil
	}
	return logAnswerOf(logged, append(times, day)), nil
}

// logAnswerOf returns the answer of a call. times has the day of each entry in order. Its
// last item is the day to use if there are no entries.
func logAnswerOf(logged store.LogResult, times []days.EntryTime) logOut {
	first := times[0]
	out := logOut{Date: first.Date, Day: days.InWords(first.Date), Why: first.Why, Backfilled: first.Backfilled, IDs: []string{}, UndoID: logged.Undo}
	for i, e := range logged.Entries {
		out.IDs = append(out.IDs, e.ID)
		if e.Date != first.Date {
			out.Others = append(out.Others, otherDay{e.ID, e.Date, times[i].Why})
		}
	}
	for _, task := range logged.Tasks {
		out.TaskIDs = append(out.TaskIDs, task.ID)
	}
	return out
}

// repeatedAnswer returns the answer of a repeated call, with the days of the stored entries and
// tasks. It uses day only if all entries and tasks of the first call were erased. Deleted ones
// are still stored.
func (d *daily) repeatedAnswer(logged store.LogResult, day days.EntryTime) logOut {
	times := make([]days.EntryTime, 0, len(logged.Entries)+1)
	for _, e := range logged.Entries {
		times = append(times, days.EntryTime{Date: e.Date, Backfilled: e.Backfilled, Why: "an earlier call already logged this"})
	}
	for _, task := range logged.Tasks[:min(1, len(logged.Tasks))] {
		day = days.EntryTime{Date: task.Added, Why: "an earlier call already logged this"}
	}
	out := logAnswerOf(logged, append(times, day))
	out.Repeated = true
	for _, e := range logged.Entries {
		if !e.Deleted.IsZero() {
			out.Gone = append(out.Gone, e.ID)
		}
	}
	return out
}
