package main

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"kota/bundles/bundletest"
	"kota/cmd/kota/internal/app"
	"kota/metadata"
)

// sendingArgs are calls of every action that sends. Each would reach Bob, or
// people who are on no list. Each gate gets new ones.
var sendingArgs = map[string]func(d *testHome) object{
	"gmail_send_message": func(*testHome) object {
		return object{"to": []string{ann}, "bcc": []string{bob}, "subject": "Rolls", "body": "At ten."}
	},
	"gmail_reply_message": func(d *testHome) object {
		return object{"message_id": d.deliverMail("Bread"), "reply_all": true, "body": "At ten."}
	},
	"gmail_forward_message": func(d *testHome) object {
		return object{"message_id": d.deliverMail("Bread"), "cc": []string{bob}, "body": "See below."}
	},
	"gmail_send_draft": func(d *testHome) object {
		return object{"draft_id": d.createDraft(object{"to": []string{ann}, "bcc": []string{bob}, "body": "At ten."})}
	},
	"gmail_unsubscribe": func(d *testHome) object {
		return object{"message_id": d.deliverNewsletter(), "confirm": true}
	},
	"gmail_manage_vacation": func(*testHome) object { return object{"operation": "set", "subject": "Away", "body": "Back soon."} },
	"calendar_create_event": func(*testHome) object {
		return object{"title": "Bakery", "start": someday + "T10:00", "attendees": []string{bob}, "notify": "all"}
	},
	"calendar_update_event": func(d *testHome) object { // Bob is a guest already
		return object{"event_id": withBob(d, "Bakery"), "title": "Oven", "add_attendees": []string{ann}, "notify": "all"}
	},
	"calendar_delete_event": func(d *testHome) object { return object{"event_id": withBob(d, "Bakery"), "notify": "all"} },
	"calendar_move_event": func(d *testHome) object {
		return object{"event_id": withBob(d, "Bakery"), "notify": "all", "to": d.google.User(ann).AddCalendar(bundletest.GoogleCalendar{Summary: "Work"})}
	},
	"calendar_respond_event": func(d *testHome) object {
		return object{"event_id": d.google.User(bob).AddEvent("primary", hourEvent(9, "Occasion", ann)), "answer": "no", "comment": "I am on a train", "notify": "all"}
	},
}

// deliverMail delivers a mail from Bob and returns its id.
func (d *testHome) deliverMail(subject string) string {
	return d.google.User(ann).Deliver(bundletest.GoogleMail{From: "Bob <" + bob + ">", To: ann, Subject: subject, Text: "When do you bake?"}).ID
}

// createDraft returns the id of a draft with these arguments.
func (d *testHome) createDraft(args object) string {
	d.t.Helper()
	args["as_draft"] = true
	var saved struct {
		Draft string `json:"draft_id"`
	}
	if err := json.Unmarshal([]byte(d.mustCall("gmail_send_message", args).raw), &saved); err != nil {
		d.t.Fatal(err)
	}
	return saved.Draft
}

// deliverNewsletter delivers a newsletter with one-click unsubscription and returns
// its id.
func (d *testHome) deliverNewsletter() string {
	return d.google.User(ann).Deliver(bundletest.GoogleMail{From: "News <news@lists.example>", To: ann, Subject: "News", Text: "News.", Headers: []string{
		"List-Unsubscribe: <https://lists.example/leave?u=1>", "List-Unsubscribe-Post: List-Unsubscribe=One-Click",
		"Authentication-Results: mx.google.com; dkim=pass header.i=@lists.example header.s=s1 header.b=AbCd",
		"DKIM-Signature: v=1; a=rsa-sha256; d=lists.example; s=s1; h=from:list-unsubscribe:list-unsubscribe-post; b=AbCdEf",
	}}).ID
}

func TestGatesStopEverySendingAction(t *testing.T) {
	t.Parallel()
	for _, gate := range []struct {
		lines, gmail, code, says string
	}{
		{"", "on", "APPROVAL_REQUIRED", ""},
		{"send: allow\n", "{enabled: on, send: ask}", "APPROVAL_REQUIRED", ""},
		{"send: refuse\n", "on", "REFUSED", ""},
		{"send: allow\n", "{enabled: on, send: refuse}", "REFUSED", ""},
		{"send: allow\nprofile: kind\nprofiles: {kind: {send: refuse}}\n", "on", "REFUSED", ""},
		{"send: allow\nsend_to: []\n", "on", "REFUSED", "would reach"},
		{"send: allow\nsend_to: [" + ann + "]\n", "on", "REFUSED", "would reach"},
		{"send: allow\n", "{enabled: on, send_to: [" + ann + "]}", "REFUSED", "would reach"},
	} {
		t.Run(strings.TrimSpace(gate.lines+gate.gmail), func(t *testing.T) {
			t.Parallel()
			d := newCalendarHome(t, "")
			d.bundles = "gmail: " + gate.gmail + ", calendar: " + gate.gmail
			d.configure(gate.lines)
			a := &app.App{Env: d.env}
			if err := a.Load(); err != nil {
				t.Fatal(err)
			}
			for _, b := range a.Bundles() {
				for _, action := range b.Actions {
					if action.Effect == metadata.Sends {
						d.checkSendsNothing(action.Tool, gate.code, gate.says)
					}
				}
			}
		})
	}
}

// checkSendsNothing checks that a call of a sending action returns the code, and
// changes nothing at Google or in the outbox.
func (d *testHome) checkSendsNothing(tool, code, says string) {
	d.t.Helper()
	prepare, known := sendingArgs[tool]
	if !known {
		d.t.Errorf("%s sends: say in sendings how, so that it is held to the gates", tool)
		return
	}
	args := prepare(d)
	others, own := d.calendarStates()
	d.google.ClearLog()
	answer, failure := d.call(tool, args)
	if failure == nil || failure.Code != code || failure.Hint == "" || !strings.Contains(failure.Message, says) {
		d.t.Errorf("%s: answered %+v, %+v; want %s saying %q", tool, answer, failure, code, says)
	}
	if changing := d.changingRequests(); len(changing) > 0 {
		d.t.Errorf("%s asked Google to change something: %q", tool, changing)
	}
	if nowOthers, nowOwn := d.calendarStates(); others != nowOthers || own != nowOwn {
		d.t.Errorf("%s changed something", tool)
	}
	if before := d.must("outbox"); !strings.Contains(before, "empty") {
		d.t.Errorf("%s is in the outbox: %s", tool, before)
	}
}

func TestRefusalNamesEveryUnlistedRecipient(t *testing.T) {
	t.Parallel()
	d := newCalendarHome(t, "send: allow\nsend_to: [example.com]\n")
	id := d.google.User(ann).Deliver(bundletest.GoogleMail{
		From: "Bob <" + bob + ">", To: ann, Subject: "Bread", Text: "When?",
		Headers: []string{"Reply-To: list@evil.example", "Cc: Carl <carl@example.com>, eve@evil.example"},
	}).ID
	for name, c := range map[string]struct {
		tool string
		args object
		want []string
	}{
		"to, cc and bcc": {"gmail_send_message", object{"to": []string{"a@one.example", "carl@example.com"}, "cc": []string{"Bee <b@two.example>"}, "bcc": []string{"c@three.example"}, "body": "Hi"},
			[]string{"a@one.example", "b@two.example", "c@three.example"}},
		"whom answers go to": {"gmail_send_message", object{"to": []string{"carl@example.com"}, "reply_to": "Ann <eve@evil.example>", "body": "Hi"}, []string{"eve@evil.example"}},
		"and of a draft":     {"gmail_send_draft", object{"draft_id": d.createDraft(object{"to": []string{"carl@example.com"}, "reply_to": "eve@evil.example"})}, []string{"eve@evil.example"}},
		"an answer to all":   {"gmail_reply_message", object{"message_id": id, "reply_all": true, "body": "Hi"}, []string{"list@evil.example", "eve@evil.example"}},
		"a draft": {"gmail_send_draft", object{"draft_id": d.createDraft(object{"to": []string{"carl@example.com"}, "cc": []string{"y@evil.example"}, "bcc": []string{"x@evil.example"}})},
			[]string{"y@evil.example", "x@evil.example"}},
		"guests there were before": {"calendar_update_event", object{"event_id": withBob(d, "Bakery"), "title": "Oven"}, []string{bob}},
		"one who is invited":       {"calendar_create_event", object{"title": "Oven", "start": someday + "T10:00", "attendees": []string{"Carl <carl@example.com>", bob}}, []string{bob}},
	} {
		_, failure := d.call(c.tool, c.args)
		if failure == nil || failure.Code != "REFUSED" || !strings.Contains(failure.Message, fmt.Sprintf("reach %s, which send_to does not list", strings.Join(c.want, ", "))) {
			t.Errorf("%s: got %+v, want all of %q named and nobody else", name, failure, c.want)
		}
	}
	if sent := d.google.User(ann).Sent(); len(sent) > 0 {
		t.Errorf("%d mails were sent", len(sent))
	}
	for _, answers := range []string{"", "dora@example.com", ann} {
		asks := object{"to": []string{"Carl <CARL@Example.com>"}, "body": "Hi " + answers}
		if answers != "" {
			asks["reply_to"] = answers
		}
		if listed := d.mustCall("gmail_send_message", asks); listed.Status != "sent" {
			t.Errorf("to one who is listed, with answers to %q: %s", answers, listed.raw)
		}
	}
}

// If the list becomes shorter after a mail was begun, it also applies to the
// retry, for every recipient in the header.
func TestRetryObeysCurrentRecipients(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		tool string
		args func(d *testHome) object
		evil string
	}{
		"whom answers go to": {"gmail_send_message", func(*testHome) object {
			return object{"to": []string{"carl@example.com"}, "reply_to": "eve@evil.example", "body": "Hi"}
		}, "eve@evil.example"},
		"a blind copy": {"gmail_send_message", func(*testHome) object {
			return object{"to": []string{"carl@example.com"}, "bcc": []string{"mal@evil.example"}, "body": "Hi"}
		}, "mal@evil.example"},
		"whom answers to a draft go to": {"gmail_send_draft", func(d *testHome) object {
			return object{"draft_id": d.createDraft(object{"to": []string{"carl@example.com"}, "reply_to": "eve@evil.example"})}
		}, "eve@evil.example"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newCalendarHome(t, "send: allow\n")
			d.clock = testTime
			args := c.args(d)
			withdraw := d.google.Fault(bundletest.GoogleFault{Method: sendDraft, Status: 429})
			if _, failure := d.call(c.tool, args); failure == nil || failure.Code != "RATE_LIMITED" {
				t.Fatalf("the first answers %+v", failure)
			}
			withdraw()
			id := strings.Fields(d.must("outbox"))[0]
			const limits = "limits: {sends_per_hour: 2}\n" // refused calls are not counted
			d.configure("send: allow\nsend_to: [example.com]\n" + limits)
			if _, stderr, status := d.run("outbox", "retry", id); status != 1 || !strings.Contains(stderr, c.evil) || len(d.google.User(ann).Sent()) != 0 {
				t.Errorf("it ends with %d, and %d are sent: %s", status, len(d.google.User(ann).Sent()), stderr)
			}
			d.configure("send: allow\nsend_to: [example.com, evil.example]\n" + limits)
			d.must("outbox", "retry", id)
			if sent := len(d.google.User(ann).Sent()); sent != 1 {
				t.Errorf("listed, %d mails are sent", sent)
			}
		})
	}
}
