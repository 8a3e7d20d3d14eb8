package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// allBundles is a bundles.yaml that enables everything, without a setting for
// the listing.
const allBundles = "bundles: {memory: on, daily: on, gmail: on, calendar: on}\n"

// serveLines starts the program on that home at that time and sends these lines.
// When the program has ended, it returns the answers by their ids.
func serveLines(t *testing.T, home, now string, lines ...string) map[any]message {
	t.Helper()
	cmd := exec.Command("kota", "serve")
	cmd.Env = append(os.Environ(), "KOTA_HOME="+home, "KOTA_CONFIG=", "KOTA_NOW="+now)
	cmd.Stdin = strings.NewReader(strings.Join(lines, ""))
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	answers := map[any]message{}
	for line := range bytes.Lines(out) {
		var m message
		if err := json.Unmarshal(line, &m); err != nil {
			t.Fatalf("stdout has %q: %v", line, err)
		}
		answers[m.ID] = m
	}
	return answers
}

func newHomeWithConfig(t *testing.T, config string) string {
	t.Helper()
	home := t.TempDir()
	writeFile(t, filepath.Join(home, "bundles.yaml"), []byte(config))
	return home
}

// toolsListAt returns the result of tools/list, and the names in it.
func toolsListAt(t *testing.T, home, now string) (raw json.RawMessage, names []string) {
	t.Helper()
	raw = serveLines(t, home, now, initializeLine, fmt.Sprintf(listTools, "list"))["list"].Result
	for _, tool := range parseListing(t, raw).Tools {
		names = append(names, tool.Name)
	}
	return raw, names
}

const (
	aSaturday = "2026-03-14T09:00:00Z"
	aSunday   = "2026-03-15T09:00:00Z"
)

func TestListingBytesDoNotDependOnCalls(t *testing.T) {
	for _, expose := range []string{"all", "core", "discovery", "auto"} {
		t.Run(expose, func(t *testing.T) {
			t.Parallel()
			home := newHomeWithConfig(t, "expose: "+expose+"\n"+allBundles)
			used := []string{initializeLine, toolCall("set", "memory_set", object{"key": "theme", "value": "dark"})}
			for i := range 20 {
				used = append(used, toolCall(i, "daily_stats", object{}), toolCall(100+i, "memory_history", object{"key": "theme"}))
			}
			serveLines(t, home, aSaturday, used...)

			first, names := toolsListAt(t, home, aSunday)
			if !slices.IsSorted(names) || len(names) < 4 {
				t.Errorf("%q is not a sorted listing", names)
			}
			answers := serveLines(t, home, aSunday, append(slices.Concat([]string{initializeLine, fmt.Sprintf(listTools, "before")}, used[1:]), fmt.Sprintf(listTools, "after"))...)
			again, _ := toolsListAt(t, home, "2026-03-15T23:59:00Z")
			for when, got := range map[string]json.RawMessage{"before calls": answers["before"].Result, "after calls": answers["after"].Result, "in the next process": again} {
				if !bytes.Equal(got, first) {
					t.Errorf("%s it is other bytes:\n%s\n%s", when, got, first)
				}
			}
			if answers["set"].call(t).IsError {
				t.Errorf("an action was not to be called: %s", answers["set"].Result)
			}
		})
	}
}

func TestAutoListsToolsCalledOnOtherDays(t *testing.T) {
	home := newHomeWithConfig(t, "expose: auto\ntool_budget_tokens: 1300\n"+allBundles)
	_, fresh := toolsListAt(t, home, aSaturday)
	for _, want := range []string{"kota_read", "memory_get", "memory_set"} {
		if !slices.Contains(fresh, want) {
			t.Errorf("an unused home lists %q, without %s", fresh, want)
		}
	}
	if slices.Contains(fresh, "memory_history") {
		t.Fatalf("an unused home lists %q", fresh)
	}
	calls := []string{initializeLine, toolCall("set", "memory_set", object{"key": "theme", "value": "dark"})}
	for i := range 3 {
		calls = append(calls, toolCall(i, "kota_read", object{"bundle": "memory", "action": "history", "args": object{"key": "theme"}}),
			toolCall(10+i, "daily_search", object{"query": "tea"}), toolCall(20+i, "gmail_list_labels", object{}))
	}
	serveLines(t, home, aSaturday, calls...)
	if _, got := toolsListAt(t, home, aSaturday); !slices.Equal(got, fresh) {
		t.Errorf("on the same day it lists %q, and %q before", got, fresh)
	}
	_, got := toolsListAt(t, home, aSunday)
	for _, want := range []string{"memory_history", "daily_search"} {
		if !slices.Contains(got, want) {
			t.Errorf("on the next day it lists %q, without %s", got, want)
		}
	}
	if slices.Contains(got, "gmail_list_labels") {
		t.Errorf("on the next day it lists %q, with what failed without a sign-in", got)
	}
	if _, got := toolsListAt(t, home, "2026-06-30T09:00:00Z"); !slices.Equal(got, fresh) {
		t.Errorf("three months later it still lists %q", got)
	}
	writeFile(t, filepath.Join(home, "bundles.yaml"), []byte("usage: off\nexpose: auto\ntool_budget_tokens: 1300\n"+allBundles))
	if _, got := toolsListAt(t, home, aSunday); !slices.Equal(got, fresh) {
		t.Errorf("with `usage: off` it lists %q, want what an unused home does", got)
	}
}

// The listing keeps to its budget, counted in o200k, for any used tools: here
// those with the most tokens for their length.
func TestAutoStaysWithinBudget(t *testing.T) {
	count := tokenCounter(t)
	home := newHomeWithConfig(t, allBundles)
	calls := []string{initializeLine}
	for i, tool := range []string{"calendar_find_slots", "daily_task", "daily_log", "gmail_get_message", "calendar_create_event"} {
		calls = append(calls, toolCall(i, tool, object{}))
	}
	serveLines(t, home, aSaturday, append(calls, toolCall("set", "memory_set", object{"key": "theme", "value": "dark"}))...)
	_, all := toolsListAt(t, home, aSunday)
	for _, budget := range []int{1000, 1350, 2000, 3000, 4000, 8000, 100_000} {
		writeFile(t, filepath.Join(home, "bundles.yaml"), fmt.Appendf(nil, "expose: auto\ntool_budget_tokens: %d\n%s", budget, allBundles))
		raw, names := toolsListAt(t, home, aSunday)
		spent := count(string(raw))
		if spent > budget || spent < budget*8/10 && len(names) < len(all) {
			t.Errorf("of %d tokens the listing takes %d, with %d tools", budget, spent, len(names))
		}
		t.Logf("budget %d: %d tools, %d tokens", budget, len(names), spent)
	}
}

func TestOldClientsSeeEveryTool(t *testing.T) {
	home := newHomeWithConfig(t, "expose: all\n"+allBundles)
	newest, _ := toolsListAt(t, home, aSaturday)
	for _, version := range []string{"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"} {
		hello := fmt.Sprintf(`{"jsonrpc":"2.0","id":"hello","method":"initialize","params":{"protocolVersion":%q,"capabilities":{},"clientInfo":{"name":"test","version":"1"}}}`+"\n", version)
		answers := serveLines(t, home, aSaturday, hello, fmt.Sprintf(listTools, "list"))
		if got := answers["list"].Result; !bytes.Equal(got, newest) || bytes.Contains(got, []byte("ttlMs")) {
			t.Errorf("a client of %s sees %s", version, got)
		}
		if got := answers["hello"].Result; !bytes.Contains(got, []byte(version)) {
			t.Errorf("a client of %s is greeted with %s", version, got)
		}
	}
}

func TestListsArePrivatelyCacheableForFiveMinutes(t *testing.T) {
	const ask = `{"jsonrpc":"2.0","id":%q,"method":%[1]q,"params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"test","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}}}` + "\n"
	lists := []string{"tools/list", "prompts/list", "resources/list", "resources/templates/list"}
	for _, expose := range []string{"all", "core", "discovery", "auto"} {
		lines := []string{}
		for _, list := range lists {
			lines = append(lines, fmt.Sprintf(ask, list))
		}
		answers := serveLines(t, newHomeWithConfig(t, "expose: "+expose+"\n"), aSaturday, lines...)
		for _, list := range lists {
			var got struct {
				TTLMs      int
				CacheScope string
			}
			if err := json.Unmarshal(answers[list].Result, &got); err != nil || got.TTLMs != 300_000 || got.CacheScope != "private" {
				t.Errorf("under %s %s may be kept for %d ms, scope %q (%v)", expose, list, got.TTLMs, got.CacheScope, err)
			}
		}
	}
}
