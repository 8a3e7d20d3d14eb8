package calendar

import (
	"context"
	"fmt"

	"google.golang.org/api/googleapi"

	"kota/metadata"
)

// deleteCalendar takes a calendar from everybody.
func (a *agenda) deleteCalendar(ctx context.Context, set *calendarSet, of *entry, dry bool) (manageCalendarOut, error) {
	if !isOwned(of) {
		return manageCalendarOut{}, metadata.Errorf(metadata.Refused, "the calendar is somebody else's").
			WithHint("The operation unsubscribe takes it off the user's list.")
	}
	out := manageCalendarOut{Status: "deleted", Calendar: set.row(of)}
	if dry {
		out.Status, out.Note = "dry_run", "it would be gone for everybody, with its events, and cannot be brought back"
		n, more, err := a.countEvents(ctx, of.Id)
		if out.Events = &n; more {
			out.Note += "; there are more events than were counted"
		}
		return out, err
	}
	err := a.api.Calendars.Delete(of.Id).Context(ctx).Do()
	if metadata.CodeOf(err) == metadata.NotFound {
		out.Note, err = "it was deleted already", nil
	}
	if err != nil {
		if _, gone := a.settled(ctx, err, isGoneFrom(of.Id)); !gone {
			return manageCalendarOut{}, fmt.Errorf("delete calendar: %w", err)
		}
	}
	return out, nil
}

// countEvents counts the events of a calendar, a series as one, as far as 10,000.
// It reports whether there are more.
func (a *agenda) countEvents(ctx context.Context, id string) (n int, more bool, err error) {
	const pages = 4
	ask := a.api.Events.List(id).MaxResults(2500).Fields("nextPageToken", googleapi.Field("items(id,recurringEventId)")).Context(ctx)
	for range pages {
		page, err := ask.Do()
		if err != nil {
			return n, false, fmt.Errorf("count events: %w", err)
		}
		for _, e := range page.Items {
			if e.RecurringEventId == "" {
				n++
			}
		}
		if page.NextPageToken == "" {
			return n, false, nil
		}
		ask.PageToken(page.NextPageToken)
	}
	return n, true, nil
}
