package calendar

import (
	"context"
	"strconv"

	calendarapi "google.golang.org/api/calendar/v3"

	"kota/bundles"
	"kota/bundles/calendar/internal/agenda"
	"kota/bundles/calendar/internal/event"
	"kota/bundles/calendar/internal/eventtext"
	"kota/bundles/calendar/internal/eventwrite"
	"kota/bundles/calendar/internal/series"
	"kota/bundles/calendar/internal/undoevent"
	"kota/bundles/internal/arguments"
	"kota/bundles/internal/google"
	"kota/bundles/internal/htmltext"
	"kota/bundles/internal/persist"
	"kota/metadata"
)

type moveEventIn struct {
	Event    string `json:"event_id" audit:"show"`
	To       string `json:"to" doc:"calendar, by id or name" audit:"show"`
	Calendar string `json:"calendar,omitempty" doc:"its calendar; default primary" audit:"show"`
	Notify   string `json:"notify,omitempty" enum:"none,external,all" default:"none"`
	Etag     string `json:"etag,omitempty"`
	DryRun   bool   `json:"dry_run,omitempty"`
	Account  string `json:"account,omitempty" audit:"show"`
}

// Effect returns the effect of this call, from its arguments alone: Reads for a dry run,
// Sends if notify makes Google mail guests, and Writes otherwise. Guests see the new
// organizer even without mail. KOTA knows the guests only after it has read the event, and
// confirmMove then asks the policy.
func (in moveEventIn) Effect() metadata.Effect {
	return event.EffectOf(in.DryRun, event.SendsMail(in.Notify))
}

// AsDraft returns the move without mail.
func (in moveEventIn) AsDraft() moveEventIn { in.Notify = event.NotifyNone; return in }

type moveEventOut struct {
	Status   string        `json:"status" enum:"moved,already,dry_run"`
	Calendar string        `json:"calendar"` // name of the new calendar
	Timezone string        `json:"timezone"`
	Event    eventtext.Row `json:"event"`
	Etag     string        `json:"etag,omitempty"`
	Guests   []string      `json:"guests,omitempty"` // guests, who see the new organizer
	Mailed   []string      `json:"mailed,omitempty"`
	Undo     string        `json:"undo_id,omitempty"`
	Notes    []string      `json:"notes,omitempty"`
}

func (c *calendar) moveEventAction() bundles.Action {
	return bundles.Bind(metadata.Action{
		Name: "move_event", Effect: metadata.Sends, Scopes: []string{scopeEvents, scopeRead}, OptionalScopes: []string{scopeShared},
		Summary:     "Move an event to another of the user's calendars.",
		Description: "The new calendar becomes organizer.",
		Tags:        []string{"calendar", "organizer", "transfer"},
		Examples: []metadata.Example{
			{Title: "See what moving it to the primary calendar would do", Args: moveEventIn{Event: "4fd1cu8m", To: agenda.Primary, DryRun: true}},
		},
		Errors: google.Errors(metadata.NotFound, metadata.Conflict, metadata.ApprovalNeeded, metadata.OutcomeUnknown, metadata.TooLarge),
		Notes: []string{
			"A series moves as a whole, with its changed instances. Only ordinary events can be moved, and only by their organizer.",
			"Guests see the new organizer, mailed or not: an event with guests, or one from or to a shared calendar, is moved only if sending is allowed.",
			"With etag, an event that was changed since it was read is not moved. calendar_undo moves it back.",
		},
	}, c.moveEvent)
}

// A plannedMove is the planned move of an event.
type plannedMove struct {
	from, to   *calendarapi.CalendarListEntry
	event      *calendarapi.Event
	exceptions []*calendarapi.Event // exceptions of a series
	people     []string             // guests, who will see another organizer
	reached    []string             // people that the move reaches: the guests and the people who see the calendars
}

func (c *calendar) moveEvent(ctx context.Context, in moveEventIn) (moveEventOut, error) {
	in.Event = event.IDFromLink(in.Event)
	if !event.IsID(in.Event) {
		return moveEventOut{}, arguments.Invalid("event_id", "the event_id of an earlier answer", strconv.QuoteToASCII(arguments.Brief(in.Event)))
	}
	a, err := c.Open(ctx, in.Account)
	if err != nil {
		return moveEventOut{}, err
	}
	m, err := planMove(ctx, a, in)
	if err != nil {
		return moveEventOut{}, err
	}
	switch {
	case m.from.Id == m.to.Id:
		return moveAnswer(ctx, a, m, "already", m.event), nil
	case in.DryRun:
		out := moveAnswer(ctx, a, m, "dry_run", m.event)
		out.Notes = append(out.Notes, eventtext.PolicyNotes(ctx, m.reached)...)
		return out.withReached(in, m), nil
	}
	if err := confirmMove(ctx, a, m, in.Notify); err != nil {
		return moveEventOut{}, err
	}
	undo, err := a.Undos().Save(ctx, a.Account.Key(), "move "+strconv.Quote(htmltext.Line(m.event.Summary)), undoMove,
		moveRecord{From: m.from.Id, To: m.to.Id, Event: m.event.Id, Notify: in.Notify})
	if err != nil {
		return moveEventOut{}, err
	}
	done, err := sendMove(ctx, a, in, m)
	if err != nil {
		return moveEventOut{}, a.Undos().Failed(ctx, undo, err)
	}
	out := moveAnswer(ctx, a, m, "moved", done.Event)
	out.Undo = undo
	return out.withReached(in, m), nil
}

// planMove reads the event and the two calendars, and checks that the event can be moved.
func planMove(ctx context.Context, a *agenda.Agenda, in moveEventIn) (plannedMove, error) {
	from, err := a.FindWritable(ctx, in.Calendar)
	if err != nil {
		return plannedMove{}, err
	}
	to, err := a.FindWritable(ctx, in.To)
	if err != nil {
		return plannedMove{}, withArgumentPath("to", err)
	}
	e, err := a.Get(ctx, from.Id, in.Event)
	if eventwrite.IsGone(err) || err == nil && e.Status == event.Cancelled {
		if now, err := a.Get(ctx, to.Id, in.Event); err == nil && now.Status != event.Cancelled && event.OrganizedByUser(now) {
			return plannedMove{from: to, to: to, event: now}, nil // an earlier call has moved the event
		}
	}
	if err != nil {
		return plannedMove{}, series.ErrNoEvent(err, in.Event)
	}
	m := plannedMove{from: from, to: to, event: e}
	switch {
	case e.Status == event.Cancelled:
		return m, eventwrite.ErrDeleted(e.Id)
	case e.RecurringEventId != "":
		return m, arguments.Invalid("event_id", "the event_id of the whole series, "+e.RecurringEventId, strconv.Quote(e.Id)).
			WithHint("One event of a series cannot be moved. Ask the user whether to move the whole series.")
	case e.EventType != "" && e.EventType != "default":
		return m, arguments.Invalid("event_id", "an ordinary event", "one of type "+eventtext.Type(e)).
			WithHint("Google keeps events of that type in the primary calendar.")
	case !event.OrganizedByUser(e):
		return m, metadata.Errorf(metadata.Refused, "only its organizer, %s, can move the event", eventtext.OrganizerPhrase(e)).
			WithHint("calendar_create_event can create the user's own event in the other calendar.")
	case in.Etag != "" && !series.SameEtag(in.Etag, e.Etag):
		return m, eventwrite.ErrChanged(e)
	}
	err = readMoveGuests(ctx, a, &m)
	return m, err
}

// readMoveGuests finds the people that a move reaches. For a series it includes the
// guests of single instances.
func readMoveGuests(ctx context.Context, a *agenda.Agenda, m *plannedMove) error {
	m.people = event.Addresses(m.event, a.Account.Address)
	if len(m.event.Recurrence) > 0 {
		var err error
		if m.exceptions, err = series.Exceptions(ctx, a, &series.Target{Calendar: m.from, Zone: a.Zone(), Series: m.event}); err != nil {
			return err
		}
		m.people = event.Union(m.people, event.AddressesOfAll(m.exceptions, a.Account.Address))
	}
	sharers, err := a.SharersOf(ctx, m.from, m.to)
	m.reached = event.Union(m.people, sharers)
	return err
}

// confirmMove asks the policy whether an event may move to another calendar. Its guests see
// the move, and so do the people who see either calendar.
func confirmMove(ctx context.Context, a *agenda.Agenda, m plannedMove, notify string) error {
	lines := []bundles.Line{{Name: "Into calendar", Text: htmltext.Line(agenda.Title(m.to))}}
	sharers, err := a.SharersOf(ctx, m.to)
	if err != nil {
		return err
	}
	if len(event.NewViewers(sharers, m.event)) > 0 {
		content, err := eventtext.ContentAndInstanceLines(m.event, m.exceptions, a.Zone())
		if err != nil {
			return err
		}
		lines = append(lines, content...)
	}
	out, err := eventtext.BindToVersions(eventtext.Outgoing("move of an event", m.event, a.Zone(), m.reached, notify, lines...), append([]*calendarapi.Event{m.event}, m.exceptions...)...)
	if err != nil {
		return err
	}
	return bundles.ConfirmSend(ctx, out)
}

// sendMove moves the event to the other calendar. Google gets no etag with a move, so the
// caller must read the event just before.
func sendMove(ctx context.Context, a *agenda.Agenda, in moveEventIn, m plannedMove) (eventwrite.Outcome, error) {
	r := eventwrite.NewMove(m.from.Id, m.event.Id, m.event.Etag, m.to.Id, in.Notify)
	if len(m.people) == 0 {
		return a.Send(ctx, r, eventwrite.Summary{})
	}
	return a.SendViaOutbox(ctx, r, eventwrite.Summary{Kind: "move", Title: m.event.Summary, When: event.When(m.event, a.Zone()), People: m.people})
}

// moveAnswer returns the output for an event that is in the calendar m.to, or in a dry run
// would be there.
func moveAnswer(ctx context.Context, a *agenda.Agenda, m plannedMove, status string, e *calendarapi.Event) moveEventOut {
	zone := a.Zone()
	// Google marks the user among the guests only in the primary calendar. The user is not
	// a guest of their own event, so remove the user's entry.
	withoutUser := *e
	withoutUser.Attendees = event.EditGuests(e.Attendees, nil, []string{a.Account.Address})
	return moveEventOut{Status: status, Calendar: htmltext.Line(agenda.Title(m.to)), Timezone: zone.String(), Event: eventtext.RowOf(ctx, &withoutUser, m.to, zone, zone), Etag: e.Etag}
}

// withReached returns the output with the guests of the event. For a series it adds a note.
func (out moveEventOut) withReached(in moveEventIn, m plannedMove) moveEventOut {
	out.Guests = m.people
	if in.Notify == event.NotifyAll {
		out.Mailed = m.people
	}
	if len(m.event.Recurrence) > 0 {
		out.Notes = append(out.Notes, "the whole series moves, including past events")
	}
	return out
}

// undoMove is the kind of the undo records of moves.
const undoMove = "move"

// A moveRecord is the undo record of a move.
type moveRecord struct {
	From   string `json:"from"` // id of the old calendar
	To     string `json:"to"`
	Event  string `json:"event"`
	Notify string `json:"notify,omitempty"` // which guests were mailed
}

// revertMove moves an event back. It mails the event's present guests, if the move mailed
// guests.
func revertMove(ctx context.Context, a *agenda.Agenda, _ persist.UndoAttempt, k moveRecord) (undoevent.Result, error) {
	m := plannedMove{}
	var err error
	if m.from, err = a.Find(ctx, k.To); err == nil {
		m.to, err = a.Find(ctx, k.From)
	}
	if err != nil {
		return undoevent.Result{}, err
	}
	if m.event, err = a.Get(ctx, k.To, k.Event); eventwrite.IsGone(err) || err == nil && m.event.Status == event.Cancelled {
		return answerMovedBack(ctx, a, m, k)
	}
	if err != nil {
		return undoevent.Result{}, series.ErrNoEvent(err, k.Event)
	}
	if err := readMoveGuests(ctx, a, &m); err != nil {
		return undoevent.Result{}, err
	}
	if err := confirmMove(ctx, a, m, k.Notify); err != nil {
		return undoevent.Result{}, err
	}
	done, err := sendMove(ctx, a, moveEventIn{Notify: k.Notify}, m)
	if err != nil {
		return undoevent.Result{}, err
	}
	out := moveAnswer(ctx, a, m, "moved", done.Event)
	return undoevent.Result{Event: &out.Event}, nil
}

// answerMovedBack returns the result of undoing a move whose event has left the new
// calendar. If the event is already back in the old calendar, nothing is changed and there
// is no error. If it is in neither calendar, the error is NOT_FOUND.
func answerMovedBack(ctx context.Context, a *agenda.Agenda, m plannedMove, k moveRecord) (undoevent.Result, error) {
	original, err := a.Get(ctx, k.From, k.Event)
	switch {
	case eventwrite.IsGone(err), err == nil && (original.Status == event.Cancelled || !event.OrganizedByUser(original)):
		return undoevent.Result{}, eventwrite.ErrDeleted(k.Event)
	case err != nil:
		return undoevent.Result{}, err
	}
	out := moveAnswer(ctx, a, m, "already", original)
	return undoevent.Result{Event: &out.Event, Note: "nothing was changed: the event is already in its old calendar"}, nil
}
