package change

import (
	"context"
	"slices"

	calendarapi "google.golang.org/api/calendar/v3"

	"kota/bundles/calendar/internal/agenda"
	"kota/bundles/calendar/internal/availability"
	"kota/bundles/calendar/internal/event"
	"kota/bundles/calendar/internal/series"
	"kota/metadata"
)

// setEvent sets the event in the answer, with its etag and its recurrence.
func (out *Answer) setEvent(ctx context.Context, t *series.Target, e *calendarapi.Event) {
	out.Event, out.Etag, out.Recurrence = t.Row(ctx, e), e.Etag, e.Recurrence
}

// unchanged returns the answer of a change that had no effect, because the event already
// was as requested.
func (out Answer) unchanged(ctx context.Context, t *series.Target, e *calendarapi.Event) Answer {
	out.Status = "unchanged"
	out.addNotes("nothing was sent: the event already has these values")
	out.setEvent(ctx, t, e)
	return out
}

// addNotes adds remarks for the user.
func (out *Answer) addNotes(notes ...string) { out.Notes = append(out.Notes, notes...) }

// addMailed adds which of these people are mailed about a change. howToMail explains how
// they can be mailed later, or is "".
func (out *Answer) addMailed(notify string, people []string, howToMail string) {
	switch {
	case len(people) == 0:
	case notify == event.NotifyAll:
		out.Mailed = people
	case notify == event.NotifyExternal:
		out.addNotes("guests who do not use Google Calendar get a mail; the others see it there")
	default:
		out.addNotes("the guests are not mailed, so only those who use Google Calendar see it" + howToMail)
	}
}

// findConflicts adds the other events at the new time to the answer. With on_conflict
// block it returns an error if there are conflicts, or if a calendar cannot be checked.
func findConflicts(ctx context.Context, a *agenda.Agenda, in UpdateArgs, p *proposal, out *Answer) error {
	_, moved := p.patch["start"]
	_, repeats := p.patch["recurrence"]
	if in.OnConflict == "ignore" || !moved && !repeats || p.wanted.Transparency == "transparent" {
		return nil
	}
	found, err := availability.FindConflicts(ctx, a, p.target.Calendar, p.booking(a.Now()), p.target.Zone)
	if in.OnConflict != "block" {
		if err != nil {
			out.addNotes("conflicts could not be checked: " + string(metadata.CodeOf(err)))
		}
		out.Conflicts, out.More, out.Unknown = found.Rows, found.More, found.Unknown
		return nil
	}
	switch {
	case err != nil:
		return err
	case len(found.Unknown)+len(found.Rows) > 0:
		return found.ErrBlocked("changed")
	}
	return nil
}

// exceptionsReached returns the exceptions whose guests see a change of the series. A new
// time or rule shows only in the exceptions that it resets. A change of the user's own copy
// shows in none. Any other change shows in all exceptions.
func exceptionsReached(ctx context.Context, a *agenda.Agenda, patch event.Fields, t *series.Target, resetExceptions []*calendarapi.Event) ([]*calendarapi.Event, error) {
	if !slices.ContainsFunc(patch.Names(), func(name string) bool { return !slices.Contains(timeFields, name) }) || patch.IsPersonal() {
		return resetExceptions, nil
	}
	return series.Exceptions(ctx, a, t)
}
