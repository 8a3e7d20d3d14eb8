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
	Event           *calendarapi.Event         // the version that was read
	OwnEntry        *calendarapi.EventAttendee // the user's entry in Event
	Answer, Comment string                     // Answer is Google's word
	Notify          string
	undo            string // id of the undo record that includes this reply; "" if the reply gets its own
}

// OwnEntry returns the user's entry among the guests. It returns REFUSED if the user
// organizes the event or is not invited.
func OwnEntry(e *calendarapi.Event, ownAddresses []string) (*calendarapi.EventAttendee, error) {
	if e.Organizer != nil && (e.Organizer.Self || e.Organizer.Email != "" && event.IsOneOf(e.Organizer.Email, ownAddresses)) {
		return nil, metadata.Errorf(metadata.Refused, "%q is the user's own event, and an organizer cannot answer it", htmltext.Line(e.Summary)).
			WithHint("Change it with calendar_update_event, or cancel it with calendar_delete_event.")
	}
	for _, one := range e.Attendees {
		if one.Self {
			return one, nil
		}
	}
	for _, one := range e.Attendees {
		if event.IsOneOf(one.Email, ownAddresses) {
			return one, nil
		}
	}
	return nil, metadata.Errorf(metadata.Refused, "the user is not among the guests of %q: there is nothing to answer", htmltext.Line(e.Summary)).
		WithHint("It may be in the calendar of a group, or of another account: pass that account.")
}

// IsUnchanged reports whether the user's entry already has this answer and comment.
func (r *Reply) IsUnchanged() bool {
	return r.OwnEntry.ResponseStatus == r.Answer && r.OwnEntry.Comment == r.Comment
}

// patch returns the patch for Google. With attendeesOmitted it changes
// "only the participant's response"
// (https://developers.google.com/workspace/calendar/api/v3/reference/events#attendeesOmitted).
// All other guests stay the same, including hidden ones.
func (r *Reply) patch() *calendarapi.Event {
	ownEntry := calendarapi.EventAttendee{
		Email: r.OwnEntry.Email, DisplayName: r.OwnEntry.DisplayName, Optional: r.OwnEntry.Optional, AdditionalGuests: r.OwnEntry.AdditionalGuests,
		ResponseStatus: r.Answer, Comment: r.Comment,
	}
	if r.OwnEntry.Comment != "" && r.Comment == "" {
		ownEntry.ForceSendFields = []string{"Comment"}
	}
	return &calendarapi.Event{Attendees: []*calendarapi.EventAttendee{&ownEntry}, AttendeesOmitted: true}
}

// ConfirmReply asks the policy whether the answer may reach the organizer and the other
// people who see the calendar. It consumes the free answer if there is one.
func ConfirmReply(ctx context.Context, a *agenda.Agenda, r *Reply) error {
	people := r.Target.Sharers
	if !r.IsUnchanged() {
		var err error
		if people, err = ConsumeFreeAnswer(ctx, a, r.Target, r.Event, event.SendsMail(r.Notify) || r.Comment != r.OwnEntry.Comment); err != nil {
			return err
		}
	}
	lines := []bundles.Line{{Name: "Answer", Text: event.Answer(r.Answer)}}
	if r.Comment != "" {
		lines = append(lines, bundles.Line{Name: "Comment", Text: r.Comment})
	}
	return eventtext.ConfirmReach(ctx, eventtext.Outgoing("answer to an invitation", r.Event, r.Target.Zone, people, r.Notify, lines...), r.Event)
}

// saveAndReply stores the previous answer for undo and sends the reply once. It stores
// nothing if the undo record r.undo includes the reply. It returns the id of the undo
// record.
func saveAndReply(ctx context.Context, a *agenda.Agenda, r *Reply) (*calendarapi.Event, string, error) {
	if r.undo != "" {
		replied, err := replyOnce(ctx, a, r)
		return replied, r.undo, err
	}
	title := fmt.Sprintf("answer %s to %s", event.Answer(r.Answer), strconv.Quote(htmltext.Line(r.Event.Summary)))
	undo, err := a.Undos().Save(ctx, a.Account.Key(), title, UndoKind, r.record())
	if err != nil {
		return nil, "", err
	}
	replied, err := replyOnce(ctx, a, r)
	if err != nil {
		return nil, "", a.Undos().Failed(ctx, undo, err)
	}
	return replied, undo, nil
}

// replyOnce sends the reply. If the event has a newer version, it replies to that one,
// unless the time or the user's answer or comment has changed.
func replyOnce(ctx context.Context, a *agenda.Agenda, r *Reply) (*calendarapi.Event, error) {
	done, err := SendReply(ctx, a, r)
	changed := (*eventwrite.ChangedError)(nil)
	if !errors.As(err, &changed) {
		return done, err
	}
	ownEntry, refused := OwnEntry(changed.Now, r.Target.OwnAddresses)
	if refused != nil {
		return nil, refused
	}
	was, is := event.When(r.Event, r.Target.Zone), event.When(changed.Now, r.Target.Zone)
	if was != is || ownEntry.ResponseStatus != r.OwnEntry.ResponseStatus || ownEntry.Comment != r.OwnEntry.Comment {
		return nil, metadata.Errorf(metadata.Conflict, "the event was changed at the same time, so nothing was done: it was %s, %s, and is now %s, %s",
			was, event.Answer(r.OwnEntry.ResponseStatus), is, event.Answer(ownEntry.ResponseStatus)).WithHint("Show the user both, then repeat the call if the answer is still the same.")
	}
	again := *r
	again.Event, again.OwnEntry = changed.Now, ownEntry
	return SendReply(ctx, a, &again)
}

// SendReply sends the reply. It uses the outbox if the organizer is mailed.
func SendReply(ctx context.Context, a *agenda.Agenda, r *Reply) (*calendarapi.Event, error) {
	if r.Notify == event.NotifyNone {
		return a.Patch(ctx, r.Target.Calendar.Id, r.Event.Id, r.Event.Etag, r.patch(), r.Notify)
	}
	request, err := eventwrite.NewPatch(r.Target.Calendar.Id, r.Event.Id, r.Event.Etag, r.patch(), r.Notify)
	if err != nil {
		return nil, err
	}
	people := []string{}
	if r.Event.Organizer != nil {
		people = append(people, r.Event.Organizer.Email)
	}
	done, err := a.SendViaOutbox(ctx, request, eventwrite.Summary{Kind: "reply", Title: htmltext.Line(r.Event.Summary), When: event.When(r.Event, r.Target.Zone), People: people})
	return done.Event, err
}
