package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

const listTools = `{"jsonrpc":"2.0","id":%q,"method":"tools/list"}` + "\n"

// listing is the result of tools/list.
type listing struct{ Tools []tool }

type tool struct {
	Name        string
	Description string
	InputSchema map[string]any
}

// toolsListOf starts the program with that bundles.yaml and returns the result of
// tools/list. Every client keeps a copy of it in its prompt cache.
func toolsListOf(t *testing.T, config string) json.RawMessage {
	t.Helper()
	home := t.TempDir()
	writeFile(t, filepath.Join(home, "bundles.yaml"), []byte(config))
	p := serveIn(t, home)
	p.send(fmt.Sprintf(listTools, "list"))
	return p.end()["list"].Result
}

func parseListing(t *testing.T, raw json.RawMessage) listing {
	t.Helper()
	var l listing
	if err := json.Unmarshal(raw, &l); err != nil {
		t.Fatal(err)
	}
	return l
}

var exposeAll = sync.OnceValue(func() string { return "expose: all\n" + allBundlesOn() })

func TestToolsListBytesAreSameInEveryProcess(t *testing.T) {
	first := toolsListOf(t, exposeAll())
	home := t.TempDir()
	writeFile(t, filepath.Join(home, "bundles.yaml"), []byte(exposeAll()))
	p := serveIn(t, home)
	answers := map[any]message{}
	for _, answer := range p.callAll(fmt.Sprintf(listTools, "before") +
		toolCall("set", "memory_set", object{"key": "theme", "value": "dark"}) +
		toolCall("discover", "kota_discover_bundles", object{"query": "remember"}) +
		fmt.Sprintf(listTools, "after")) {
		answers[answer.ID] = answer
	}
	for _, id := range []string{"before", "after"} {
		if !bytes.Equal(first, answers[id].Result) {
			t.Errorf("tools/list of another process, %s calls, is not the same bytes:\n%s\n%s", id, first, answers[id].Result)
		}
	}
	for _, tool := range []string{"set", "discover"} {
		if answers[tool].call(t).IsError {
			t.Errorf("%s: %s", tool, answers[tool].Result)
		}
	}
}

// A review must show every change to what all clients carry in their context.
func TestToolsListMatchesSnapshot(t *testing.T) {
	var got bytes.Buffer
	if err := json.Indent(&got, toolsListOf(t, exposeAll()), "", "  "); err != nil {
		t.Fatal(err)
	}
	got.WriteByte('\n')
	path := filepath.Join("testdata", "tools_list.json")
	if *updateFlag {
		if err := os.WriteFile(path, got.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got.String()); diff != "" {
		t.Errorf("tools/list is not %s (-want +got, -update rewrites it):\n%s", path, diff)
	}
}

func TestExposeAndProfileDecideListing(t *testing.T) {
	kota := []string{"kota_describe_bundle", "kota_discover_bundles", "kota_entry_point", "kota_read"}
	for config, want := range map[string][]string{
		"expose: discovery\n": kota,
		"expose: core\n":      append(slices.Clone(kota), "memory_get", "memory_set"),
		"expose: core\ncore_tools: [memory_history]\n":                      append(slices.Clone(kota), "memory_history"),
		"expose: all\nbundles:\n  daily: off\n  memory: {enabled: false}\n": kota,
		"expose: core\nprofile: read-only\n":                                append(slices.Clone(kota), "memory_get"),
		"profile: mine\nprofiles:\n  mine: {actions: [memory_list]}\n":      append(slices.Clone(kota), "memory_list"),
	} {
		var got []string
		for _, tool := range parseListing(t, toolsListOf(t, config)).Tools {
			got = append(got, tool.Name)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s lists %v, want %v", config, got, want)
		}
	}
}

func TestEveryClientCanUseTheInstructions(t *testing.T) {
	var hello struct{ Instructions string }
	if err := json.Unmarshal(serveIn(t, t.TempDir()).end()["hello"].Result, &hello); err != nil {
		t.Fatal(err)
	}
	if n := utf8.RuneCountInString(hello.Instructions); n == 0 || n > maxText {
		t.Errorf("the instructions have %d characters, want 1 to %d", n, maxText)
	}
}

func TestListingCheckFindsWhatClientsRefuse(t *testing.T) {
	good := func() tool {
		return tool{Name: "memory_set", Description: "Remember.", InputSchema: object{"type": "object", "properties": object{"key": object{"type": "string"}}}}
	}
	if problems := toolFaults(good()); problems != nil {
		t.Fatalf("a good tool has problems: %v", problems)
	}
	for name, change := range map[string]func(*tool){
		"a long name":         func(t *tool) { t.Name = strings.Repeat("n", 33) },
		"a dot in the name":   func(t *tool) { t.Name = "memory.set" },
		"no description":      func(t *tool) { t.Description = "" },
		"a long description":  func(t *tool) { t.Description = strings.Repeat("d", maxText+1) },
		"no type":             func(t *tool) { delete(t.InputSchema, "type") },
		"no properties":       func(t *tool) { delete(t.InputSchema, "properties") },
		"a choice at the top": func(t *tool) { t.InputSchema["oneOf"] = []any{} },
		"another":             func(t *tool) { t.InputSchema["anyOf"] = []any{} },
		"a third":             func(t *tool) { t.InputSchema["allOf"] = []any{} },
		"a list of types":     func(t *tool) { t.InputSchema["properties"] = object{"k": object{"type": []any{"null", "array"}}} },
		"a list of types in a list": func(t *tool) {
			t.InputSchema["properties"] = object{"k": object{"items": object{"type": []any{"null"}}}}
		},
	} {
		changedTool := good()
		change(&changedTool)
		if problems := toolFaults(changedTool); len(problems) != 1 {
			t.Errorf("%s: got problems %v, want one", name, problems)
		}
	}
}

const maxText = 2000 // characters; clients cut at 2,048

var portableName = regexp.MustCompile(`^[a-zA-Z0-9_-]{1,32}$`)

func toolFaults(t tool) []string {
	var problems []string
	if !portableName.MatchString(t.Name) {
		problems = append(problems, "the name is not 1 to 32 letters, digits, _ and -")
	}
	if n := utf8.RuneCountInString(t.Description); n == 0 || n > maxText {
		problems = append(problems, fmt.Sprintf("the description has %d characters, want 1 to %d", n, maxText))
	}
	if t.InputSchema["type"] != "object" {
		problems = append(problems, "the schema is not of type object")
	}
	if _, ok := t.InputSchema["properties"].(map[string]any); !ok {
		problems = append(problems, "the schema has no properties")
	}
	for _, keyword := range []string{"oneOf", "anyOf", "allOf"} {
		if _, has := t.InputSchema[keyword]; has {
			problems = append(problems, "the schema has a top-level "+keyword)
		}
	}
	return append(problems, typeLists("inputSchema", t.InputSchema)...)
}

// typeLists finds every "type" that is a list, at any depth.
func typeLists(path string, value any) []string {
	var problems []string
	switch v := value.(type) {
	case map[string]any:
		if _, list := v["type"].([]any); list {
			problems = append(problems, path+".type is a list")
		}
		for _, key := range slices.Sorted(maps.Keys(v)) {
			problems = append(problems, typeLists(path+"."+key, v[key])...)
		}
	case []any:
		for i, item := range v {
			problems = append(problems, typeLists(fmt.Sprintf("%s[%d]", path, i), item)...)
		}
	}
	return problems
}
