package calendar

import (
	"context"

	"kota/bundles"
	"kota/bundles/calendar/internal/change"
	"kota/bundles/calendar/internal/event"
	"kota/bundles/calendar/internal/series"
	"kota/bundles/internal/google"
	"kota/metadata"
)

func (c *calendar) updateEventAction() bundles.Action {
	title, room := "Budget review", "Room 4"
	return bundles.Bind(metadata.Action{
		Name: "update_event", Effect: metadata.Sends, Scopes: []string{scopeRead, scopeEvents}, OptionalScopes: []string{scopeShared},
		Summary:     "Change an event, or one, the following or all of a series.",
		Description: "What is not named stays as it is; \"\" empties a text.",
		Tags:        []string{"reschedule", "move", "postpone", "appointment", "invite", "series", "rename"},
		Aliases: metadata.Aliases{
			"update edit modify change patch reschedule rename: - event meeting appointment calendar_event",
			"add_attendee add_attendees add_guest add_guests invite: - (add_attendees)",
			"remove_attendee remove_attendees remove_guest: - (remove_attendees)",
		},
		Examples: []metadata.Example{
			{Title: "Half an hour later, as long as before", Args: change.UpdateArgs{Event: "4fd1cu8m", Start: "2026-11-24 15:30"}},
			{Title: "See what another room from that day on would change", Args: change.UpdateArgs{
				Event: "6hq2c9kl", Instance: "2026-12-01", Scope: series.ScopeFollowing, Details: event.Details{Location: &room}, DryRun: true,
			}},
			{Title: "Another title and one guest more, who is mailed", Args: change.UpdateArgs{
				Event: "4fd1cu8m", Title: &title, Add: []string{"ann@example.net"}, Notify: event.NotifyAll,
			}},
			{Title: "Mail its guests the invitation, first or again", Args: change.UpdateArgs{Event: "4fd1cu8m", Notify: event.NotifyAll}},
		},
		Errors: google.Errors(metadata.NotFound, metadata.Conflict, metadata.ApprovalNeeded, metadata.OutcomeUnknown, metadata.TooLarge),
		Notes: []string{
			"scope: this changes one of a series; following makes a new series of it and all after it, and ends the old one before it; all changes the whole series, the past too. exceptions_lost are instances that had been changed by hand and no longer are: see them first with dry_run.",
			"With scope all a new start is that of the instance named, and the others move by as much on the clock. With a series' id and no instance it is that of the one of the same day; a time of day alone, such as \"10:00\", is that of the event's own day. notes say how many dates move, go or come.",
			"start alone keeps the length; end or duration alone changes it. A time without offset is read in timezone, else in your zone; the event keeps its own zone unless timezone is given.",
			"recurrence makes a series of a single event, or replaces the rule with scope following or all. reminders and guests_can replace the present values; color \"default\" is that of the calendar.",
			"It never overwrites a change by somebody else: if both touch the same, it answers CONFLICT with both versions.",
			"In somebody else's event the user can change reminders, color, show_as and visibility, and add guests if guests may.",
			"notify without any change mails guests the invitation again: status invited. Google mails all guests, or with external all who do not use Google Calendar.",
			"Nobody is mailed unless notify says so. Guests see a change in their calendars all the same: where sending is not allowed it is asked for first. The owner of the calendar and people it is shared with see it too.",
		},
	}, c.updateEvent)
}

func (c *calendar) updateEvent(ctx context.Context, in change.UpdateArgs) (change.Answer, error) {
	a, err := c.Open(ctx, in.Account)
	if err != nil {
		return change.Answer{}, err
	}
	return change.Update(ctx, a, in)
}
