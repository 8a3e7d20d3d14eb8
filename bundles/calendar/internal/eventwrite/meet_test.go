package eventwrite

import (
	"testing"
	"time"

	"kota/bundles/calendar/internal/event"
	"kota/bundles/internal/google/googletest"
	"kota/bundles/internal/google/googletest/fakeapi"
)

func TestPollMeetWaitsForVideoCall(t *testing.T) {
	looks := make([]time.Duration, 4)
	for name, c := range map[string]struct {
		options []fakeapi.Option
		status  string
	}{
		"at once":    {nil, "success"},
		"soon":       {[]fakeapi.Option{googletest.PendingConferences(3)}, "success"},
		"too late":   {[]fakeapi.Option{googletest.PendingConferences(9)}, "pending"},
		"not at all": {[]fakeapi.Option{googletest.PendingConferences(2), googletest.FailingConferences()}, "failure"},
	} {
		w, _, _ := newWriter(t, c.options...)
		asked := lunchWithBob("k")
		event.SetMeet(asked, true, asked.Id)
		made, _, err := insertEvent(t, w, asked, event.NotifyNone)
		if err != nil {
			t.Fatal(err)
		}
		made = w.pollMeet(t.Context(), primary, made, looks)
		if got := MeetStatus(made); got != c.status || (made.HangoutLink != "") != (got == "success") {
			t.Errorf("%s: %s with %q", name, got, made.HangoutLink)
		}
		again, repeated, err := insertEvent(t, w, asked, event.NotifyNone)
		if err != nil || !repeated || again.Id != made.Id {
			t.Errorf("%s: again: %v", name, err)
		}
	}
}
