package main

import (
	"encoding/json"
	"html"
	"io"
	"maps"
	"slices"
	"strings"
	"testing"
	"unicode"

	"kota/bundles/bundletest"
	"kota/cmd/kota/internal/app"
	"kota/cmd/kota/internal/term"
)

// hiddenCharacters is what attackers hide between visible letters: tags, zero-width and
// bidirectional characters, selectors, an escape sequence, and the same as HTML
// references.
const hiddenCharacters = "\U000E0041\U000E007F\u200B\u2060\uFEFF\u202E\u2066\u2069\u00AD\uFE00\U000E0121\u200D\u200C&#xE0041;&#8203;&amp;zwj;&amp;#x200B;&ZeroWidthSpace;"

// withHidden returns a word twice, with all of that between.
func withHidden(word string) string { return word + hiddenCharacters + word }

// firstHidden returns the first invisible rune of text, also after decoding HTML
// references in it, or 0.
func firstHidden(text string) rune {
	for decoded := ""; decoded != text; {
		for _, r := range text {
			if unicode.In(r, unicode.Cf, unicode.Cc, unicode.Variation_Selector) && r != '\n' && r != '\t' {
				return r
			}
		}
		decoded, text = text, html.UnescapeString(text)
	}
	return 0
}

// outputTexts returns every string in printed output: the strings in each line that
// is JSON, as programs read them, and other lines unchanged.
func outputTexts(printed string) []string {
	all := []string{}
	for line := range strings.Lines(printed) {
		var v any
		if json.Unmarshal([]byte(line), &v) != nil {
			all = append(all, strings.TrimSuffix(line, "\n"))
			continue
		}
		all = append(all, strings.TrimSuffix(line, "\n"))
		all = appendStrings(all, v)
	}
	return all
}

func appendStrings(all []string, v any) []string {
	switch v := v.(type) {
	case string:
		var inner any
		if json.Unmarshal([]byte(v), &inner) == nil { // an answer as text within an answer
			all = appendStrings(all, inner)
		}
		return append(all, v)
	case []any:
		for _, one := range v {
			all = appendStrings(all, one)
		}
	case map[string]any:
		for name, one := range v {
			all = appendStrings(append(all, name), one)
		}
	}
	return all
}

// checkClean checks that the output of a channel keeps the promise of
// bundles.Clean. It must show the words, which proves that there was something
// to clean.
func checkClean(t *testing.T, channel, printed string, words ...string) {
	t.Helper()
	for _, text := range outputTexts(printed) {
		if r := firstHidden(text); r != 0 {
			t.Errorf("%s shows %U: %+.300q", channel, r, text)
			return
		}
	}
	for _, word := range words {
		if !strings.Contains(printed, word) {
			t.Errorf("%s does not show %q: %.300s", channel, word, printed)
		}
	}
}

// newHostileHome returns a home in which attackers wrote everything that Google has,
// and the user remembered some of it.
func newHostileHome(t *testing.T) (d *testHome, mail, list string) {
	d = newCalendarHome(t, "")
	d.bundles, d.clock = "memory: on, daily: on, gmail: on, calendar: on", examplesDay
	d.configure("send: allow\ndestroy: allow\ntimezone: Europe/Amsterdam\nattachments: {into: " + t.TempDir() + "}\n")
	user := d.google.User(ann)
	label := user.Label(withHidden("label"))
	user.SendAs(bundletest.GoogleSendAs{Email: "ann@work.example", Name: withHidden("alias"), Signature: "<p>" + withHidden("signature") + "</p>"})
	mail = user.Deliver(bundletest.GoogleMail{
		From: withHidden("sender") + " <bob@example.org>", To: withHidden("receiver") + " <ann@example.com>", Cc: withHidden("copied") + " <carol@example.net>",
		Subject: withHidden("subject"), Text: withHidden("plain"), HTML: "<p>" + withHidden("rich") + "</p>", Labels: []string{"INBOX", "UNREAD", label},
		Attachments: []bundletest.GoogleAttachment{{Name: withHidden("file") + ".txt", Type: "text/plain", Data: []byte(withHidden("content"))}},
	}).ID
	list = user.Deliver(bundletest.GoogleMail{
		From: withHidden("newsletter") + " <news@example.org>", Subject: withHidden("subject"), Text: "news",
		Headers: []string{"List-Unsubscribe: <mailto:leave@example.org?subject=leave>"},
	}).ID
	where := user.AddCalendar(bundletest.GoogleCalendar{Summary: withHidden("calendar")})
	for _, e := range []object{hourEvent(9, withHidden("meeting"), ann), hourEvent(9, withHidden("clash"), ann)} {
		e["location"], e["description"] = withHidden("place"), "<p>"+withHidden("agenda")+"</p>"
		e["attendees"] = []object{{"email": ann}, {"email": "carol@example.net", "displayName": withHidden("guest"), "comment": withHidden("comment")}}
		e["attachments"] = []object{{"title": withHidden("sheet"), "fileUrl": "https://drive.example.com/x"}}
		d.google.User(bob).AddEvent("primary", e)
	}
	shared := hourEvent(11, withHidden("shared"))
	user.AddEvent(where, shared)
	return d, mail, list
}

// No channel outputs hidden characters of untrusted content, for all actions
// and all their errors.
func TestNoChannelOutputsHiddenCharacters(t *testing.T) {
	t.Parallel()
	d, mail, list := newHostileHome(t)
	listing := d.listTools()
	reached := map[string]bool{}
	call := func(tool string, args object, words ...string) map[string]any {
		t.Helper()
		raw, err := json.Marshal(args)
		if err != nil {
			t.Fatal(err)
		}
		stdout, stderr, _ := d.run("call", tool, string(raw))
		reached[tool] = true
		checkClean(t, tool, stdout+stderr, words...)
		answer := map[string]any{}
		_ = json.Unmarshal([]byte(stdout), &answer)
		return answer
	}
	text := func(answer map[string]any, path ...string) string {
		t.Helper()
		var at any = answer
		for _, step := range path {
			if list, ok := at.([]any); ok && len(list) > 0 {
				at = list[0]
			}
			within, _ := at.(map[string]any)
			at = within[step]
		}
		if list, ok := at.([]any); ok && len(list) > 0 {
			at = list[0]
		}
		found, ok := at.(string)
		if !ok {
			t.Errorf("the answer has no %v: %v", path, answer)
		}
		return found
	}
	twice := func(word string) string { return word + word }

	call("memory_set", object{"key": "fact", "value": object{withHidden("name"): withHidden("memory")}, "source": "mail of " + bob})
	call("memory_set", object{"key": "fact", "value": withHidden("memory"), "pinned": true, "expires_at": "2026-11-23", "source": "mail of " + bob}, twice("name"), twice("memory"))
	call("memory_set", object{"key": withHidden("key"), "value": 1, "tags": []string{withHidden("tag")}})
	call("memory_get", object{"query": "fact"}, twice("memory"))
	call("memory_search", object{"query": twice("memory")}, "fact")
	call("memory_list", object{}, twice("memory"))
	call("memory_history", object{"key": "fact"}, twice("name"))
	call("memory_update", object{"key": "fact", "addition": withHidden("more")}, twice("memory"))
	undo := text(call("memory_delete", object{"key": "fact"}), "undo_id")
	call("memory_restore", object{"undo_id": undo})
	call("memory_categories", object{})

	call("daily_log", object{"text": "x", "tags": []string{withHidden("tag")}})
	logged := call("daily_log", object{"text": withHidden("entry"), "tasks": []string{withHidden("task")}, "links": []string{"mail:" + mail}})
	call("daily_get", object{"include": []string{"tasks", "documents", "memories", "events", "mail"}, "detail": "full"}, twice("entry"), twice("task"), twice("subject"))
	call("daily_edit", object{"id": text(logged, "ids"), "text": withHidden("edited")})
	call("daily_search", object{"query": twice("edited")})
	call("daily_task", object{}, twice("task"))
	call("daily_briefing", object{"date": someday}, twice("subject"), twice("meeting"))
	call("daily_plan", object{"type": "day_plan", "period": someday}, twice("meeting"), twice("task"))
	call("daily_review", object{"type": "day_review"})
	call("daily_stats", object{})

	call("gmail_search_messages", object{"query": "in:anywhere"}, twice("subject"), twice("sender"), twice("label"))
	for _, format := range []string{"markdown", "headers", "source"} {
		call("gmail_get_message", object{"ids": []string{mail}, "format": format})
	}
	call("gmail_get_message", object{"ids": []string{mail}}, twice("rich"), twice("copied"), twice("file"))
	call("gmail_get_thread", object{"thread_id": mail}, twice("rich"))
	call("gmail_get_attachment", object{"message_id": mail, "as": "text"}, twice("content"))
	call("gmail_get_attachment", object{"message_id": mail}, twice("file"))
	call("gmail_get_attachment", object{"message_id": mail, "attachment": "no"}, twice("file")) // the error names the existing ones
	cursor := text(call("gmail_list_changes", object{}), "cursor")
	undo = text(call("gmail_modify_messages", object{"ids": []string{mail}, "star": true}), "undo_id")
	call("gmail_modify_messages", object{"ids": []string{mail}, "star": false, "dry_run": true}, twice("subject"))
	call("gmail_list_changes", object{"cursor": cursor}, twice("subject"))
	call("gmail_undo", object{})
	call("gmail_undo", object{"undo_id": undo})
	call("gmail_find_followups", object{"direction": "i_owe_them", "older_than": "0d"})
	call("gmail_list_labels", object{}, twice("label"))
	call("gmail_manage_label", object{"operation": "color", "name": twice("label"), "color": "red"})
	call("gmail_manage_filter", object{"operation": "create", "subject": withHidden("filter"), "star": true})
	call("gmail_manage_filter", object{"operation": "list"})
	call("gmail_manage_vacation", object{"operation": "set", "subject": "away", "body": withHidden("vacation")})
	call("gmail_manage_vacation", object{"operation": "get"})
	call("gmail_unsubscribe", object{"message_id": list}, twice("newsletter"))
	call("gmail_list_accounts", object{}, twice("alias"))
	call("gmail_send_message", object{"to": []string{bob}, "subject": "hello", "body": withHidden("sent")})
	call("gmail_reply_message", object{"message_id": mail, "body": "yes", "add": []string{bob}}, twice("subject"))
	draft := text(call("gmail_forward_message", object{"message_id": mail, "to": []string{bob}, "as_draft": true}, twice("subject")), "draft_id")
	call("gmail_list_drafts", object{}, twice("subject"))
	call("gmail_update_draft", object{"draft_id": draft, "body": withHidden("changed")}, twice("subject"))
	call("gmail_send_draft", object{"draft_id": draft}, twice("subject"))
	call("gmail_delete_draft", object{"draft_id": draft})

	call("calendar_list_calendars", object{}, twice("calendar"))
	events := call("calendar_list_events", object{"from": someday, "to": someday, "calendars": []string{"all"}}, twice("meeting"), twice("place"), twice("guest"), twice("shared"))
	event := text(events, "events", "event_id")
	call("calendar_get_event", object{"event_id": event}, twice("agenda"), twice("guest"), twice("comment"))
	made := call("calendar_create_event", object{"title": "lunch", "start": someday + "T10:00", "duration": "1h", "timezone": "Europe/Amsterdam"}, "lunch", twice("clash"))
	call("calendar_create_event", object{"title": "x", "start": someday + "T10:00", "duration": "1h", "on_conflict": "block"}, twice("clash"))
	own := text(made, "event", "event_id")
	undo = text(call("calendar_update_event", object{"event_id": own, "title": "dinner"}, "dinner"), "undo_id")
	call("calendar_undo", object{})
	call("calendar_undo", object{"undo_id": undo}, "lunch")
	call("calendar_move_event", object{"event_id": own, "to": twice("calendar"), "dry_run": true}, "lunch", twice("calendar"))
	call("calendar_respond_event", object{"event_id": event, "answer": "maybe", "comment": withHidden("reply")}, twice("meeting"))
	call("calendar_respond_event", object{"event_id": own, "answer": "yes"}, "lunch") // an error that quotes the title
	call("calendar_find_slots", object{"from": someday, "to": someday})
	call("calendar_check_availability", object{"start": someday + "T10:00"}, twice("meeting"))
	call("calendar_quick_add", object{"text": withHidden("breakfast") + " on " + someday + " at 8:00"})
	cursor = text(call("calendar_list_changes", object{}), "cursor")
	call("calendar_manage_calendar", object{"operation": "update", "calendar": twice("calendar"), "description": withHidden("about")}, twice("calendar"))
	call("calendar_delete_event", object{"event_id": own}, "lunch")
	call("calendar_list_changes", object{"cursor": cursor})

	for _, tool := range d.toolNames() {
		if !reached[tool] {
			t.Errorf("%s is not held to being clean: call it here", tool)
		}
	}

	t.Run("commands", func(t *testing.T) {
		outbox, _, _ := d.run("outbox", "list", "--json")
		var sent struct{ Outbox []struct{ ID string } }
		if err := json.Unmarshal([]byte(outbox), &sent); err != nil || len(sent.Outbox) == 0 {
			t.Fatalf("%v: %s", err, outbox)
		}
		for command, words := range map[string][]string{
			"outbox": {twice("subject")}, "outbox list --json": {twice("subject")}, "outbox show " + sent.Outbox[0].ID: nil, "outbox show --json " + sent.Outbox[0].ID: nil,
			"memory export --format json": {"fact"}, "memory export --format jsonl": {"fact"}, "memory export --format md": {twice("memory")},
			"daily export --format json": {"edited"}, "daily export --format md": {twice("edited")}, "daily export --format csv": {twice("edited")},
			"doctor": nil, "auth status": nil, "stats": nil, "audit list": nil, "call gmail_nothing": nil, "context": nil,
		} {
			stdout, stderr, _ := d.run(strings.Fields(command)...)
			if strings.Contains(command, "json") && strings.Contains(command, "export") {
				// Copies are complete: hidden characters are written as
				// escapes, so that printed output shows them.
				for line := range strings.Lines(stdout) {
					if r := firstHidden(strings.TrimSuffix(line, "\n")); r != 0 {
						t.Errorf("%s shows %U", command, r)
					}
				}
				continue
			}
			checkClean(t, "kota "+command, stdout+stderr, words...)
		}
	})
	t.Run("the server", func(t *testing.T) {
		requests := map[string]string{
			"memory://context":    requestLine("memory://context", "resources/read", object{"uri": "memory://context"}),
			"memory://fact":       requestLine("memory://fact", "resources/read", object{"uri": "memory://fact"}),
			"memory://no":         requestLine("memory://no", "resources/read", object{"uri": "memory://no"}),
			"a tool":              toolCall("a tool", "gmail_get_message", object{"ids": []string{mail}}),
			"a tool by kota_read": toolCall("a tool by kota_read", "kota_read", object{"bundle": "calendar", "action": "get_event", "args": object{"event_id": event}}),
			"an entry point":      toolCall("an entry point", "kota_entry_point", object{"bundle": "memory", "action": "get", "args": object{"query": "fact"}}),
			"an error":            toolCall("an error", "calendar_create_event", object{"title": "x", "start": someday + "T10:00", "duration": "1h", "on_conflict": "block"}),
			"completion":          requestLine("completion", "completion/complete", object{"ref": object{"type": "ref/resource", "uri": "memory://{key}"}, "argument": object{"name": "key", "value": "f"}}),
			"prompts":             requestLine("prompts", "prompts/list", object{}),
			"remember":            requestLine("remember", "prompts/get", object{"name": "remember", "arguments": object{"what": withHidden("said")}}),
			"recall":              requestLine("recall", "prompts/get", object{"name": "recall", "arguments": object{"about": withHidden("said")}}),
		}
		stdout, stderr, _ := d.runWith(strings.NewReader(initializeLine+strings.Join(slices.Collect(maps.Values(requests)), "")), nil, "serve")
		checkClean(t, "kota serve", stdout+stderr, twice("memory"), twice("rich"), twice("agenda"), twice("clash"), twice("said"))
		if n := strings.Count(stdout, "\n"); n != len(requests)+1 {
			t.Errorf("%d lines answer %d requests", n, len(requests)+1)
		}
	})
	if after := d.listTools(); after != listing {
		t.Error("tools/list differs after untrusted content was read")
	}
}

// listTools returns what a client is shown of the tools.
func (d *testHome) listTools() string {
	d.t.Helper()
	stdout, stderr, status := d.runWith(strings.NewReader(initializeLine+requestLine("tools", "tools/list", object{})), nil, "serve")
	if status != 0 || !strings.Contains(stdout, "gmail_get_message") {
		d.t.Fatalf("status %d: %s", status, stderr)
	}
	_, list, _ := strings.Cut(stdout, `"id":"tools"`)
	return list
}

// toolNames returns the names of all actions.
func (d *testHome) toolNames() (tools []string) {
	d.t.Helper()
	a := &app.App{Env: d.env, Terminal: term.Terminal{Stdin: strings.NewReader(""), Stdout: io.Discard, Stderr: io.Discard}}
	d.t.Cleanup(func() { _ = a.CloseDB() })
	router, err := a.Router()
	if err != nil {
		d.t.Fatal(err)
	}
	for _, b := range router.EnabledBundles() {
		for _, action := range b.Actions {
			tools = append(tools, action.Tool)
		}
	}
	return tools
}
