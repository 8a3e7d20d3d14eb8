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

// happened holds the changes of one calendar.
type happened struct {
	events []*calendarapi.Event
	next   *calendarState // where the next call begins; nil after a failure
	more   bool
	reset  bool
}

// changeFields are the API fields that rows of changes need.
const changeFields = rowFields + ",recurrence,originalStartTime,created"

// pageOfIDs is the page size of the first call, which needs only the token at the end.
const pageOfIDs = 2500

// changesSince returns at most that many events that have changed since the state. If the
// state is empty, it returns no events and the present state.
func changesSince(ctx context.Context, from *agenda.Source, since calendarState, most int64) (happened, error) {
	if since.Sync == "" {
		next, err := beginChanges(ctx, from, since)
		return happened{next: next}, err
	}
	h, err := nextChanges(ctx, from, since, most)
	failure := (*google.Failure)(nil)
	switch {
	case errors.As(err, &failure) && failure.Status == http.StatusGone:
		next, err := beginChanges(ctx, from, since)
		return happened{next: next, reset: true}, err
	case metadata.CodeOf(err) == metadata.ValidationError && since.Page != "":
		since.Page = "" // a page token expired earlier: some changes are listed again
		h, err = nextChanges(ctx, from, since, most)
	}
	if err != nil {
		return happened{}, err
	}
	return h, recall(ctx, from, h.events)
}

// nextChanges returns the next page of changes.
func nextChanges(ctx context.Context, from *agenda.Source, since calendarState, most int64) (happened, error) {
	ask := from.Agenda.API.Events.List(from.Entry.Id).SyncToken(since.Sync).MaxResults(most).
		Fields("nextPageToken", "nextSyncToken", googleapi.Field("items("+changeFields+")")).Context(ctx)
	next := since
	for range pagesOfList {
		if next.Page != "" {
			ask.PageToken(next.Page)
		}
		now := from.Agenda.Now().Unix()
		page, err := ask.Do()
		if err != nil {
			return happened{}, fmt.Errorf("list changes: %w", err)
		}
		if page.NextPageToken == "" {
			return happened{events: page.Items, next: &calendarState{Account: since.Account, ID: since.ID, Sync: page.NextSyncToken, Since: now}}, nil
		}
		next.Page = page.NextPageToken
		if len(page.Items) > 0 {
			return happened{events: page.Items, next: &next, more: true}, nil
		}
	}
	return happened{next: &next, more: true}, nil
}

// beginChanges returns the present state of the calendar. Google gives it at the end of a
// list of all events; beginChanges asks for no other fields of them.
func beginChanges(ctx context.Context, from *agenda.Source, of calendarState) (*calendarState, error) {
	ask := from.Agenda.API.Events.List(from.Entry.Id).MaxResults(pageOfIDs).Fields("nextPageToken", "nextSyncToken").Context(ctx)
	now := from.Agenda.Now().Unix()
	for range pagesOfList {
		page, err := ask.Do()
		if err != nil {
			return nil, fmt.Errorf("begin to list changes: %w", err)
		}
		if page.NextPageToken == "" {
			return &calendarState{Account: of.Account, ID: of.ID, Sync: page.NextSyncToken, Since: now}, nil
		}
		ask.PageToken(page.NextPageToken)
	}
	return nil, metadata.Errorf(metadata.TooLarge, "the calendar has more than %d events", pagesOfList*pageOfIDs).
		WithHint("Look at its events with calendar_list_events instead.")
}

// maxRecalled is how many deleted events of a calendar one call looks up.
const maxRecalled = 10

// recall fills in the title and time of deleted events. Google returns these only for one
// event at a time. An instance gets the title of its series. Missing values stay empty.
func recall(ctx context.Context, from *agenda.Source, events []*calendarapi.Event) error {
	var gone []*calendarapi.Event
	for _, e := range events {
		if e.Status == event.Cancelled && e.Summary == "" && len(gone) < maxRecalled {
			gone = append(gone, e)
		}
	}
	all := panicsafe.New(maxRecalled)
	for _, e := range gone {
		all.Go(func() error {
			was, err := from.Agenda.API.Events.Get(from.Entry.Id, cmp.Or(e.RecurringEventId, e.Id)).
				Fields("summary,visibility,organizer,start,end,eventType," + eventtext.ProvenanceFields).Context(ctx).Do()
			if err != nil {
				return nil // the row has no title
			}
			e.Summary, e.Visibility, e.Organizer = was.Summary, was.Visibility, was.Organizer
			e.Creator, e.EventType, e.GuestsCanModify, e.ExtendedProperties = was.Creator, was.EventType, was.GuestsCanModify, was.ExtendedProperties
			if e.Start == nil && e.RecurringEventId == "" {
				e.Start, e.End = was.Start, was.End
			}
			return nil
		})
	}
	return all.Wait()
}
