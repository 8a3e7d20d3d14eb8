package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"slices"
	"sync"
	"testing"
	"unicode/utf8"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"kota/cmd/kota/internal/app"
	"kota/metadata"
)

// Limits of clients and model providers. Beyond them they truncate, refuse the
// tool, or drop all tools of the server.
const (
	maxProperty    = 32   // characters of a property's name
	maxPropertyDoc = 1000 // characters of a property's description
	maxPrefixed    = 60   // characters of a name after Cursor's prefix; others accept 64 (mcp-proxy#45)
	longestPrefix  = "mcp__kota__"
)

// listings are bundles.yaml for every way to list the tools, with all bundles
// enabled.
var listings = sync.OnceValue(func() map[string]string {
	return map[string]string{
		"all":       exposeAll(),
		"core":      "expose: core\n" + allBundlesOn(),
		"discovery": "expose: discovery\n" + allBundlesOn(),
		"auto":      "expose: auto\n" + allBundlesOn(),
		"read-only": "expose: all\nprofile: read-only\n" + allBundlesOn(),
	}
})

// allBundlesOn is made when a test needs it, not in every process of kota that
// the tests start.
var allBundlesOn = sync.OnceValue(func() string { return bundleSwitches(func(string) bool { return true }) })

func TestEveryClientCanUseEveryListing(t *testing.T) {
	for mode, config := range listings() {
		var l struct {
			Tools []struct {
				tool
				Annotations map[string]any
				Meta        map[string]any `json:"_meta"`
			}
		}
		if err := json.Unmarshal(toolsListOf(t, config), &l); err != nil {
			t.Fatal(err)
		}
		names := []string{}
		for _, tool := range l.Tools {
			names = append(names, tool.Name)
		}
		if len(names) < 4 || !slices.IsSorted(names) {
			t.Errorf("%s: %v: want at least 4 tools, sorted by name", mode, names)
		}
		for _, tool := range l.Tools {
			for _, problem := range slices.Concat(toolFaults(tool.tool), schemaFaults("inputSchema", tool.InputSchema)) {
				t.Errorf("%s: %s: %s", mode, tool.Name, problem)
			}
			if n := len(longestPrefix + tool.Name); n > maxPrefixed {
				t.Errorf("%s: %s%s has %d characters, want %d at most", mode, longestPrefix, tool.Name, n, maxPrefixed)
			}
			if output := keysOf(tool.Annotations); !slices.Contains(output, "openWorldHint") || !slices.Contains(output, "readOnlyHint") && !slices.Contains(output, "destructiveHint") {
				t.Errorf("%s: %s: its annotations do not say whether it only reads, or destroys: %v", mode, tool.Name, tool.Annotations)
			}
			if always := tool.Meta["anthropic/alwaysLoad"] == true; always != isKotaTool(tool.Name) {
				t.Errorf("%s: %s: alwaysLoad is %t: the kota tools, which find the others, are to be before the model, and they alone", mode, tool.Name, always)
			}
			if mode == "read-only" && tool.Annotations["readOnlyHint"] != true && tool.Name != "kota_entry_point" {
				t.Errorf("%s is listed under the profile read-only, and does not say that it only reads", tool.Name)
			}
		}
	}
}

func isKotaTool(name string) bool { return len(name) > 5 && name[:5] == "kota_" }

func keysOf(m map[string]any) []string { return slices.Collect(maps.Keys(m)) }

// The schemas of answers are described on demand, and clients that store them
// check answers against them.
func TestClientsAcceptEverySchema(t *testing.T) {
	a := &app.App{Env: os.Getenv}
	for _, b := range a.Bundles() {
		for _, action := range b.Actions {
			if n := utf8.RuneCountInString(action.Text()); n > maxText {
				t.Errorf("%s: the description has %d characters, want %d at most", action.Tool, n, maxText)
			}
			for of, s := range map[string]*metadata.Schema{"inputSchema": action.Input, "outputSchema": action.Output} {
				if s == nil {
					continue
				}
				for _, problem := range faultsOf(t, of, s) {
					t.Errorf("%s: %s", action.Tool, problem)
				}
			}
		}
	}
}

func faultsOf(t *testing.T, of string, s *metadata.Schema) []string {
	t.Helper()
	raw, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	var schema map[string]any
	if err := json.Unmarshal(raw, &schema); err != nil {
		return []string{of + " is no object: " + string(raw)}
	}
	problems := schemaFaults(of, schema)
	if schema["type"] != "object" {
		problems = append(problems, of+" is not of type object")
	}
	for _, keyword := range []string{"oneOf", "anyOf", "allOf"} {
		if _, has := schema[keyword]; has {
			problems = append(problems, of+" has a top-level "+keyword)
		}
	}
	return append(problems, typeLists(of, schema)...)
}

// schemaFaults returns what the meta-schema of JSON Schema 2020-12 refuses. It
// also returns every object with properties that accepts others, and every
// property with a too long name or description, at any depth.
func schemaFaults(path string, schema map[string]any) []string {
	var problems []string
	if err := validSchema(schema); err != nil {
		problems = append(problems, fmt.Sprintf("%s is no JSON Schema: %v", path, err))
	}
	return append(problems, objectFaults(path, schema)...)
}

func validSchema(schema map[string]any) error {
	raw, err := json.Marshal(schema)
	if err != nil {
		return err
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
	if err != nil {
		return err
	}
	compiler := jsonschema.NewCompiler()
	if err := compiler.AddResource("lint:schema", doc); err != nil {
		return err
	}
	_, err = compiler.Compile("lint:schema")
	return err
}

func objectFaults(path string, schema map[string]any) []string {
	var problems []string
	properties, _ := schema["properties"].(map[string]any)
	if _, output := schema["additionalProperties"]; schema["properties"] != nil && !output {
		problems = append(problems, path+" is an open object")
	}
	for _, name := range slices.Sorted(maps.Keys(properties)) {
		inner, _ := properties[name].(map[string]any)
		if utf8.RuneCountInString(name) > maxProperty {
			problems = append(problems, fmt.Sprintf("%s.%s has a name of more than %d characters", path, name, maxProperty))
		}
		if doc, _ := inner["description"].(string); utf8.RuneCountInString(doc) > maxPropertyDoc {
			problems = append(problems, fmt.Sprintf("%s.%s is described in more than %d characters", path, name, maxPropertyDoc))
		}
		problems = append(problems, objectFaults(path+"."+name, inner)...)
	}
	for _, keyword := range []string{"items", "additionalProperties"} {
		if inner, ok := schema[keyword].(map[string]any); ok {
			problems = append(problems, objectFaults(path+"."+keyword, inner)...)
		}
	}
	return problems
}

func TestLintFindsWhatClientsRefuse(t *testing.T) {
	closed := object{"type": "object", "additionalProperties": false}
	with := func(name string, property object) object {
		return object{"type": "object", "additionalProperties": false, "properties": object{name: property}}
	}
	if problems := schemaFaults("s", with("key", object{"type": "array", "items": closed})); problems != nil {
		t.Fatalf("a good schema has problems: %v", problems)
	}
	long := string(bytes.Repeat([]byte("n"), maxPropertyDoc+1))
	for name, schema := range map[string]object{
		"an unknown type":        with("key", object{"type": "text"}),
		"a negative length":      with("key", object{"type": "string", "minLength": -1}),
		"an open object":         {"type": "object", "properties": object{}},
		"an open object below":   with("key", object{"type": "array", "items": object{"type": "object", "properties": object{}}}),
		"a long name":            with(long[:maxProperty+1], closed),
		"a long description":     with("key", object{"type": "string", "description": long}),
		"the same in a map's":    {"type": "object", "additionalProperties": with("key", object{"type": "string", "description": long})},
		"properties of one name": with("key", object{"type": "object", "additionalProperties": false, "properties": 7}),
	} {
		if problems := schemaFaults("s", schema); len(problems) != 1 {
			t.Errorf("%s: got problems %v, want one", name, problems)
		}
	}
}
