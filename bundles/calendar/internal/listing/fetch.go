package listing

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"strings"
	"time"

	calendarapi "google.golang.org/api/calendar/v3"
	"google.golang.org/api/googleapi"

	"kota/bundles/calendar/internal/agenda"
	"kota/bundles/calendar/internal/eventtext"
	"kota/bundles/calendar/internal/eventtime"
	"kota/bundles/internal/timeparse"
	"kota/metadata"
)

// A position is a place in a list of events: they are in the order of their
// starts, and of their ids where those are the same.
type position struct {
	At int64  `json:"t"` // seconds since 1970
	ID string `json:"i,omitempty"`
}

func (p position) compare(q position) int {
	return cmp.Or(cmp.Compare(p.At, q.At), strings.Compare(p.ID, q.ID))
}

// An occurrence is an event as a calendar has it.
type occurrence struct {
	position
	event *calendarapi.Event
	from  *agenda.Source
	also  []*agenda.Source // other calendars that have it
}

// found is what a calendar answers a search with, from some position on.
type found struct {
	events []occurrence
	over   bool     // there are no more
	until  position // else what is known: all that comes before it
}

const (
	// aroundTheWorld is what the same day of two zones can be apart.
	aroundTheWorld = 26 * time.Hour
	pagesOfList    = 40
)

// rowFields is what rows are made of.
const rowFields = "id,iCalUID,status,summary,location,start,end,recurringEventId,eventType,visibility,transparency,hangoutLink," +
	"attendees(displayName,email,comment,responseStatus,self,organizer,resource),attendeesOmitted,guestsCanSeeOtherGuests," +
	"organizer(displayName,email,self),conferenceData/entryPoints(entryPointType,uri)," + eventtext.ProvenanceFields

// order compares two places in the list that the search makes.
func (want search) order(a, b position) int {
	if want.past {
		return b.compare(a)
	}
	return a.compare(b)
}

// start is the place before all others in the list that the search makes.
func (want search) start() position {
	if want.past {
		return position{At: math.MaxInt64}
	}
	return position{}
}

// reach is the time to ask Google for after a position. Its whole days are in the
// calendar's zone, not the answer's, so it is somewhat longer.
func (want search) reach(after position, slack time.Duration) (first, last time.Time) {
	first, last = want.From.Add(-slack), want.To.Add(slack)
	switch {
	case after == want.start():
	case want.past:
		if resumed := time.Unix(after.At+1, 0).Add(slack); resumed.Before(last) {
			last = resumed
		}
	default:
		if resumed := time.Unix(after.At-1, 0).Add(-aroundTheWorld); resumed.After(first) {
			first = resumed
		}
	}
	return first, last
}

// maxAtOnce is the largest page of Google's.
const maxAtOnce = 2500

// eventsAfter returns at least so many events that the search wants after a position, or
// all. Google's pages may be short and begin with the earliest event.
func eventsAfter(ctx context.Context, from *agenda.Source, want search, after position, least int) (found, error) {
	slack := time.Duration(0)
	if from.Zone.String() != want.zone.String() {
		slack = aroundTheWorld
	}
	first, last := want.reach(after, slack)
	size := 2*least + 20
	if want.past {
		size, least = maxAtOnce, math.MaxInt
	}
	ask := from.Agenda.API.Events.List(from.Entry.Id).SingleEvents(true).OrderBy("startTime").MaxResults(int64(size)).
		TimeMin(timeparse.RFC3339(first.UTC())).TimeMax(timeparse.RFC3339(last.UTC())).
		Fields("nextPageToken", googleapi.Field("items("+rowFields+")")).Context(ctx)
	if want.query != "" {
		ask.Q(want.query)
	}
	if len(want.types) > 0 {
		ask.EventTypes(want.types...)
	}
	var f found
	for range pagesOfList {
		page, err := ask.Do()
		if err != nil {
			return found{over: true}, fmt.Errorf("list events: %w", err)
		}
		for _, e := range page.Items {
			s, ok := eventtime.Of(e, from.Zone)
			if !ok {
				continue
			}
			f.until = position{At: s.Start.Add(-slack).Unix()} // others may start at the same time
			s = s.Moved(want.zone)
			if one := (occurrence{position: position{s.Start.Unix(), e.Id}, event: e, from: from}); s.Overlaps(want.From, want.To) && want.order(one.position, after) > 0 {
				f.events = append(f.events, one)
			}
		}
		if page.NextPageToken == "" {
			f.over = true
			return f, nil
		}
		if f.known() >= least {
			return f, nil
		}
		ask.PageToken(page.NextPageToken)
	}
	return found{over: true}, metadata.Errorf(metadata.Unavailable, "Google divides this list into too many pages").
		WithHint("Ask for less: a shorter time, or without query.")
}

// known is before how many of the events nothing is missing.
func (f found) known() int {
	n := 0
	for _, one := range f.events {
		if one.compare(f.until) <= 0 {
			n++
		}
	}
	return n
}
