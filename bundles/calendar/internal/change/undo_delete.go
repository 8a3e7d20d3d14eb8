package change

import (
	"context"

	calendarapi "google.golang.org/api/calendar/v3"

	"kota/bundles"
	"kota/bundles/calendar/internal/agenda"
	"kota/bundles/calendar/internal/event"
	"kota/bundles/calendar/internal/eventtext"
	"kota/bundles/calendar/internal/eventwrite"
	"kota/bundles/calendar/internal/invitation"
	"kota/bundles/calendar/internal/series"
	"kota/bundles/calendar/internal/undoevent"
	"kota/bundles/internal/htmltext"
	"kota/bundles/internal/persist"
)

// UndoDelete restores a deleted event. The event keeps its id if Google still has it.
// Otherwise UndoDelete makes a new event with the same content.
func UndoDelete(ctx context.Context, a *agenda.Agenda, attempt persist.UndoAttempt, k deleteRecord) (undoevent.Result, error) {
	t, err := undoevent.NewTarget(ctx, a, k.Calendar)
	if err != nil {
		return undoevent.Result{}, err
	}
	now, err := a.Get(ctx, k.Calendar, k.Event.Id)
	switch {
	case eventwrite.IsGone(err):
		return recreateEvent(ctx, a, t, attempt.ID, k)
	case err != nil:
		return undoevent.Result{}, series.ErrNoEvent(err, k.Event.Id)
	case now.Status != event.Cancelled:
		return undoevent.Result{Event: t.Row(ctx, now), Note: "it was already restored"}, nil
	}
	ownEvent := k.Event.Organizer == nil || event.OrganizedByUser(k.Event)
	confirm := func() error { return k.confirmReach(ctx, t, k.Guests) }
	if !ownEvent {
		confirm = func() error { return k.confirmAnswer(ctx, a, t) }
	}
	if err := confirm(); err != nil {
		return undoevent.Result{}, err
	}
	r, err := eventwrite.NewPatch(k.Calendar, now.Id, now.Etag, event.Fields{"status": k.Event.Status}, k.Notify)
	if err != nil {
		return undoevent.Result{}, err
	}
	done, err := a.Send(ctx, r, k.summary(t))
	if eventwrite.IsGone(err) {
		return recreateEvent(ctx, a, t, attempt.ID, k)
	}
	if err != nil {
		return undoevent.Result{}, invitation.RefundFreeAnswer(ctx, a, t, err)
	}
	if ownEvent {
		return undoevent.Result{Event: t.Row(ctx, done.Event)}, nil
	}
	return restoreAnswer(ctx, a, t, k, done.Event), nil
}

// restoreAnswer restores the user's answer to an invitation, because deleting the event
// declined it. If that fails, the result has a note and no error, because the event is
// restored.
func restoreAnswer(ctx context.Context, a *agenda.Agenda, t *series.Target, k deleteRecord, back *calendarapi.Event) undoevent.Result {
	was, err := invitation.OwnEntry(k.Event, t.OwnAddresses)
	if err != nil {
		return undoevent.Result{Event: t.Row(ctx, back)} // the user was not a guest
	}
	ownEntry, err := invitation.OwnEntry(back, t.OwnAddresses)
	if err == nil {
		r := &invitation.Reply{Target: t, Event: back, OwnEntry: ownEntry, Answer: was.ResponseStatus, Comment: was.Comment, Notify: event.NotifyNone}
		if r.IsUnchanged() {
			return undoevent.Result{Event: t.Row(ctx, back)}
		}
		if done, err := invitation.SendReply(ctx, a, r); err == nil {
			return undoevent.Result{Event: t.Row(ctx, done)}
		}
	}
	return undoevent.Result{Event: t.Row(ctx, back), Note: bundles.WithoutHiddenTools(ctx, "the event is in the calendar again, but the organizer still sees it as declined. calendar_respond_event answers the invitation again")}
}

// recreateEvent makes a new event from the record of a deleted one that Google no longer
// has. A repeated undo makes no second event.
func recreateEvent(ctx context.Context, a *agenda.Agenda, t *series.Target, undo string, k deleteRecord) (undoevent.Result, error) {
	if err := k.confirmReach(ctx, t, event.Addresses(k.Event)); err != nil {
		return undoevent.Result{}, err
	}
	copied := event.Copy(k.Event, eventwrite.NewID(a.Account.Key(), k.Calendar, undo))
	if event.HasMeet(k.Event) {
		event.SetMeet(copied, true, copied.Id)
	}
	r, err := eventwrite.NewInsert(k.Calendar, copied, k.Notify)
	if err != nil {
		return undoevent.Result{}, err
	}
	done, err := a.Send(ctx, r, k.summary(t))
	if err != nil {
		return undoevent.Result{}, err
	}
	back := undoevent.Result{Event: t.Row(ctx, done.Event), Note: "Google no longer had the event, so it was created again with a new event_id"}
	if k.Event.RecurringEventId != "" {
		back.Note += ", and is no longer part of its series"
	}
	return back, nil
}

// confirmReach asks the policy whether these people and the calendar's sharers may see
// the event again.
func (k *deleteRecord) confirmReach(ctx context.Context, t *series.Target, people []string) error {
	content, err := eventtext.ContentLines(k.Event, t.Zone)
	if err != nil {
		return err
	}
	out, err := eventtext.BindToVersions(eventtext.Outgoing("invitation", k.Event, t.Zone, event.Union(people, t.Sharers), k.Notify, content...), k.Event)
	if err != nil {
		return err
	}
	return eventtext.ConfirmReach(ctx, out, k.Event)
}

// confirmAnswer asks the policy whether the organizer may receive the user's earlier
// answer again, because restoring the event sends it.
func (k *deleteRecord) confirmAnswer(ctx context.Context, a *agenda.Agenda, t *series.Target) error {
	declined := &calendarapi.EventAttendee{ResponseStatus: "declined"}
	was, err := invitation.OwnEntry(k.Event, t.OwnAddresses)
	if err != nil {
		was = declined // the user was not a guest, so no answer is sent
	}
	r := &invitation.Reply{Target: t, Event: k.Event, OwnEntry: declined, Answer: was.ResponseStatus, Comment: was.Comment, Notify: event.NotifyNone}
	return invitation.ConfirmReply(ctx, a, r)
}

// summary returns the outbox summary of the request that restores the event. It names the
// guests if the deletion mailed guests, otherwise nobody.
func (k *deleteRecord) summary(t *series.Target) eventwrite.Summary {
	m := eventwrite.Summary{Kind: "invite", Title: htmltext.Line(k.Event.Summary), When: event.When(k.Event, t.Zone)}
	if event.SendsMail(k.Notify) {
		m.People = k.Guests
	}
	return m
}
