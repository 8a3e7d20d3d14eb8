package calendar

import (
	"strings"
	"testing"
	"time"

	"kota/bundles/calendar/internal/event"
	"kota/bundles/calendar/internal/eventtext"
	"kota/bundles/internal/google/googletest"
)

func TestAVideoCallIsAwaitedForAWhile(t *testing.T) {
	looks := make([]time.Duration, 4)
	for name, c := range map[string]struct {
		options []googletest.Option
		status  string
	}{
		"at once":    {nil, "success"},
		"soon":       {[]googletest.Option{googletest.PendingConferences(3)}, "success"},
		"too late":   {[]googletest.Option{googletest.PendingConferences(9)}, "pending"},
		"not at all": {[]googletest.Option{googletest.PendingConferences(2), googletest.FailingConferences()}, "failure"},
	} {
		a, _, _ := annsAgenda(t, c.options...)
		asked := lunch(a, "k")
		event.SetMeet(asked, true, asked.Id)
		made, _, err := insert(t, a, asked, event.NotifyNone)
		if err != nil {
			t.Fatal(err)
		}
		made = a.awaitMeet(t.Context(), primary, made, looks)
		n := newEvent{}
		n.sayMeet(made)
		said := strings.Join(n.notes, "")
		if got := meetStatus(made); got != c.status || (eventtext.MeetLink(made) != "") != (got == "success") || (said == "") != (got == "success") {
			t.Errorf("%s: %s with %q, said %q", name, got, eventtext.MeetLink(made), said)
		}
		again, repeated, err := insert(t, a, asked, event.NotifyNone)
		if err != nil || !repeated || again.Id != made.Id {
			t.Errorf("%s: again: %v", name, err)
		}
	}
}
