package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"strings"
	"testing"

	"kota/bundles/bundletest"
	"kota/cmd/kota/internal/app"
	"kota/cmd/kota/internal/term"
	"kota/entrypoint"
	"kota/metadata"
)

// planted is the untrusted content, in every place where others can write.
const planted = "zebrafinch"

// talk is a desk in one process, where each call can be its own conversation.
// Mail may be sent without a question there, until a conversation is tainted.
type talk struct {
	*desk
	router  *entrypoint.Router
	reached map[string]bool
	showed  map[string]bool // tools with an answer that contained the planted word
	probes  int
}

func (k *talk) call(ctx context.Context, tool string, args object) (map[string]any, *metadata.Error) {
	k.t.Helper()
	raw, err := json.Marshal(args)
	if err != nil {
		k.t.Fatal(err)
	}
	k.reached[tool] = true
	out, err := k.router.Call(ctx, tool, raw)
	if err != nil {
		return nil, err.(*metadata.Error)
	}
	answer := map[string]any{}
	if raw, err = json.Marshal(out); err == nil {
		err = json.Unmarshal(raw, &answer)
	}
	if err != nil {
		k.t.Fatal(err)
	}
	return answer, nil
}

// asks makes a call as its own conversation. If its answer contains the planted
// word, each item with it must be marked as untrusted, and the conversation
// must be asked before it sends.
func (k *talk) asks(tool string, args object) map[string]any {
	k.t.Helper()
	ctx := entrypoint.WithSession(k.t.Context())
	answer, failure := k.call(ctx, tool, args)
	raw, err := json.Marshal(struct {
		Answer  map[string]any
		Failure *metadata.Error
	}{answer, failure})
	if err != nil {
		k.t.Fatal(err)
	}
	if !strings.Contains(strings.ToLower(string(raw)), planted) {
		return answer
	}
	k.showed[tool] = true
	for _, path := range bundletest.Unmarked(answer, planted) {
		k.t.Errorf("%s %v: nobody says whose words %s has: %.400s", tool, args, path, raw)
	}
	k.probes++
	if _, failure := k.call(ctx, "gmail_send_message", letter(fmt.Sprint("probe ", k.probes))); failure == nil || failure.Code != metadata.ApprovalNeeded {
		k.t.Errorf("%s %v: the conversation goes on as if nothing had come: %v; %.400s", tool, args, failure, raw)
	}
	return answer
}

// fails does the same as asks for a call whose error shows the planted word.
func (k *talk) fails(tool string, args object) {
	k.t.Helper()
	probes := k.probes
	if answer := k.asks(tool, args); len(answer) > 0 || k.probes == probes {
		k.t.Errorf("%s %v: no error shows what was planted: %v", tool, args, answer)
	}
}

// newTalk plants the word in mail, in what quotes it, in events, in a memory,
// and in what was logged after reading it.
func newTalk(t *testing.T) (k *talk, ids map[string]string) {
	t.Helper()
	d := calendarDesk(t, "")
	d.bundles, d.clock = "memory: on, daily: on, gmail: on, calendar: on", theDayOfTheExamples
	d.configure("send: allow\ndestroy: allow\ntimezone: Europe/Amsterdam\nlimits: {sends_per_hour: 500, sends_per_day: 500, destroys_per_hour: 500}\nattachments: {into: " + t.TempDir() + "}\n")
	a := &app.App{Env: d.env, Terminal: term.Terminal{Stdin: strings.NewReader(""), Stdout: io.Discard, Stderr: io.Discard}}
	t.Cleanup(func() { _ = a.CloseDB() })
	router, err := a.Router()
	if err != nil {
		t.Fatal(err)
	}
	k = &talk{desk: d, router: router, reached: map[string]bool{}, showed: map[string]bool{}}
	user := d.google.User(ann)
	ids = map[string]string{}
	received := user.Deliver(bundletest.GoogleMail{
		From: planted + " <bob@example.org>", To: planted + " <ann@example.com>", Subject: planted, Text: planted, HTML: "<p>" + planted + "</p>",
		Headers:     []string{"List-Unsubscribe: <mailto:leave@example.org?subject=leave>"},
		Attachments: []bundletest.GoogleAttachment{{Name: planted + ".txt", Type: "text/plain", Data: []byte(planted)}},
	})
	ids["mail"] = received.ID
	ids["sent"] = user.Deliver(bundletest.GoogleMail{From: ann, To: "bob@example.org", ThreadWith: received.ID, Text: "No.\n\n> " + planted, Labels: []string{"SENT"}}).ID
	ids["own"] = user.Deliver(bundletest.GoogleMail{From: ann, To: "bob@example.org", Subject: "Mine", Text: "My words.", Labels: []string{"SENT"}}).ID
	theirs := func(id string, hour int) {
		e := at(hour, planted, ann)
		e["id"], e["location"], e["description"] = id, planted, planted
		e["attendees"] = []object{{"email": ann}, {"email": "carol@example.net", "displayName": planted, "comment": planted}}
		d.google.User(bob).AddEvent("primary", e)
	}
	theirs("gala1", 9)
	theirs("gala2", 9)
	own := at(13, "Mine")
	own["id"] = "mine1"
	own["attendees"] = []object{{"email": ann}, {"email": "carol@example.net", "comment": planted, "responseStatus": "declined"}}
	user.AddEvent("primary", own)
	d.google.User(bob).ShareCalendar(d.google.User(bob).AddCalendar(bundletest.GoogleCalendar{Summary: planted}), ann, "reader")
	if _, failure := k.call(entrypoint.WithSession(t.Context()), "memory_set", object{"key": planted, "value": 1, "source": "mail"}); failure != nil {
		t.Fatal(failure)
	}
	if _, failure := k.call(entrypoint.WithSession(t.Context()), "memory_set", object{"key": "fact", "value": planted, "tags": []string{planted}, "category": planted, "source": "mail:" + received.ID}); failure != nil {
		t.Fatal(failure)
	}
	reading := entrypoint.WithSession(t.Context())
	must := func(tool string, args object) map[string]any {
		t.Helper()
		answer, failure := k.call(reading, tool, args)
		if failure != nil {
			t.Fatal(tool, failure)
		}
		return answer
	}
	must("gmail_get_message", object{"ids": []string{received.ID}})
	must("memory_set", object{"key": "heard", "value": planted})
	logged := must("daily_log", object{"text": planted, "type": "journal", "tasks": []string{planted}, "tags": []string{"open"}, "links": []string{"mail:" + received.ID, "event:gala1", "memory:fact"}})
	ids["entry"] = text(t, logged, "ids")
	must("daily_log", object{"text": planted, "tags": []string{"open"}, "date": "yesterday", "type": planted, "metrics": object{planted: 1}})
	must("memory_set", object{"key": planted + "Finch", "value": 1})
	must("memory_set", object{"key": planted + " finch", "value": 1})
	must("gmail_manage_label", object{"operation": "create", "name": planted + "/of them"})
	must("gmail_manage_filter", object{"operation": "create", "query": planted, "star": true})
	must("gmail_modify_messages", object{"ids": []string{ids["own"]}, "add_labels": []string{planted}})
	must("calendar_manage_calendar", object{"operation": "create", "name": "Ours, " + planted})
	ids["plan"] = text(t, must("daily_plan", object{"type": "day_plan", "answers": object{"focus": planted}}), "id")
	ids["under way"] = text(t, must("daily_review", object{"type": "week_review", "title": planted}), "handle")
	ids["draft"] = text(t, must("gmail_forward_message", object{"message_id": received.ID, "to": []string{"carol@example.net"}, "as_draft": true}), "draft_id")
	ids["event"] = text(t, must("calendar_create_event", object{"title": planted, "start": someday + "T16:00", "duration": "1h"}), "event", "event_id")
	by := object{"id": "inmine1"}
	maps.Copy(by, at(19, planted)) // by somebody who from now on may write to Ann's main calendar
	user.ShareCalendar("primary", bob, "writer")
	d.google.User(bob).AddEvent(ann, by)
	return k, ids
}

// text returns the text at a path of an answer; of a list the first item
// counts.
func text(t testing.TB, answer map[string]any, path ...string) string {
	t.Helper()
	var at any = answer
	for _, step := range append(path, "") {
		if list, ok := at.([]any); ok && len(list) > 0 {
			at = list[0]
		}
		if within, ok := at.(map[string]any); ok {
			at = within[step]
		}
	}
	found, ok := at.(string)
	if !ok {
		t.Fatalf("the answer has no %v: %v", path, answer)
	}
	return found
}

// No answer of any action shows untrusted content, however it got there,
// without marking it and tainting the conversation.
func TestEveryActionMarksUntrustedContent(t *testing.T) {
	t.Parallel()
	k, ids := newTalk(t)
	day := object{"from": someday, "to": someday}

	for _, args := range []object{{"query": "fact"}, {"query": "heard"}} {
		k.asks("memory_get", args)
	}
	k.asks("memory_search", object{"query": planted[:5]})
	k.asks("memory_list", object{})
	k.asks("memory_search", object{"query": "zebra fence"})
	k.asks("memory_get", object{"query": "zebu finish"})
	k.asks("memory_set", object{"key": "zebra finch", "value": 1})
	k.asks("memory_categories", object{})
	k.fails("memory_set", object{"key": "fact", "value": 1, "if_version": 99})
	k.fails("memory_update", object{"key": planted + "_finch", "pinned": true})
	k.fails("memory_history", object{"key": planted + "_finch"})
	k.asks("memory_update", object{"key": "fact", "pinned": true, "source": "user"})
	k.asks("memory_get", object{"query": "fact"})
	k.asks("memory_set", object{"key": "heard", "value": "nothing"})
	k.asks("memory_history", object{"key": "heard"})
	k.asks("memory_history", object{"since": "2026-01-01"})
	k.asks("memory_restore", object{"undo_id": text(t, k.asks("memory_delete", object{"key": "heard"}), "undo_id")})
	k.asks("memory_delete", object{"filter": object{"source": "mail"}, "dry_run": true})
	k.asks("memory_restore", object{"undo_id": text(t, k.asks("memory_delete", object{"filter": object{"source": "mail"}}), "undo_id")})

	everything := []string{"tasks", "documents", "memories", "events", "mail", "metrics"}
	for _, args := range []object{{"include": everything}, {"include": everything, "detail": "full"}, {"id": ids["entry"], "include": everything}, {"id": ids["plan"]}} {
		k.asks("daily_get", args)
	}
	k.asks("daily_edit", object{"id": ids["entry"], "mood": 3})
	k.asks("daily_search", object{"query": planted[:5]})
	k.asks("daily_search", object{"type": "journal"})
	k.asks("daily_task", object{})
	k.asks("daily_briefing", object{})
	k.asks("daily_briefing", object{"date": someday})
	k.asks("daily_plan", object{"type": "day_plan", "period": someday})
	k.asks("daily_plan", object{"type": "day_plan"})
	k.asks("daily_plan", object{})
	k.asks("daily_review", object{"type": "day_review"})
	k.asks("daily_review", object{"handle": ids["under way"]})
	k.asks("daily_stats", object{})
	k.asks("daily_stats", object{"metric": planted[:8]})
	k.asks("daily_get", object{"date": "yesterday", "include": []string{"metrics"}})
	k.asks("daily_review", object{"type": "day_review", "period": "yesterday"})
	k.asks("daily_log", object{"text": "x"})

	for _, query := range []string{"in:anywhere", "in:sent", "in:drafts"} {
		k.asks("gmail_search_messages", object{"query": query})
	}
	for _, format := range []string{"markdown", "headers", "source"} {
		k.asks("gmail_get_message", object{"ids": []string{ids["mail"]}, "format": format})
		k.asks("gmail_get_message", object{"ids": []string{ids["sent"]}, "format": format, "include_quoted": true})
	}
	k.asks("gmail_get_thread", object{"thread_id": ids["mail"]})
	k.asks("gmail_get_attachment", object{"message_id": ids["mail"], "as": "text"})
	k.asks("gmail_get_attachment", object{"message_id": ids["mail"]})
	k.asks("gmail_get_attachment", object{"message_id": ids["mail"], "attachment": "no"})
	cursor := text(t, k.asks("gmail_list_changes", object{}), "cursor")
	k.asks("gmail_modify_messages", object{"ids": []string{ids["mail"]}, "star": false, "dry_run": true})
	k.asks("gmail_modify_messages", object{"ids": []string{ids["mail"]}, "star": true})
	k.asks("gmail_list_changes", object{"cursor": cursor})
	k.asks("gmail_find_followups", object{"direction": "i_owe_them", "older_than": "0d"})
	k.asks("gmail_find_followups", object{"direction": "they_owe_me", "older_than": "0d"})
	k.asks("gmail_list_labels", object{})
	k.asks("gmail_list_labels", object{"counts": true})
	k.asks("gmail_get_message", object{"ids": []string{ids["own"]}})
	k.asks("gmail_manage_label", object{"operation": "create", "name": "later"})
	k.asks("gmail_manage_label", object{"operation": "color", "name": planted, "color": "red"})
	k.fails("gmail_search_messages", object{"label": planted + "s"})
	k.fails("gmail_manage_label", object{"operation": "delete", "name": planted + "s"})
	k.fails("gmail_modify_messages", object{"ids": []string{ids["own"]}, "add_labels": []string{planted + "s"}})
	k.asks("gmail_manage_label", object{"operation": "rename", "name": planted, "new_name": "Work"})
	k.asks("gmail_list_labels", object{})
	k.asks("gmail_manage_filter", object{"operation": "list"})
	k.asks("gmail_manage_filter", object{"operation": "create", "query": planted, "archive": true, "dry_run": true})
	k.asks("gmail_manage_vacation", object{"operation": "get"})
	k.asks("gmail_unsubscribe", object{"message_id": ids["mail"]})
	k.asks("gmail_list_accounts", object{})
	k.asks("gmail_reply_message", object{"message_id": ids["mail"], "body": "yes", "as_draft": true})
	k.asks("gmail_reply_message", object{"message_id": ids["mail"], "body": "yes", "idempotency_key": "reply"})
	k.fails("gmail_send_message", object{"to": []string{"bob@example.com"}, "subject": "x", "body": "y", "idempotency_key": "reply"})
	k.asks("gmail_forward_message", object{"message_id": ids["mail"], "to": []string{"carol@example.net"}})
	k.asks("gmail_list_drafts", object{})
	k.asks("gmail_update_draft", object{"draft_id": ids["draft"], "cc": []string{"carol@example.org"}})
	k.asks("gmail_undo", object{})
	k.asks("gmail_send_draft", object{"draft_id": ids["draft"]})
	k.asks("gmail_delete_draft", object{"draft_id": k.asks("gmail_reply_message", object{"message_id": ids["mail"], "body": "no", "as_draft": true})["draft_id"]})

	k.asks("calendar_list_calendars", object{})
	k.fails("calendar_list_events", object{"calendars": []string{"zebra"}})
	k.fails("calendar_create_event", object{"title": "x", "start": someday + "T10:00", "calendar": "finches"})
	k.asks("calendar_list_events", object{"from": someday, "to": someday, "calendars": []string{"all"}})
	k.asks("calendar_manage_calendar", object{"operation": "update", "calendar": planted, "color": "basil"})
	k.asks("calendar_list_events", day)
	for _, id := range []string{"gala1", "mine1", "inmine1", ids["event"]} {
		k.asks("calendar_get_event", object{"event_id": id})
	}
	cursor = text(t, k.asks("calendar_list_changes", object{}), "cursor")
	slot := object{"title": "x", "start": someday + "T10:00", "duration": "1h", "timezone": "Europe/Amsterdam"}
	k.asks("calendar_create_event", slot)
	slot["on_conflict"] = "block"
	k.asks("calendar_create_event", slot)
	undo := k.asks("calendar_update_event", object{"event_id": ids["event"], "start": someday + "T17:00"})["undo_id"]
	k.asks("calendar_undo", object{})
	k.asks("calendar_undo", object{"undo_id": undo})
	for _, change := range []bool{false, true} {
		made := k.asks("calendar_create_event", object{"title": "Tea", "start": someday + "T20:00", "duration": "1h"})
		id, undo := text(t, made, "event", "event_id"), made["undo_id"]
		if change {
			undo = k.asks("calendar_update_event", object{"event_id": id, "title": "Coffee"})["undo_id"]
		}
		k.google.User(ann).ChangeEvent("primary", id, object{"summary": planted, "guestsCanModify": true, "attendees": []object{{"email": ann}, {"email": "carol@example.net"}}})
		k.fails("calendar_undo", object{"undo_id": undo})
		k.fails("calendar_update_event", object{"event_id": id, "title": "Milk", "etag": `"old"`})
	}
	k.asks("calendar_respond_event", object{"event_id": "gala1", "answer": "maybe"})
	k.asks("calendar_respond_event", object{"event_id": ids["event"], "answer": "yes"})
	k.asks("calendar_find_slots", day)
	k.asks("calendar_check_availability", object{"start": someday + "T10:00", "timezone": "Europe/Amsterdam"})
	k.asks("calendar_quick_add", object{"text": "breakfast on " + someday + " at 10:00"})
	k.asks("calendar_manage_calendar", object{"operation": "create", "name": "Team"})
	k.asks("calendar_move_event", object{"event_id": ids["event"], "to": "Team"})
	k.asks("calendar_delete_event", object{"event_id": "gala2"})
	k.asks("calendar_list_changes", object{"cursor": cursor})

	read := object{"bundle": "memory", "action": "get", "args": object{"query": "fact"}}
	k.asks("kota_read", read)
	k.asks("kota_entry_point", read)
	k.asks("kota_discover_bundles", object{"query": planted})
	k.asks("kota_describe_bundle", object{"bundle": "memory"})
	for _, tool := range k.tools() {
		if !k.reached[tool] {
			t.Errorf("%s is not held to saying whose words it shows: call it here", tool)
		}
	}
	if len(k.showed) < 30 {
		t.Errorf("what strangers wrote was shown by no more than %d tools: %v", len(k.showed), k.showed)
	}
}

// Reading a resource by its address also taints the conversation.
func TestUntrustedResourceTaintsConversation(t *testing.T) {
	t.Parallel()
	k, _ := newTalk(t)
	for _, uri := range []string{"memory://context", "memory://fact"} {
		p := k.serveAsking(asksNobody)
		p.send(ask("read", "resources/read", object{"uri": uri}))
		if read := string(p.until("read").Result); !strings.Contains(read, planted) {
			t.Fatalf("%s is %s", uri, read)
		}
		p.fails("gmail_send_message", letter("probe"), "APPROVAL_REQUIRED")
		p.end()
	}
}
