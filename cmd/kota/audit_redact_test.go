package main

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"

	"kota/cmd/kota/internal/app"
	"kota/metadata"
)

// visibleTextArgs are the arguments whose texts the audit log shows, over all
// actions that change something: ids, names of places, times and recipients. An
// argument that may hold a person's writing must not be among them.
var visibleTextArgs = []string{
	"account", "add", "add_attendees", "add_labels", "attendees", "bcc", "calendar", "cc", "date", "draft_id", "due", "duration", "end",
	"entries.date", "event_id", "filter_id", "from", "id", "ids", "instance", "message_id", "optional_attendees", "remove", "remove_attendees",
	"remove_labels", "reply_to", "start", "thread_id", "thread_ids", "timezone", "to", "undo_id", "until",
}

const canary = "canary in the mine"

// argsWithCanary returns arguments for a schema with the canary in every text, whatever
// the field accepts. at collects their paths.
func argsWithCanary(schema map[string]any, path string, at map[string]bool) any {
	switch schema["type"] {
	case "object":
		value := map[string]any{}
		properties, _ := schema["properties"].(map[string]any)
		for name, inner := range properties {
			value[name] = argsWithCanary(inner.(map[string]any), strings.TrimPrefix(path+"."+name, "."), at)
		}
		if properties == nil || schema["additionalProperties"] != false {
			value[canary] = canary
		}
		return value
	case "array":
		items, _ := schema["items"].(map[string]any)
		return []any{argsWithCanary(items, path, at)}
	case "boolean":
		return true
	case "integer", "number":
		return 3
	}
	at[path] = true
	return canary
}

func TestAuditLogShowsNoWrittenText(t *testing.T) {
	d := newTestHome(t)
	a := &app.App{Env: d.env}
	if err := a.Load(); err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, b := range a.Bundles() {
		for _, action := range b.Actions {
			if action.Effect == metadata.Reads {
				continue
			}
			for path := range shownPaths(t, action.Input) {
				seen[path] = true
				if !slices.Contains(visibleTextArgs, path) {
					t.Errorf("the audit log shows the text of %s of %s", path, action.Tool)
				}
			}
		}
	}
	for _, path := range visibleTextArgs {
		if !seen[path] {
			t.Errorf("no action shows %s", path)
		}
	}
}

// shownPaths returns the paths of the texts that survive redaction, one at a time.
func shownPaths(t *testing.T, input *metadata.Schema) map[string]bool {
	t.Helper()
	raw, err := input.MarshalJSON()
	if err != nil {
		t.Fatal(err)
	}
	var schema map[string]any
	if err := json.Unmarshal(raw, &schema); err != nil {
		t.Fatal(err)
	}
	shown := map[string]bool{}
	at := map[string]bool{}
	argsWithCanary(schema, "", at)
	for _, path := range slices.Sorted(maps.Keys(at)) {
		args, err := json.Marshal(onlyPath(argsWithCanary(schema, "", map[string]bool{}), strings.Split(path, ".")))
		if err != nil {
			t.Fatal(err)
		}
		redacted := string(input.Redact(args))
		if !json.Valid([]byte(redacted)) {
			t.Errorf("%s is no JSON", redacted)
		}
		if strings.Contains(redacted, canary) && !listedOrFormatted(schema, strings.Split(path, ".")) {
			shown[path] = true
		}
	}
	return shown
}

// onlyPath returns the value reduced to one path.
func onlyPath(value any, path []string) any {
	if list, ok := value.([]any); ok {
		return []any{onlyPath(list[0], path)}
	}
	members, ok := value.(map[string]any)
	if !ok || len(path) == 0 || path[0] == "" {
		return value
	}
	if _, found := members[path[0]]; !found {
		return value
	}
	return map[string]any{path[0]: onlyPath(members[path[0]], path[1:])}
}

// listedOrFormatted reports whether the schema limits the texts at a path to a
// list or to a fixed form such as dates.
func listedOrFormatted(schema map[string]any, path []string) bool {
	for _, name := range path {
		for schema["type"] == "array" {
			schema = schema["items"].(map[string]any)
		}
		properties, _ := schema["properties"].(map[string]any)
		inner, ok := properties[name].(map[string]any)
		if !ok {
			return false
		}
		schema = inner
	}
	for schema["type"] == "array" {
		schema = schema["items"].(map[string]any)
	}
	return schema["enum"] != nil || schema["format"] != nil && schema["format"] != "uri"
}
