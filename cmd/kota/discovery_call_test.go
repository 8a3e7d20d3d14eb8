package main

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"kota/entrypoint"
	"kota/entrypoint/discovery"
	"kota/metadata"
)

// harmfulWords matches the words with which a query asks for a deletion or for
// something that reaches other people, in the languages of the labelled
// queries.
var harmfulWords = sync.OnceValue(func() map[string]*regexp.Regexp {
	return map[string]*regexp.Regexp{
		"delete": regexp.MustCompile(`(?i)\b(delete|remove|erase|cancel|discard|forget|drop|trash|bin|clear|wipe|purge|throw|scrap|get rid|call off|take out|supprime|efface|annule|oublie|jette|verwijder|vergeet|zeg|gooi|annuleer|wis|lösche?|vergiss|sag|verwirf|verwerfen|entferne|borra|elimina|olvida|cancela|descarta|quita)`),
		"send":   regexp.MustCompile(`(?i)\b(send|fwd|reply|replies|answer|respond|forward|invite|notify|share|rsvp|accept|decline|unsubscribe|verstuur|stuur|antwoord|beantwoord|doorsturen|schick|sende|antworte|beantworte|weiterleit|leite|envoie|envoyer|réponds|repond|transf|accepte|envía|envia|manda|responde|contesta|reenvía|reenvia|acepta|turn down|say (yes|no|maybe))`),
	}
})

// readyCall returns the names of the found actions and the suggested call.
func readyCall(t *testing.T, router *entrypoint.Router, query string) (found []string, call *metadata.Step) {
	t.Helper()
	args, err := json.Marshal(map[string]any{"query": query})
	if err != nil {
		t.Fatal(err)
	}
	out, err := router.Call(t.Context(), "kota_discover_bundles", args)
	if err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	d := out.(discovery.Findings)
	for _, a := range d.Actions {
		found = append(found, a.Tool)
	}
	return found, d.Call
}

func TestReadyCallsSendOrDestroyOnlyIfAsked(t *testing.T) {
	router := everyBundleRouter(t)
	var queries []string
	for _, file := range queryFiles {
		for _, q := range labelledQueries(t, file) {
			queries = append(queries, q.Query)
		}
	}
	queries = append(queries, "my 3pm is too early", "events tomorrow afternoon", "everyone on the standup", "the newsletter from Acme",
		"who has not paid", "a draft about the budget", "mail about the offsite", "what did Bob write", "label the receipts", "old drafts", "unread mail", "my calendars")
	offered := 0
	for _, query := range queries {
		_, call := readyCall(t, router, query)
		if call == nil {
			continue
		}
		offered++
		action, ok := router.Action(call.Tool)
		if !ok {
			t.Fatalf("%q: there is no %s", query, call.Tool)
		}
		deletes := strings.HasPrefix(action.Name, "delete") || action.Effect == metadata.Destroys
		if deletes && !harmfulWords()["delete"].MatchString(query) {
			t.Errorf("%q asks for no deletion, and %v is offered", query, call)
		}
		args, err := json.Marshal(call.Args)
		if err != nil {
			t.Fatal(err)
		}
		if action.Effect == metadata.Sends && strings.Contains(string(args), `"to":[`) && !strings.Contains(string(args), `"as_draft":true`) && !harmfulWords()["send"].MatchString(query) {
			t.Errorf("%q asks to send nothing, and %s %s is offered", query, call.Tool, args)
		}
	}
	if offered < len(queries)/3 {
		t.Errorf("of %d queries %d came with a call", len(queries), offered)
	}
}

func TestEverydayRequestsFindTheirAction(t *testing.T) {
	router := everyBundleRouter(t)
	for _, c := range []struct {
		query string
		first []string // any of these
	}{
		{"add a person to all future standups", []string{"calendar_update_event"}},
		{"delete an email", []string{"gmail_modify_messages"}},
		{"invite someone to an existing event", []string{"calendar_update_event"}},
		{"push back my 3pm", []string{"calendar_update_event"}},
		{"rename the last event on a day", []string{"calendar_update_event"}},
		{"push my dentist appointment back an hour", []string{"calendar_update_event"}},
		{"rename an event", []string{"calendar_update_event"}},
		{"trash an email", []string{"gmail_modify_messages"}},
		{"delete a message", []string{"gmail_modify_messages"}},
		{"delete a draft", []string{"gmail_delete_draft"}},
		{"delete a label", []string{"gmail_manage_label"}},
		{"cancel an event", []string{"calendar_delete_event"}},
		{"read an email", []string{"gmail_get_message", "gmail_search_messages"}},
		{"mark an email as read", []string{"gmail_modify_messages"}},
		{"reply to an email", []string{"gmail_reply_message"}},
		{"Tell Anna that I am in", []string{"gmail_send_message"}},
		{"zeg tegen Anna dat ik te laat ben", []string{"gmail_send_message"}},
		{"maak een conceptmail aan Jan", []string{"gmail_send_message"}},
		{"gooi de nieuwsbrieven weg", []string{"gmail_modify_messages"}},
		{"come ho dormito questa settimana", []string{"daily_stats"}},
		{"did I send the mail to Anna", []string{"gmail_search_messages"}},
		{"memory", []string{"memory_set"}},
		{"Calendar", []string{"calendar_list_calendars"}},
	} {
		if found, _ := readyCall(t, router, c.query); len(found) == 0 || !slices.Contains(c.first, found[0]) {
			t.Errorf("%q: found %v, want first one of %v", c.query, found, c.first)
		}
	}
	for query, not := range map[string]string{
		"add a person to all future standups": "calendar_delete_event",
		"delete an email":                     "gmail_delete_draft",
		"invite someone to an existing event": "calendar_respond_event",
		"push back my 3pm":                    "memory_restore",
		"rename the last event on a day":      "daily_stats",
		"memory":                              "memory_set",
	} {
		if _, call := readyCall(t, router, query); call != nil && call.Tool == not {
			t.Errorf("%q is offered %v", query, call)
		}
	}
	if found, _ := readyCall(t, router, "12345"); found != nil {
		t.Errorf("a number asks for %v, want nothing", found)
	}
}
