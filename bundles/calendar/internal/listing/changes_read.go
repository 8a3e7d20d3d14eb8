package listing

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"

	calendarapi "google.golang.org/api/calendar/v3"
	"google.golang.org/api/googleapi"

	"kota/bundles/calendar/internal/agenda"
	"kota/bundles/calendar/internal/event"
	"kota/bundles/calendar/internal/eventtext"
	"kota/bundles/internal/google"
	"kota/bundles/internal/panicsafe"
	"kota/metadata"
)

// calendarChanges holds the changes of one calendar.
type calendarChanges struct {
	events []*calendarapi.Event
	next   *calendarState // where the next call begins; nil after a failure
	more   bool           // the calendar has more changes
	reset  bool           // Google no longer has the changes since the state
}

// changeFields are the API fields that rows of changes need.
const changeFields = rowFields + ",recurrence,originalStartTime,created"

// idPageSize is the page size of beginChanges, which needs only the token at the end.
const idPageSize = 2500

// changesSince returns at most limit events that have changed since the state. If the state
// has no sync token, it returns no events and the present state. If the sync token has
// expired, it does the same and sets reset.
func changesSince(ctx context.Context, from *agenda.Source, since calendarState, limit int64) (calendarChanges, error) {
	if since.Sync == "" {
		next, err := beginChanges(ctx, from, since)
		return calendarChanges{next: next}, err
	}
	h, err := nextChanges(ctx, from, since, limit)
	failure := (*google.Failure)(nil)
	switch {
	case errors.As(err, &failure) && failure.Status == http.StatusGone:
		next, err := beginChanges(ctx, from, since)
		return calendarChanges{next: next, reset: true}, err
	case metadata.CodeOf(err) == metadata.ValidationError && since.Page != "":
		since.Page = "" // the page token may have expired: begin with the first page, so some changes are listed twice
		h, err = nextChanges(ctx, from, since, limit)
	}
	if err != nil {
		return calendarChanges{}, err
	}
	return h, lookUpDeleted(ctx, from, h.events)
}

// nextChanges returns the next page of changes. It skips empty pages.
func nextChanges(ctx context.Context, from *agenda.Source, since calendarState, limit int64) (calendarChanges, error) {
	request := from.Agenda.API.Events.List(from.Entry.Id).SyncToken(since.Sync).MaxResults(limit).
		Fields("nextPageToken", "nextSyncToken", googleapi.Field("items("+changeFields+")")).Context(ctx)
	next := since
	for range maxListPages {
		if next.Page != "" {
			request.PageToken(next.Page)
		}
		now := from.Agenda.Now().Unix()
		page, err := request.Do()
		if err != nil {
			return calendarChanges{}, fmt.Errorf("list changes: %w", err)
		}
		if page.NextPageToken == "" {
			return calendarChanges{events: page.Items, next: &calendarState{Account: since.Account, ID: since.ID, Sync: page.NextSyncToken, Since: now}}, nil
		}
		next.Page = page.NextPageToken
		if len(page.Items) > 0 {
			return calendarChanges{events: page.Items, next: &next, more: true}, nil
		}
	}
	return calendarChanges{next: &next, more: true}, nil
}

// beginChanges returns the present state of the calendar. Google returns it at the end of
// a list of all events, so beginChanges reads that list without the fields of events.
func beginChanges(ctx context.Context, from *agenda.Source, state calendarState) (*calendarState, error) {
	request := from.Agenda.API.Events.List(from.Entry.Id).MaxResults(idPageSize).Fields("nextPageToken", "nextSyncToken").Context(ctx)
	now := from.Agenda.Now().Unix()
	for range maxListPages {
		page, err := request.Do()
		if err != nil {
			return nil, fmt.Errorf("start to list changes: %w", err)
		}
		if page.NextPageToken == "" {
			return &calendarState{Account: state.Account, ID: state.ID, Sync: page.NextSyncToken, Since: now}, nil
		}
		request.PageToken(page.NextPageToken)
	}
	return nil, metadata.Errorf(metadata.TooLarge, "the calendar has more than %d events", maxListPages*idPageSize).
		WithHint("List its events with calendar_list_events instead.")
}

// maxDeletedLookups is the maximum number of deleted events of a calendar that one call
// looks up.
const maxDeletedLookups = 10

// lookUpDeleted sets the title and the time of the first maxDeletedLookups deleted events.
// Google returns these only if it is asked for a single event. An instance gets the title
// of its series. Missing values stay empty.
func lookUpDeleted(ctx context.Context, from *agenda.Source, events []*calendarapi.Event) error {
	var deleted []*calendarapi.Event
	for _, e := range events {
		if e.Status == event.Cancelled && e.Summary == "" && len(deleted) < maxDeletedLookups {
			deleted = append(deleted, e)
		}
	}
	all := panicsafe.New(maxDeletedLookups)
	for _, e := range deleted {
		all.Go(func() error {
			full, err := from.Agenda.API.Events.Get(from.Entry.Id, cmp.Or(e.RecurringEventId, e.Id)).
				Fields("summary,visibility,organizer,start,end,eventType," + eventtext.ProvenanceFields).Context(ctx).Do()
			if err != nil {
				return nil // the row has no title
			}
			e.Summary, e.Visibility, e.Organizer = full.Summary, full.Visibility, full.Organizer
			e.Creator, e.EventType, e.GuestsCanModify, e.ExtendedProperties = full.Creator, full.EventType, full.GuestsCanModify, full.ExtendedProperties
			if e.Start == nil && e.RecurringEventId == "" {
				e.Start, e.End = full.Start, full.End
			}
			return nil
		})
	}
	return all.Wait()
}
