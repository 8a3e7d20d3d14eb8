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

// A position is the position of an event in a list. Events are ordered by start, then by
// id.
type position struct {
	At int64  `json:"t"` // seconds since 1970
	ID string `json:"i,omitempty"`
}

func (p position) compare(q position) int {
	return cmp.Or(cmp.Compare(p.At, q.At), strings.Compare(p.ID, q.ID))
}

// An occurrence is an event in a calendar.
type occurrence struct {
	position
	event  *calendarapi.Event
	from   *agenda.Source
	alsoIn []*agenda.Source // other calendars that contain the event
}

// searchResult holds the result of a search in one calendar, from a position on.
type searchResult struct {
	events     []occurrence
	complete   bool     // the calendar has no more events
	knownUntil position // if complete is false: all events up to this position are known
}

const (
	// maxZoneDistance is the maximum time between the beginnings of the same day in two
	// zones.
	maxZoneDistance = 26 * time.Hour
	maxListPages    = 40
)

// rowFields are the API fields that rows need.
const rowFields = "id,iCalUID,status,summary,location,start,end,recurringEventId,eventType,visibility,transparency,hangoutLink," +
	"attendees(displayName,email,comment,responseStatus,self,organizer,resource),attendeesOmitted,guestsCanSeeOtherGuests," +
	"organizer(displayName,email,self),conferenceData/entryPoints(entryPointType,uri)," + eventtext.ProvenanceFields

// order compares two positions in the direction of the search.
func (want search) order(a, b position) int {
	if want.past {
		return b.compare(a)
	}
	return a.compare(b)
}

// firstPosition returns the position before all others in the direction of the search.
func (want search) firstPosition() position {
	if want.past {
		return position{At: math.MaxInt64}
	}
	return position{}
}

// requestRange returns the time range to request from Google for the events after a
// position. It adds slack on both sides, because whole days are days of the calendar's zone
// and not of the answer's.
func (want search) requestRange(after position, slack time.Duration) (first, last time.Time) {
	first, last = want.From.Add(-slack), want.To.Add(slack)
	switch {
	case after == want.firstPosition():
	case want.past:
		if resumed := time.Unix(after.At+1, 0).Add(slack); resumed.Before(last) {
			last = resumed
		}
	default:
		if resumed := time.Unix(after.At-1, 0).Add(-maxZoneDistance); resumed.After(first) {
			first = resumed
		}
	}
	return first, last
}

// maxPageSize is Google's maximum page size.
const maxPageSize = 2500

// eventsAfter returns the matching events after a position: at least minimum of them, or
// all. Google lists the earliest first, so a search of the past reads all pages.
func eventsAfter(ctx context.Context, from *agenda.Source, want search, after position, minimum int) (searchResult, error) {
	slack := time.Duration(0)
	if from.Zone.String() != want.zone.String() {
		slack = maxZoneDistance
	}
	first, last := want.requestRange(after, slack)
	size := 2*minimum + 20
	if want.past {
		size, minimum = maxPageSize, math.MaxInt
	}
	request := from.Agenda.API.Events.List(from.Entry.Id).SingleEvents(true).OrderBy("startTime").MaxResults(int64(size)).
		TimeMin(timeparse.RFC3339(first.UTC())).TimeMax(timeparse.RFC3339(last.UTC())).
		Fields("nextPageToken", googleapi.Field("items("+rowFields+")")).Context(ctx)
	if want.query != "" {
		request.Q(want.query)
	}
	if len(want.types) > 0 {
		request.EventTypes(want.types...)
	}
	var f searchResult
	for range maxListPages {
		page, err := request.Do()
		if err != nil {
			return searchResult{complete: true}, fmt.Errorf("list events: %w", err)
		}
		for _, e := range page.Items {
			s, ok := eventtime.Of(e, from.Zone)
			if !ok {
				continue
			}
			f.knownUntil = position{At: s.Start.Add(-slack).Unix()} // more events may start at this time
			s = s.InZone(want.zone)
			if one := (occurrence{position: position{s.Start.Unix(), e.Id}, event: e, from: from}); s.Overlaps(want.From, want.To) && want.order(one.position, after) > 0 {
				f.events = append(f.events, one)
			}
		}
		if page.NextPageToken == "" {
			f.complete = true
			return f, nil
		}
		if f.countKnown() >= minimum {
			return f, nil
		}
		request.PageToken(page.NextPageToken)
	}
	return searchResult{complete: true}, metadata.Errorf(metadata.Unavailable, "Google splits this list into too many pages").
		WithHint("Ask for less: a shorter time, or without query.")
}

// countKnown returns the number of events up to knownUntil. After that position, events
// may be missing.
func (f searchResult) countKnown() int {
	n := 0
	for _, one := range f.events {
		if one.compare(f.knownUntil) <= 0 {
			n++
		}
	}
	return n
}
