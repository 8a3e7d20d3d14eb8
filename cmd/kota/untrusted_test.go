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

// plantedWord is the untrusted content, in every place where others can write.
const plantedWord = "zebrafinch"

// taintProbe is a home in one process, where each call can be its own conversation.
// Mail may be sent without a question there, until a conversation is tainted.
type taintProbe struct {
	*testHome
	router  *entrypoint.Router
	reached map[string]bool
	shown   map[string]bool // tools with an answer that contained the planted word
	probes  int
}

func (k *taintProbe) call(ctx context.Context, tool string, args object) (map[string]any, *metadata.Error) {
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

// checkMarked makes a call as its own conversation. If its answer contains the planted
// word, each item with it must be marked as untrusted, and the conversation
// must be asked before it sends.
func (k *taintProbe) checkMarked(tool string, args object) map[string]any {
	k.t.Helper()
	ctx := entrypoint.WithNewSession(k.t.Context())
	answer, failure := k.call(ctx, tool, args)
	raw, err := json.Marshal(struct {
		Answer  map[string]any
		Failure *metadata.Error
	}{answer, failure})
	if err != nil {
		k.t.Fatal(err)
	}
	if !strings.Contains(strings.ToLower(string(raw)), plantedWord) {
		return answer
	}
	k.shown[tool] = true
	for _, path := range bundletest.PathsWithoutProvenance(answer, plantedWord) {
		k.t.Errorf("%s %v: nobody says whose words %s has: %.400s", tool, args, path, raw)
	}
	k.probes++
	if _, failure := k.call(ctx, "gmail_send_message", mailArgs(fmt.Sprint("probe ", k.probes))); failure == nil || failure.Code != metadata.ApprovalNeeded {
		k.t.Errorf("%s %v: the conversation goes on as if nothing had come: %v; %.400s", tool, args, failure, raw)
	}
	return answer
}

// checkErrorMarked does the same as checkMarked for a call whose error shows the
// planted word.
func (k *taintProbe) checkErrorMarked(tool string, args object) {
	k.t.Helper()
	probes := k.probes
	if answer := k.checkMarked(tool, args); len(answer) > 0 || k.probes == probes {
		k.t.Errorf("%s %v: no error shows what was planted: %v", tool, args, answer)
	}
}

// newTaintProbe plants the word in mail, in what quotes it, in events, in a memory,
// and in what was logged after reading it.
func newTaintProbe(t *testing.T) (k *taintProbe, ids map[string]string) {
	t.Helper()
	d := newCalendarHome(t, "")
	d.bundles, d.clock = "memory: on, daily: on, gmail: on, calendar: on", examplesDay
	d.configure("send: allow\ndestroy: allow\ntimezone: Europe/Amsterdam\nlimits: {sends_per_hour: 500, sends_per_day: 500, destroys_per_hour: 500}\nattachments: {into: " + t.TempDir() + "}\n")
	a := &app.App{Env: d.env, Terminal: term.Terminal{Stdin: strings.NewReader(""), Stdout: io.Discard, Stderr: io.Discard}}
	t.Cleanup(func() { _ = a.CloseDB() })
	router, err := a.Router()
	if err != nil {
		t.Fatal(err)
	}
	k = &taintProbe{testHome: d, router: router, reached: map[string]bool{}, shown: map[string]bool{}}
	user := d.google.User(ann)
	ids = map[string]string{}
	received := user.Deliver(bundletest.GoogleMail{
		From: plantedWord + " <bob@example.org>", To: plantedWord + " <ann@example.com>", Subject: plantedWord, Text: plantedWord, HTML: "<p>" + plantedWord + "</p>",
		Headers:     []string{"List-Unsubscribe: <mailto:leave@example.org?subject=leave>"},
		Attachments: []bundletest.GoogleAttachment{{Name: plantedWord + ".txt", Type: "text/plain", Data: []byte(plantedWord)}},
	})
	ids["mail"] = received.ID
	ids["sent"] = user.Deliver(bundletest.GoogleMail{From: ann, To: "bob@example.org", ThreadWith: received.ID, Text: "No.\n\n> " + plantedWord, Labels: []string{"SENT"}}).ID
	ids["own"] = user.Deliver(bundletest.GoogleMail{From: ann, To: "bob@example.org", Subject: "Mine", Text: "My words.", Labels: []string{"SENT"}}).ID
	addEvent := func(id string, hour int) {
		e := hourEvent(hour, plantedWord, ann)
		e["id"], e["location"], e["description"] = id, plantedWord, plantedWord
		e["attendees"] = []object{{"email": ann}, {"email": "carol@example.net", "displayName": plantedWord, "comment": plantedWord}}
		d.google.User(bob).AddEvent("primary", e)
	}
	addEvent("gala1", 9)
	addEvent("gala2", 9)
	own := hourEvent(13, "Mine")
	own["id"] = "mine1"
	own["attendees"] = []object{{"email": ann}, {"email": "carol@example.net", "comment": plantedWord, "responseStatus": "declined"}}
	user.AddEvent("primary", own)
	d.google.User(bob).ShareCalendar(d.google.User(bob).AddCalendar(bundletest.GoogleCalendar{Summary: plantedWord}), ann, "reader")
	if _, failure := k.call(entrypoint.WithNewSession(t.Context()), "memory_set", object{"key": plantedWord, "value": 1, "source": "mail"}); failure != nil {
		t.Fatal(failure)
	}
	if _, failure := k.call(entrypoint.WithNewSession(t.Context()), "memory_set", object{"key": "fact", "value": plantedWord, "tags": []string{plantedWord}, "category": plantedWord, "source": "mail:" + received.ID}); failure != nil {
		t.Fatal(failure)
	}
	reading := entrypoint.WithNewSession(t.Context())
	must := func(tool string, args object) map[string]any {
		t.Helper()
		answer, failure := k.call(reading, tool, args)
		if failure != nil {
			t.Fatal(tool, failure)
		}
		return answer
	}
	must("gmail_get_message", object{"ids": []string{received.ID}})
	must("memory_set", object{"key": "heard", "value": plantedWord})
	logged := must("daily_log", object{"text": plantedWord, "type": "journal", "tasks": []string{plantedWord}, "tags": []string{"open"}, "links": []string{"mail:" + received.ID, "event:gala1", "memory:fact"}})
	ids["entry"] = textAt(t, logged, "ids")
	must("daily_log", object{"text": plantedWord, "tags": []string{"open"}, "date": "yesterday", "type": plantedWord, "metrics": object{plantedWord: 1}})
	must("memory_set", object{"key": plantedWord + "Finch", "value": 1})
	must("memory_set", object{"key": plantedWord + " finch", "value": 1})
	must("gmail_manage_label", object{"operation": "create", "name": plantedWord + "/of them"})
	must("gmail_manage_filter", object{"operation": "create", "query": plantedWord, "star": true})
	must("gmail_modify_messages", object{"ids": []string{ids["own"]}, "add_labels": []string{plantedWord}})
	must("calendar_manage_calendar", object{"operation": "create", "name": "Ours, " + plantedWord})
	ids["plan"] = textAt(t, must("daily_plan", object{"type": "day_plan", "answers": object{"focus": plantedWord}}), "id")
	ids["under way"] = textAt(t, must("daily_review", object{"type": "week_review", "title": plantedWord}), "handle")
	ids["draft"] = textAt(t, must("gmail_forward_message", object{"message_id": received.ID, "to": []string{"carol@example.net"}, "as_draft": true}), "draft_id")
	ids["event"] = textAt(t, must("calendar_create_event", object{"title": plantedWord, "start": someday + "T16:00", "duration": "1h"}), "event", "event_id")
	by := object{"id": "inmine1"}
	maps.Copy(by, hourEvent(19, plantedWord)) // by somebody who from now on may write to Ann's main calendar
	user.ShareCalendar("primary", bob, "writer")
	d.google.User(bob).AddEvent(ann, by)
	return k, ids
}

// textAt returns the text at a path of an answer; of a list the first item
// counts.
func textAt(t testing.TB, answer map[string]any, path ...string) string {
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
	k, ids := newTaintProbe(t)
	day := object{"from": someday, "to": someday}

	for _, args := range []object{{"query": "fact"}, {"query": "heard"}} {
		k.checkMarked("memory_get", args)
	}
	k.checkMarked("memory_search", object{"query": plantedWord[:5]})
	k.checkMarked("memory_list", object{})
	k.checkMarked("memory_search", object{"query": "zebra fence"})
	k.checkMarked("memory_get", object{"query": "zebu finish"})
	k.checkMarked("memory_set", object{"key": "zebra finch", "value": 1})
	k.checkMarked("memory_categories", object{})
	k.checkErrorMarked("memory_set", object{"key": "fact", "value": 1, "if_version": 99})
	k.checkErrorMarked("memory_update", object{"key": plantedWord + "_finch", "pinned": true})
	k.checkErrorMarked("memory_history", object{"key": plantedWord + "_finch"})
	k.checkMarked("memory_update", object{"key": "fact", "pinned": true, "source": "user"})
	k.checkMarked("memory_get", object{"query": "fact"})
	k.checkMarked("memory_set", object{"key": "heard", "value": "nothing"})
	k.checkMarked("memory_history", object{"key": "heard"})
	k.checkMarked("memory_history", object{"since": "2026-01-01"})
	k.checkMarked("memory_restore", object{"undo_id": textAt(t, k.checkMarked("memory_delete", object{"key": "heard"}), "undo_id")})
	k.checkMarked("memory_delete", object{"filter": object{"source": "mail"}, "dry_run": true})
	k.checkMarked("memory_restore", object{"undo_id": textAt(t, k.checkMarked("memory_delete", object{"filter": object{"source": "mail"}}), "undo_id")})

	everything := []string{"tasks", "documents", "memories", "events", "mail", "metrics"}
	for _, args := range []object{{"include": everything}, {"include": everything, "detail": "full"}, {"id": ids["entry"], "include": everything}, {"id": ids["plan"]}} {
		k.checkMarked("daily_get", args)
	}
	k.checkMarked("daily_edit", object{"id": ids["entry"], "mood": 3})
	k.checkMarked("daily_search", object{"query": plantedWord[:5]})
	k.checkMarked("daily_search", object{"type": "journal"})
	k.checkMarked("daily_task", object{})
	k.checkMarked("daily_briefing", object{})
	k.checkMarked("daily_briefing", object{"date": someday})
	k.checkMarked("daily_plan", object{"type": "day_plan", "period": someday})
	k.checkMarked("daily_plan", object{"type": "day_plan"})
	k.checkMarked("daily_plan", object{})
	k.checkMarked("daily_review", object{"type": "day_review"})
	k.checkMarked("daily_review", object{"handle": ids["under way"]})
	k.checkMarked("daily_stats", object{})
	k.checkMarked("daily_stats", object{"metric": plantedWord[:8]})
	k.checkMarked("daily_get", object{"date": "yesterday", "include": []string{"metrics"}})
	k.checkMarked("daily_review", object{"type": "day_review", "period": "yesterday"})
	k.checkMarked("daily_log", object{"text": "x"})

	for _, query := range []string{"in:anywhere", "in:sent", "in:drafts"} {
		k.checkMarked("gmail_search_messages", object{"query": query})
	}
	for _, format := range []string{"markdown", "headers", "source"} {
		k.checkMarked("gmail_get_message", object{"ids": []string{ids["mail"]}, "format": format})
		k.checkMarked("gmail_get_message", object{"ids": []string{ids["sent"]}, "format": format, "include_quoted": true})
	}
	k.checkMarked("gmail_get_thread", object{"thread_id": ids["mail"]})
	k.checkMarked("gmail_get_attachment", object{"message_id": ids["mail"], "as": "text"})
	k.checkMarked("gmail_get_attachment", object{"message_id": ids["mail"]})
	k.checkMarked("gmail_get_attachment", object{"message_id": ids["mail"], "attachment": "no"})
	cursor := textAt(t, k.checkMarked("gmail_list_changes", object{}), "cursor")
	k.checkMarked("gmail_modify_messages", object{"ids": []string{ids["mail"]}, "star": false, "dry_run": true})
	k.checkMarked("gmail_modify_messages", object{"ids": []string{ids["mail"]}, "star": true})
	k.checkMarked("gmail_list_changes", object{"cursor": cursor})
	k.checkMarked("gmail_find_followups", object{"direction": "i_owe_them", "older_than": "0d"})
	k.checkMarked("gmail_find_followups", object{"direction": "they_owe_me", "older_than": "0d"})
	k.checkMarked("gmail_list_labels", object{})
	k.checkMarked("gmail_list_labels", object{"counts": true})
	k.checkMarked("gmail_get_message", object{"ids": []string{ids["own"]}})
	k.checkMarked("gmail_manage_label", object{"operation": "create", "name": "later"})
	k.checkMarked("gmail_manage_label", object{"operation": "color", "name": plantedWord, "color": "red"})
	k.checkErrorMarked("gmail_search_messages", object{"label": plantedWord + "s"})
	k.checkErrorMarked("gmail_manage_label", object{"operation": "delete", "name": plantedWord + "s"})
	k.checkErrorMarked("gmail_modify_messages", object{"ids": []string{ids["own"]}, "add_labels": []string{plantedWord + "s"}})
	k.checkMarked("gmail_manage_label", object{"operation": "rename", "name": plantedWord, "new_name": "Work"})
	k.checkMarked("gmail_list_labels", object{})
	k.checkMarked("gmail_manage_filter", object{"operation": "list"})
	k.checkMarked("gmail_manage_filter", object{"operation": "create", "query": plantedWord, "archive": true, "dry_run": true})
	k.checkMarked("gmail_manage_vacation", object{"operation": "get"})
	k.checkMarked("gmail_unsubscribe", object{"message_id": ids["mail"]})
	k.checkMarked("gmail_list_accounts", object{})
	k.checkMarked("gmail_reply_message", object{"message_id": ids["mail"], "body": "yes", "as_draft": true})
	k.checkMarked("gmail_reply_message", object{"message_id": ids["mail"], "body": "yes", "idempotency_key": "reply"})
	k.checkErrorMarked("gmail_send_message", object{"to": []string{"bob@example.com"}, "subject": "x", "body": "y", "idempotency_key": "reply"})
	k.checkMarked("gmail_forward_message", object{"message_id": ids["mail"], "to": []string{"carol@example.net"}})
	k.checkMarked("gmail_list_drafts", object{})
	k.checkMarked("gmail_update_draft", object{"draft_id": ids["draft"], "cc": []string{"carol@example.org"}})
	k.checkMarked("gmail_undo", object{})
	k.checkMarked("gmail_send_draft", object{"draft_id": ids["draft"]})
	k.checkMarked("gmail_delete_draft", object{"draft_id": k.checkMarked("gmail_reply_message", object{"message_id": ids["mail"], "body": "no", "as_draft": true})["draft_id"]})

	k.checkMarked("calendar_list_calendars", object{})
	k.checkErrorMarked("calendar_list_events", object{"calendars": []string{"zebra"}})
	k.checkErrorMarked("calendar_create_event", object{"title": "x", "start": someday + "T10:00", "calendar": "finches"})
	k.checkMarked("calendar_list_events", object{"from": someday, "to": someday, "calendars": []string{"all"}})
	k.checkMarked("calendar_manage_calendar", object{"operation": "update", "calendar": plantedWord, "color": "basil"})
	k.checkMarked("calendar_list_events", day)
	for _, id := range []string{"gala1", "mine1", "inmine1", ids["event"]} {
		k.checkMarked("calendar_get_event", object{"event_id": id})
	}
	cursor = textAt(t, k.checkMarked("calendar_list_changes", object{}), "cursor")
	slot := object{"title": "x", "start": someday + "T10:00", "duration": "1h", "timezone": "Europe/Amsterdam"}
	k.checkMarked("calendar_create_event", slot)
	slot["on_conflict"] = "block"
	k.checkMarked("calendar_create_event", slot)
	undo := k.checkMarked("calendar_update_event", object{"event_id": ids["event"], "start": someday + "T17:00"})["undo_id"]
	k.checkMarked("calendar_undo", object{})
	k.checkMarked("calendar_undo", object{"undo_id": undo})
	for _, change := range []bool{false, true} {
		made := k.checkMarked("calendar_create_event", object{"title": "Tea", "start": someday + "T20:00", "duration": "1h"})
		id, undo := textAt(t, made, "event", "event_id"), made["undo_id"]
		if change {
			undo = k.checkMarked("calendar_update_event", object{"event_id": id, "title": "Coffee"})["undo_id"]
		}
		k.google.User(ann).ChangeEvent("primary", id, object{"summary": plantedWord, "guestsCanModify": true, "attendees": []object{{"email": ann}, {"email": "carol@example.net"}}})
		k.checkErrorMarked("calendar_undo", object{"undo_id": undo})
		k.checkErrorMarked("calendar_update_event", object{"event_id": id, "title": "Milk", "etag": `"old"`})
	}
	k.checkMarked("calendar_respond_event", object{"event_id": "gala1", "answer": "maybe"})
	k.checkMarked("calendar_respond_event", object{"event_id": ids["event"], "answer": "yes"})
	k.checkMarked("calendar_find_slots", day)
	k.checkMarked("calendar_check_availability", object{"start": someday + "T10:00", "timezone": "Europe/Amsterdam"})
	k.checkMarked("calendar_quick_add", object{"text": "breakfast on " + someday + " at 10:00"})
	k.checkMarked("calendar_manage_calendar", object{"operation": "create", "name": "Team"})
	k.checkMarked("calendar_move_event", object{"event_id": ids["event"], "to": "Team"})
	k.checkMarked("calendar_delete_event", object{"event_id": "gala2"})
	k.checkMarked("calendar_list_changes", object{"cursor": cursor})

	read := object{"bundle": "memory", "action": "get", "args": object{"query": "fact"}}
	k.checkMarked("kota_read", read)
	k.checkMarked("kota_entry_point", read)
	k.checkMarked("kota_discover_bundles", object{"query": plantedWord})
	k.checkMarked("kota_describe_bundle", object{"bundle": "memory"})
	for _, tool := range k.toolNames() {
		if !k.reached[tool] {
			t.Errorf("%s is not held to saying whose words it shows: call it here", tool)
		}
	}
	if len(k.shown) < 30 {
		t.Errorf("untrusted content was shown by no more than %d tools: %v", len(k.shown), k.shown)
	}
}

// Reading a resource by its address also taints the conversation.
func TestUntrustedResourceTaintsConversation(t *testing.T) {
	t.Parallel()
	k, _ := newTaintProbe(t)
	for _, uri := range []string{"memory://context", "memory://fact"} {
		p := k.serveClient(cannotAsk)
		p.send(requestLine("read", "resources/read", object{"uri": uri}))
		if read := string(p.receive("read").Result); !strings.Contains(read, plantedWord) {
			t.Fatalf("%s is %s", uri, read)
		}
		p.checkError("gmail_send_message", mailArgs("probe"), "APPROVAL_REQUIRED")
		p.end()
	}
}
