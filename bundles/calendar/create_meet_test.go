package calendar

import (
	"testing"

	calendarapi "google.golang.org/api/calendar/v3"
)

func TestMissingVideoCallIsNoted(t *testing.T) {
	for status, noted := range map[string]bool{"": false, "success": false, "pending": true, "failure": true} {
		n := newEvent{}
		n.addMeetNote(&calendarapi.Event{ConferenceData: &calendarapi.ConferenceData{
			CreateRequest: &calendarapi.CreateConferenceRequest{Status: &calendarapi.ConferenceRequestStatus{StatusCode: status}},
		}})
		if len(n.notes) > 0 != noted {
			t.Errorf("%q: noted %q", status, n.notes)
		}
	}
}
