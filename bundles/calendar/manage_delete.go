package calendar

import (
	"context"
	"fmt"
	"strings"

	"google.golang.org/api/googleapi"

	"kota/bundles"
	"kota/bundles/internal/readable"
	"kota/metadata"
)

// deleteCalendar takes a calendar from everybody. Its events go from their
// guests' calendars too: whether those may be reached is asked first.
func (a *agenda) deleteCalendar(ctx context.Context, set *calendarSet, of *entry, dry bool) (manageCalendarOut, error) {
	if !isOwned(of) {
		return manageCalendarOut{}, metadata.Errorf(metadata.Refused, "the calendar is somebody else's").
			WithHint("The operation unsubscribe takes it off the user's list.")
	}
	out := manageCalendarOut{Status: "deleted", Calendar: set.managed(of)}
	held, err := a.heldIn(ctx, of.Id, a.account.Address, of.Id)
	gone := metadata.CodeOf(err) == metadata.NotFound
	if err != nil && !gone {
		return manageCalendarOut{}, err
	}
	if dry {
		out.Status, out.Note = "dry_run", "it would be gone for everybody, with its events, and cannot be brought back"+held.words()
		out.Events = &held.events
		return out, nil
	}
	if err := bundles.MaySend(ctx, bundles.Outgoing{What: "deletion of a calendar", People: held.reached(), Lines: []bundles.Line{
		{Name: "Calendar", Text: readable.Line(titleOf(of))}, {Name: "Reaches", Text: strings.Join(held.reached(), ", ")},
	}}); err != nil {
		return manageCalendarOut{}, err
	}
	err = a.api.Calendars.Delete(of.Id).Context(ctx).Do()
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

// A holding is what is in a calendar, as far as was looked.
type holding struct {
	events int      // a series counting once
	guests []string // of any of them, besides the user
	more   bool     // there are more events than were looked at
}

// words says what else a deletion would take away.
func (h holding) words() string {
	text := ""
	if len(h.guests) > 0 {
		text = "; " + counted(len(h.guests), "guest", "guests") + " would see their events go: " + listed(h.guests)
	}
	if h.more {
		text += "; there are more events than were looked at"
	}
	return text
}

// reached are those who see the events go. Where not all events were looked at
// the others may have guests too.
func (h holding) reached() []string {
	if h.more {
		return append(h.guests, "the guests of events that were not looked at")
	}
	return h.guests
}

// heldIn looks at the first 10,000 events of a calendar. The addresses in own
// are nobody's guests.
func (a *agenda) heldIn(ctx context.Context, id string, own ...string) (h holding, err error) {
	ask := a.api.Events.List(id).MaxResults(pageSize).
		Fields("nextPageToken", googleapi.Field("items(id,recurringEventId,organizer(self),attendees(email,self,resource))")).Context(ctx)
	known := map[string]bool{}
	for range mostPages {
		page, err := ask.Do()
		if err != nil {
			return h, fmt.Errorf("look at the calendar's events: %w", err)
		}
		for _, e := range page.Items {
			if e.RecurringEventId == "" {
				h.events++
			}
			if e.Organizer != nil && !organizes(e) {
				continue // it goes from this calendar alone
			}
			for _, guest := range addressesOf(e, own...) {
				if !known[guest] {
					known[guest] = true
					h.guests = append(h.guests, guest)
				}
			}
		}
		if page.NextPageToken == "" {
			return h, nil
		}
		ask.PageToken(page.NextPageToken)
	}
	h.more = true
	return h, nil
}
