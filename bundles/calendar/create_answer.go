package calendar

import (
	"context"
	"slices"
	"strings"

	calendarapi "google.golang.org/api/calendar/v3"

	"kota/bundles"
	"kota/bundles/calendar/internal/availability"
	"kota/bundles/calendar/internal/change"
	"kota/bundles/calendar/internal/event"
	"kota/bundles/calendar/internal/eventtext"
	"kota/bundles/calendar/internal/eventtime"
	"kota/bundles/calendar/internal/eventwrite"
	"kota/bundles/internal/htmltext"
)

// answer returns the output of create_event. made has Google's version of the event. In a
// dry run it has the planned event, unless an earlier call created the event.
func (n *newEvent) answer(ctx context.Context, in createEventIn, made eventwrite.Outcome, found availability.Conflicts) createEventOut {
	row := eventtext.RowWithoutProvenance(made.Event, n.calendar, n.span.Zone, n.span.Zone)
	if row.Provenance = eventtext.GuestProvenance(ctx, made.Event, n.calendar); made.Repeated { // somebody may have changed the event since
		row.Provenance = eventtext.Provenance(ctx, made.Event, n.calendar, "")
	}
	out := createEventOut{
		Status: "created", Event: row, Recurrence: made.Event.Recurrence,
		Etag: made.Event.Etag, NotInvited: n.notInvited, Unknown: found.Unknown, More: found.More,
	}
	for _, row := range found.Rows {
		if made.Event.Id == "" || row.ID != made.Event.Id {
			out.Conflicts = append(out.Conflicts, row)
		}
	}
	switch {
	case made.Repeated:
		out.Status = "repeated"
		n.note("an earlier call with this idempotency_key created this event, so nothing was done now; use another key to create another event")
	case in.DryRun:
		out.Status = "dry_run"
	case in.draft:
		out.Status = "draft"
	}
	if len(n.notInvited) > 0 {
		out.Link = htmltext.Line(made.Event.HtmlLink)
	}
	s, ok := eventtime.Of(made.Event, n.span.Zone)
	if !ok {
		s = n.span
	}
	out.Start, out.End = s.Arguments(s.Zone)
	out.Zone = s.Zone.String()
	if len(out.Recurrence) > 0 {
		out.Repeats = eventtext.DescribeRule(out.Recurrence, s)
	}
	n.addAudience(ctx, in, made.Event, &out)
	if !made.Repeated && !in.DryRun {
		if other := event.DifferingFields(made.Event, n.event); len(other) > 0 {
			n.note("Google stored other values than requested for " + strings.Join(other, ", "))
		}
	}
	n.addMeetNote(made.Event)
	if out.Status == "created" && slices.ContainsFunc(out.Conflicts, func(one availability.Conflict) bool { return one.Same }) {
		n.note(bundles.WithoutHiddenTools(ctx, "an event with the same title and time already existed (duplicate), so now there are two. calendar_delete_event deletes this one"))
	}
	out.Notes = n.notes
	return out
}

// addAudience adds the invited people to the output, and how they learn of the event.
func (n *newEvent) addAudience(ctx context.Context, in createEventIn, made *calendarapi.Event, out *createEventOut) {
	out.Invited = event.Addresses(made)
	if len(out.Invited) == 0 || made.Id == "" && !in.DryRun {
		return
	}
	switch in.Notify {
	case event.NotifyAll:
		out.Mailed = out.Invited
	case event.NotifyExternal:
		n.note("guests who do not use Google Calendar get a mail; the others see the event there")
	default:
		n.note("the guests are not mailed, so only those who use Google Calendar see the event" + change.HowToMail(ctx, made))
	}
}

func (n *newEvent) addMeetNote(made *calendarapi.Event) {
	switch eventwrite.MeetStatus(made) {
	case "pending":
		n.note("Google is still creating the Meet link: read the event again in a minute")
	case "failure":
		n.note("Google did not create a Meet link")
	}
}
