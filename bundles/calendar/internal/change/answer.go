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

// setEvent puts the event into the answer.
func (out *Answer) setEvent(ctx context.Context, t *series.Target, e *calendarapi.Event) {
	out.Event, out.Etag, out.Recurrence = t.Row(ctx, e), e.Etag, e.Recurrence
}

// unchanged returns the answer of a change that had nothing to do.
func (out Answer) unchanged(ctx context.Context, t *series.Target, e *calendarapi.Event) Answer {
	out.Status = "unchanged"
	out.addNotes("nothing was sent: the event is so already")
	out.setEvent(ctx, t, e)
	return out
}

// addNotes adds remarks for the user.
func (out *Answer) addNotes(notes ...string) { out.Notes = append(out.Notes, notes...) }

// addMailed adds which of these people are mailed about a change. how says how they can be
// mailed later.
func (out *Answer) addMailed(notify string, people []string, how string) {
	switch {
	case len(people) == 0:
	case notify == event.NotifyAll:
		out.Mailed = people
	case notify == event.NotifyExternal:
		out.addNotes("guests who do not use Google Calendar get a mail, the others see it there")
	default:
		out.addNotes("nobody is mailed: guests who use Google Calendar see it there, others hear nothing of it" + how)
	}
}

// findConflicts adds to the answer which other events overlap the new time. With on_conflict
// block it returns an error if there are any, or if it cannot know.
func findConflicts(ctx context.Context, a *agenda.Agenda, in UpdateArgs, p *proposal, out *Answer) error {
	_, moved := p.patch["start"]
	_, repeats := p.patch["recurrence"]
	if in.OnConflict == "ignore" || !moved && !repeats || p.wanted.Transparency == "transparent" {
		return nil
	}
	found, err := availability.Conflicts(ctx, a, p.target.Calendar, p.booking(a.Now()), p.target.Zone)
	if in.OnConflict != "block" {
		if err != nil {
			out.addNotes("conflicts could not be looked for: " + string(metadata.CodeOf(err)))
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

// exceptionsReached returns the exceptions in which a change of their series shows. A new time or
// rule shows in the exceptions that it removes, any other change in all of them.
func exceptionsReached(ctx context.Context, a *agenda.Agenda, patch event.Fields, t *series.Target, resetExceptions []*calendarapi.Event) ([]*calendarapi.Event, error) {
	if !slices.ContainsFunc(patch.Names(), func(name string) bool { return !slices.Contains(timeFields, name) }) || patch.IsPersonal() {
		return resetExceptions, nil
	}
	return series.Exceptions(ctx, a, t)
}
