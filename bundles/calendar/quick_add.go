package calendar

import (
	"context"
	"strings"

	"kota/bundles"
	"kota/bundles/calendar/internal/event"
	"kota/bundles/calendar/internal/eventtime"
	"kota/bundles/calendar/internal/quickadd"
	"kota/bundles/internal/google"
	"kota/bundles/internal/timeparse"
	"kota/metadata"
)

type quickAddIn struct {
	Text     string `json:"text" doc:"\"Lunch with Ann tomorrow 12:00 for 45m\""`
	Calendar string `json:"calendar,omitempty" doc:"id or name; default primary" audit:"show"`
	Key      string `json:"idempotency_key,omitempty"`
	Account  string `json:"account,omitempty" audit:"show"`
}

// maxQuickAdd is the maximum length of the text, in characters.
const maxQuickAdd = 500

func (c *calendar) quickAddAction() bundles.Action {
	return bundles.Bind(metadata.Action{
		Name: "quick_add", Effect: metadata.Writes, Scopes: []string{scopeEvents, scopeRead}, OptionalScopes: []string{scopeShared},
		Summary: "Create an event from a line such as \"Dentist friday 9am\"; nobody is invited.",
		Tags:    []string{"text", "short", "create"},
		Aliases: metadata.Aliases{"quick_add quick_create: event"},
		Examples: []metadata.Example{
			{Title: "An hour at noon", Args: quickAddIn{Text: "Lunch with Ann tomorrow 12:00"}},
			{Title: "A whole day", Args: quickAddIn{Text: "Trade fair on 2026-12-03"}},
		},
		Errors: google.Errors(metadata.NotFound, metadata.Conflict, metadata.ApprovalNeeded, metadata.OutcomeUnknown),
		Notes: []string{
			"The text names a day, a time or both: \"friday 15:00\", \"in 2 weeks 9am-10:30am\", \"2026-12-03 at 14:00 UTC for 2 hours\". The rest is the title; check the answer for how the text was read.",
			"A time without a date is today, or tomorrow if it is past. A date without a time makes an all-day event. A time without an end makes an event of one hour.",
			"Days are read in English, German, Dutch and French. KOTA never guesses: if a day, time, zone or repetition is ambiguous, the call is refused; then use calendar_create_event. Addresses in the text are not invited.",
		},
	}, c.quickAdd)
}

func (c *calendar) quickAdd(ctx context.Context, in quickAddIn) (createEventOut, error) {
	var p eventtime.Problems
	p.Line("text", in.Text, maxQuickAdd)
	if err := p.Err(); err != nil {
		return createEventOut{}, err
	}
	a, err := c.Open(ctx, in.Account)
	if err != nil {
		return createEventOut{}, err
	}
	if _, err := a.Find(ctx, in.Calendar); err != nil {
		return createEventOut{}, err
	}
	parsed, err := quickadd.Read(in.Text, timeparse.Context{Now: c.Now(), Zone: c.Zone()})
	if err != nil {
		return createEventOut{}, err
	}
	out, err := c.createEvent(ctx, createEventIn{
		Title: parsed.Title, Start: parsed.Start, End: parsed.End, Duration: parsed.Duration, Timezone: parsed.Zone, Calendar: in.Calendar, Key: in.Key, Account: in.Account,
		Notify: event.NotifyNone, OnConflict: "warn",
	})
	if err != nil {
		return createEventOut{}, withArgumentPath("text", err)
	}
	if strings.Contains(in.Text, "@") {
		out.Notes = append(out.Notes, bundles.WithoutHiddenTools(ctx, "nobody is invited. calendar_update_event with add_attendees invites"))
	}
	return out, nil
}
