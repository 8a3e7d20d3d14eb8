package calendar_test

import (
	"strings"
	"testing"

	"kota/bundles/bundletest"
	"kota/metadata"
)

func TestMissingInstanceNamesNearest(t *testing.T) {
	d := seriesWithExceptions(t)
	for instance, want := range map[string]string{
		"2026-11-01":       "no instance on 2026-11-01: the nearest is Wed 2026-10-21 10:00 +02:00, then Tue 2026-11-03 09:00 +01:00", // the instance on the 27th is cancelled
		"2026-11-17 10:00": "no instance at 2026-11-17T10:00+01:00: the nearest is Tue 2026-11-17 09:00 +01:00",
		"2026-10-01":       "no instance on 2026-10-01: the nearest is Tue 2026-10-13 09:00 +02:00",
		"2031-01-01":       "no instance on 2031-01-01",
	} {
		for _, tool := range []string{"calendar_update_event", "calendar_delete_event"} {
			_, err := bundletest.Answer[changeAnswer](t, d.bundle, tool, args{"event_id": "standup", "scope": "this", "instance": instance})
			e := bundletest.AsError(t, err)
			if e.Code != metadata.NotFound || !strings.HasSuffix(e.Message, want) || strings.Contains(e.Message, "T00:00") {
				t.Errorf("%s, %s: %v", tool, instance, e)
			}
		}
	}
}

func TestScopeHintExplainsEachScope(t *testing.T) {
	d := seriesWithExceptions(t)
	for tool, c := range map[string]struct{ says, not string }{
		"calendar_update_event": {"which become a new series", "ends before"},
		"calendar_delete_event": {"so the series ends before it", "of their own"},
	} {
		for _, id := range []any{"standup", d.ann.Event("primary", "standup_20261117T080000Z")["id"]} {
			_, err := bundletest.Answer[changeAnswer](t, d.bundle, tool, args{"event_id": id, "title": "x"})
			if tool == "calendar_delete_event" {
				_, err = bundletest.Answer[changeAnswer](t, d.bundle, tool, args{"event_id": id})
			}
			if hint := bundletest.AsError(t, err).Hint; bundletest.ProblemPath(t, err) != "scope" || !strings.Contains(hint, c.says) || strings.Contains(hint, c.not) {
				t.Errorf("%s %v: %q", tool, id, hint)
			}
		}
	}
}

func TestEndingRecurrenceNotesRemainingEvent(t *testing.T) {
	d := seriesWithExceptions(t)
	for scope, want := range map[string]string{
		"all":       "one event remains, Tue 2026-10-13 09:00 +02:00, which is in the past",
		"following": "one event remains, Tue 2026-11-17 09:00 +01:00, which is in the past",
	} {
		got := d.changeStandup(t, args{"instance": "2026-11-17", "scope": scope, "recurrence": []string{}, "dry_run": true})
		if said := strings.Join(got.Notes, "; "); got.Status != "dry_run" || !strings.Contains(said, want) {
			t.Errorf("%s: %q, %+v", scope, said, got)
		}
	}
}
