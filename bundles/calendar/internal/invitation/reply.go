package invitation

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

// A Reply changes the user's own entry in the guest list of an event.
type Reply struct {
	Target          *series.Target
	Was             *calendarapi.Event         // the version that was read
	Own             *calendarapi.EventAttendee // the user's entry in Was
	Answer, Comment string                     // Answer is Google's word
	Notify          string
	undo            string // id of the change that this belongs to; "" for a change of its own
}

// OwnEntry returns the user's entry among the guests. It answers REFUSED if the user
// organizes the event or is not invited.
func OwnEntry(e *calendarapi.Event, own []string) (*calendarapi.EventAttendee, error) {
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

// Same reports whether the user's entry already has this answer and comment.
func (r *Reply) Same() bool {
	return r.Own.ResponseStatus == r.Answer && r.Own.Comment == r.Comment
}

// patch returns the patch for Google. With attendeesOmitted it changes
// "only the participant's response"
// (https://developers.google.com/workspace/calendar/api/v3/reference/events#attendeesOmitted).
// All other guests stay the same, including hidden ones.
func (r *Reply) patch() *calendarapi.Event {
	own := calendarapi.EventAttendee{
		Email: r.Own.Email, DisplayName: r.Own.DisplayName, Optional: r.Own.Optional, AdditionalGuests: r.Own.AdditionalGuests,
		ResponseStatus: r.Answer, Comment: r.Comment,
	}
	if r.Own.Comment != "" && r.Comment == "" {
		own.ForceSendFields = []string{"Comment"}
	}
	return &calendarapi.Event{Attendees: []*calendarapi.EventAttendee{&own}, AttendeesOmitted: true}
}

// MayReply asks whether the answer may reach the organizer and the other people who see the
// calendar.
func MayReply(ctx context.Context, a *agenda.Agenda, r *Reply) error {
	people := r.Target.Sharers
	if !r.Same() {
		var err error
		if people, err = MayHear(ctx, a, r.Target, r.Was, event.Mails(r.Notify) || r.Comment != r.Own.Comment); err != nil {
			return err
		}
	}
	lines := []bundles.Line{{Name: "Answer", Text: event.Answer(r.Answer)}}
	if r.Comment != "" {
		lines = append(lines, bundles.Line{Name: "Comment", Text: r.Comment})
	}
	return eventtext.MayReach(ctx, eventtext.Outgoing("answer to an invitation", r.Was, r.Target.Zone, people, r.Notify, lines...), r.Was)
}

// giveReply gives the answer once and keeps the previous one for undo.
func giveReply(ctx context.Context, a *agenda.Agenda, r *Reply) (*calendarapi.Event, string, error) {
	if r.undo != "" {
		done, err := replied(ctx, a, r)
		return done, r.undo, err
	}
	title := fmt.Sprintf("answer %s to %s", event.Answer(r.Answer), strconv.Quote(htmltext.Line(r.Was.Summary)))
	undo, err := a.Undos().Save(ctx, a.Account.Key(), title, UndoKind, r.kept())
	if err != nil {
		return nil, "", err
	}
	done, err := replied(ctx, a, r)
	if err != nil {
		return nil, "", a.Undos().Failed(ctx, undo, err)
	}
	return done, undo, nil
}

// replied gives the answer. It also answers a newer version of the event, unless its time
// or the user's answer has changed.
func replied(ctx context.Context, a *agenda.Agenda, r *Reply) (*calendarapi.Event, error) {
	done, err := SendReply(ctx, a, r)
	changed := (*eventwrite.ChangedError)(nil)
	if !errors.As(err, &changed) {
		return done, err
	}
	own, refused := OwnEntry(changed.Now, r.Target.Own)
	if refused != nil {
		return nil, refused
	}
	was, is := event.When(r.Was, r.Target.Zone), event.When(changed.Now, r.Target.Zone)
	if was != is || own.ResponseStatus != r.Own.ResponseStatus || own.Comment != r.Own.Comment {
		return nil, metadata.Errorf(metadata.Conflict, "the event was changed meanwhile, and nothing was done: it was %s, %s, and is %s, %s",
			was, event.Answer(r.Own.ResponseStatus), is, event.Answer(own.ResponseStatus)).WithHint("Show the user both, then repeat the call if the answer is still the same.")
	}
	again := *r
	again.Was, again.Own = changed.Now, own
	return SendReply(ctx, a, &again)
}

// SendReply sends the answer. A mailed answer goes through the outbox.
func SendReply(ctx context.Context, a *agenda.Agenda, r *Reply) (*calendarapi.Event, error) {
	if r.Notify == event.NotifyNone {
		return a.Patch(ctx, r.Target.Calendar.Id, r.Was.Id, r.Was.Etag, r.patch(), r.Notify)
	}
	request, err := eventwrite.NewPatch(r.Target.Calendar.Id, r.Was.Id, r.Was.Etag, r.patch(), r.Notify)
	if err != nil {
		return nil, err
	}
	people := []string{}
	if r.Was.Organizer != nil {
		people = append(people, r.Was.Organizer.Email)
	}
	done, err := a.Post(ctx, request, eventwrite.Mailing{Kind: "reply", Title: htmltext.Line(r.Was.Summary), When: event.When(r.Was, r.Target.Zone), People: people})
	return done.Event, err
}
