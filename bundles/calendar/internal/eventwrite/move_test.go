package eventwrite

import (
	"testing"

	"kota/bundles/bundletest"
	"kota/bundles/calendar/internal/event"
	"kota/bundles/internal/google/googletest/fakecalendar"
)

func TestLostAnswerMovesEventOnce(t *testing.T) {
	for name, fault := range lostAnswers {
		w, server, ann := newWriter(t)
		team := ann.AddCalendar(fakecalendar.Calendar{Summary: "Team"})
		id := ann.AddEvent(primary, lunchWithBob(""))
		before, err := w.Get(t.Context(), primary, id)
		if err != nil {
			t.Fatal(err)
		}
		injectFault(server, "calendar.events.move", fault, 1)
		done, err := w.execute(bundletest.WithUserConsent(t.Context()), NewMove(primary, id, before.Etag, team, event.NotifyAll))
		if err != nil || done.Event.Id != id || len(ann.Events(primary)) != 0 || len(ann.Events(team)) != 1 || len(server.Invitations()) != 1 {
			t.Errorf("%s: moved %+v, mail %+v, %v", name, done.Event, server.Invitations(), err)
		}
	}
}
