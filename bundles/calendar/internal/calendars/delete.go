package calendars

import (
	"context"
	"fmt"

	calendarapi "google.golang.org/api/calendar/v3"
	"google.golang.org/api/googleapi"

	"kota/bundles"
	"kota/bundles/calendar/internal/agenda"
	"kota/bundles/calendar/internal/eventtext"
	"kota/bundles/calendar/internal/undoevent"
	"kota/bundles/internal/htmltext"
	"kota/metadata"
)

// deleteCalendar deletes an empty calendar for everybody. It refuses a calendar with
// events, because they could not be restored.
func deleteCalendar(ctx context.Context, a *agenda.Agenda, set *agenda.Set, entry *calendarapi.CalendarListEntry, dryRun bool) (Result, error) {
	if !agenda.IsOwned(entry) {
		return Result{}, metadata.Errorf(metadata.Refused, "the calendar belongs to somebody else").
			WithHint("The operation unsubscribe removes it from the user's list.")
	}
	out := Result{Status: "deleted", Calendar: resultRow(ctx, set, entry)}
	events, err := countEvents(ctx, a, entry.Id)
	if err != nil && metadata.CodeOf(err) != metadata.NotFound {
		return Result{}, err
	}
	if events > 0 {
		return Result{}, metadata.Errorf(metadata.Refused, "the calendar %q has %s, which would be lost for good", agenda.Title(entry), eventtext.Counted(events, "event", "events")).
			WithHint("The operation update with hidden hides it. calendar_delete_event deletes single events, which calendar_undo can restore; the user can delete the whole calendar in Google Calendar.")
	}
	if dryRun {
		out.Status, out.Note = "dry_run", "it is empty; it would be deleted for everybody who shares it"
		out.Events = &events
		return out, nil
	}
	lines := []bundles.Line{{Name: "Calendar", Text: htmltext.Line(agenda.Title(entry))}, {Name: "Deleted for", Text: "the user, and " + agenda.Sharers}}
	if err := bundles.ConfirmDestroy(ctx, bundles.Deletion{What: "a calendar without events", Lines: lines, All: []string{entry.Id}}); err != nil {
		return Result{}, err
	}
	if out.Undo, err = saveChange(ctx, a, "delete calendar "+agenda.Title(entry), calendarRecord{Operation: Delete, ID: entry.Id, Before: entry}); err != nil {
		return Result{}, err
	}
	err = a.API.Calendars.Delete(entry.Id).Context(ctx).Do()
	if metadata.CodeOf(err) == metadata.NotFound {
		out.Note, err = "it was already deleted", nil
	}
	if err != nil {
		if _, gone := resolveLost(ctx, a, err, findNotListed(entry.Id)); !gone {
			return Result{}, errIncomplete(ctx, a, out.Undo, false, fmt.Errorf("delete calendar: %w", err))
		}
	}
	return out, nil
}

// recreate creates a deleted calendar again, without events and without sharing.
func recreate(ctx context.Context, a *agenda.Agenda, set *agenda.Set, was *calendarapi.CalendarListEntry) (undoevent.Result, error) {
	if ownedCalendar(set, was.Summary) != nil {
		return undoevent.Result{Note: "a calendar of that name already existed"}, nil
	}
	w := Settings{Name: &was.Summary, Description: &was.Description, Zone: was.TimeZone, Color: was.ColorId}
	id, err := insertCalendar(ctx, a, w)
	if err != nil {
		return undoevent.Result{}, fmt.Errorf("create the calendar again: %w", err)
	}
	if patch, changes := (Settings{Color: w.Color}).entryPatch(&calendarapi.CalendarListEntry{}, true); changes {
		_, err = a.API.CalendarList.Patch(id, patch).Context(ctx).Do()
	}
	if err != nil {
		return undoevent.Result{}, fmt.Errorf("set the color of the calendar: %w", err)
	}
	return undoevent.Result{Note: "it has a new id, and is shared with nobody"}, nil
}

// countEvents counts the events among the first 10,000 entries of a calendar. A series
// counts once; its changed instances are entries that do not count.
func countEvents(ctx context.Context, a *agenda.Agenda, id string) (events int, err error) {
	request := a.API.Events.List(id).MaxResults(agenda.PageSize).Fields("nextPageToken", googleapi.Field("items(id,recurringEventId)")).Context(ctx)
	for range agenda.MaxPages {
		page, err := request.Do()
		if err != nil {
			return events, fmt.Errorf("list the events of the calendar: %w", err)
		}
		for _, e := range page.Items {
			if e.RecurringEventId == "" {
				events++
			}
		}
		if page.NextPageToken == "" {
			break
		}
		request.PageToken(page.NextPageToken)
	}
	return events, nil
}
