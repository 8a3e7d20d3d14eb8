package listing

import (
	"cmp"
	"context"

	calendarapi "google.golang.org/api/calendar/v3"

	"kota/bundles/calendar/internal/agenda"
	"kota/bundles/calendar/internal/event"
	"kota/bundles/calendar/internal/eventtext"
	"kota/bundles/internal/panicsafe"
)

// maxRecalled is how many deleted events of a calendar are looked up by a call.
const maxRecalled = 10

// recall fills in what deleted events were: Google lists their ids alone, and
// tells the rest to whoever asks for each. An instance is called as its series
// is. What cannot be learned stays unknown.
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
