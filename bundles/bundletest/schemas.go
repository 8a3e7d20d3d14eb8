package bundletest

import (
	"encoding/json"
	"fmt"
	"testing"
	"unicode/utf8"

	"kota/bundles"
	"kota/metadata"
)

// checkSchemas checks every input and output schema against the limits of existing clients.
// Some clients refuse all tools because of one bad schema.
func checkSchemas(t *testing.T, b bundles.Bundle) {
	for _, a := range b.Actions {
		if len(a.Tool) > 32 {
			t.Errorf("%s: the name is longer than 32 characters", a.Tool)
		}
		checkSchema(t, a.Tool+" input", a.Input)
		if a.Output != nil {
			checkSchema(t, a.Tool+" output", a.Output)
		}
	}
}

func checkSchema(t *testing.T, path string, s *metadata.Schema) {
	raw, err := json.Marshal(s)
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	var node map[string]any
	if err := json.Unmarshal(raw, &node); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	if node["type"] != "object" {
		t.Errorf("%s: the top is of type %v, not object", path, node["type"])
	}
	if _, ok := node["properties"].(map[string]any); !ok {
		t.Errorf("%s: there is no member properties", path)
	}
	for _, key := range []string{"oneOf", "anyOf", "allOf"} {
		if _, has := node[key]; has {
			t.Errorf("%s: %s at the top makes providers refuse every tool", path, key)
		}
	}
	checkNode(t, path, node)
}

// checkNode checks one node of a schema and all nodes below it.
func checkNode(t *testing.T, path string, node map[string]any) {
	if types, several := node["type"].([]any); several {
		t.Errorf("%s: the type %v is a list, which some dialects refuse", path, types)
	}
	if text, _ := node["description"].(string); utf8.RuneCountInString(text) > 1000 {
		t.Errorf("%s: the description is longer than 1,000 characters", path)
	}
	if properties, ok := node["properties"].(map[string]any); ok {
		if extra, said := node["additionalProperties"]; !said || extra != false {
			t.Errorf("%s: the object is not closed", path)
		}
		for name, child := range properties {
			if len(name) > 32 {
				t.Errorf("%s.%s: the name is longer than 32 characters", path, name)
			}
			checkNode(t, path+"."+name, object(child))
		}
	}
	if items, ok := node["items"]; ok {
		checkNode(t, path+"[]", object(items))
	}
	if values, ok := node["additionalProperties"].(map[string]any); ok {
		checkNode(t, path+"{}", values)
	}
}

func object(v any) map[string]any {
	if m, ok := v.(map[string]any); ok {
		return m
	}
	return map[string]any{"description": fmt.Sprint(v)}
}
