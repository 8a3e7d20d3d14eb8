package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"kota/metadata"
	"kota/metadata/search"
)

// namesOfOtherServers are names from other mail, calendar and note servers, with the
// KOTA action that each one means.
var namesOfOtherServers = map[string]string{
	"gmail read": "gmail_get_message", "gmail read_message": "gmail_get_message", "gmail read_email": "gmail_get_message", "gmail fetch": "gmail_get_message",
	"gmail fetch_message": "gmail_get_message", "gmail get_mail": "gmail_get_message", "gmail get_email": "gmail_get_message", "gmail open_email": "gmail_get_message",
	"gmail list_messages": "gmail_search_messages", "gmail search_emails": "gmail_search_messages", "gmail list_emails": "gmail_search_messages",
	"gmail search": "gmail_search_messages", "gmail find_messages": "gmail_search_messages", "gmail list": "gmail_search_messages",
	"gmail read_thread": "gmail_get_thread", "gmail download_attachment": "gmail_get_attachment", "gmail get_labels": "gmail_list_labels",
	"gmail trash": "gmail_modify_messages", "gmail trash_message": "gmail_modify_messages", "gmail archive": "gmail_modify_messages", "gmail archive_email": "gmail_modify_messages",
	"gmail mark_read": "gmail_modify_messages", "gmail mark_as_read": "gmail_modify_messages", "gmail mark_as_unread": "gmail_modify_messages", "gmail star_message": "gmail_modify_messages",
	"gmail delete": "gmail_modify_messages", "gmail delete_message": "gmail_modify_messages", "gmail delete_email": "gmail_modify_messages", "gmail modify_email": "gmail_modify_messages",
	"gmail add_label": "gmail_modify_messages", "gmail create_label": "gmail_manage_label", "gmail create_filter": "gmail_manage_filter", "gmail list_filters": "gmail_manage_filter",
	"gmail create_draft": "gmail_send_message", "gmail draft_email": "gmail_send_message", "gmail send": "gmail_send_message", "gmail send_email": "gmail_send_message",
	"gmail reply": "gmail_reply_message", "gmail reply_to_email": "gmail_reply_message", "gmail forward_email": "gmail_forward_message", "gmail get_drafts": "gmail_list_drafts",
	"calendar search_events": "calendar_list_events", "calendar get_events": "calendar_list_events", "calendar find_events": "calendar_list_events", "calendar list": "calendar_list_events",
	"calendar read_event": "calendar_get_event", "calendar get": "calendar_get_event", "calendar create": "calendar_create_event", "calendar add_event": "calendar_create_event",
	"calendar schedule_meeting": "calendar_create_event", "calendar update": "calendar_update_event", "calendar edit_event": "calendar_update_event", "calendar reschedule_event": "calendar_update_event",
	"calendar add_attendees": "calendar_update_event", "calendar delete": "calendar_delete_event", "calendar cancel_event": "calendar_delete_event", "calendar remove_event": "calendar_delete_event",
	"calendar freebusy": "calendar_check_availability", "calendar find_free_time": "calendar_find_slots", "calendar get_calendars": "calendar_list_calendars", "calendar accept_invitation": "calendar_respond_event",
	"memory save": "memory_set", "memory remember": "memory_set", "memory recall": "memory_get", "memory forget": "memory_delete", "memory search_memories": "memory_search", "memory add_memory": "memory_set",
	"daily create_entry": "daily_log", "daily add_task": "daily_task", "daily get_tasks": "daily_task", "daily read": "daily_get",
}

func TestNamesOfOtherServersFindTheRightAction(t *testing.T) {
	router := everyBundleRouter(t)
	for name, want := range namesOfOtherServers {
		bundle, action, _ := strings.Cut(name, " ")
		for tool, args := range map[string]string{
			bundle + "_" + action: `{"no_such_argument": 1}`,
			"kota_entry_point":    fmt.Sprintf(`{"bundle": %q, "action": %q, "args": {"no_such_argument": 1}}`, bundle, action),
			"kota_read":           fmt.Sprintf(`{"bundle": %q, "action": %q, "args": {"no_such_argument": 1}}`, bundle, action),
		} {
			_, err := router.Call(t.Context(), tool, json.RawMessage(args))
			failure := (*metadata.Error)(nil)
			if !errors.As(err, &failure) || failure.Code != metadata.ToolNotFound || len(failure.Problems) == 0 {
				t.Errorf("%s %s: %v, want %s suggested", tool, args, err, want)
				continue
			}
			if got := failure.Problems[0].Suggestion; got != want && bundle+"_"+got != want {
				t.Errorf("%s %s: suggests %q, want %s: %s", tool, args, got, want, failure.Hint)
			}
			if !search.AsksToRead(action) {
				continue
			}
			for _, b := range router.EnabledBundles() {
				for _, a := range b.Actions {
					if (a.Effect == metadata.Sends || search.Deletes(a)) && strings.Contains(failure.Hint, a.Tool) {
						t.Errorf("%s %s: a name that reads suggests %s: %s", tool, args, a.Tool, failure.Hint)
					}
				}
			}
		}
	}
}

func TestCallsRunUnderNamesOfOtherServers(t *testing.T) {
	home := t.TempDir()
	router := routerIn(t, home)
	for _, call := range []struct{ tool, args string }{
		{"memory_save", `{"key": "theme", "value": "dark"}`},
		{"memory_recall", `{"query": "theme"}`},
		{"kota_read", `{"bundle": "memory", "action": "recall", "args": {"query": "theme"}}`},
		{"kota_entry_point", `{"bundle": "daily", "action": "read"}`},
	} {
		if _, err := router.Call(t.Context(), call.tool, json.RawMessage(call.args)); err != nil {
			t.Errorf("%s %s: %v", call.tool, call.args, err)
		}
	}
}
