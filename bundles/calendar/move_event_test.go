package calendar_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"kota/bundles"
	"kota/bundles/bundletest"
	"kota/bundles/internal/google/googletest/fakeapi"
	"kota/bundles/internal/google/googletest/fakecalendar"
	"kota/metadata"
)

type moveAnswer struct {
	Status   string   `json:"status"`
	Calendar string   `json:"calendar"`
	Guests   []string `json:"guests"`
	Mailed   []string `json:"mailed"`
	Undo     string   `json:"undo_id"`
	Etag     string   `json:"etag"`
	Notes    []string `json:"notes"`
	Event    struct {
		ID     string `json:"event_id"`
		Guests string `json:"guests"`
	} `json:"event"`
}

const moveTool = "calendar_move_event"

// eventToMove returns a fixture, the id of an event of Ann's with the fields in more, and
// the id of another calendar of hers.
func eventToMove(t *testing.T, more string) (d *fixture, id, team string) {
	t.Helper()
	d = amsterdamFixture(t)
	team = d.ann.AddCalendar(fakecalendar.Calendar{Summary: "Team"})
	return d, d.ann.AddEvent("primary", `{"summary":"Lunch","start":{"dateTime":"2026-11-24T12:00:00+01:00","timeZone":"Europe/Amsterdam"},
		"end":{"dateTime":"2026-11-24T13:00:00+01:00","timeZone":"Europe/Amsterdam"}`+more+`}`), team
}

func TestMoveEventAndUndo(t *testing.T) {
	d, id, team := eventToMove(t, "")
	if got := bundletest.Must[moveAnswer](t, d.bundle, moveTool, args{"event_id": id, "to": "Team", "dry_run": true}); got.Status != "dry_run" || got.Undo != "" || len(d.ann.Events("primary")) != 1 {
		t.Errorf("a dry run: %+v", got)
	}
	got := bundletest.Must[moveAnswer](t, d.bundle, moveTool, args{"event_id": id, "to": "Team"})
	if got.Status != "moved" || got.Calendar != "Team" || got.Undo == "" || got.Event.ID != id || len(d.ann.Events("primary")) != 0 || len(d.ann.Events(team)) != 1 {
		t.Errorf("got %+v", got)
	}
	for _, where := range []string{"", "Team"} {
		again := bundletest.Must[moveAnswer](t, d.bundle, moveTool, args{"event_id": id, "to": "Team", "calendar": where})
		if again.Status != "already" || again.Event.ID != id || again.Undo != "" {
			t.Errorf("once more from %q: %+v", where, again)
		}
	}
	bundletest.Must[map[string]any](t, d.bundle, "calendar_undo", args{"undo_id": got.Undo})
	if len(d.ann.Events("primary")) != 1 || len(d.ann.Events(team)) != 0 {
		t.Errorf("undone: %v, %v", d.ann.Events("primary"), d.ann.Events(team))
	}
}

func TestMoveRefusesInvalidTargets(t *testing.T) {
	instanceOf := func(d *fixture, series string) string { return series + "_20261125T110000Z" }
	for name, c := range map[string]struct {
		more string
		args func(d *fixture, id string) args
		code metadata.Code
	}{
		"nowhere":          {"", func(_ *fixture, id string) args { return args{"event_id": id, "to": "Nosuch"} }, metadata.ValidationError},
		"no id":            {"", func(*fixture, string) args { return args{"event_id": "../x", "to": "Team"} }, metadata.ValidationError},
		"an unknown event": {"", func(*fixture, string) args { return args{"event_id": "nosuchevent", "to": "Team"} }, metadata.NotFound},
		"one of a series":  {`,"recurrence":["RRULE:FREQ=DAILY"]`, func(d *fixture, id string) args { return args{"event_id": instanceOf(d, id), "to": "Team"} }, metadata.ValidationError},
		"focus time":       {`,"eventType":"focusTime","focusTimeProperties":{"chatStatus":"doNotDisturb"}`, func(_ *fixture, id string) args { return args{"event_id": id, "to": "Team"} }, metadata.ValidationError},
		"another version":  {"", func(_ *fixture, id string) args { return args{"event_id": id, "to": "Team", "etag": `"1"`} }, metadata.Conflict},
		"a deleted one": {"", func(d *fixture, id string) args {
			d.ann.DeleteEvent("primary", id)
			return args{"event_id": id, "to": "Team"}
		}, metadata.NotFound},
		"a read-only calendar": {"", func(d *fixture, id string) args {
			d.ann.AddCalendar(fakecalendar.Calendar{Summary: "Holidays", Role: "reader"})
			return args{"event_id": id, "to": "Holidays"}
		}, metadata.Refused},
	} {
		d, id, team := eventToMove(t, c.more)
		_, err := bundletest.Answer[moveAnswer](t, d.bundle, moveTool, c.args(d, id))
		if e := bundletest.AsError(t, err); name == "nowhere" && bundletest.ProblemPath(t, err) != "to" || e.Code != c.code || e.Hint == "" || len(d.ann.Events(team)) > 0 {
			t.Errorf("%s: %+v", name, e)
		}
	}
}

func TestMoveRefusesOthersEvent(t *testing.T) {
	d, _, _ := eventToMove(t, "")
	other := d.google.User(bob)
	id := other.AddEvent("primary", `{"summary":"Hers","start":{"date":"2026-11-24"},"end":{"date":"2026-11-25"},"attendees":[{"email":"`+ann+`"}]}`)
	if _, err := bundletest.Answer[moveAnswer](t, d.bundle, moveTool, args{"event_id": id, "to": "Team"}); metadata.CodeOf(err) != metadata.Refused {
		t.Errorf("got %v", err)
	}
}

func TestMoveWithGuestsNeedsApproval(t *testing.T) {
	d, id, team := eventToMove(t, `,"attendees":[{"email":"`+bob+`"},{"email":"`+ann+`"}]`)
	for _, action := range d.bundle.Actions {
		if action.Tool != moveTool {
			continue
		}
		prepared, err := action.Prepare([]byte(`{"event_id":"` + id + `","to":"Team"}`))
		if err != nil || prepared.Effect != metadata.Writes {
			t.Fatalf("%v, %v", prepared.Effect, err)
		}
		asked := []string{}
		no := metadata.Errorf(metadata.ApprovalNeeded, "no")
		ctx := bundletest.WithSendPolicy(t.Context(), bundles.SendPolicy{
			Confirm: func(_ context.Context, out bundles.Outgoing) error { asked = out.People; return no },
			Check:   func(context.Context, bundles.Outgoing) error { return no },
		})
		if _, err := prepared.Do(ctx); metadata.CodeOf(err) != metadata.ApprovalNeeded || len(asked) != 1 || asked[0] != bob || len(d.ann.Events(team)) > 0 {
			t.Errorf("asked for %q: %v", asked, err)
		}
	}
	got := bundletest.Must[moveAnswer](t, d.bundle, moveTool, args{"event_id": id, "to": "Team", "notify": "all"})
	if strings.Contains(got.Event.Guests, "ann") || !strings.Contains(got.Event.Guests, bob) {
		t.Errorf("the guests are %q", got.Event.Guests)
	}
	if got.Status != "moved" || len(got.Mailed) != 1 || !slices.ContainsFunc(d.google.Invitations(), func(i fakecalendar.Invitation) bool { return i.To == bob }) {
		t.Errorf("got %+v, mailed %v", got, d.google.Invitations())
	}
	if item := onlyItem(t, d); item.Kind != "move" || item.Status != "sent" {
		t.Errorf("the outbox has %+v", item)
	}
}

func TestFailedMoveKeepsUndoIfOutcomeUnknown(t *testing.T) {
	for name, c := range map[string]struct {
		fault fakeapi.Fault
		code  metadata.Code
		kept  bool
	}{
		"refused":            {fakeapi.Fault{Status: 403, Reason: "forbidden"}, metadata.Refused, false},
		"too many":           {fakeapi.Fault{Status: 429}, metadata.RateLimited, false},
		"deleted meanwhile":  {fakeapi.Fault{Status: 404}, metadata.NotFound, false},
		"never answered":     {fakeapi.Fault{Status: 500}, metadata.OutcomeUnknown, true},
		"done, not answered": {fakeapi.Fault{Answer: fakeapi.Reset, AfterEffect: true}, "", true},
	} {
		d, id, team := eventToMove(t, "")
		c.fault.Method = "calendar.events.move"
		withdraw := d.google.Fault(c.fault)
		if _, err := bundletest.Answer[moveAnswer](t, d.bundle, moveTool, args{"event_id": id, "to": "Team"}); metadata.CodeOf(err) != c.code {
			t.Errorf("%s: %v", name, err)
		}
		withdraw()
		undos := bundletest.Must[struct {
			Recent []any `json:"recent"`
		}](t, d.bundle, "calendar_undo", args{})
		if (len(undos.Recent) == 1) != c.kept || len(d.ann.Events("primary"))+len(d.ann.Events(team)) != 1 {
			t.Errorf("%s: %d can be undone, events %v %v", name, len(undos.Recent), d.ann.Events("primary"), d.ann.Events(team))
		}
	}
}
