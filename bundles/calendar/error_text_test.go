package calendar_test

import (
	"net/http"
	"strings"
	"testing"

	"kota/bundles/bundletest"
	"kota/bundles/internal/google/googletest/fakecalendar"
)

// The URL of a request belongs in the log, not in an error message.
func TestErrorsHideRequestURLs(t *testing.T) {
	refuse := func(methods ...string) func(http.RoundTripper) http.RoundTripper {
		return refuseRequests(http.StatusForbidden, "forbidden", func(r *http.Request) bool { return strings.Contains(strings.Join(methods, " "), r.Method) })
	}
	for name, c := range map[string]struct {
		over func(http.RoundTripper) http.RoundTripper
		tool string
		args args
	}{
		"two series that both exist":                   {refuse("PATCH", "DELETE"), "calendar_update_event", args{"event_id": "standup", "instance": "2026-11-03", "scope": "following", "title": "New"}},
		"an invitation that is added and not answered": {refuse("PATCH"), "calendar_respond_event", args{"ics": invitationFile("REQUEST"), "answer": "yes"}},
	} {
		t.Run(name, func(t *testing.T) {
			d := seriesWithExceptions(t)
			d.wrapTransport = c.over
			_, err := bundletest.Answer[args](t, d.bundle, c.tool, c.args)
			if e := bundletest.AsError(t, err); strings.Contains(e.Message+e.Hint, "http") || strings.Contains(e.Message, "googleapi") {
				t.Errorf("says %q, %q", e.Message, e.Hint)
			}
		})
	}
	t.Run("a new series that remains after an undo", func(t *testing.T) {
		d := seriesWithExceptions(t)
		got := bundletest.Must[changeAnswer](t, d.bundle, "calendar_update_event", args{"event_id": "standup", "instance": "2026-11-03", "scope": "following", "title": "New"})
		d.wrapTransport = refuse("DELETE")
		d.deps.Client = d.clientsByAccount(t)
		_, err := bundletest.Answer[args](t, d.anotherProcess(), "calendar_undo", args{"undo_id": got.Undo})
		if e := bundletest.AsError(t, err); !strings.Contains(e.Message, "may still exist") || strings.Contains(e.Message, "http") || strings.Contains(e.Message, "googleapi") {
			t.Errorf("says %q", e.Message)
		}
	})
}

func TestUnnamedOrganizerHasPhrase(t *testing.T) {
	for tool, a := range map[string]args{
		"calendar_move_event": {"to": "Work"}, "calendar_update_event": {"title": "New"}, "calendar_delete_event": {"dry_run": true},
	} {
		d := oneLunch(t, nil)
		d.ann.AddCalendar(fakecalendar.Calendar{Summary: "Work"})
		d.wrapTransport = rewriteAnswers("/events/lunch", func(e map[string]any) { e["organizer"] = args{} })
		got, err := bundletest.Answer[changeAnswer](t, d.bundle, tool, merge(a, args{"event_id": "lunch"}))
		said := strings.Join(got.Notes, " ")
		if err != nil {
			said += err.Error()
		}
		if !strings.Contains(said, "somebody whose name Google does not show") {
			t.Errorf("%s says %q", tool, said)
		}
	}
}
