package invitation

import (
	"context"
	"fmt"
	"strings"
	"time"

	calendarapi "google.golang.org/api/calendar/v3"

	"kota/bundles/calendar/internal/agenda"
	"kota/bundles/calendar/internal/event"
	"kota/bundles/calendar/internal/series"
	"kota/bundles/internal/htmltext"
	"kota/bundles/internal/icalendar"
	"kota/bundles/internal/persist"
	"kota/bundles/internal/recurrence"
	"kota/bundles/internal/timeparse"
	"kota/metadata"
)

// addAndRespond responds to an invitation whose event is not in the calendar. It adds the
// event with its organizer, and then responds to it.
func addAndRespond(ctx context.Context, a *agenda.Agenda, in Args, t *series.Target, about icalendar.Event) (Result, error) {
	e, err := importedEvent(a, t, about)
	if err != nil {
		return Result{}, err
	}
	if _, err := OwnEntry(e, t.OwnAddresses); err != nil {
		return Result{}, errNotInvited(a, err, about)
	}
	if in.DryRun {
		out, err := Respond(ctx, a, in, t, e, "")
		out.Added = true
		return out, err
	}
	ownEntry, _ := OwnEntry(e, t.OwnAddresses)
	r := &Reply{Target: t, Event: e, OwnEntry: ownEntry, Answer: in.status(), Comment: in.Comment, Notify: in.Notify}
	if err := ConfirmReply(ctx, a, r); err != nil {
		return Result{}, err
	}
	record := replyRecord{Calendar: t.Calendar.Id, Added: about.UID, Notify: in.Notify, AnswerAfter: in.status()}
	title := fmt.Sprintf("add and answer %q", htmltext.Line(e.Summary))
	undo, err := a.Undos().Save(ctx, a.Account.Key(), title, UndoKind, record)
	if err != nil {
		return Result{}, err
	}
	added, err := a.API.Events.Import(t.Calendar.Id, e).ConferenceDataVersion(1).SupportsAttachments(true).Context(ctx).Do()
	if err != nil {
		return Result{}, RefundFreeAnswer(ctx, a, t, a.Undos().Failed(ctx, undo, fmt.Errorf("add the event of the invitation: %w", err)))
	}
	if record.Content, err = event.FieldsOf(added); err == nil {
		err = a.Undos().Amend(ctx, undo, title, record)
	}
	if err != nil {
		return Result{}, errNotAnswered(err, undo)
	}
	out, err := Respond(ctx, a, in, t, added, undo)
	if err != nil {
		return Result{}, errNotAnswered(err, undo)
	}
	out.Added, out.Undo = true, undo
	return out, nil
}

// errNotAnswered returns the error for an event that was added but not answered.
func errNotAnswered(err error, undo string) error {
	return &metadata.Error{
		Code: metadata.CodeOf(err), Message: "the event was added to the calendar, but not answered: " + persist.Reason(err), Cause: err,
		Hint: fmt.Sprintf("Repeat the call to answer it; calendar_undo {\"undo_id\": %q} removes the event again.", undo),
	}
}

// Limits of the texts taken from an invitation, in characters: of each one-line text, and
// of the description.
const (
	maxImportedTitle = 1024
	maxImportedText  = 8192
)

// importedEvent returns the event of the invitation in the form to add to the calendar.
// It cleans the texts, which are untrusted content.
func importedEvent(a *agenda.Agenda, t *series.Target, about icalendar.Event) (*calendarapi.Event, error) {
	switch {
	case !about.OriginalStart.IsZero():
		return nil, errRefusedFile("it is about one date of a series that is not in the calendar", "The user can open the mail in Gmail, which adds that date.")
	case about.TimeProblem != "":
		return nil, errRefusedFile("its event is not in the calendar and cannot be added, because "+about.TimeProblem, "The user can open the mail in Gmail, which may add it.")
	case len(about.UID) > maxUIDBytes:
		return nil, errRefusedFile("its UID is too long", "The user can add the event in Google Calendar.")
	}
	rules, err := rulesOf(about)
	if err != nil {
		return nil, errRefusedFile("its event is not in the calendar and cannot be added, because "+err.Error(), "The user can open the mail in Gmail, which may add it.")
	}
	description, _ := htmltext.Text(about.Description)
	e := &calendarapi.Event{
		ICalUID: about.UID, Status: "confirmed", Sequence: about.Sequence, Recurrence: rules,
		Summary: htmltext.Short(about.Summary, maxImportedTitle), Location: htmltext.Short(about.Location, maxImportedTitle), Description: htmltext.First(description, maxImportedText),
		Organizer: &calendarapi.EventOrganizer{Email: about.Organizer.Address, DisplayName: htmltext.Short(about.Organizer.Name, maxImportedTitle)},
		Start:     importedTime(about.Start), End: importedTime(about.End),
	}
	if about.Free {
		e.Transparency = "transparent"
	}
	for _, one := range about.Attendees {
		if event.FindGuest(e.Attendees, one.Address) != nil || len(e.Attendees) >= event.MaxGuests-1 && !event.IsOneOf(one.Address, t.OwnAddresses) {
			continue
		}
		e.Attendees = append(e.Attendees, &calendarapi.EventAttendee{
			Email: one.Address, DisplayName: htmltext.Short(one.Name, maxImportedTitle), Optional: one.Optional, ResponseStatus: importedAnswer(one, t.OwnAddresses),
		})
	}
	return e, nil
}

// rulesOf returns the event's recurrence in the form that Google takes.
func rulesOf(about icalendar.Event) ([]string, error) {
	if len(about.Recurrence) == 0 {
		return nil, nil
	}
	set, err := recurrence.Parse(about.Recurrence, recurrence.Start{Time: about.Start.Moment, Zone: about.Start.Moment.Location(), Date: about.Start.Date})
	if err != nil {
		return nil, err
	}
	return set.Lines(), nil
}

// importedAnswer returns the guest's answer in the file, in Google's words. The user's
// own entry is always unanswered.
func importedAnswer(guest icalendar.Person, ownAddresses []string) string {
	status := strings.ToLower(guest.Answer)
	for _, known := range event.Answers {
		if strings.EqualFold(known[0], status) && !event.IsOneOf(guest.Address, ownAddresses) {
			return known[0]
		}
	}
	return "needsAction"
}

func importedTime(t icalendar.Time) *calendarapi.EventDateTime {
	if t.Date {
		return &calendarapi.EventDateTime{Date: timeparse.Date(t.Moment)}
	}
	return &calendarapi.EventDateTime{DateTime: timeparse.RFC3339(t.Moment), TimeZone: t.Moment.Location().String()}
}

// momentAt returns a time in an invitation as a moment. A date becomes the beginning of
// that day in the zone of the target.
func momentAt(t icalendar.Time, target *series.Target) time.Time {
	if t.Date {
		return timeparse.DayStart(timeparse.LocalTimeOf(t.Moment), target.Zone)
	}
	return t.Moment
}

// errNotInvited returns the error for an invitation to somebody else. It names another
// account of the user that is invited, or else at most three invited addresses. If the user
// is the organizer, it returns cause.
func errNotInvited(a *agenda.Agenda, cause error, about icalendar.Event) error {
	accounts, err := a.Accounts()
	if err != nil || event.IsOneOf(about.Organizer.Address, []string{a.Account.Address}) {
		return cause
	}
	invited := []string{}
	for _, one := range about.Attendees {
		for _, other := range accounts {
			if other.Address != "" && event.IsOneOf(one.Address, []string{other.Address}) && other.Name != a.Account.Name {
				return metadata.Errorf(metadata.Refused, "the invitation is for the account %s", other.Name).WithHint("Repeat the call with account %q.", other.Name)
			}
		}
		if len(invited) < 3 {
			invited = append(invited, htmltext.Line(one.Address))
		}
	}
	return metadata.Errorf(metadata.Refused, "the invitation is for %s, which is not an address of %s", strings.Join(invited, ", "), a.Account.Key()).
		WithHint("If it was forwarded to the user, only the organizer can invite the user. calendar_create_event can add the time to the calendar.")
}
