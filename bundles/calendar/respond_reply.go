package calendar

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	calendarapi "google.golang.org/api/calendar/v3"

	"kota/bundles"
	"kota/bundles/calendar/internal/agenda"
	"kota/bundles/calendar/internal/event"
	"kota/bundles/calendar/internal/eventtext"
	"kota/bundles/calendar/internal/eventwrite"
	"kota/bundles/calendar/internal/series"
	"kota/bundles/internal/htmltext"
	"kota/metadata"
)

// A reply changes the user's own entry among the guests of an event.
type reply struct {
	of              *series.Target
	was             *calendarapi.Event         // as it was read
	own             *calendarapi.EventAttendee // of was
	answer, comment string                     // as Google calls it
	notify          string
	undo            string // id of the change that this is part of; "" for one of its own
}

// ownAnswer returns the user's entry among the guests. It answers REFUSED when
// the event is the user's own, or when the user is not invited.
func ownAnswer(e *calendarapi.Event, own []string) (*calendarapi.EventAttendee, error) {
	if e.Organizer != nil && (e.Organizer.Self || e.Organizer.Email != "" && event.IsOneOf(e.Organizer.Email, own)) {
		return nil, metadata.Errorf(metadata.Refused, "%q is the user's own event: who organizes it does not answer it", htmltext.Line(e.Summary)).
			WithHint("Change it with calendar_update_event, or call it off with calendar_delete_event.")
	}
	for _, one := range e.Attendees {
		if one.Self {
			return one, nil
		}
	}
	for _, one := range e.Attendees {
		if event.IsOneOf(one.Email, own) {
			return one, nil
		}
	}
	return nil, metadata.Errorf(metadata.Refused, "the user is not among the guests of %q: there is nothing to answer", htmltext.Line(e.Summary)).
		WithHint("It may be on the calendar of a group, or of another account: name that account.")
}

// same reports whether the answer was given before.
func (r *reply) same() bool {
	return r.own.ResponseStatus == r.answer && r.own.Comment == r.comment
}

// patch is what Google is sent: with attendeesOmitted it changes "only the
// participant's response"
// (https://developers.google.com/workspace/calendar/api/v3/reference/events#attendeesOmitted),
// so that all other guests stay as they are, be they shown to the user or not.
func (r *reply) patch() *calendarapi.Event {
	own := calendarapi.EventAttendee{
		Email: r.own.Email, DisplayName: r.own.DisplayName, Optional: r.own.Optional, AdditionalGuests: r.own.AdditionalGuests,
		ResponseStatus: r.answer, Comment: r.comment,
	}
	if r.own.Comment != "" && r.comment == "" {
		own.ForceSendFields = []string{"Comment"}
	}
	return &calendarapi.Event{Attendees: []*calendarapi.EventAttendee{&own}, AttendeesOmitted: true}
}

// mayReply asks whether the organizer may see the answer, and whoever sees the
// calendar it is given in.
func mayReply(ctx context.Context, a *agenda.Agenda, r *reply) error {
	people := r.of.Sharers
	if !r.same() {
		var err error
		if people, err = mayHear(ctx, a, r.of, r.was, event.Mails(r.notify) || r.comment != r.own.Comment); err != nil {
			return err
		}
	}
	lines := []bundles.Line{{Name: "Answer", Text: event.Answer(r.answer)}}
	if r.comment != "" {
		lines = append(lines, bundles.Line{Name: "Comment", Text: r.comment})
	}
	return eventtext.MayReach(ctx, eventtext.Outgoing("answer to an invitation", r.was, r.of.Zone, people, r.notify, lines...), r.was)
}

// giveReply gives the answer, once, and keeps the one before for undo.
func giveReply(ctx context.Context, a *agenda.Agenda, r *reply) (*calendarapi.Event, string, error) {
	if r.undo != "" {
		done, err := replied(ctx, a, r)
		return done, r.undo, err
	}
	title := fmt.Sprintf("answer %s to %s", event.Answer(r.answer), strconv.Quote(htmltext.Line(r.was.Summary)))
	undo, err := a.Undos().Save(ctx, a.Account.Key(), title, undoReply, r.kept())
	if err != nil {
		return nil, "", err
	}
	done, err := replied(ctx, a, r)
	if err != nil {
		return nil, "", a.Undos().Failed(ctx, undo, err)
	}
	return done, undo, nil
}

// replied gives the answer. Where somebody has changed the event since it was
// read it is given all the same, unless the time changed or the answer did.
func replied(ctx context.Context, a *agenda.Agenda, r *reply) (*calendarapi.Event, error) {
	done, err := carryReply(ctx, a, r)
	changed := (*eventwrite.ChangedError)(nil)
	if !errors.As(err, &changed) {
		return done, err
	}
	own, refused := ownAnswer(changed.Now, r.of.Own)
	if refused != nil {
		return nil, refused
	}
	was, is := event.When(r.was, r.of.Zone), event.When(changed.Now, r.of.Zone)
	if was != is || own.ResponseStatus != r.own.ResponseStatus || own.Comment != r.own.Comment {
		return nil, metadata.Errorf(metadata.Conflict, "the event was changed meanwhile, and nothing was done: it was %s, %s, and is %s, %s",
			was, event.Answer(r.own.ResponseStatus), is, event.Answer(own.ResponseStatus)).WithHint("Show the user both, then repeat the call if the answer is still the same.")
	}
	again := *r
	again.was, again.own = changed.Now, own
	return carryReply(ctx, a, &again)
}

// carryReply sends the answer; one that is mailed goes through the outbox.
func carryReply(ctx context.Context, a *agenda.Agenda, r *reply) (*calendarapi.Event, error) {
	if r.notify == event.NotifyNone {
		return a.Patch(ctx, r.of.Calendar.Id, r.was.Id, r.was.Etag, r.patch(), r.notify)
	}
	request, err := eventwrite.NewPatch(r.of.Calendar.Id, r.was.Id, r.was.Etag, r.patch(), r.notify)
	if err != nil {
		return nil, err
	}
	people := []string{}
	if r.was.Organizer != nil {
		people = append(people, r.was.Organizer.Email)
	}
	done, err := a.Post(ctx, request, eventwrite.Mailing{Kind: "reply", Title: htmltext.Line(r.was.Summary), When: event.When(r.was, r.of.Zone), People: people})
	return done.Event, err
}
