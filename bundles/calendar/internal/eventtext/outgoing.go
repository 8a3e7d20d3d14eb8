package eventtext

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	calendarapi "google.golang.org/api/calendar/v3"

	"kota/bundles"
	"kota/bundles/calendar/internal/event"
	"kota/bundles/internal/htmltext"
	"kota/metadata"
)

// Outgoing is what reaches these people by something that is done to an event, as
// whoever is asked about it sees it. What of it is new to them is in lines, which
// say how much of a series it is about where that is not all of the event. Where it
// is not known who is mailed, notify is "".
func Outgoing(what string, e *calendarapi.Event, zone *time.Location, people []string, notify string, lines ...bundles.Line) bundles.Outgoing {
	out := bundles.Outgoing{What: what, People: people, Mixed: event.IsUnapproved(e), Lines: []bundles.Line{
		{Name: "Event", Text: wholeWords("title", e, zone)}, {Name: "When", Text: whenThere(e, zone)},
	}}
	if !slices.ContainsFunc(lines, func(line bundles.Line) bool { return line.Name == Which }) {
		out.Lines = append(out.Lines, whichOf(e, zone)...)
	}
	out.Lines = append(out.Lines, lines...)
	out.Lines = append(out.Lines, bundles.Line{Name: "Reaches", Text: strings.Join(people, ", ")})
	switch notify {
	case event.NotifyNone:
		out.Lines = append(out.Lines, bundles.Line{Name: "Mail", Text: "to nobody: who of them uses Google Calendar sees it there, others hear nothing of it"})
	case event.NotifyAll:
		out.Lines = append(out.Lines, bundles.Line{Name: "Mail", Text: "to all guests"})
	case event.NotifyExternal:
		out.Lines = append(out.Lines, bundles.Line{Name: "Mail", Text: "to guests who do not use Google Calendar"})
	}
	return out
}

// NewField begins the name of a line that says what becomes of a field.
const NewField = "New "

// ChangedLines are the lines of what a patch makes of an event, whole.
func ChangedLines(f event.Fields, was, is *calendarapi.Event, zone *time.Location) []bundles.Line {
	lines := []bundles.Line{}
	for _, field := range f.Words() {
		before, after := wholeWords(field, was, zone), wholeWords(field, is, zone)
		if before == after && field != "meet" {
			continue
		}
		if after == "" {
			after = "nothing"
		}
		lines = append(lines, bundles.Line{Name: NewField + field, Text: after})
		if before != "" {
			lines = append(lines, bundles.Line{Name: "instead of", Text: before})
		}
	}
	return append(lines, changedZone(was, is, zone)...)
}

// MayReach asks whether something may be done to an event that people see.
func MayReach(ctx context.Context, out bundles.Outgoing, e *calendarapi.Event) error {
	return WithLink(bundles.ConfirmSend(ctx, out), e)
}

// WithLink adds to what the policy answers where the user can make the change.
func WithLink(err error, e *calendarapi.Event) error {
	told := (*metadata.Error)(nil)
	link := htmltext.Line(e.HtmlLink)
	if link == "" || !errors.As(err, &told) {
		return err
	}
	with := *told
	return with.WithHint("%s The event is at %s", told.Hint, link)
}

// Foretold says in a dry run what would come of the call itself, where the
// policy does not let it reach these people; nothing where it does.
func Foretold(ctx context.Context, people []string) []string {
	err := bundles.CheckSend(ctx, bundles.Outgoing{People: people})
	if err == nil {
		return nil
	}
	return []string{"the call itself would answer " + string(metadata.CodeOf(err)) + ": bundles.yaml does not let it reach these people"}
}
