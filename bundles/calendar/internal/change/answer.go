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

// show puts the event into the answer.
func (out *Answer) show(ctx context.Context, t *series.Target, e *calendarapi.Event) {
	out.Event, out.Etag, out.Recurrence = t.Row(ctx, e), e.Etag, e.Recurrence
}

// unchanged returns the answer of a change that had nothing to do.
func (out Answer) unchanged(ctx context.Context, t *series.Target, e *calendarapi.Event) Answer {
	out.Status = "unchanged"
	out.note("nothing was sent: the event is so already")
	out.show(ctx, t, e)
	return out
}

// note adds remarks for the user.
func (out *Answer) note(notes ...string) { out.Notes = append(out.Notes, notes...) }

// tell adds which of these people are mailed about a change. how says how they can be
// mailed later.
func (out *Answer) tell(notify string, people []string, how string) {
	switch {
	case len(people) == 0:
	case notify == event.NotifyAll:
		out.Mailed = people
	case notify == event.NotifyExternal:
		out.note("guests who do not use Google Calendar get a mail, the others see it there")
	default:
		out.note("nobody is mailed: guests who use Google Calendar see it there, others hear nothing of it" + how)
	}
}

// findClashes adds to the answer which other events overlap the new time. With on_conflict
// block it returns an error if there are any, or if it cannot know.
func findClashes(ctx context.Context, a *agenda.Agenda, in UpdateArgs, p *proposal, out *Answer) error {
	_, moved := p.patch["start"]
	_, repeats := p.patch["recurrence"]
	if in.OnConflict == "ignore" || !moved && !repeats || p.wanted.Transparency == "transparent" {
		return nil
	}
	found, err := availability.Conflicts(ctx, a, p.of.Calendar, p.booking(a.Now()), p.of.Zone)
	if in.OnConflict != "block" {
		if err != nil {
			out.note("conflicts could not be looked for: " + string(metadata.CodeOf(err)))
		}
		out.Conflicts, out.More, out.Unknown = found.Rows, found.More, found.Unknown
		return nil
	}
	switch {
	case err != nil:
		return err
	case len(found.Unknown)+len(found.Rows) > 0:
		return found.Refusal("changed")
	}
	return nil
}

// reachedBy returns the exceptions in which a change of their series shows. A new time or
// rule shows in the exceptions that it removes, any other change in all of them.
func reachedBy(ctx context.Context, a *agenda.Agenda, patch event.Fields, t *series.Target, gone []*calendarapi.Event) ([]*calendarapi.Event, error) {
	if !slices.ContainsFunc(patch.Names(), func(name string) bool { return !slices.Contains(timing, name) }) || patch.IsPersonal() {
		return gone, nil
	}
	return series.Exceptions(ctx, a, t)
}
