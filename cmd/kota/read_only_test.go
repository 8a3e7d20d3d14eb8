package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"kota/bundles/bundletest"
	"kota/cmd/kota/internal/app"
	"kota/metadata"
)

// newUsedHome returns a home with all bundles, where one of every kind of change
// was made. It has unindexed memories, a diary, a plan under way, cached mail
// headers, drafts, an outbox and undo records.
func newUsedHome(t *testing.T) *testHome {
	t.Helper()
	d := newCalendarHome(t, "")
	d.bundles = "memory: on, daily: on, gmail: on, calendar: on"
	d.configure("send: allow\ndestroy: allow\n")
	user := d.google.User(ann)
	user.Deliver(bundletest.GoogleMail{From: "Bob <" + bob + ">", To: ann, Subject: "Bread", Text: "When do you bake?", Headers: []string{"List-Unsubscribe: <mailto:off@example.org>"}})
	user.AddEvent("primary", hourEvent(14, "Bakery", bob))
	return d
}

// answerTexts returns all texts in the answers to these calls: ids, handles and
// words that KOTA knows.
func (d *testHome) answerTexts(calls ...[]string) []string {
	d.t.Helper()
	texts := []string{}
	for _, call := range calls {
		var answer any
		if err := json.Unmarshal([]byte(d.must(append([]string{"call"}, call...)...)), &answer); err != nil {
			d.t.Fatal(err)
		}
		texts = append(texts, textsIn(answer)...)
	}
	slices.Sort(texts)
	return slices.Compact(texts)
}

func textsIn(v any) []string {
	found := []string{}
	switch v := v.(type) {
	case string:
		if len(v) < 80 {
			found = append(found, v)
		}
	case []any:
		for _, item := range v {
			found = append(found, textsIn(item)...)
		}
	case map[string]any:
		for _, item := range v {
			found = append(found, textsIn(item)...)
		}
	}
	return found
}

// callGenerator generates calls.
type callGenerator struct {
	*rand.Rand
	words []string // words that KOTA knows
}

// args generates arguments for an action: sometimes those of an example,
// sometimes wrong ones.
func (c callGenerator) args(a metadata.Action) any {
	if len(a.Examples) > 0 && c.IntN(3) == 0 {
		return a.Examples[c.IntN(len(a.Examples))].Args
	}
	raw, err := a.Input.MarshalJSON()
	if err != nil {
		panic(err) // the schemas of actions marshal
	}
	var schema map[string]any
	if err := json.Unmarshal(raw, &schema); err != nil {
		panic(err)
	}
	return c.value(schema)
}

func (c callGenerator) value(schema map[string]any) any {
	if enum, ok := schema["enum"].([]any); ok && c.IntN(9) > 0 {
		return enum[c.IntN(len(enum))]
	}
	switch schema["type"] {
	case "object":
		properties, _ := schema["properties"].(map[string]any)
		required := fmt.Sprint(schema["required"])
		value := map[string]any{}
		for _, name := range slices.Sorted(maps.Keys(properties)) {
			if strings.Contains(required, name) || c.IntN(3) == 0 {
				value[name] = c.value(properties[name].(map[string]any))
			}
		}
		return value
	case "array":
		items, _ := schema["items"].(map[string]any)
		value := []any{}
		for range c.IntN(3) {
			value = append(value, c.value(items))
		}
		return value
	case "boolean":
		return c.IntN(2) == 0
	case "integer", "number":
		return c.IntN(60)
	}
	return c.words[c.IntN(len(c.words))]
}

// The acts of newUsedHome, in order.
var usedHomeCalls = [][]string{
	{"memory_set", "key=baker", "value=Rye bread from the corner", `tags:=["food"]`},
	{"memory_set", "key=parking", "value=B12", "ttl=48h"},
	{"memory_update", "key=baker", "addition=and rolls"},
	{"memory_delete", "key=parking"},
	{"daily_log", "text=Baked bread", "type=note"},
	{"daily_task", "op=add", "text=Buy flour"},
	{"daily_review", "type=day_review"},
	{"gmail_search_messages", "query=in:anywhere"},
	{"gmail_send_message", `to:=["bob@example.org"]`, "subject=Rolls", "body=At ten.", "as_draft:=true"},
	{"gmail_send_message", `to:=["bob@example.org"]`, "subject=Loaves", "body=At nine."},
	{"gmail_list_drafts"},
	{"calendar_list_events", "from=" + someday, "to=" + someday},
	{"calendar_create_event", "title=Oven", "start=" + someday + " 16:00"},
}

// The commands that are not calls, with how they end.
var commands = []struct {
	args   []string
	status int
}{
	{[]string{"memory", "export", "-"}, 0},
	{[]string{"memory", "stats"}, 0},
	{[]string{"memory", "import", "FILE", "--dry-run"}, 0},
	{[]string{"memory", "import", "FILE"}, 1},
	{[]string{"daily", "export", "-"}, 0},
	{[]string{"outbox"}, 0},
	{[]string{"outbox", "retry", "o_1"}, 1},
	{[]string{"outbox", "drop", "o_1"}, 1},
	{[]string{"backup", "COPY"}, 0},
	{[]string{"restore", "COPY", "--yes"}, 1},
	{[]string{"doctor"}, 0},
	{[]string{"doctor", "--reindex"}, 1},
	{[]string{"stats"}, 0},
	{[]string{"audit", "list"}, 0},
	{[]string{"audit", "verify"}, 0},
	{[]string{"audit", "export", "-"}, 0},
	{[]string{"stats", "--clear"}, 1},
	{[]string{"discover", "bake", "bread"}, 0},
	{[]string{"describe", "memory"}, 0},
	{[]string{"context"}, 0},
	{[]string{"profiles"}, 0},
	{[]string{"bundles"}, 0},
	{[]string{"auth", "status"}, 0},
	{[]string{"__complete", "call", "memory_"}, 0},
	{[]string{"__complete", "outbox", "show", ""}, 0},
}

// databaseBytes returns the database and its log; an absent log equals an empty one.
func (d *testHome) databaseBytes() string {
	d.t.Helper()
	whole := ""
	for _, suffix := range []string{"", "-wal"} {
		raw, err := os.ReadFile(filepath.Join(d.home, "kota.db"+suffix))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			d.t.Fatal(err)
		}
		whole += string(raw) + "|"
	}
	return whole
}

// changingRequests returns the requests that Google received since the last reset,
// without those that only read and those of the sign-in.
func (d *testHome) changingRequests() []string {
	found := []string{}
	for _, r := range d.google.Requests() {
		reading := r.Verb == http.MethodGet || r.Verb == http.MethodHead || r.Method == "calendar.freebusy.query" || r.Method == "batch" || r.Method == "token"
		if !reading {
			found = append(found, r.Verb+" "+r.Path)
		}
	}
	return found
}

// TestNothingChangesUnderReadOnly generates calls of every action and sends
// them through every channel. The seed is fixed, so that a failure can be
// repeated.
func TestNothingChangesUnderReadOnly(t *testing.T) {
	t.Parallel()
	const seed, rounds = 20261121, 6
	d := newUsedHome(t)
	words := append(d.answerTexts(usedHomeCalls...), "bread", "2026-11-21", someday, "all", "*", "")
	d.must("memory", "export", filepath.Join(d.home, "memories.json"))
	d.configure("send: allow\ndestroy: allow\nexpose: discovery\nprofile: read-only\n")
	before := d.databaseBytes()
	d.google.ClearLog()

	c := callGenerator{rand.New(rand.NewPCG(seed, 0)), words}
	var lines strings.Builder
	id := 0
	request := func(method string, params any) {
		id++
		line, err := json.Marshal(object{"jsonrpc": "2.0", "id": id, "method": method, "params": params})
		if err != nil {
			t.Fatal(err)
		}
		lines.Write(append(line, '\n'))
	}
	a := &app.App{Env: d.env}
	if err := a.Load(); err != nil {
		t.Fatal(err)
	}
	for range rounds {
		for _, b := range a.Bundles() {
			for _, action := range b.Actions {
				args := c.args(action.Action)
				request("tools/call", object{"name": action.Tool, "arguments": args})
				for _, channel := range []string{"kota_entry_point", "kota_read"} {
					request("tools/call", object{"name": channel, "arguments": object{"bundle": b.Key, "action": action.Name, "args": args}})
				}
			}
			for _, r := range b.Resources {
				uri, _, _ := strings.Cut(r.URI, "{")
				request("resources/read", object{"uri": uri + words[c.IntN(len(words))]})
				request("resources/read", object{"uri": r.URI})
			}
			for _, p := range b.Prompts {
				request("prompts/get", object{"name": p.Name, "arguments": object{"what": "bread", "about": "bread"}})
			}
		}
	}
	stdout, stderr, status := d.runWith(strings.NewReader(initializeLine+lines.String()), nil, "serve")
	if status != 0 {
		t.Fatal(stderr)
	}
	// The attempts prove something only if many of them went as far as they
	// could.
	disabled, done := strings.Count(stdout, "WRITES_DISABLED"), strings.Count(stdout, `"structuredContent"`)
	t.Logf("seed %d: of %d requests %d were done and %d were forbidden", seed, id, done, disabled)
	if done < id/10 || disabled < id/10 {
		t.Errorf("of %d requests %d were done and %d were forbidden: too few", id, done, disabled)
	}
	if strings.Contains(stdout, "INTERNAL") {
		t.Errorf("something went wrong inside: %s", stderr)
	}
	d.checkUnchanged("the server", before)

	for _, b := range a.Bundles() {
		for _, action := range b.Actions {
			args, err := json.Marshal(c.args(action.Action))
			if err != nil {
				t.Fatal(err)
			}
			d.run("call", action.Tool, string(args))
		}
	}
	d.checkUnchanged("kota call", before)
	files := map[string]string{"FILE": filepath.Join(d.home, "memories.json"), "COPY": filepath.Join(d.home, "copy.db")}
	for _, command := range commands {
		args := slices.Clone(command.args)
		for i := range args {
			if file, ok := files[args[i]]; ok {
				args[i] = file
			}
		}
		if stdout, stderr, status := d.run(args...); status != command.status {
			t.Errorf("kota %s ends with %d, want %d: %s%s", strings.Join(command.args, " "), status, command.status, stdout, stderr)
		}
		d.checkUnchanged("kota "+strings.Join(command.args, " "), before)
	}
}

func (d *testHome) checkUnchanged(after, before string) {
	d.t.Helper()
	if d.databaseBytes() != before {
		d.t.Fatalf("after %s the database is another", after)
	}
	if changing := d.changingRequests(); len(changing) > 0 {
		d.t.Fatalf("after %s Google was asked to change something: %q", after, changing)
	}
}
