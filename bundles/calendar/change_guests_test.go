package calendar_test

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"kota/bundles"
	"kota/bundles/bundletest"
	"kota/metadata"
)

// lunchAndSeriesWithBob returns a fixture with a lunch and a series to which Bob is
// invited.
func lunchAndSeriesWithBob(t *testing.T) *fixture {
	t.Helper()
	d := sixTuesdays(t)
	d.ann.AddEvent("primary", merge(timedEvent("lunch", "Lunch", "2026-11-24T12:00", "2026-11-24T13:00"), args{"attendees": []args{{"email": bob}, {"email": ann}}}))
	return d
}

// askedPeople runs a call under a policy that asks before anybody is reached. It returns
// the people in the request for approval.
func askedPeople(t *testing.T, d *fixture, tool string, a args) (asked []string, err error) {
	t.Helper()
	no := metadata.Errorf(metadata.ApprovalNeeded, "ask first").WithHint("Ask.")
	ctx := bundletest.WithSendPolicy(t.Context(), bundles.SendPolicy{
		Confirm: func(_ context.Context, out bundles.Outgoing) error { asked = out.People; return no },
		Check:   func(context.Context, bundles.Outgoing) error { return no },
	})
	_, err = prepareTool(t, d.bundle, tool, a).Do(ctx)
	return asked, err
}

func TestUpdateAndDeleteEffects(t *testing.T) {
	d := lunchAndSeriesWithBob(t)
	for _, c := range []struct {
		tool string
		more args
		want metadata.Effect
	}{
		{"calendar_update_event", args{"title": "a"}, metadata.Writes},
		{"calendar_update_event", args{"title": "a", "notify": "all"}, metadata.Sends},
		{"calendar_update_event", args{"title": "a", "notify": "external"}, metadata.Sends},
		{"calendar_update_event", args{"add_attendees": bob}, metadata.Sends},
		{"calendar_update_event", args{"remove_attendees": bob}, metadata.Writes},
		{"calendar_update_event", args{"add_attendees": bob, "dry_run": true}, metadata.Reads},
		{"calendar_delete_event", args{}, metadata.Writes},
		{"calendar_delete_event", args{"notify": "all"}, metadata.Sends},
		{"calendar_delete_event", args{"notify": "all", "dry_run": true}, metadata.Reads},
	} {
		if got := prepareTool(t, d.bundle, c.tool, merge(args{"event_id": "lunch"}, c.more)); got.Effect != c.want || (got.Draft != nil) != (c.want == metadata.Sends) {
			t.Errorf("%s %v: %s", c.tool, c.more, got.Effect)
		}
	}
}

func TestChangesThatGuestsSeeNeedApproval(t *testing.T) {
	d := lunchAndSeriesWithBob(t)
	before := jsonOf(t, d.ann.Events("primary"))
	for _, c := range []struct {
		tool string
		asks args
	}{
		{"calendar_update_event", args{"event_id": "lunch", "title": "Dinner"}},
		{"calendar_update_event", args{"event_id": "lunch", "remove_attendees": bob}},
		{"calendar_update_event", args{"event_id": "standup", "scope": "all", "start": "2026-10-13 10:00"}},
		{"calendar_update_event", args{"event_id": "standup", "scope": "this", "instance": "2026-11-03", "title": "New"}},
		{"calendar_update_event", args{"event_id": "standup", "scope": "following", "instance": "2026-11-03", "color": "tomato"}},
		{"calendar_delete_event", args{"event_id": "lunch"}},
		{"calendar_delete_event", args{"event_id": "standup", "scope": "following", "instance": "2026-11-03"}},
		{"calendar_delete_event", args{"event_id": "standup", "scope": "all"}},
	} {
		asked, err := askedPeople(t, d, c.tool, c.asks)
		if !slices.Equal(asked, []string{bob}) || metadata.CodeOf(err) != metadata.ApprovalNeeded || !strings.Contains(bundletest.AsError(t, err).Hint, "https://www.google.com/calendar") {
			t.Errorf("%s %v: asked for %q, %v", c.tool, c.asks, asked, err)
		}
	}
	if now := jsonOf(t, d.ann.Events("primary")); now != before {
		t.Errorf("changed to %s", now)
	}
	for _, own := range []args{{"color": "tomato"}, {"reminders": []string{"5m"}}, {"show_as": "free"}} {
		if asked, err := askedPeople(t, d, "calendar_update_event", merge(args{"event_id": "lunch"}, own)); asked != nil || err != nil {
			t.Errorf("%v: asked for %q, %v", own, asked, err)
		}
	}
	if undo := bundletest.Must[changeAnswer](t, d.bundle, "calendar_delete_event", args{"event_id": "lunch"}); undo.Undo == "" {
		t.Error("no undo")
	} else if asked, err := askedPeople(t, d, "calendar_undo", args{"undo_id": undo.Undo}); !slices.Equal(asked, []string{bob}) || err == nil || d.ann.Event("primary", "lunch")["status"] != "cancelled" {
		t.Errorf("its undo asked for %q, %v", asked, err)
	}
}

func TestGuestsAreMailedOnlyWithNotify(t *testing.T) {
	d := lunchAndSeriesWithBob(t)
	changes := []args{
		{"event_id": "lunch", "title": "Dinner"},
		{"event_id": "lunch", "add_attendees": "carol@example.net"},
		{"event_id": "standup", "scope": "following", "instance": "2026-11-03", "title": "New"},
		{"event_id": "standup", "scope": "all", "start": "2026-10-13 10:00"},
	}
	for _, one := range changes {
		got := bundletest.Must[changeAnswer](t, d.bundle, "calendar_update_event", one)
		if len(got.Mailed) != 0 {
			t.Errorf("%v: %+v", one, got)
		}
		d.undo(t, got.Undo)
	}
	d.undo(t, bundletest.Must[changeAnswer](t, d.bundle, "calendar_delete_event", args{"event_id": "lunch"}).Undo)
	if mails := d.google.Invitations(); len(mails) > 0 {
		t.Fatalf("mailed %+v", mails)
	}
	got := bundletest.Must[changeAnswer](t, d.bundle, "calendar_update_event", args{"event_id": "lunch", "title": "Dinner", "notify": "all"})
	if item := outboxItems(t, d)[0]; !slices.Equal(got.Mailed, []string{bob}) || item.Kind != "update" || item.Status != "sent" || item.Event != "lunch" {
		t.Errorf("got %+v, the outbox has %+v", got, item)
	}
	if mails := d.google.Invitations(); len(mails) != 1 || mails[0].Kind != "update" || mails[0].To != bob {
		t.Errorf("mailed %+v", mails)
	}
	d.undo(t, got.Undo)
	if mails := d.google.Invitations(); len(mails) != 2 {
		t.Errorf("guests who were mailed about the change are not mailed about its undo: %+v", mails)
	}
}

func TestUpdateDraftAddsNoGuests(t *testing.T) {
	d := oneLunch(t, nil)
	out, err := prepareTool(t, d.bundle, "calendar_update_event", args{"event_id": "lunch", "title": "Dinner", "add_attendees": bob, "notify": "all"}).Draft.Do(bundletest.WithUserConsent(t.Context()))
	if err != nil {
		t.Fatal(err)
	}
	var got changeAnswer
	if err := json.Unmarshal([]byte(jsonOf(t, out)), &got); err != nil {
		t.Fatal(err)
	}
	if e := d.ann.Event("primary", "lunch"); got.Status != "draft" || !slices.Equal(got.NotInvited, []string{bob}) || len(got.Notes) == 0 || e["attendees"] != nil || e["summary"] != "Dinner" {
		t.Errorf("got %+v of %v", got, e)
	}
}

// invitedByBob returns a fixture where Bob has invited Ann to a lunch and to a series.
func invitedByBob(t *testing.T, more args) *fixture {
	t.Helper()
	d := newFixture(t)
	d.ann.SetZone("Europe/Amsterdam")
	guest := d.google.User(bob)
	guest.AddEvent("primary", merge(merge(timedEvent("lunch", "Lunch", "2026-11-24T12:00", "2026-11-24T13:00"), args{"attendees": []args{{"email": ann}, {"email": bob}}}), more))
	guest.AddEvent("primary", merge(merge(timedEvent("standup", "Old", "2026-10-13T09:00", "2026-10-13T09:30"), args{
		"recurrence": []string{"RRULE:FREQ=WEEKLY;COUNT=6"}, "attendees": []args{{"email": ann}},
	}), more))
	return d
}

func TestOthersEventAllowsOnlyPersonalChanges(t *testing.T) {
	d := invitedByBob(t, nil)
	for _, refused := range []args{
		{"event_id": "lunch", "title": "Dinner"},
		{"event_id": "lunch", "start": "2026-11-24 18:00"},
		{"event_id": "lunch", "remove_attendees": bob},
		{"event_id": "standup", "scope": "this", "instance": "2026-11-03", "location": "Attic"},
		{"event_id": "standup", "scope": "all", "title": "New"},
		{"event_id": "standup", "scope": "following", "instance": "2026-11-03", "title": "New"},
		{"event_id": "standup", "scope": "following", "instance": "2026-11-03", "color": "tomato"}, // it would invite everybody again
	} {
		_, err := bundletest.Answer[changeAnswer](t, d.bundle, "calendar_update_event", refused)
		if e := bundletest.AsError(t, err); e.Code != metadata.Refused || e.Hint == "" {
			t.Errorf("%v: %+v", refused, e)
		}
	}
	_, err := bundletest.Answer[changeAnswer](t, d.bundle, "calendar_delete_event", args{"event_id": "standup", "scope": "following", "instance": "2026-11-03"})
	if e := bundletest.AsError(t, err); e.Code != metadata.Refused {
		t.Errorf("got %+v", e)
	}
	if d.google.Calls("calendar.events.patch")+d.google.Calls("calendar.events.insert")+d.google.Calls("calendar.events.delete") > 0 {
		t.Error("Google was asked")
	}
	for _, own := range []args{
		{"event_id": "lunch", "color": "tomato", "reminders": []string{}, "show_as": "free"},
		{"event_id": "standup", "scope": "all", "reminders": []string{"5m"}},
		{"event_id": "lunch", "add_attendees": "carol@example.net"},
	} {
		if got := bundletest.Must[changeAnswer](t, d.bundle, "calendar_update_event", own); got.Status != "updated" {
			t.Errorf("%v: %+v", own, got)
		}
	}
	if theirs := d.google.User(bob).Event("primary", "lunch"); theirs["summary"] != "Lunch" || theirs["colorId"] != nil || len(theirs["attendees"].([]any)) != 3 {
		t.Errorf("Bob has %v", theirs)
	}
}

func TestGuestMayChangeEventIfAllowed(t *testing.T) {
	d := invitedByBob(t, args{"guestsCanModify": true})
	bundletest.Must[changeAnswer](t, d.bundle, "calendar_update_event", args{"event_id": "lunch", "title": "Dinner"})
	if theirs := d.google.User(bob).Event("primary", "lunch"); theirs["summary"] != "Dinner" {
		t.Errorf("Bob has %v", theirs)
	}
}

func TestDeletingOthersEventDeclinesIt(t *testing.T) {
	d := invitedByBob(t, nil)
	got := bundletest.Must[changeAnswer](t, d.bundle, "calendar_delete_event", args{"event_id": "lunch"})
	theirs := d.google.User(bob).Event("primary", "lunch")
	if len(got.Notes) == 0 || !strings.Contains(got.Notes[0], bob) || theirs["status"] != "confirmed" || d.ann.Event("primary", "lunch")["status"] != "cancelled" {
		t.Errorf("got %+v, Bob has %v", got, theirs)
	}
	if asked, err := askedPeople(t, d, "calendar_undo", args{"undo_id": got.Undo}); !slices.Equal(asked, []string{bob}) || err == nil {
		t.Errorf("the answer would change twice in an hour: asked for %q, %v", asked, err)
	}
	if bundletest.Must[args](t, d.bundle, "calendar_undo", args{"undo_id": got.Undo}); d.ann.Event("primary", "lunch")["status"] != "confirmed" {
		t.Errorf("Ann has %v", d.ann.Event("primary", "lunch"))
	}
}

func TestHiddenGuestsAreNotLost(t *testing.T) {
	d := invitedByBob(t, args{"guestsCanSeeOtherGuests": false, "guestsCanModify": true, "attendees": []args{{"email": ann}, {"email": bob}, {"email": "carol@example.net"}}})
	for _, refused := range []args{
		{"event_id": "lunch", "add_attendees": "dave@example.net"},
		{"event_id": "standup", "scope": "following", "instance": "2026-11-03", "title": "New"},
	} {
		_, err := bundletest.Answer[changeAnswer](t, d.bundle, "calendar_update_event", refused)
		if e := bundletest.AsError(t, err); e.Code != metadata.Unavailable || e.Hint == "" {
			t.Errorf("%v: %+v", refused, e)
		}
	}
	bundletest.Must[changeAnswer](t, d.bundle, "calendar_update_event", args{"event_id": "lunch", "title": "Dinner"})
	if theirs := d.google.User(bob).Event("primary", "lunch"); theirs["summary"] != "Dinner" || len(theirs["attendees"].([]any)) != 3 {
		t.Errorf("Bob has %v", theirs)
	}
}

func TestSplitMakesNewVideoCallAndKeepsValidAnswers(t *testing.T) {
	for name, c := range map[string]struct {
		asked  args
		answer string
	}{
		"at the same time": {args{"title": "New"}, "accepted"},
		"at another time":  {args{"start": "2026-11-03 10:00"}, "needsAction"},
	} {
		d := sixTuesdays(t)
		d.ann.ChangeEvent("primary", "standup", args{
			"attendees":      []args{{"email": bob, "responseStatus": "accepted"}},
			"conferenceData": args{"createRequest": args{"requestId": "first", "conferenceSolutionKey": args{"type": "hangoutsMeet"}}},
		})
		old := d.ann.Event("primary", "standup")
		got := bundletest.Must[changeAnswer](t, d.bundle, "calendar_update_event", merge(args{"event_id": "standup", "scope": "following", "instance": "2026-11-03"}, c.asked))
		made := d.ann.Event("primary", got.Event.ID)
		answer := made["attendees"].([]any)[0].(map[string]any)["responseStatus"]
		if answer != c.answer || made["hangoutLink"] == nil || made["hangoutLink"] == old["hangoutLink"] || made["iCalUID"] == old["iCalUID"] {
			t.Errorf("%s: made %v of %v", name, made, old)
		}
		if left := d.ann.Event("primary", "standup"); left["hangoutLink"] != old["hangoutLink"] {
			t.Errorf("%s: the old one has %v", name, left)
		}
	}
}

func TestUpdateDraftListsUninvitedGuests(t *testing.T) {
	d := oneLunch(t, nil)
	out, err := prepareTool(t, d.bundle, "calendar_update_event", args{"event_id": "lunch", "add_attendees": bob}).Draft.Do(bundletest.WithUserConsent(t.Context()))
	if said := jsonOf(t, out); err != nil || !strings.Contains(said, `"status":"unchanged"`) || !strings.Contains(said, `"not_invited":["`+bob+`"]`) ||
		!strings.Contains(said, "the guests are not invited") || strings.Contains(said, "already has these values") {
		t.Errorf("got %s, %v", said, err)
	}
}

func TestUpdateNotesThatUserIsNoGuest(t *testing.T) {
	d := oneLunch(t, nil)
	got := bundletest.Must[changeAnswer](t, d.bundle, "calendar_update_event", args{"event_id": "lunch", "add_attendees": "Ann@Example.com"})
	if said := strings.Join(got.Notes, "; "); got.Status != "unchanged" || !strings.Contains(said, "the user is not a guest") || strings.Contains(said, "already has these values") {
		t.Errorf("got %+v", got)
	}
	if d.google.Calls("calendar.events.patch") > 0 {
		t.Error("Google was asked")
	}
}

func TestUndoDeleteRestoresAnswer(t *testing.T) {
	for _, answer := range []string{"needsAction", "accepted", "tentative"} {
		d := newFixture(t)
		id := d.inviteAnn()
		if answer != "needsAction" {
			given := map[string]string{"accepted": "yes", "tentative": "maybe"}[answer]
			bundletest.Must[respondAnswer](t, d.bundle, "calendar_respond_event", args{"event_id": id, "answer": given, "comment": "If it rains"})
		}
		before := d.answersOf(id)
		gone := bundletest.Must[changeAnswer](t, d.bundle, "calendar_delete_event", args{"event_id": id})
		if declined := d.answersOf(id); !strings.HasPrefix(declined, "ann@example.com declined") {
			t.Fatalf("%s: deleting leaves %s", answer, declined)
		}
		back := d.undo(t, gone.Undo)
		if now := d.answersOf(id); now != before || !strings.Contains(now, answer) {
			t.Errorf("%s: it was %s, and is %s; %v", answer, before, now, back)
		}
		if shown := back["event"].(map[string]any)["my_answer"]; shown == "no" || shown == nil {
			t.Errorf("%s: the answer says %v", answer, shown)
		}
	}
}

func TestApprovalHintMentionsGoogleCalendarOnce(t *testing.T) {
	d := lunchAndSeriesWithBob(t)
	_, err := askedPeople(t, d, "calendar_delete_event", args{"event_id": "lunch"})
	if hint := bundletest.AsError(t, err).Hint; !strings.HasPrefix(hint, "Ask. The event is at https://") || strings.Contains(hint, "Google Calendar") {
		t.Errorf("the hint is %q", hint)
	}
}
