// Package invitation answers invitations, by the event or by the file that came with a
// mail, and takes answers back. The organizer sees each answer, so that all but one an
// hour for an event count as sending. The answers of other guests stay as they are.
// Start with [Respond] and [RespondToFile].
package invitation

import (
	"cmp"
	"context"
	"strconv"

	calendarapi "google.golang.org/api/calendar/v3"

	"kota/bundles/calendar/internal/agenda"
	"kota/bundles/calendar/internal/event"
	"kota/bundles/calendar/internal/eventtext"
	"kota/bundles/calendar/internal/eventwrite"
	"kota/bundles/calendar/internal/series"
	"kota/bundles/internal/arguments"
	"kota/bundles/internal/htmltext"
	"kota/metadata"
)

// Args are the arguments of an answer, as calendar_respond_event takes them.
type Args struct {
	Event    string `json:"event_id,omitempty" audit:"show"`
	Message  string `json:"message_id,omitempty" doc:"instead: the mail with the invitation" audit:"show"`
	ICS      string `json:"ics,omitempty" doc:"instead: the invitation's text"`
	Answer   string `json:"answer" enum:"yes,no,maybe"`
	Comment  string `json:"comment,omitempty" doc:"for the organizer"`
	Scope    string `json:"scope,omitempty" enum:"this,all" doc:"needed for a series"`
	Notify   string `json:"notify,omitempty" enum:"none,all" default:"none" doc:"all: mail the organizer"`
	Calendar string `json:"calendar,omitempty" audit:"show"`
	DryRun   bool   `json:"dry_run,omitempty"`
	Account  string `json:"account,omitempty" audit:"show"`

	Held string `json:"-"` // what was left out so that nobody is reached
}

// Effect says what this call does: an answer is the user's own, and a comment or
// mail reaches the organizer.
func (in Args) Effect() metadata.Effect {
	return event.EffectOf(in.DryRun, in.Notify == event.NotifyAll || in.Comment != "")
}

// AsDraft returns the answer without a comment and without mail.
func (in Args) AsDraft() Args {
	in.Held = "the organizer was not mailed"
	if in.Comment != "" {
		in.Held += ", and the comment was not added"
	}
	in.Comment, in.Notify = "", event.NotifyNone
	return in
}

// status is the answer as Google calls it.
func (in Args) status() string {
	for _, one := range event.Answers {
		if one[1] == in.Answer {
			return one[0]
		}
	}
	return "needsAction"
}

// Answered is what became of an answer.
type Answered struct {
	Status string         `json:"status" enum:"answered,already,not_answered,dry_run"` // already: with the same answer before
	Answer string         `json:"answer,omitempty"`                                    // as it is now, or as it would be
	Before string         `json:"before,omitempty"`                                    // what the answer was
	Event  *eventtext.Row `json:"event,omitempty"`
	Added  bool           `json:"added,omitempty"`  // the event was not in the calendar before
	Mailed string         `json:"mailed,omitempty"` // the organizer
	Zone   string         `json:"timezone"`
	Undo   string         `json:"undo_id,omitempty"`
	Notes  []string       `json:"notes,omitempty"`
}

// Respond answers for the user, of an event as it was read just now. undo is the
// id of the change that it is part of, if any.
func Respond(ctx context.Context, a *agenda.Agenda, in Args, t *series.Target, e *calendarapi.Event, undo string) (Answered, error) {
	if e.Status == event.Cancelled {
		return Answered{}, eventwrite.Deleted(e.Id)
	}
	own, err := OwnEntry(e, t.Own)
	if err != nil {
		return Answered{}, err
	}
	out := Answered{Status: "answered", Answer: in.Answer, Event: t.Row(ctx, e), Zone: t.Zone.String()}
	if before := event.Answer(own.ResponseStatus); before != in.Answer {
		out.Before = before
	}
	if in.Held != "" {
		out.Notes = append(out.Notes, in.Held+": sending is not allowed here; the answer itself shows in the organizer's copy")
	}
	r := &Reply{Target: t, Was: e, Own: own, Answer: in.status(), Comment: cmp.Or(in.Comment, own.Comment), Notify: in.Notify, undo: undo}
	if in.Notify == event.NotifyAll && e.Organizer != nil {
		out.Mailed = htmltext.Line(e.Organizer.Email)
	}
	switch {
	case r.Same():
		out.Status, out.Mailed = "already", ""
		return out, nil
	case in.DryRun:
		out.Status = "dry_run"
		out.Notes = append(out.Notes, eventtext.Foretold(ctx, HeardBy(ctx, t, e, event.Mails(in.Notify) || in.Comment != ""))...)
		return out, nil
	}
	if undo == "" {
		if err := MayReply(ctx, a, r); err != nil {
			return Answered{}, err
		}
	}
	done, undo, err := giveReply(ctx, a, r)
	if err != nil {
		return Answered{}, Refund(ctx, a, t, err)
	}
	out.Event, out.Undo = t.Row(ctx, done), undo
	return out, nil
}

// NeedsScope says what each scope would answer.
func NeedsScope(t *series.Target) error {
	this := "one date of it, by its own event_id from calendar_list_events"
	if t.One != nil {
		this = "the one on " + event.When(t.One, t.Zone) + " alone"
	}
	return arguments.Invalid("scope", `"this" or "all"`, "none").
		WithHint("%s is a series. \"this\": %s; \"all\": every date of it. Nothing was done: ask the user which is meant.", strconv.Quote(htmltext.Line(t.Series.Summary)), this)
}
