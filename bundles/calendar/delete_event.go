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

func (c *calendar) deleteEventAction() bundles.Action {
	return bundles.Bind(metadata.Action{
		Name: "delete_event", Effect: metadata.Sends, Scopes: []string{scopeRead, scopeEvents}, OptionalScopes: []string{scopeShared},
		Summary:     "Delete an event, or one, the following or all of a series.",
		Description: "calendar_undo undoes it.",
		Tags:        []string{"cancel", "remove", "series"},
		Aliases:     metadata.Aliases{"delete remove cancel: - event meeting appointment calendar_event"},
		Examples: []metadata.Example{
			{Title: "Delete or cancel one of a series", Args: change.DeleteArgs{Event: "6hq2c9kl", Instance: "2026-12-01", Scope: series.ScopeThis}},
			{Title: "See what ending a series would delete", Args: change.DeleteArgs{Event: "6hq2c9kl", Instance: "2026-12-01", Scope: series.ScopeFollowing, DryRun: true}},
			{Title: "Cancel a meeting and mail its guests", Args: change.DeleteArgs{Event: "4fd1cu8m", Notify: event.NotifyAll}},
		},
		Errors: google.Errors(metadata.NotFound, metadata.Conflict, metadata.ApprovalNeeded, metadata.OutcomeUnknown, metadata.TooLarge),
		Notes: []string{
			"scope: this cancels one event of a series; following ends the series before that event; all deletes the whole series, including past events.",
			"If the event was already deleted, already is true.",
			"Somebody else's event is removed only from the user's calendar, and its organizer sees it declined.",
			"Nobody is mailed unless notify says so. Guests, and people who share the calendar, see the deletion of the user's own event anyway; this counts as sending.",
		},
	}, c.deleteEvent)
}

func (c *calendar) deleteEvent(ctx context.Context, in change.DeleteArgs) (change.Answer, error) {
	a, err := c.Open(ctx, in.Account)
	if err != nil {
		return change.Answer{}, err
	}
	return change.Delete(ctx, a, in)
}
