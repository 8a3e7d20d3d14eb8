package search

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// The limits for reading another server's schema.
const (
	maxSchemaDepth  = 8
	maxSchemaParams = 256
)

// schemaParams returns at most maxSchemaParams parameters of an input schema. The properties
// of an object come first, sorted by name. The properties inside each of them follow, then the
// definitions ("$defs") with their properties, whether the schema refers to them or not.
func schemaParams(raw json.RawMessage) ([]Param, error) {
	if raw == nil {
		return nil, nil
	}
	var schema map[string]any
	if err := json.Unmarshal(raw, &schema); err != nil {
		return nil, fmt.Errorf("the input schema is %s, want an object", kindOf(raw))
	}
	w := schemaWalk{}
	w.object(schema, 0)
	return w.params, nil
}

type schemaWalk struct{ params []Param }

// object collects the properties of a schema, then those of its subschemas.
func (w *schemaWalk) object(schema map[string]any, depth int) {
	if depth == maxSchemaDepth {
		return
	}
	properties, _ := schema["properties"].(map[string]any)
	names := slices.Sorted(maps.Keys(properties))
	for _, name := range names {
		if len(w.params) == maxSchemaParams {
			return
		}
		property, _ := properties[name].(map[string]any)
		w.params = append(w.params, Param{Name: name, Description: propertyText(property)})
	}
	for _, name := range names {
		w.within(properties[name], depth+1)
	}
	for _, key := range []string{"items", "additionalProperties", "anyOf", "oneOf", "allOf"} {
		w.within(schema[key], depth+1)
	}
	for _, key := range []string{"$defs", "definitions"} {
		if definitions, _ := schema[key].(map[string]any); definitions != nil {
			w.object(map[string]any{"properties": definitions}, depth+1)
		}
	}
}

// within collects the properties of a schema or of a list of schemas.
func (w *schemaWalk) within(value any, depth int) {
	switch v := value.(type) {
	case map[string]any:
		w.object(v, depth)
	case []any:
		for _, item := range v {
			w.within(item, depth)
		}
	}
}

// propertyText returns a property's description and its enum values that are strings.
func propertyText(property map[string]any) string {
	texts := []string{}
	if text, _ := property["description"].(string); text != "" {
		texts = append(texts, text)
	}
	choices, _ := property["enum"].([]any)
	for _, c := range choices {
		if s, _ := c.(string); s != "" {
			texts = append(texts, s)
		}
	}
	return strings.Join(texts, " ")
}
