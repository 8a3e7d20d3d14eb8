package availability

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	calendarapi "google.golang.org/api/calendar/v3"

	"kota/bundles/calendar/internal/agenda"
	"kota/bundles/calendar/internal/eventtext"
	"kota/bundles/internal/budget"
	"kota/bundles/internal/htmltext"
	"kota/bundles/internal/panicsafe"
	"kota/bundles/internal/slots"
)

// A busyTime holds the times at which a calendar is busy, and those that are unknown. An
// event blocks the time unless the owner declined it or shows it as free. Invitations
// without an answer block the time too, and whole-day events block it from midnight to
// midnight.
type busyTime struct {
	busy    []slots.Span
	unknown []slots.Span
	reason  string // why a time is unknown, or ""
}

func (b *busyTime) addUnknown(when slots.Span, reason string) {
	b.unknown, b.reason = append(b.unknown, when), reason
}

func (b *busyTime) add(other busyTime) {
	b.busy, b.unknown = append(b.busy, other.busy...), append(b.unknown, other.unknown...)
	b.reason = cmp.Or(b.reason, other.reason)
}

// Limits of free/busy queries. Google accepts at most 50 calendars in a query
// (https://developers.google.com/workspace/calendar/api/v3/reference/freebusy/query). It
// refuses a range of about three months, so a query covers at most 60 days.
// maxConcurrentQueries is the maximum number of queries at the same time.
const (
	maxCalendarsPerQuery = 50
	maxQuerySeconds      = 60 * 24 * 3600
	maxConcurrentQueries = 8
)

// busyTimes reads the busy times of calendars from Google. An id may be the address of a
// person or of a group. A group is busy if a member is busy. At most maxConcurrentQueries
// requests run at the same time. The time of a calendar that cannot be read is unknown,
// never free.
func busyTimes(ctx context.Context, a *agenda.Agenda, ids []string, during slots.Span) (map[string]busyTime, error) {
	type query struct {
		ids []string
		slots.Span
		answer *calendarapi.FreeBusyResponse
	}
	queries := []*query{}
	for chunk := range slices.Chunk(ids, maxCalendarsPerQuery) {
		for from := during.From; from < during.To; from += maxQuerySeconds {
			queries = append(queries, &query{ids: chunk, Span: slots.Span{From: from, To: min(from+maxQuerySeconds, during.To)}})
		}
	}
	all, ctx := panicsafe.WithContext(ctx, maxConcurrentQueries)
	for _, one := range queries {
		all.Go(func() (err error) {
			one.answer, err = a.API.Freebusy.Query(freeBusyOf(one.ids, one.Span)).Context(ctx).Do()
			return err
		})
	}
	if err := all.Wait(); err != nil {
		return nil, fmt.Errorf("ask when people are busy: %w", err)
	}
	times := map[string]busyTime{}
	for _, one := range queries {
		for _, id := range one.ids {
			t := times[id]
			t.add(busyIn(one.answer, id, one.Span))
			times[id] = t
		}
	}
	return times, nil
}

func freeBusyOf(ids []string, during slots.Span) *calendarapi.FreeBusyRequest {
	request := &calendarapi.FreeBusyRequest{
		TimeMin: time.Unix(during.From, 0).UTC().Format(time.RFC3339), TimeMax: time.Unix(during.To, 0).UTC().Format(time.RFC3339),
	}
	for _, id := range ids {
		request.Items = append(request.Items, &calendarapi.FreeBusyRequestItem{Id: id})
	}
	return request
}

// busyIn reads the busy times of a calendar, or of all members of a group, from Google's
// answer.
func busyIn(answer *calendarapi.FreeBusyResponse, id string, during slots.Span) (b busyTime) {
	if calendar, ok := lookUp(answer.Calendars, id); ok {
		return busyOf(calendar, during)
	}
	group, ok := lookUp(answer.Groups, id)
	switch {
	case !ok:
		b.addUnknown(during, "Google's answer does not include it")
	case len(group.Errors) > 0:
		b.addUnknown(during, freeBusyReason(group.Errors[0].Reason))
	case len(group.Calendars) == 0:
		b.addUnknown(during, "the group does not show its members")
	}
	for _, member := range group.Calendars {
		calendar, ok := lookUp(answer.Calendars, member)
		if !ok {
			b.addUnknown(during, "a member of the group cannot be read")
			continue
		}
		b.add(busyOf(calendar, during))
	}
	return b
}

func busyOf(calendar calendarapi.FreeBusyCalendar, during slots.Span) (b busyTime) {
	if len(calendar.Errors) > 0 {
		b.addUnknown(during, freeBusyReason(calendar.Errors[0].Reason))
	}
	for _, period := range calendar.Busy {
		start, startErr := time.Parse(time.RFC3339, period.Start)
		end, endErr := time.Parse(time.RFC3339, period.End)
		if startErr != nil || endErr != nil {
			b.addUnknown(during, "Google's answer cannot be read")
			continue
		}
		b.busy = append(b.busy, slots.Span{From: start.Unix(), To: end.Unix()})
	}
	return b
}

// lookUp returns the value with the given id, and whether there is one. It ignores the case
// of the id.
func lookUp[T any](byID map[string]T, id string) (T, bool) {
	if found, ok := byID[id]; ok {
		return found, true
	}
	for name, found := range byID {
		if strings.EqualFold(name, id) {
			return found, true
		}
	}
	var none T
	return none, false
}

// freeBusyReason describes the reason code of a free/busy error.
func freeBusyReason(reason string) string {
	switch reason {
	case "notFound":
		return "there is no such calendar, or it is not shared with you"
	case "groupTooBig", "tooManyCalendarsRequested":
		return "the group is too large"
	case "internalError", "backendError", "rateLimitExceeded":
		return "Google could not answer now"
	}
	return "Google says " + budget.Brief(htmltext.Line(reason), eventtext.MaxPerson)
}
