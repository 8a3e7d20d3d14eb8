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

// happened is what a calendar tells of its changes.
type happened struct {
	events []*calendarapi.Event
	next   *calendarState // from where on the next call asks; nil when nothing was told
	more   bool
	reset  bool
}

// changeFields are what rows of changes are made of.
const changeFields = rowFields + ",recurrence,originalStartTime,created"

// pageOfIDs is how many events Google counts on a page of the first call, which
// wants nothing but the token at the end of them.
const pageOfIDs = 2500

// changesSince returns at most so many of the events that have changed since the
// state, or none and the present state where it is empty.
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
		since.Page = "" // pages do not keep for as long: what was told of it is told again
		h, err = nextChanges(ctx, from, since, most)
	}
	if err != nil {
		return happened{}, err
	}
	return h, recall(ctx, from, h.events)
}

// nextChanges is the next page of what Google tells of changes.
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

// beginChanges returns the state of the calendar as it is now. Google tells it at
// the end of a list of everything, of which nothing else is asked for.
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

// maxRecalled is how many deleted events of a calendar are looked up by a call.
const maxRecalled = 10

// recall fills in what deleted events were, which Google tells only event by event. An
// instance is named like its series. What cannot be learned stays unknown.
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
				return nil // it is told without its title
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
