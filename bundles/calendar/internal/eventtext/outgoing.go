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

// Outgoing describes, for the approval, the text that an action on an event sends to
// people. lines hold the text that is new to them. If no line is named [SeriesPartLabel],
// Outgoing adds that line for an event of a series. If notify is "", KOTA does not know who
// is mailed.
func Outgoing(what string, e *calendarapi.Event, zone *time.Location, people []string, notify string, lines ...bundles.Line) bundles.Outgoing {
	out := bundles.Outgoing{What: what, People: people, Tainted: event.IsUnapproved(e), Lines: []bundles.Line{
		{Name: "Event", Text: fullValue("title", e, zone)}, {Name: "When", Text: whenWithOwnZone(e, zone)},
	}}
	if !slices.ContainsFunc(lines, func(line bundles.Line) bool { return line.Name == SeriesPartLabel }) {
		out.Lines = append(out.Lines, seriesPartLines(e, zone)...)
	}
	out.Lines = append(out.Lines, lines...)
	out.Lines = append(out.Lines, bundles.Line{Name: "Reaches", Text: strings.Join(people, ", ")})
	switch notify {
	case event.NotifyNone:
		out.Lines = append(out.Lines, bundles.Line{Name: "Mail", Text: "to nobody; only guests who use Google Calendar see it"})
	case event.NotifyAll:
		out.Lines = append(out.Lines, bundles.Line{Name: "Mail", Text: "to all guests"})
	case event.NotifyExternal:
		out.Lines = append(out.Lines, bundles.Line{Name: "Mail", Text: "to guests who do not use Google Calendar"})
	}
	return out
}

// NewField begins the name of a line that holds the new value of a field.
const NewField = "New "

// ChangeLines returns lines with the full old and new values of the fields that a patch
// changes, and of the zone.
func ChangeLines(f event.Fields, was, is *calendarapi.Event, zone *time.Location) []bundles.Line {
	lines := []bundles.Line{}
	for _, field := range f.ArgumentNames() {
		before, after := fullValue(field, was, zone), fullValue(field, is, zone)
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
	return append(lines, zoneChangeLines(was, is, zone)...)
}

// ConfirmReach asks the policy whether an action on an event that other people see is
// allowed. The error has the event's link.
func ConfirmReach(ctx context.Context, out bundles.Outgoing, e *calendarapi.Event) error {
	return WithLink(bundles.ConfirmSend(ctx, out), e)
}

// WithLink adds the event's link to the hint of a policy error, so that the user can make
// the change there.
func WithLink(err error, e *calendarapi.Event) error {
	policyError := (*metadata.Error)(nil)
	link := htmltext.Line(e.HtmlLink)
	if link == "" || !errors.As(err, &policyError) {
		return err
	}
	withLink := *policyError
	return withLink.WithHint("%s The event is at %s", policyError.Hint, link)
}

// PolicyNotes returns, for a dry run, the note that the policy would refuse the real call
// because it reaches these people. It returns nil if the policy allows the call.
func PolicyNotes(ctx context.Context, people []string) []string {
	err := bundles.CheckSend(ctx, bundles.Outgoing{People: people})
	if err == nil {
		return nil
	}
	return []string{"without dry_run, this call would fail with " + string(metadata.CodeOf(err)) + ": bundles.yaml does not allow it to reach these people"}
}
