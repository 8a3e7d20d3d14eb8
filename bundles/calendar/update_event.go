package calendar

import (
	"context"

	"kota/bundles"
	"kota/bundles/calendar/internal/change"
	"kota/bundles/calendar/internal/event"
	"kota/bundles/calendar/internal/series"
	"kota/bundles/internal/google"
	"kota/bundles/internal/recipients"
	"kota/metadata"
)

func (c *calendar) updateEventAction() bundles.Action {
	title, room := "Budget review", "Room 4"
	return bundles.Bind(metadata.Action{
		Name: "update_event", Effect: metadata.Sends, Scopes: []string{scopeRead, scopeEvents}, OptionalScopes: []string{scopeShared},
		Summary:     "Change an event, or one, the following or all of a series.",
		Description: "What you omit stays as it is; \"\" empties a text.",
		Tags:        []string{"reschedule", "move", "postpone", "appointment", "invite", "series", "rename"},
		Aliases: metadata.Aliases{
			"update edit modify change patch reschedule rename: - event meeting appointment calendar_event",
			"add_attendee add_attendees add_guest add_guests invite: - (add_attendees)",
			"remove_attendee remove_attendees remove_guest: - (remove_attendees)",
		},
		Examples: []metadata.Example{
			{Title: "Half an hour later, with the same length", Args: change.UpdateArgs{Event: "4fd1cu8m", Start: "2026-11-24 15:30"}},
			{Title: "See what another room from that day on would change", Args: change.UpdateArgs{
				Event: "6hq2c9kl", Instance: "2026-12-01", Scope: series.ScopeFollowing, Details: event.Details{Location: &room}, DryRun: true,
			}},
			{Title: "Another title and one more guest, who is mailed", Args: change.UpdateArgs{
				Event: "4fd1cu8m", Title: &title, Add: []string{"ann@example.net"}, Notify: event.NotifyAll,
			}},
			{Title: "Mail the invitation to its guests, also again", Args: change.UpdateArgs{Event: "4fd1cu8m", Notify: event.NotifyAll}},
		},
		Errors: google.Errors(metadata.NotFound, metadata.Conflict, metadata.ApprovalNeeded, metadata.OutcomeUnknown, metadata.TooLarge),
		Notes: []string{
			"scope: this changes one event of a series; following creates a new series from it and all later ones, and ends the old series before it; all changes the whole series, including past events. exceptions_lost lists individually changed instances whose changes would be lost; check them first with dry_run.",
			"With scope all, start is the new start of the given instance, and the others move by the same difference. With a series' id and no instance, start is for the instance on its day; a time of day such as \"10:00\" is on the event's day. notes say how many dates move, are removed or added.",
			"start alone keeps the length; end or duration alone changes it. A time without an offset is in timezone, if given, else in your zone. Without timezone, the event keeps its own zone.",
			"recurrence turns a single event into a series, or replaces the rule with scope following or all. reminders and guests_can replace the current values; color \"default\" is the color of the calendar.",
			"It never overwrites a change by somebody else: if both change the same field, it fails with CONFLICT and both versions.",
			"In somebody else's event the user can change reminders, color, show_as and visibility, and add guests if guests may.",
			"notify without a change mails the invitation again (status invited): to all guests, or with external to those who do not use Google Calendar.",
			"Nobody is mailed unless notify says so. Guests, the owner of the calendar and people who share it see a change in their calendars anyway; this counts as sending.",
		},
	}, c.updateEvent)
}

func (c *calendar) updateEvent(ctx context.Context, in change.UpdateArgs) (change.Answer, error) {
	if err := recipients.Resolve(ctx, recipients.Field{Path: "add_attendees", List: &in.Add}); err != nil {
		return change.Answer{}, err
	}
	a, err := c.Open(ctx, in.Account)
	if err != nil {
		return change.Answer{}, err
	}
	return change.Update(ctx, a, in)
}
