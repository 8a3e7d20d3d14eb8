// Package invitation responds to invitations and undoes responses. A call names the event
// of the invitation, or the file in a mail. The organizer sees each answer, so only one
// answer per event and hour does not count as sending, and only if it reaches nobody else,
// has no comment or mail, and the session is not tainted. The answers of other guests stay
// the same. Start with [Respond] and [RespondToFile].
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

// Args are the arguments of calendar_respond_event.
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

	LeftOut string `json:"-"` // beginning of a note: what AsDraft left out; "" if AsDraft did not run
}

// Effect returns the effect of this call. It is Reads for a dry run, Sends if a comment or
// mail reaches the organizer, and Writes otherwise.
func (in Args) Effect() metadata.Effect {
	return event.EffectOf(in.DryRun, in.Notify == event.NotifyAll || in.Comment != "")
}

// AsDraft returns the arguments of the answer without a comment and without mail.
func (in Args) AsDraft() Args {
	in.LeftOut = "the organizer was not mailed"
	if in.Comment != "" {
		in.LeftOut += ", and the comment was not added"
	}
	in.Comment, in.Notify = "", event.NotifyNone
	return in
}

// status returns Google's word for the answer.
func (in Args) status() string {
	for _, one := range event.Answers {
		if one[1] == in.Answer {
			return one[0]
		}
	}
	return "needsAction"
}

// Result is the result of a response to an invitation.
type Result struct {
	Status string         `json:"status" enum:"answered,already,not_answered,dry_run"` // already: the event had the same answer before
	Answer string         `json:"answer,omitempty"`                                    // current answer, or with dry_run the planned one
	Before string         `json:"before,omitempty"`                                    // the previous answer; "" if it was the same
	Event  *eventtext.Row `json:"event,omitempty"`
	Added  bool           `json:"added,omitempty"`  // the event was not in the calendar before
	Mailed string         `json:"mailed,omitempty"` // the organizer's address
	Zone   string         `json:"timezone"`
	Undo   string         `json:"undo_id,omitempty"`
	Notes  []string       `json:"notes,omitempty"`
}

// Respond gives the user's answer to the invitation e. undo is the id of the undo record
// that includes the answer, or "". With such a record, the caller has already asked the
// policy.
func Respond(ctx context.Context, a *agenda.Agenda, in Args, t *series.Target, e *calendarapi.Event, undo string) (Result, error) {
	if e.Status == event.Cancelled {
		return Result{}, eventwrite.ErrDeleted(e.Id)
	}
	ownEntry, err := OwnEntry(e, t.OwnAddresses)
	if err != nil {
		return Result{}, err
	}
	out := Result{Status: "answered", Answer: in.Answer, Event: t.Row(ctx, e), Zone: t.Zone.String()}
	if before := event.Answer(ownEntry.ResponseStatus); before != in.Answer {
		out.Before = before
	}
	if in.LeftOut != "" {
		out.Notes = append(out.Notes, in.LeftOut+": sending is not allowed here; the organizer still sees the answer in their copy")
	}
	r := &Reply{Target: t, Event: e, OwnEntry: ownEntry, Answer: in.status(), Comment: cmp.Or(in.Comment, ownEntry.Comment), Notify: in.Notify, undo: undo}
	if in.Notify == event.NotifyAll && e.Organizer != nil {
		out.Mailed = htmltext.Line(e.Organizer.Email)
	}
	switch {
	case r.IsUnchanged():
		out.Status, out.Mailed = "already", ""
		return out, nil
	case in.DryRun:
		out.Status = "dry_run"
		out.Notes = append(out.Notes, eventtext.PolicyNotes(ctx, AnswerReaches(ctx, t, e, event.SendsMail(in.Notify) || in.Comment != ""))...)
		return out, nil
	}
	if undo == "" {
		if err := ConfirmReply(ctx, a, r); err != nil {
			return Result{}, err
		}
	}
	done, undo, err := saveAndReply(ctx, a, r)
	if err != nil {
		return Result{}, RefundFreeAnswer(ctx, a, t, err)
	}
	out.Event, out.Undo = t.Row(ctx, done), undo
	return out, nil
}

// ErrNeedsScope returns the error for a missing scope, which explains each scope.
func ErrNeedsScope(t *series.Target) error {
	single := "one date of it, by its own event_id from calendar_list_events"
	if t.Single != nil {
		single = "the one on " + event.When(t.Single, t.Zone) + " alone"
	}
	return arguments.Invalid("scope", `"this" or "all"`, "none").
		WithHint("%s is a series. \"this\": %s; \"all\": every date of it. Nothing was done: ask the user which one.", strconv.Quote(htmltext.Line(t.Series.Summary)), single)
}
