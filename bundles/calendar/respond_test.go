package calendar_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"kota/bundles"
	"kota/bundles/bundletest"
	"kota/bundles/internal/google/googletest/fakeapi"
	"kota/bundles/internal/google/googletest/fakecalendar"
	"kota/metadata"
)

type respondAnswer struct {
	Status, Answer, Before, Mailed, Timezone string
	Added                                    bool
	Event                                    *struct {
		ID                     string `json:"event_id"`
		Title, When, Guests    string
		MyAnswer               string `json:"my_answer"`
		Recurring              bool
		Organizer, Status, ID2 string
	}
	Undo  string `json:"undo_id"`
	Notes []string
}

// inviteAnn adds an event to which Bob invites Ann and Cleo. It returns the id of the
// event.
func (d *fixture) inviteAnn(more ...string) string {
	return addMeeting(d.google.User(bob), "primary", "Lunch", "2026-11-24T12:00:00+01:00", "2026-11-24T13:00:00+01:00", append([]string{
		`, "attendees": [{"email": "ann@example.com", "optional": true, "additionalGuests": 1}, {"email": "cleo@example.com", "responseStatus": "accepted"}]`,
	}, more...)...)
}

// answersOf returns the guests' answers in Bob's copy of the event.
func (d *fixture) answersOf(id string) string {
	list := []string{}
	for _, one := range d.google.User(bob).Event("primary", id)["attendees"].([]any) {
		of := one.(map[string]any)
		text := fmt.Sprint(of["email"], " ", of["responseStatus"])
		if of["comment"] != nil && of["comment"] != "" {
			text += fmt.Sprintf(" (%s)", of["comment"])
		}
		list = append(list, text)
	}
	return strings.Join(list, ", ")
}

func (d *fixture) mailKinds() []string {
	list := []string{}
	for _, m := range d.google.Invitations() {
		list = append(list, m.Kind+" "+m.To)
	}
	return list
}

func TestRespondChangesOnlyOwnEntry(t *testing.T) {
	for answer, want := range map[string]string{"yes": "accepted", "no": "declined", "maybe": "tentative"} {
		d := newFixture(t)
		id := d.inviteAnn()
		got := bundletest.Must[respondAnswer](t, d.bundle, "calendar_respond_event", args{"event_id": id, "answer": answer})
		if got.Status != "answered" || got.Answer != answer || got.Before != "waiting" || got.Event.MyAnswer != answer || got.Undo == "" || got.Mailed != "" {
			t.Errorf("%s: got %+v", answer, got)
		}
		if answers := d.answersOf(id); answers != "ann@example.com "+want+", cleo@example.com accepted" {
			t.Errorf("%s: the answers are %s", answer, answers)
		}
		own := d.ann.Event("primary", id)["attendees"].([]any)[0].(map[string]any)
		if own["optional"] != true || own["additionalGuests"] != 1.0 || len(d.mailKinds()) != 0 {
			t.Errorf("%s: the own entry is %v, mailed %v", answer, own, d.mailKinds())
		}
	}
}

func TestRespondMailsOrganizerWithNotify(t *testing.T) {
	d := newFixture(t)
	id := d.inviteAnn()
	got := bundletest.Must[respondAnswer](t, d.bundle, "calendar_respond_event", args{"event_id": id, "answer": "no", "comment": "I am away", "notify": "all"})
	if got.Mailed != bob || !slices.Equal(d.mailKinds(), []string{"reply " + bob}) || d.answersOf(id) != "ann@example.com declined (I am away), cleo@example.com accepted" {
		t.Errorf("got %+v, mailed %v, %s", got, d.mailKinds(), d.answersOf(id))
	}
	again := bundletest.Must[respondAnswer](t, d.bundle, "calendar_respond_event", args{"event_id": id, "answer": "no", "notify": "all"})
	if again.Status != "already" || again.Mailed != "" || again.Undo != "" || len(d.mailKinds()) != 1 {
		t.Errorf("again: got %+v, mailed %v", again, d.mailKinds())
	}
}

func TestRespondEffects(t *testing.T) {
	d := newFixture(t)
	id := d.inviteAnn()
	for _, c := range []struct {
		args args
		want metadata.Effect
	}{
		{args{"event_id": id, "answer": "yes"}, metadata.Writes},
		{args{"event_id": id, "answer": "yes", "notify": "all"}, metadata.Sends},
		{args{"event_id": id, "answer": "yes", "comment": "Glad to"}, metadata.Sends},
		{args{"event_id": id, "answer": "yes", "comment": "Glad to", "notify": "all", "dry_run": true}, metadata.Reads},
	} {
		prepared := prepareAction(t, d.bundle, "respond_event", c.args)
		if prepared.Effect != c.want || (prepared.Draft != nil) != (c.want == metadata.Sends) {
			t.Errorf("%v: %s, draft %v", c.args, prepared.Effect, prepared.Draft)
		}
		if prepared.Draft == nil {
			continue
		}
		out, err := prepared.Draft.Do(bundletest.WithUserConsent(t.Context()))
		if err != nil || prepared.Draft.Effect != metadata.Writes || len(d.mailKinds()) > 0 || strings.Contains(d.answersOf(id), "(") || !strings.Contains(jsonOf(t, out), "not mailed") {
			t.Errorf("%v held: %s, %v; mailed %v, %s", c.args, jsonOf(t, out), err, d.mailKinds(), d.answersOf(id))
		}
	}
}

// prepareAction returns a call of an action that has not run yet.
func prepareAction(t *testing.T, b bundles.Bundle, action string, a args) bundles.Call {
	t.Helper()
	for _, one := range b.Actions {
		if one.Name == action {
			prepared, err := one.Prepare([]byte(jsonOf(t, a)))
			if err != nil {
				t.Fatal(err)
			}
			return prepared
		}
	}
	t.Fatalf("there is no action %s", action)
	return bundles.Call{}
}

func TestRespondDryRunChangesNothing(t *testing.T) {
	d := newFixture(t)
	id := d.inviteAnn()
	got := bundletest.Must[respondAnswer](t, d.bundle, "calendar_respond_event", args{"event_id": id, "answer": "yes", "notify": "all", "dry_run": true})
	if got.Status != "dry_run" || got.Before != "waiting" || got.Answer != "yes" || got.Mailed != bob || got.Undo != "" || !strings.HasPrefix(d.answersOf(id), "ann@example.com needsAction") {
		t.Errorf("got %+v, %s", got, d.answersOf(id))
	}
}

func TestRespondToSeriesByScope(t *testing.T) {
	d := newFixture(t)
	id := d.inviteAnn(`, "recurrence": ["RRULE:FREQ=WEEKLY;COUNT=3"]`)
	second := id + "_20261201T110000Z"
	for _, event := range []string{id, second} {
		_, err := bundletest.Answer[respondAnswer](t, d.bundle, "calendar_respond_event", args{"event_id": event, "answer": "yes"})
		if bundletest.ProblemPath(t, err) != "scope" || strings.Contains(bundletest.AsError(t, err).Hint, "following") {
			t.Errorf("without a scope: %v", err)
		}
	}
	got := bundletest.Must[respondAnswer](t, d.bundle, "calendar_respond_event", args{"event_id": second, "answer": "no", "scope": "this"})
	if got.Event.ID != second || d.answersOf(second) != "ann@example.com declined, cleo@example.com accepted" || !strings.HasPrefix(d.answersOf(id), "ann@example.com needsAction") {
		t.Errorf("this: got %+v; %s; %s", got.Event, d.answersOf(second), d.answersOf(id))
	}
	got = bundletest.Must[respondAnswer](t, d.bundle, "calendar_respond_event", args{"event_id": second, "answer": "yes", "scope": "all"})
	if got.Event.ID != id || d.answersOf(id) != "ann@example.com accepted, cleo@example.com accepted" {
		t.Errorf("all: got %+v; %s", got.Event, d.answersOf(id))
	}
}

func TestRespondRefusesInvalidTargets(t *testing.T) {
	d := newFixture(t)
	own := addMeeting(d.ann, "primary", "Mine", "2026-11-24T12:00:00+01:00", "2026-11-24T13:00:00+01:00", `, "attendees": [{"email": "bob@example.org"}, {"email": "ann@example.com"}]`)
	alone := addMeeting(d.ann, "primary", "Alone", "2026-11-24T12:00:00+01:00", "2026-11-24T13:00:00+01:00")
	team := d.ann.AddCalendar(fakecalendar.Calendar{Summary: "Team", Role: "reader"})
	gone := d.inviteAnn()
	d.google.User(bob).DeleteEvent("primary", gone)
	for name, c := range map[string]struct {
		args args
		code metadata.Code
	}{
		"the user's own event":    {args{"event_id": own}, metadata.Refused},
		"an event without guests": {args{"event_id": alone}, metadata.Refused},
		"a deleted event":         {args{"event_id": gone}, metadata.NotFound},
		"none":                    {args{"event_id": "nothing1"}, metadata.NotFound},
		"in another calendar":     {args{"event_id": own, "calendar": team}, metadata.NotFound},
		"a path":                  {args{"event_id": "../../etc"}, metadata.ValidationError},
		"no target":               {args{}, metadata.ValidationError},
		"two targets":             {args{"event_id": own, "message_id": "18c2f0a9b1d3e4f5"}, metadata.ValidationError},
		"no mail":                 {args{"message_id": "18c2f0a9b1d3e4f5"}, metadata.NotFound},
		"no invitation":           {args{"ics": "Dear Ann"}, metadata.ValidationError},
		"a long comment":          {args{"event_id": own, "comment": strings.Repeat("x", 1001)}, metadata.ValidationError},
		"a control character":     {args{"event_id": own, "comment": "ding\a"}, metadata.ValidationError},
	} {
		c.args["answer"] = "yes"
		_, err := bundletest.Answer[respondAnswer](t, d.bundle, "calendar_respond_event", c.args)
		if e := bundletest.AsError(t, err); e.Code != c.code || e.Hint == "" {
			t.Errorf("%s: got %s %v, hint %q", name, e.Code, e, e.Hint)
		}
	}
}

func TestRespondWithHiddenGuests(t *testing.T) {
	d := newFixture(t)
	id := d.inviteAnn(`, "guestsCanSeeOtherGuests": false`)
	got := bundletest.Must[respondAnswer](t, d.bundle, "calendar_respond_event", args{"event_id": id, "answer": "yes"})
	if got.Status != "answered" || d.answersOf(id) != "ann@example.com accepted, cleo@example.com accepted" {
		t.Errorf("got %+v, %s", got, d.answersOf(id))
	}
}

func TestRespondWhileEventChanges(t *testing.T) {
	for name, c := range map[string]struct {
		patch string
		want  metadata.Code
	}{
		"another room":   {`{"location": "Room 4"}`, ""},
		"another time":   {`{"start": {"dateTime": "2026-11-24T15:00:00+01:00"}, "end": {"dateTime": "2026-11-24T16:00:00+01:00"}}`, metadata.Conflict},
		"deleted":        {`{"status": "cancelled"}`, metadata.NotFound},
		"another answer": {"", metadata.Conflict},
	} {
		t.Run(name, func(t *testing.T) {
			d := newFixture(t)
			id := d.inviteAnn()
			d.wrapTransport = beforeRequest("PATCH", func() {
				if c.patch != "" {
					d.google.User(bob).ChangeEvent("primary", id, c.patch)
					return
				}
				d.ann.ChangeEvent("primary", id, `{"attendeesOmitted": true, "attendees": [{"email": "ann@example.com", "responseStatus": "declined"}]}`)
			})
			_, err := bundletest.Answer[respondAnswer](t, d.bundle, "calendar_respond_event", args{"event_id": id, "answer": "yes"})
			if metadata.CodeOf(err) != c.want {
				t.Errorf("got %v, %s", err, d.answersOf(id))
			}
		})
	}
}

func TestLostAnswerIsGivenOnce(t *testing.T) {
	for name, fault := range map[string]fakeapi.Fault{
		"before": {Answer: fakeapi.Reset}, "after": {Answer: fakeapi.Reset, AfterEffect: true}, "garbage": {Answer: fakeapi.Garbage, AfterEffect: true},
	} {
		for _, notify := range []string{"none", "all"} {
			d := newFixture(t)
			id := d.inviteAnn()
			fault.Method, fault.Nth, fault.Times = "calendar.events.patch", 1, 1
			d.google.Fault(fault)
			got, err := bundletest.Answer[respondAnswer](t, d.bundle, "calendar_respond_event", args{"event_id": id, "answer": "yes", "notify": notify})
			if err != nil || got.Status != "answered" || !strings.HasPrefix(d.answersOf(id), "ann@example.com accepted") || notify == "all" && len(d.mailKinds()) != 1 {
				t.Errorf("%s, %s: got %+v, %v, mailed %v", name, notify, got, err, d.mailKinds())
			}
		}
	}
}

func TestUndoAnswerRestoresPreviousAnswer(t *testing.T) {
	d := newFixture(t)
	id := d.inviteAnn()
	first := bundletest.Must[respondAnswer](t, d.bundle, "calendar_respond_event", args{"event_id": id, "answer": "yes", "comment": "Glad to"})
	bundletest.Must[struct{}](t, d.bundle, "calendar_undo", args{"undo_id": first.Undo})
	if d.answersOf(id) != "ann@example.com needsAction, cleo@example.com accepted" {
		t.Errorf("the answers are %s", d.answersOf(id))
	}
	second := bundletest.Must[respondAnswer](t, d.bundle, "calendar_respond_event", args{"event_id": id, "answer": "yes"})
	bundletest.Must[respondAnswer](t, d.bundle, "calendar_respond_event", args{"event_id": id, "answer": "no"})
	_, err := bundletest.Answer[struct{}](t, d.bundle, "calendar_undo", args{"undo_id": second.Undo})
	if metadata.CodeOf(err) != metadata.Conflict || !strings.HasPrefix(d.answersOf(id), "ann@example.com declined") {
		t.Errorf("got %v, %s", err, d.answersOf(id))
	}
}

func TestUndoMailedAnswerNeedsApproval(t *testing.T) {
	d := newFixture(t)
	id := d.inviteAnn()
	first := bundletest.Must[respondAnswer](t, d.bundle, "calendar_respond_event", args{"event_id": id, "answer": "yes", "notify": "all"})
	asked := []string{}
	refusing := bundletest.WithSendPolicy(t.Context(), bundles.SendPolicy{Confirm: func(_ context.Context, out bundles.Outgoing) error {
		asked = out.People
		return metadata.Errorf(metadata.ApprovalNeeded, "ask the user")
	}})
	_, err := prepareAction(t, d.bundle, "undo", args{"undo_id": first.Undo}).Do(refusing)
	if metadata.CodeOf(err) != metadata.ApprovalNeeded || !slices.Equal(asked, []string{bob}) || !strings.HasPrefix(d.answersOf(id), "ann@example.com accepted") {
		t.Errorf("refused: %v, asked about %v, %s", err, asked, d.answersOf(id))
	}
	bundletest.Must[struct{}](t, d.bundle, "calendar_undo", args{"undo_id": first.Undo})
	if !strings.HasPrefix(d.answersOf(id), "ann@example.com needsAction") || len(d.mailKinds()) != 2 {
		t.Errorf("undone: %s, mailed %v", d.answersOf(id), d.mailKinds())
	}
}

// seedInvitation adds an invitation from Bob to Ann, in her calendar and by mail.
func seedInvitation(d *fixture) {
	d.inviteAnn(`, "id": "5c1ha7v2"`)
	d.invitationFiles = map[string]string{"18c2f0a9b1d3e4f5": invitationFile("REQUEST", "UID:5c1ha7v2@google.com")}
}

// invitationFile returns the file of a mail in which Bob invites Ann. The given lines
// replace the usual ones.
func invitationFile(method string, lines ...string) string {
	text := []string{"BEGIN:VCALENDAR", "METHOD:" + method, "BEGIN:VEVENT"}
	for _, usual := range []string{
		"UID:talk@elsewhere.example", "SUMMARY:Talk", "ORGANIZER;CN=Bob:mailto:bob@example.org", "ATTENDEE;PARTSTAT=NEEDS-ACTION:mailto:ann@example.com",
		"DTSTART;TZID=W. Europe Standard Time:20261124T120000", "DTEND;TZID=W. Europe Standard Time:20261124T130000",
	} {
		name := usual[:strings.IndexAny(usual, ":;")]
		if !slices.ContainsFunc(lines, func(line string) bool { return strings.HasPrefix(line, name) }) {
			text = append(text, usual)
		}
	}
	return strings.Join(append(append(text, lines...), "END:VEVENT", "END:VCALENDAR", ""), "\r\n")
}

func TestRespondNeedsOneTarget(t *testing.T) {
	d := newFixture(t)
	for got, a := range map[string]args{`"none"`: {"answer": "yes"}, `"2 of them"`: {"answer": "yes", "event_id": "a", "message_id": "b"}} {
		_, err := bundletest.Answer[respondAnswer](t, d.bundle, "calendar_respond_event", a)
		if e := bundletest.AsError(t, err); bundletest.ProblemPath(t, err) != "event_id" || e.Problems[0].Got != got {
			t.Errorf("%v: got %+v", a, e.Problems)
		}
	}
}

func TestRespondToDeletedEventSaysItMayBeMoved(t *testing.T) {
	d := newFixture(t)
	id := d.inviteAnn()
	d.ann.DeleteEvent("primary", id)
	_, err := bundletest.Answer[respondAnswer](t, d.bundle, "calendar_respond_event", args{"event_id": id, "answer": "yes"})
	if e := bundletest.AsError(t, err); e.Code != metadata.NotFound || !strings.Contains(e.Message, "deleted, or moved to another calendar") {
		t.Errorf("got %v", e)
	}
}
