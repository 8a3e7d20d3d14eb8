package calendar_test

import (
	"encoding/json"
	"strings"
	"testing"

	"kota/bundles"
	"kota/bundles/bundletest"
	"kota/metadata"
)

// prepareTool returns a call of a tool that has not run yet.
func prepareTool(t *testing.T, b bundles.Bundle, tool string, a args) bundles.Call {
	t.Helper()
	for _, action := range b.Actions {
		if action.Tool == tool {
			made, err := action.Prepare(json.RawMessage(jsonOf(t, a)))
			if err != nil {
				t.Fatal(err)
			}
			return made
		}
	}
	t.Fatalf("there is no %s", tool)
	return bundles.Call{}
}

func TestCreateEffects(t *testing.T) {
	d := amsterdamFixture(t)
	for _, c := range []struct {
		more args
		want metadata.Effect
	}{
		{args{}, metadata.Writes},
		{args{"notify": "all"}, metadata.Writes}, // nobody to mail
		{args{"attendees": []string{bob}}, metadata.Sends},
		{args{"optional_attendees": []string{bob}, "notify": "none"}, metadata.Sends},
		{args{"attendees": []string{bob}, "dry_run": true}, metadata.Reads},
		{args{"type": "ooo", "decline": "all"}, metadata.Sends},
		{args{"type": "ooo", "decline": "none"}, metadata.Writes},
	} {
		a := args{"title": "a", "start": "2026-11-24T15:00"}
		for name, value := range c.more {
			a[name] = value
		}
		if got := prepareTool(t, d.bundle, createTool, a); got.Effect != c.want || (got.Draft != nil) != (c.want == metadata.Sends) {
			t.Errorf("%v: %s", c.more, got.Effect)
		}
	}
}

func TestCreateDraftInvitesNoGuests(t *testing.T) {
	d := amsterdamFixture(t)
	out, err := prepareTool(t, d.bundle, createTool, invitationArgs(args{"meet": true})).Draft.Do(bundletest.WithUserConsent(t.Context()))
	if err != nil {
		t.Fatal(err)
	}
	var got createdEvent
	if err := json.Unmarshal([]byte(jsonOf(t, out)), &got); err != nil {
		t.Fatal(err)
	}
	made := d.ann.Event("primary", got.Event.ID)
	if got.Status != "draft" || len(got.NotInvited) != 1 || got.NotInvited[0] != bob || len(got.Invited) != 0 || len(got.Notes) != 1 || made["attendees"] != nil || eventsAndMails(d) != [2]int{1, 0} {
		t.Errorf("got %+v, made %v", got, made)
	}
	away := args{"title": "Away", "start": "2026-11-24T09:00", "type": "ooo", "decline": "all"}
	if _, err := prepareTool(t, d.bundle, createTool, away).Draft.Do(bundletest.WithUserConsent(t.Context())); err != nil {
		t.Fatal(err)
	}
	for _, e := range d.ann.Events("primary") {
		if properties, ok := e["outOfOfficeProperties"].(map[string]any); ok && properties["autoDeclineMode"] != "declineNone" {
			t.Errorf("it declines: %v", properties)
		}
	}
}

func TestRepeatedDraftKeySuggestsInvitingGuests(t *testing.T) {
	d := amsterdamFixture(t)
	asked := invitationArgs(args{"idempotency_key": "figures-1", "meet": true, "reminders": []string{"10m"}, "guests_can": []string{"invite"}})
	out, err := prepareTool(t, d.bundle, createTool, asked).Draft.Do(bundletest.WithUserConsent(t.Context()))
	if err != nil {
		t.Fatal(err)
	}
	var draft createdEvent
	if err := json.Unmarshal([]byte(jsonOf(t, out)), &draft); err != nil {
		t.Fatal(err)
	}
	if draft.Link == "" {
		t.Errorf("the answer has no link for inviting guests: %+v", draft)
	}
	_, err = bundletest.Answer[createdEvent](t, d.bundle, createTool, asked)
	e := bundletest.AsError(t, err)
	if want := `calendar_update_event {"event_id": "` + draft.Event.ID + `", "add_attendees": ["` + bob + `"]}`; e.Code != metadata.Conflict || !strings.Contains(e.Hint, want) {
		t.Errorf("got %v, %q", e, e.Hint)
	}
	bundletest.Must[changeAnswer](t, d.bundle, "calendar_update_event", args{"event_id": draft.Event.ID, "add_attendees": bob})
	asked["title"] = "Something else"
	_, err = bundletest.Answer[createdEvent](t, d.bundle, createTool, asked)
	if e := bundletest.AsError(t, err); e.Code != metadata.Conflict || strings.Contains(e.Hint, "add_attendees") {
		t.Errorf("of another event: %v, %q", e, e.Hint)
	}
}
