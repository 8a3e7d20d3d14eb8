package change

import (
	"context"
	"errors"
	"strconv"

	calendarapi "google.golang.org/api/calendar/v3"

	"kota/bundles/calendar/internal/agenda"
	"kota/bundles/calendar/internal/event"
	"kota/bundles/calendar/internal/eventtext"
	"kota/bundles/calendar/internal/eventwrite"
	"kota/bundles/calendar/internal/invitation"
	"kota/bundles/calendar/internal/series"
	"kota/bundles/internal/htmltext"
	"kota/metadata"
)

// isDeleted reports whether the event to change is already deleted.
func isDeleted(t *series.Target) bool { return t.Event().Status == event.Cancelled }

func alreadyDeleted(t *series.Target) Answer {
	return Answer{Status: "deleted", AlreadyDeleted: true, Timezone: t.Zone.String(), Notes: []string{"it was already deleted: nothing was done"}}
}

// errOtherVersion returns CONFLICT for the deletion of an older version of an event. e is
// the current version.
func errOtherVersion(t *series.Target, e *calendarapi.Event) error {
	return metadata.Errorf(metadata.Conflict, "the event was changed after that etag, so it was not deleted: now it is %q, %s", htmltext.Line(e.Summary), event.When(e, t.Zone)).
		WithHint("Show the user the current event. To delete it anyway, repeat the call with etag %s.", e.Etag)
}

// DeleteTarget deletes the target: a single event, an instance, or a whole series.
func DeleteTarget(ctx context.Context, a *agenda.Agenda, in DeleteArgs, t *series.Target) (Answer, error) {
	e := t.Event()
	out := Answer{Status: "deleted", Timezone: t.Zone.String(), Event: t.Row(ctx, e)}
	people, err := guestsOfTarget(ctx, a, t)
	if err != nil {
		return Answer{}, err
	}
	reached := event.Union(people, t.Sharers)
	if invitation.DeletionDeclines(t, e) {
		reached = event.Union(reached, invitation.AnswerReaches(ctx, t, e, false))
	}
	if e.Organizer != nil && !event.OrganizedByUser(e) {
		out.addNotes("the event belongs to " + eventtext.OrganizerPhrase(e) + ": it is removed only from the user's calendar, and the organizer sees it declined")
	}
	if in.DryRun {
		out.Status = "dry_run"
		out.addMailed(in.Notify, people, "")
		out.addNotes(eventtext.PolicyNotes(ctx, reached)...)
		return out, nil
	}
	if invitation.DeletionDeclines(t, e) {
		if reached, err = invitation.ConsumeFreeAnswer(ctx, a, t, e, false); err != nil {
			return Answer{}, err
		}
	}
	if err := eventtext.ConfirmReach(ctx, eventtext.Outgoing("cancellation", e, t.Zone, reached, in.Notify), e); err != nil {
		return Answer{}, err
	}
	record := deleteRecord{Calendar: t.Calendar.Id, Event: e, Guests: people, Notify: in.Notify}
	undo, err := a.Undos().Save(ctx, a.Account.Key(), record.title(t), KindDelete, record)
	if err != nil {
		return Answer{}, err
	}
	already, err := deleteOnce(ctx, a, in, t, people)
	if err != nil {
		return Answer{}, invitation.RefundFreeAnswer(ctx, a, t, a.Undos().Failed(ctx, undo, err))
	}
	if already {
		_ = a.Undos().Drop(ctx, undo, nil) // an unused record does no harm
		return alreadyDeleted(t), nil
	}
	out.Undo = undo
	out.addMailed(in.Notify, people, "")
	return out, nil
}

// guestsOfTarget returns the guests who see the deletion, including those of single
// instances of a series. It returns nil if somebody else organizes the event, because
// only the organizer then sees the deletion.
func guestsOfTarget(ctx context.Context, a *agenda.Agenda, t *series.Target) ([]string, error) {
	e := t.Event()
	if e.Organizer != nil && !event.OrganizedByUser(e) {
		return nil, nil
	}
	if len(e.Recurrence) == 0 {
		return event.Addresses(e), nil
	}
	exceptions, err := series.Exceptions(ctx, a, t)
	return event.Union(event.Addresses(e), event.AddressesOfAll(exceptions)), err
}

// deleteOnce deletes the version that was read. It also deletes a newer version if only
// guests' answers changed since, unless the caller gave an etag. already reports that the
// event was deleted before.
func deleteOnce(ctx context.Context, a *agenda.Agenda, in DeleteArgs, t *series.Target, people []string) (already bool, err error) {
	e := t.Event()
	m := eventwrite.Summary{Kind: "cancel", Title: htmltext.Line(e.Summary), When: event.When(e, t.Zone)}
	if event.SendsMail(in.Notify) {
		m.People = people
	}
	done, err := a.Send(ctx, eventwrite.NewDelete(t.Calendar.Id, e.Id, e.Etag, in.Notify), m)
	changed := (*eventwrite.ChangedError)(nil)
	if !errors.As(err, &changed) {
		return done.Repeated, err
	}
	changedFields, failed := event.ChangedFields(e, changed.Now)
	switch {
	case failed != nil:
		return false, failed
	case in.Etag != "" || len(changedFields) > 0:
		return false, errOtherVersion(t, changed.Now)
	}
	done, err = a.Send(ctx, eventwrite.NewDelete(t.Calendar.Id, e.Id, changed.Now.Etag, in.Notify), m)
	return done.Repeated, err
}

// KindDelete is the kind of the undo records of deletions.
const KindDelete = "delete"

// A deleteRecord is the undo record of a deletion.
type deleteRecord struct {
	Calendar string             `json:"calendar"` // id of the calendar
	Event    *calendarapi.Event `json:"event"`
	Guests   []string           `json:"guests,omitempty"` // the guests who saw the deletion
	Notify   string             `json:"notify,omitempty"` // which guests were mailed
}

func (k *deleteRecord) title(t *series.Target) string {
	what := "delete "
	if len(k.Event.Recurrence) > 0 {
		what = "delete the series "
	}
	return what + strconv.Quote(htmltext.Line(k.Event.Summary)) + ", " + event.When(k.Event, t.Zone)
}
