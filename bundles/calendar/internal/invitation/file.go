package invitation

import (
	"context"
	"fmt"
	"slices"
	"strings"

	calendarapi "google.golang.org/api/calendar/v3"

	"kota/bundles"
	"kota/bundles/calendar/internal/agenda"
	"kota/bundles/calendar/internal/event"
	"kota/bundles/calendar/internal/eventtime"
	"kota/bundles/calendar/internal/series"
	"kota/bundles/internal/htmltext"
	"kota/bundles/internal/icalendar"
	"kota/bundles/internal/timeparse"
	"kota/bundles/internal/untrusted"
	"kota/metadata"
)

// A ReadMail returns the calendar file in a mail of the account. A nil ReadMail means that
// this program cannot read mail.
type ReadMail func(ctx context.Context, account, messageID string) ([]byte, error)

// RespondToFile answers an invitation given as a mail or as text.
func RespondToFile(ctx context.Context, a *agenda.Agenda, in Args, mail ReadMail) (Result, error) {
	in.ICS = strings.TrimSpace(in.ICS)
	calendar, err := a.Find(ctx, in.Calendar)
	if err != nil {
		return Result{}, err
	}
	t := &series.Target{Calendar: calendar, Zone: a.Zone(), OwnAddresses: []string{a.Account.Address, calendar.Id}, Scope: series.ScopeThis}
	if t.Sharers, err = a.SharersOf(ctx, calendar); err != nil {
		return Result{}, err
	}
	about, invitation, err := readInvitation(ctx, a, in, t, mail)
	if err != nil {
		return Result{}, err
	}
	candidates, err := eventsWithUID(ctx, a, t.Calendar.Id, about.UID)
	if err != nil {
		return Result{}, err
	}
	found, err := findInvited(ctx, a, t, candidates, about, in.Scope)
	if err != nil {
		return Result{}, err
	}
	if invitation.Method == "CANCEL" || about.Cancelled {
		return cancelledAnswer(ctx, t, found), nil
	}
	if found == nil {
		return addAndRespond(ctx, a, in, t, about)
	}
	out, err := Respond(ctx, a, in, t, found, "")
	if err == nil && found.Sequence > about.Sequence {
		out.Notes = append(out.Notes, "the event was changed since this invitation; the answer is for the event as it is now")
	}
	return out, err
}

// readInvitation returns the event that the call's invitation is about, and the invitation.
// It returns REFUSED if the file is about several events, or if it neither asks for an
// answer nor cancels the event.
func readInvitation(ctx context.Context, a *agenda.Agenda, in Args, t *series.Target, mail ReadMail) (icalendar.Event, icalendar.Invitation, error) {
	file, path := []byte(in.ICS), "ics"
	if in.Message != "" {
		path = "message_id"
		if mail == nil {
			return icalendar.Event{}, icalendar.Invitation{}, metadata.Errorf(metadata.Unavailable, "mail is off, so its invitations cannot be read").
				WithHint("Enable gmail in bundles.yaml, or give the event_id, or the invitation's text as ics.")
		}
		var err error
		if file, err = mail(ctx, a.Account.Name, in.Message); err != nil {
			return icalendar.Event{}, icalendar.Invitation{}, fmt.Errorf("read the mail's invitation: %w", err)
		}
	}
	untrusted.Mark(ctx, untrusted.Event, "") // an error message may quote the file
	invitation, err := icalendar.Read(file, t.Zone)
	if err != nil {
		p := eventtime.Problems{}
		p.AddWithReason(path, "an invitation", htmltext.First(string(file), 40), err)
		return icalendar.Event{}, invitation, p.Err()
	}
	about, ok := invitation.MainEvent()
	if !ok {
		return about, invitation, errRefusedFile("it is about several events", "Answer each by its event_id from calendar_list_events.")
	}
	return about, invitation, checkMethod(invitation.Method, about)
}

// checkMethod returns nil if the file asks for an answer, or cancels the event (RFC 5546
// section 3.2). Otherwise it returns REFUSED.
func checkMethod(method string, about icalendar.Event) error {
	who := htmltext.Short(about.Organizer.Address, 80)
	switch method {
	case "CANCEL":
		return nil
	case "REQUEST":
		if about.Organizer.Address == "" {
			return errRefusedFile("it does not say who invites", "calendar_create_event adds it to the calendar.")
		}
		return nil
	case "":
		if about.Organizer.Address != "" && len(about.Attendees) > 0 {
			return nil
		}
		fallthrough
	case "PUBLISH":
		return errRefusedFile("it only announces an event, and asks nobody to answer", "calendar_create_event adds it to the calendar.")
	case "REPLY":
		return errRefusedFile("it is a guest's answer to an invitation", "calendar_get_event shows what the guests of an event have answered.")
	case "COUNTER":
		return errRefusedFile("it is a guest's proposal of another time", "calendar_update_event moves the event, if the user agrees.")
	case "DECLINECOUNTER":
		return errRefusedFile("the organizer, "+who+", declines a time that was proposed", "There is nothing to do: the event stays as it is.")
	case "ADD", "REFRESH":
		return errRefusedFile("it is a message between calendar programs ("+method+")", "Answer the event itself by its event_id.")
	}
	return errRefusedFile("its method is unknown", "Answer the event itself by its event_id from calendar_list_events.")
}

func errRefusedFile(reason, hint string) error {
	return metadata.Errorf(metadata.Refused, "this is not an invitation to answer: %s. Nothing was done", reason).WithHint("%s", hint)
}

const maxUIDBytes = 1000

// eventsWithUID returns the events in the calendar with that UID, deleted ones included.
// For a series this includes the instances that differ from it.
func eventsWithUID(ctx context.Context, a *agenda.Agenda, calendar, uid string) ([]*calendarapi.Event, error) {
	if len(uid) > maxUIDBytes {
		return nil, nil // Google has no such UID
	}
	page, err := a.API.Events.List(calendar).ICalUID(uid).ShowDeleted(true).MaxResults(agenda.PageSize).Context(ctx).Do()
	if err != nil {
		return nil, fmt.Errorf("find the event of the invitation: %w", err)
	}
	return page.Items, nil
}

// findInvited returns the event of the invitation: a single event, a series, or one date of
// a series. With scope all it returns the series instead of the date. It returns nil if the
// calendar does not contain the event.
func findInvited(ctx context.Context, a *agenda.Agenda, t *series.Target, candidates []*calendarapi.Event, about icalendar.Event, scope string) (*calendarapi.Event, error) {
	whole := slices.IndexFunc(candidates, func(e *calendarapi.Event) bool { return e.RecurringEventId == "" })
	if whole >= 0 && len(candidates[whole].Recurrence) > 0 {
		t.Series = candidates[whole]
	}
	switch {
	case about.OriginalStart.IsZero() && scope == series.ScopeThis && t.Series != nil:
		return nil, ErrNeedsScope(t)
	case about.OriginalStart.IsZero() || scope == "all":
		if whole < 0 {
			return onlyActive(candidates), nil
		}
		return candidates[whole], nil
	case about.TimeProblem != "":
		return nil, errRefusedFile("it is about one date of a series, and "+about.TimeProblem, "Answer that date by its event_id from calendar_list_events.")
	}
	original := momentAt(about.OriginalStart, t)
	for _, e := range candidates {
		if s, ok := eventtime.OriginalStart(e, t.Zone); ok && s.Start.Equal(original) {
			return e, nil
		}
	}
	if t.Series == nil {
		return nil, nil
	}
	return series.FindInstance(ctx, a, t, timeparse.RFC3339(original))
}

// onlyActive returns the only candidate that is not deleted, or nil if there are none or
// several. It finds the event of a user who is invited to only one date of a series.
func onlyActive(candidates []*calendarapi.Event) *calendarapi.Event {
	var found *calendarapi.Event
	for _, e := range candidates {
		if e.Status == event.Cancelled {
			continue
		}
		if found != nil {
			return nil
		}
		found = e
	}
	return found
}

// cancelledAnswer returns the result for a file that cancels an event. found may be nil.
func cancelledAnswer(ctx context.Context, t *series.Target, found *calendarapi.Event) Result {
	out := Result{Status: "not_answered", Zone: t.Zone.String()}
	switch {
	case found == nil:
		out.Notes = []string{"The organizer has cancelled it, and it is not in the calendar: there is nothing to do."}
	case found.Status == event.Cancelled:
		out.Notes = []string{"The organizer has cancelled it, and it is no longer in the calendar: there is nothing to do."}
	default:
		out.Event = t.Row(ctx, found)
		out.Notes = []string{bundles.WithoutHiddenTools(ctx, "This mail says that the organizer has cancelled the event; the calendar still has it. Nothing was done. calendar_delete_event removes it, if the user wants that.")}
	}
	return out
}
