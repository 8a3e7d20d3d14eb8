package calendar

import (
	"context"

	"kota/bundles"
	"kota/bundles/calendar/internal/agenda"
	"kota/bundles/calendar/internal/availability"
	"kota/bundles/calendar/internal/event"
	"kota/bundles/calendar/internal/eventtext"
	"kota/bundles/calendar/internal/eventtime"
	"kota/bundles/calendar/internal/eventwrite"
	"kota/bundles/internal/google"
	"kota/bundles/internal/recipients"
	"kota/metadata"
)

type createEventIn struct {
	Title      string   `json:"title"`
	Start      string   `json:"start" doc:"\"2026-11-24T15:00\", \"tomorrow 15:00\", or a date: all day" audit:"show"`
	End        string   `json:"end,omitempty" doc:"all day: the last day" audit:"show"`
	Duration   string   `json:"duration,omitempty" doc:"\"45m\", \"2 days\"; default 1h" audit:"show"`
	Timezone   string   `json:"timezone,omitempty" doc:"\"Europe/Amsterdam\"; default yours" audit:"show"`
	Attendees  []string `json:"attendees,omitempty" max:"200" doc:"addresses" audit:"show"`
	Notify     string   `json:"notify,omitempty" enum:"none,external,all" default:"none" doc:"guests to mail"`
	Recurrence []string `json:"recurrence,omitempty" max:"20" doc:"\"FREQ=WEEKLY;BYDAY=TU;COUNT=8\""`
	event.Details
	Optional   []string `json:"optional_attendees,omitempty" max:"200" audit:"show"`
	Type       string   `json:"type,omitempty" enum:"default,focus,ooo,working_location" doc:"working_location: location says where"`
	Decline    string   `json:"decline,omitempty" enum:"none,new,all" doc:"focus, ooo: invitations to decline"`
	OnConflict string   `json:"on_conflict,omitempty" enum:"warn,block,ignore" default:"warn"`
	Calendar   string   `json:"calendar,omitempty" doc:"id or name; default primary" audit:"show"`
	Key        string   `json:"idempotency_key,omitempty" doc:"any text naming this event: \"lunch-1\""`
	DryRun     bool     `json:"dry_run,omitempty"`
	Account    string   `json:"account,omitempty" doc:"name or address" audit:"show"`

	draft bool // sending is not allowed: the event has no guests and declines no invitations
}

// Effect returns the effect of this call. It is Reads for a dry run, Sends if the arguments
// make the call reach other people, and Writes otherwise. Guests see the event in their own
// calendars, even if they are not mailed. Google informs the organizers of declined
// invitations.
func (in createEventIn) Effect() metadata.Effect {
	return event.EffectOf(in.DryRun, in.reachesOthers())
}

// reachesOthers reports whether the arguments make the call reach other people. Those who
// see a shared calendar are known only after it is read.
func (in createEventIn) reachesOthers() bool {
	return !in.draft && (len(in.Attendees)+len(in.Optional) > 0 || in.declinesInvitations())
}

// guests returns the addresses that the call names.
func (in createEventIn) guests() []string {
	people := []string{}
	for _, one := range event.ReadGuests(&eventtime.Problems{}, in.Attendees, in.Optional) {
		people = append(people, one.Email)
	}
	return people
}

func (in createEventIn) declinesInvitations() bool {
	return in.Decline != "" && in.Decline != event.DeclineNone
}

// AsDraft returns the arguments that make the event without guests and without declining
// invitations.
func (in createEventIn) AsDraft() createEventIn { in.draft = true; return in }

type createEventOut struct {
	Status     string                     `json:"status" enum:"created,draft,repeated,dry_run"` // draft: created without guests and without declining invitations; repeated: an earlier call created it
	Event      eventtext.Row              `json:"event"`
	Start      string                     `json:"start"`
	End        string                     `json:"end"` // for whole days, the last day
	Zone       string                     `json:"timezone"`
	Recurrence []string                   `json:"recurrence,omitempty"`
	Repeats    string                     `json:"repeats,omitempty"` // the recurrence in words
	Etag       string                     `json:"etag,omitempty"`
	Link       string                     `json:"link,omitempty"`    // for a draft, the page where the user can invite its guests
	Invited    []string                   `json:"invited,omitempty"` // guests of the event, or with dry_run of the planned event
	Mailed     []string                   `json:"mailed,omitempty"`
	NotInvited []string                   `json:"not_invited,omitempty"`
	Conflicts  []availability.Conflict    `json:"conflicts,omitempty"`
	More       int                        `json:"more_conflicts,omitempty"`
	Unknown    []availability.UnknownTime `json:"unknown,omitempty"` // calendars that could not be checked for conflicts
	Notes      []string                   `json:"notes,omitempty"`
	Undo       string                     `json:"undo_id,omitempty"`
}

// maxKey is the maximum length of an idempotency key, in characters.
const maxKey = 200

func (c *calendar) createEventAction() bundles.Action {
	text := func(s string) *string { return &s }
	yes := true
	return bundles.Bind(metadata.Action{
		Name: "create_event", Effect: metadata.Sends, Scopes: []string{scopeEvents, scopeRead}, OptionalScopes: []string{scopeShared},
		Summary:     "Create an event: meeting, all-day, recurring, focus time, out of office.",
		Description: "status says what happened; guests are mailed only with notify.",
		Tags:        []string{"meeting", "appointment", "invite", "recurring", "focus", "block"},
		Aliases:     metadata.Aliases{"create add new insert schedule book make: - event meeting appointment calendar_event"},
		Examples: []metadata.Example{
			{Title: "An hour with a guest, who is mailed", Args: createEventIn{Title: "Figures", Start: "2026-11-24T15:00", Attendees: []string{"ann@example.com"}, Notify: event.NotifyAll, Details: event.Details{Meet: &yes}}},
			{Title: "Whole days", Args: createEventIn{Title: "Lisbon", Start: "2026-12-01", End: "2026-12-04", Details: event.Details{Location: text("Lisbon"), Reminders: []string{"1d email"}}}},
			{Title: "Every Tuesday, eight times", Args: createEventIn{Title: "Piano", Start: "2026-11-24T17:30", Duration: "45m", Recurrence: []string{"FREQ=WEEKLY;BYDAY=TU;COUNT=8"}}},
			{Title: "Out of office", Args: createEventIn{Title: "Out of office", Start: "2026-12-24T12:00", End: "2026-12-24T18:00", Type: event.TypeOOO, Decline: "new"}},
		},
		Errors: google.Errors(metadata.NotFound, metadata.Conflict, metadata.ApprovalNeeded, metadata.OutcomeUnknown),
		Notes: []string{
			"A time without an offset is in timezone, if given, else in your zone. A time that clocks skip is refused; one that they show twice means the first, and notes say so.",
			"Guests who use Google Calendar always see the event there; others only get it by mail, with notify external or all. If sending is not allowed, the event is created without guests (status draft, not_invited).",
			"recurrence is an RRULE, or lines of RRULE, EXDATE and RDATE; start must be its first date.",
			"With an idempotency_key, a repeated call creates no second event. After OUTCOME_UNKNOWN, repeat with the same key. calendar_delete_event deletes the event again.",
			"on_conflict block creates nothing if another event overlaps; of a series, the first 100 dates within a year are checked.",
			"reminders replace those of the calendar; each is a popup unless it says email. guests_can replaces Google's default, invite and see_others. color: lavender, sage, grape, flamingo, banana, tangerine, peacock, graphite, blueberry, basil or tomato.",
			"Writing into somebody else's calendar, or into a shared one, counts as sending, even without guests, because others see it.",
			"focus, ooo and working_location need Google Workspace and the primary calendar. working_location says where with location: \"home\", \"office\", \"office: Main Street\" or another place. decline informs the organizers of declined invitations.",
		},
	}, c.createEvent)
}

func (c *calendar) createEvent(ctx context.Context, in createEventIn) (createEventOut, error) {
	err := recipients.Resolve(ctx, recipients.Field{Path: "attendees", List: &in.Attendees}, recipients.Field{Path: "optional_attendees", List: &in.Optional})
	if err != nil {
		return createEventOut{}, err
	}
	a, err := c.Open(ctx, in.Account)
	if err != nil {
		return createEventOut{}, err
	}
	policyError := bundles.CheckSend(ctx, bundles.Outgoing{People: in.guests()})
	if in.DryRun && metadata.CodeOf(policyError) == metadata.ApprovalNeeded {
		in = in.AsDraft() // the real call would use the draft too
	}
	n, err := planEvent(ctx, a, in)
	if err != nil {
		return createEventOut{}, err
	}
	if in.DryRun && policyError != nil && !in.draft {
		n.note("without dry_run, this call would fail with " + string(metadata.CodeOf(policyError)) + ": bundles.yaml does not allow it to reach guests")
	}
	found, err := findConflicts(ctx, a, in, n)
	if err != nil {
		return createEventOut{}, err
	}
	made, err := createPlanned(ctx, a, in, n)
	if err != nil {
		return createEventOut{}, err
	}
	undo := saveCreated(ctx, a, in, n, made)
	out := n.answer(ctx, in, made, found)
	out.Undo = undo
	return out, nil
}

// createPlanned makes the planned event. In a dry run it makes nothing and only checks
// whether an earlier call made it.
func createPlanned(ctx context.Context, a *agenda.Agenda, in createEventIn, n *newEvent) (eventwrite.Outcome, error) {
	r, err := eventwrite.NewInsert(n.calendar.Id, n.event, in.Notify)
	if err != nil {
		return eventwrite.Outcome{}, err
	}
	if in.DryRun {
		n.notes = append(n.notes, eventtext.PolicyNotes(ctx, n.sharers)...)
		return dryRun(ctx, a, in, n, r)
	}
	done, err := createIfAllowed(ctx, a, in, n, r)
	if err != nil {
		return eventwrite.Outcome{}, err
	}
	done.Event = a.AwaitMeet(ctx, n.calendar.Id, done.Event)
	return done, nil
}

// createIfAllowed makes the event if the policy allows the event to reach its guests and
// the people who see the calendar.
func createIfAllowed(ctx context.Context, a *agenda.Agenda, in createEventIn, n *newEvent, r eventwrite.Request) (eventwrite.Outcome, error) {
	people, notify := event.Union(n.people, n.sharers), in.Notify
	if in.declinesInvitations() && !in.draft {
		people, notify = append(people, "the organizers of the declined invitations"), "" // Google informs them
	}
	content, err := eventtext.ContentLines(n.event, n.zone)
	if err != nil {
		return eventwrite.Outcome{}, err
	}
	out := eventtext.Outgoing("invitation", n.event, n.zone, people, notify, content...)
	if in.reachesOthers() {
		return a.Invite(ctx, r, eventwrite.Summary{Key: in.Key, Kind: "invite", Title: in.Title, When: n.span.Words(n.span.Zone), People: n.people}, out)
	}
	if err := bundles.ConfirmSend(ctx, out); err != nil {
		return eventwrite.Outcome{}, err
	}
	if err := bundles.ConfirmChange(ctx, 1); err != nil {
		return eventwrite.Outcome{}, err
	}
	return a.Send(ctx, r, eventwrite.Summary{})
}

// dryRun returns the outcome that the real call would have.
func dryRun(ctx context.Context, a *agenda.Agenda, in createEventIn, n *newEvent, r eventwrite.Request) (eventwrite.Outcome, error) {
	bare := *n.event
	bare.Id = ""
	if in.Key == "" {
		return eventwrite.Outcome{Event: &bare}, nil
	}
	now, err := a.Get(ctx, r.Calendar, r.Event)
	switch {
	case eventwrite.IsGone(err):
		return eventwrite.Outcome{Event: &bare}, nil
	case err != nil:
		return eventwrite.Outcome{}, err
	}
	found, err := eventwrite.CheckInserted(ctx, r, now)
	found.Repeated = true
	return found, err
}

// findConflicts finds the conflicts of a planned event. It finds none with on_conflict
// ignore, or if the event is shown as free. With on_conflict block it returns an error if
// there are conflicts, or if a calendar cannot be checked.
func findConflicts(ctx context.Context, a *agenda.Agenda, in createEventIn, n *newEvent) (availability.Conflicts, error) {
	if in.OnConflict == "ignore" || n.event.Transparency == "transparent" {
		return availability.Conflicts{}, nil
	}
	booked := availability.Booking{Title: in.Title, Spans: n.spans}
	if in.Key != "" {
		booked.Event = n.event.Id // an earlier call may have made this event
	}
	found, err := availability.FindConflicts(ctx, a, n.calendar, booked, n.span.Zone)
	switch {
	case in.OnConflict != "block":
		if err != nil {
			n.note("conflicts could not be checked: " + string(metadata.CodeOf(err)))
		}
		return found, nil
	case err != nil:
		return availability.Conflicts{}, err
	case len(found.Unknown)+len(found.Rows) > 0:
		return availability.Conflicts{}, found.ErrBlocked("created")
	}
	return found, nil
}
