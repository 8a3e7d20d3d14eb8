package bundletest

import (
	"encoding/json"
	"fmt"
	"testing"
	"unicode/utf8"

	"kota/bundles"
)

// schemas holds every input and output schema against the limits of the
// clients there are: some refuse the whole listing for one bad schema.
func schemas(t *testing.T, b bundles.Bundle) {
	for _, a := range b.Actions {
		if len(a.Tool) > 32 {
			t.Errorf("%s: the name is longer than 32 characters", a.Tool)
		}
		for name, schema := range map[string]json.Marshaler{"input": a.Input, "output": a.Output} {
			if name == "output" && a.Output == nil {
				continue
			}
			raw, err := schema.MarshalJSON()
			if err != nil {
				t.Fatalf("%s %s: %v", a.Tool, name, err)
			}
			var node map[string]any
			if err := json.Unmarshal(raw, &node); err != nil {
				t.Fatalf("%s %s: %v", a.Tool, name, err)
			}
			if node["type"] != "object" {
				t.Errorf("%s %s: the top is of type %v, not object", a.Tool, name, node["type"])
			}
			if _, ok := node["properties"].(map[string]any); !ok {
				t.Errorf("%s %s: there is no properties", a.Tool, name)
			}
			for _, key := range []string{"oneOf", "anyOf", "allOf"} {
				if _, has := node[key]; has {
					t.Errorf("%s %s: %s at the top makes providers refuse every tool", a.Tool, name, key)
				}
			}
			lint(t, a.Tool+" "+name, node)
		}
	}
}

// lint checks one node of a schema and those below it.
func lint(t *testing.T, path string, node map[string]any) {
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
			lint(t, path+"."+name, object(child))
		}
	}
	if items, ok := node["items"]; ok {
		lint(t, path+"[]", object(items))
	}
}

func object(v any) map[string]any {
	if m, ok := v.(map[string]any); ok {
		return m
	}
	return map[string]any{"description": fmt.Sprint(v)}
}
