package invitation

import (
	"context"
	"strings"

	calendarapi "google.golang.org/api/calendar/v3"

	"kota/bundles/calendar/internal/agenda"
	"kota/bundles/calendar/internal/event"
	"kota/bundles/calendar/internal/eventtext"
	"kota/bundles/calendar/internal/eventwrite"
	"kota/bundles/calendar/internal/series"
	"kota/bundles/calendar/internal/undoevent"
	"kota/bundles/internal/htmltext"
	"kota/bundles/internal/persist"
)

// UndoKind is the kind of the undo records of answers to invitations.
const UndoKind = "respond"

// A replyRecord is the undo record of an answer.
type replyRecord struct {
	Calendar      string `json:"calendar"`        // id of the calendar
	Event         string `json:"event,omitempty"` // id of the event
	Added         string `json:"added,omitempty"` // instead of Event: UID of the event that was added for the answer
	Notify        string `json:"notify,omitempty"`
	AnswerBefore  string `json:"answer"` // the answer before the change
	CommentBefore string `json:"comment,omitempty"`
	AnswerAfter   string `json:"given"`          // the answer after the change
	CommentAfter  string `json:"said,omitempty"` // the comment after the change

	Content event.Fields `json:"content,omitempty"` // fields of the added event
}

func (r *Reply) record() replyRecord {
	return replyRecord{
		Calendar: r.Target.Calendar.Id, Event: r.Event.Id, Notify: r.Notify, AnswerBefore: r.OwnEntry.ResponseStatus, CommentBefore: r.OwnEntry.Comment, AnswerAfter: r.Answer, CommentAfter: r.Comment,
	}
}

// Undo restores the previous answer, or removes the event that was added. It returns
// CONFLICT if the answer or the added event was changed since, unless the call allows
// overwriting. It mails the organizer if the answer was mailed.
func Undo(ctx context.Context, a *agenda.Agenda, attempt persist.UndoAttempt, k replyRecord) (undoevent.Result, error) {
	if k.Added != "" {
		return undoAdded(ctx, a, attempt, k)
	}
	t, now, err := undoevent.ReadTarget(ctx, a, k.Calendar, k.Event)
	if err != nil {
		return undoevent.Result{}, err
	}
	if now.Status == event.Cancelled {
		return undoevent.Result{}, eventwrite.ErrDeleted(k.Event)
	}
	t.OwnAddresses = []string{a.Account.Address, t.Calendar.Id}
	ownEntry, err := OwnEntry(now, t.OwnAddresses)
	if err != nil {
		return undoevent.Result{}, err
	}
	r := &Reply{Target: t, Event: now, OwnEntry: ownEntry, Answer: k.AnswerBefore, Comment: k.CommentBefore, Notify: k.Notify}
	switch {
	case r.IsUnchanged():
		return undoevent.Result{Event: t.Row(ctx, now), Note: "nothing was changed: the earlier answer is already in place"}, nil
	case ownEntry.ResponseStatus != k.AnswerAfter || ownEntry.Comment != k.CommentAfter:
		if err := attempt.ConflictUnlessOverwrite("the answer was changed again since then", persist.ChangedProblem("answer", event.Answer(ownEntry.ResponseStatus)), persist.ChangedProblem("comment", ownEntry.Comment)); err != nil {
			return undoevent.Result{}, err
		}
	}
	if err := ConfirmReply(ctx, a, r); err != nil {
		return undoevent.Result{}, err
	}
	done, err := SendReply(ctx, a, r)
	if err != nil {
		return undoevent.Result{}, RefundFreeAnswer(ctx, a, t, err)
	}
	return undoevent.Result{Event: t.Row(ctx, done)}, nil
}

// undoAdded removes the added event from the calendar.
func undoAdded(ctx context.Context, a *agenda.Agenda, r persist.UndoAttempt, k replyRecord) (undoevent.Result, error) {
	t, err := undoevent.NewTarget(ctx, a, k.Calendar)
	if err != nil {
		return undoevent.Result{}, err
	}
	events, err := eventsWithUID(ctx, a, k.Calendar, k.Added)
	if err != nil {
		return undoevent.Result{}, err
	}
	for _, e := range events {
		if e.RecurringEventId != "" || e.Status == event.Cancelled {
			continue
		}
		if err := k.checkUnchanged(ctx, r, t, e); err != nil {
			return undoevent.Result{}, err
		}
		people := event.Union(k.mailRecipients(e), t.Sharers)
		if DeletionDeclines(t, e) {
			if people, err = ConsumeFreeAnswer(ctx, a, t, e, event.SendsMail(k.Notify)); err != nil {
				return undoevent.Result{}, err
			}
		}
		if err := eventtext.ConfirmReach(ctx, eventtext.Outgoing("answer to an invitation", e, t.Zone, people, k.Notify), e); err != nil {
			return undoevent.Result{}, err
		}
		m := eventwrite.Summary{Kind: "reply", Title: htmltext.Line(e.Summary), When: event.When(e, t.Zone), People: k.mailRecipients(e)}
		_, err := a.Send(ctx, eventwrite.NewDelete(k.Calendar, e.Id, e.Etag, k.Notify), m)
		return undoevent.Result{Note: "the event that was added for the answer was removed from the calendar"}, RefundFreeAnswer(ctx, a, t, err)
	}
	return undoevent.Result{Note: "the event is not in the calendar"}, nil
}

// checkUnchanged returns CONFLICT if the event was changed since it was added, unless the
// call allows overwriting.
func (k replyRecord) checkUnchanged(ctx context.Context, r persist.UndoAttempt, t *series.Target, now *calendarapi.Event) error {
	then, err := k.Content.Event()
	if err != nil {
		return err
	}
	changed, err := event.ChangedFields(then, now)
	if err != nil || len(changed) == 0 {
		return err
	}
	eventtext.Provenance(ctx, now, t.Calendar, "") // the error quotes the event
	return r.ConflictUnlessOverwrite("the event was changed since it was added: "+strings.Join(changed, ", "), persist.ChangedProblem("title", now.Summary), persist.ChangedProblem("time", event.When(now, t.Zone)))
}

// mailRecipients returns the recipients of the answer's mail.
func (k replyRecord) mailRecipients(e *calendarapi.Event) []string {
	if !event.SendsMail(k.Notify) || e.Organizer == nil || e.Organizer.Email == "" {
		return nil
	}
	return []string{e.Organizer.Email}
}
