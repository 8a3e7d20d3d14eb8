package main

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"testing"
)

// frequentAnswer is one of the ten most requested answers. Before is the size
// of its text, in o200k tokens, before answers were shortened (at 74b50ff).
type frequentAnswer struct {
	tool   string
	args   object
	before int
}

var frequentAnswers = []frequentAnswer{
	{"kota_discover_bundles", object{"query": "remember a preference"}, 357},
	{"kota_discover_bundles", object{"query": "reply to that message"}, 373},
	{"kota_discover_bundles", object{"query": "book lunch with Tom on Friday at noon"}, 359},
	{"kota_describe_bundle", object{"bundle": "memory", "actions": []string{"set"}}, 1133},
	{"kota_describe_bundle", object{"bundle": "calendar", "actions": []string{"create_event"}}, 2197},
	{"memory_set", object{"key": "theme", "value": "dark", "category": "preferences"}, 22},
	{"memory_get", object{"query": "theme"}, 54},
	{"memory_search", object{"query": "theme"}, 45},
	{"daily_log", object{"text": "Slept well", "mood": 4}, 38},
	{"gmail_search_messages", object{"query": "bread"}, 107},
}

// timestamp matches times that no test controls: when the fake Google received
// a mail, or when a memory was stored.
var timestamp = regexp.MustCompile(`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d([+-]\d\d:\d\d|Z)`)

// frequentTable returns the table about these answers in
// docs/explanation/disclosure.md.
func frequentTable(t *testing.T) string {
	t.Helper()
	count := tokenCounter(t)
	p := serveIn(t, newUsedHome(t).home)
	var table strings.Builder
	table.WriteString("\n| answer | text, before | text, now | client that shows both, before | client that shows both, now |\n| --- | --- | --- | --- | --- |\n")
	before, now := 0, 0
	for i, a := range frequentAnswers {
		result := p.ask(toolCall(i, a.tool, a.args)).call(t)
		if result.IsError {
			t.Fatalf("%s %v: %s", a.tool, a.args, result.text())
		}
		tokens := count(timestamp.ReplaceAllString(result.text(), "2026-03-14T09:26:53Z"))
		args, err := json.Marshal(a.args)
		if err != nil {
			t.Fatal(err)
		}
		before, now = before+a.before, now+tokens
		fmt.Fprintf(&table, "| `%s` `%s` | %d | %d | %d | %d |\n", a.tool, args, a.before, tokens, 2*a.before, tokens)
	}
	p.end()
	fmt.Fprintf(&table, "| all ten | %d | %d | %d | %d |\n\n", before, now, 2*before, now)
	return table.String()
}
