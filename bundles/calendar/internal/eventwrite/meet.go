package eventwrite

import (
	"context"
	"time"

	calendarapi "google.golang.org/api/calendar/v3"

	"kota/bundles/internal/panicsafe"
)

// AwaitMeet waits some seconds for Google to make the event's video call. It returns the
// latest version of the event, with or without the call. It continues if the caller
// cancels ctx.
func (w *Writer) AwaitMeet(ctx context.Context, calendar string, e *calendarapi.Event) *calendarapi.Event {
	return w.pollMeet(ctx, calendar, e, meetPauses)
}

// pollMeet is AwaitMeet with the given pauses.
func (w *Writer) pollMeet(ctx context.Context, calendar string, e *calendarapi.Event, pauses []time.Duration) *calendarapi.Event {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), resolveTimeout)
	defer cancel()
	for _, wait := range pauses {
		if MeetStatus(e) != "pending" || panicsafe.Pause(ctx, wait) != nil {
			break
		}
		now, err := w.Get(ctx, calendar, e.Id)
		if err != nil {
			break
		}
		e = now
	}
	return e
}

// meetPauses are the pauses before each check for a video call that Google is still making.
var meetPauses = []time.Duration{200 * time.Millisecond, 500 * time.Millisecond, time.Second, 2 * time.Second}

// MeetStatus returns the state of the request for a video call: pending, success, failure,
// or "" without a request.
func MeetStatus(e *calendarapi.Event) string {
	if e.ConferenceData == nil || e.ConferenceData.CreateRequest == nil || e.ConferenceData.CreateRequest.Status == nil {
		return ""
	}
	return e.ConferenceData.CreateRequest.Status.StatusCode
}
