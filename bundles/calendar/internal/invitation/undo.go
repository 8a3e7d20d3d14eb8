package invitation

import (
	"context"
	"strings"

	calendarapi "google.golang.org/api/calendar/v3"

	"kota/bundles/calendar/internal/agenda"
	"kota/bundles/calendar/internal/event"
	"kota/bundles/calendar/internal/eventtext"
	"kota/bundles/calendar/internal/eventwrite"
	"kota/bundles/calendar/internal/putback"
	"kota/bundles/calendar/internal/series"
	"kota/bundles/internal/htmltext"
	"kota/bundles/internal/persist"
)

// UndoKind is the undo kind of an answer to an invitation.
const UndoKind = "respond"

// A keptReply is the undo record of an answer.
type keptReply struct {
	Calendar string `json:"calendar"`        // id
	Event    string `json:"event,omitempty"` // id
	Added    string `json:"added,omitempty"` // instead of Event: UID of the event that was added for the answer
	Notify   string `json:"notify,omitempty"`
	Answer   string `json:"answer"` // before the change
	Comment  string `json:"comment,omitempty"`
	Given    string `json:"given"`          // the answer after the change
	Said     string `json:"said,omitempty"` // the comment after the change

	Content event.Fields `json:"content,omitempty"` // fields of the added event
}

func (r *Reply) kept() keptReply {
	return keptReply{
		Calendar: r.Target.Calendar.Id, Event: r.Was.Id, Notify: r.Notify, Answer: r.Own.ResponseStatus, Comment: r.Own.Comment, Given: r.Answer, Said: r.Comment,
	}
}

// Undo restores the previous answer, or removes the event that was added. It refuses if the
// user has given another answer since. It mails the organizer if the answer did.
func Undo(ctx context.Context, a *agenda.Agenda, attempt persist.Reversal, k keptReply) (putback.Result, error) {
	if k.Added != "" {
		return undoAdded(ctx, a, attempt, k)
	}
	t, now, err := putback.Target(ctx, a, k.Calendar, k.Event)
	if err != nil {
		return putback.Result{}, err
	}
	if now.Status == event.Cancelled {
		return putback.Result{}, eventwrite.Deleted(k.Event)
	}
	t.Own = []string{a.Account.Address, t.Calendar.Id}
	own, err := OwnEntry(now, t.Own)
	if err != nil {
		return putback.Result{}, err
	}
	r := &Reply{Target: t, Was: now, Own: own, Answer: k.Answer, Comment: k.Comment, Notify: k.Notify}
	switch {
	case r.Same():
		return putback.Result{Event: t.Row(ctx, now), Note: "it was as before already"}, nil
	case own.ResponseStatus != k.Given || own.Comment != k.Said:
		if err := attempt.Changed("the answer was changed again since then", persist.There("answer", event.Answer(own.ResponseStatus)), persist.There("comment", own.Comment)); err != nil {
			return putback.Result{}, err
		}
	}
	if err := MayReply(ctx, a, r); err != nil {
		return putback.Result{}, err
	}
	done, err := SendReply(ctx, a, r)
	if err != nil {
		return putback.Result{}, Refund(ctx, a, t, err)
	}
	return putback.Result{Event: t.Row(ctx, done)}, nil
}

// undoAdded removes the added event from the calendar.
func undoAdded(ctx context.Context, a *agenda.Agenda, r persist.Reversal, k keptReply) (putback.Result, error) {
	t, err := putback.TargetIn(ctx, a, k.Calendar)
	if err != nil {
		return putback.Result{}, err
	}
	there, err := eventsWithUID(ctx, a, k.Calendar, k.Added)
	if err != nil {
		return putback.Result{}, err
	}
	for _, e := range there {
		if e.RecurringEventId != "" || e.Status == event.Cancelled {
			continue
		}
		if err := k.asAdded(ctx, r, t, e); err != nil {
			return putback.Result{}, err
		}
		people := event.Union(k.mailed(e), t.Sharers)
		if Declines(t, e) {
			if people, err = MayHear(ctx, a, t, e, event.Mails(k.Notify)); err != nil {
				return putback.Result{}, err
			}
		}
		if err := eventtext.MayReach(ctx, eventtext.Outgoing("answer to an invitation", e, t.Zone, people, k.Notify), e); err != nil {
			return putback.Result{}, err
		}
		m := eventwrite.Mailing{Kind: "reply", Title: htmltext.Line(e.Summary), When: event.When(e, t.Zone), People: k.mailed(e)}
		_, err := a.Reach(ctx, eventwrite.NewDelete(k.Calendar, e.Id, e.Etag, k.Notify), m)
		return putback.Result{Note: "the event that was added for the answer is out of the calendar"}, Refund(ctx, a, t, err)
	}
	return putback.Result{Note: "the event is not in the calendar"}, nil
}

// asAdded returns CONFLICT if the event was changed since it was added.
func (k keptReply) asAdded(ctx context.Context, r persist.Reversal, t *series.Target, now *calendarapi.Event) error {
	then, err := k.Content.Event()
	if err != nil {
		return err
	}
	changed, err := event.ChangedBetween(then, now)
	if err != nil || len(changed) == 0 {
		return err
	}
	eventtext.Provenance(ctx, now, t.Calendar, "") // the error quotes the event
	return r.Changed("the event was changed since it was added: "+strings.Join(changed, ", "), persist.There("title", now.Summary), persist.There("time", event.When(now, t.Zone)))
}

// mailed returns the recipients of the answer's mail.
func (k keptReply) mailed(e *calendarapi.Event) []string {
	if !event.Mails(k.Notify) || e.Organizer == nil || e.Organizer.Email == "" {
		return nil
	}
	return []string{e.Organizer.Email}
}
