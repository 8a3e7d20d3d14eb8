package metadata

import (
	"encoding/json"
	"fmt"
	"strconv"

	"github.com/google/jsonschema-go/jsonschema"
)

// schemaJSON writes what Infer says in a schema, with the properties in
// declared order. The library's own marshaller gives the same JSON, but makes
// and reads it several times over at every level, which half of a start was
// spent on.
func schemaJSON(s *jsonschema.Schema) (json.RawMessage, error) {
	w := &schemaWriter{}
	w.schema(s)
	return w.out, w.err
}

type schemaWriter struct {
	out []byte
	err error
}

func (w *schemaWriter) schema(s *jsonschema.Schema) {
	if s.Not != nil {
		w.out = append(w.out, "false"...)
		return
	}
	w.out = append(w.out, '{')
	if s.Type != "" {
		w.text("type", s.Type)
	}
	if s.Description != "" {
		w.text("description", s.Description)
	}
	if s.Items != nil {
		w.name("items")
		w.schema(s.Items)
	}
	if len(s.Default) > 0 {
		w.value("default", s.Default)
	}
	if len(s.Enum) > 0 {
		w.value("enum", s.Enum)
	}
	w.number("minimum", s.Minimum)
	w.number("maximum", s.Maximum)
	for _, limit := range []struct {
		name  string
		value *int
	}{
		{"minLength", s.MinLength}, {"maxLength", s.MaxLength}, {"minItems", s.MinItems}, {"maxItems", s.MaxItems},
	} {
		if limit.value != nil {
			w.name(limit.name)
			w.out = strconv.AppendInt(w.out, int64(*limit.value), 10)
		}
	}
	if s.Format != "" {
		w.text("format", s.Format)
	}
	if s.Properties != nil {
		w.properties(s)
	}
	if len(s.Required) > 0 {
		w.value("required", s.Required)
	}
	if s.AdditionalProperties != nil {
		w.name("additionalProperties")
		w.schema(s.AdditionalProperties)
	}
	w.out = append(w.out, '}')
}

func (w *schemaWriter) properties(s *jsonschema.Schema) {
	w.name("properties")
	w.out = append(w.out, '{')
	for _, name := range s.PropertyOrder {
		property, ok := s.Properties[name]
		if !ok {
			w.err = fmt.Errorf("the property %q is ordered and not there", name)
			return
		}
		w.name(name)
		w.schema(property)
	}
	if len(s.PropertyOrder) != len(s.Properties) {
		w.err = fmt.Errorf("%d of %d properties are ordered", len(s.PropertyOrder), len(s.Properties))
	}
	w.out = append(w.out, '}')
}

// name writes the name of a member. Those of JSON Schema and of arguments
// (see checkName) need no escaping.
func (w *schemaWriter) name(name string) {
	if last := w.out[len(w.out)-1]; last != '{' {
		w.out = append(w.out, ',')
	}
	w.out = append(w.out, '"')
	w.out = append(w.out, name...)
	w.out = append(w.out, '"', ':')
}

func (w *schemaWriter) text(name, text string) {
	w.name(name)
	w.out = append(w.out, quoteJSON(text)...)
}

func (w *schemaWriter) value(name string, value any) {
	raw, err := json.Marshal(value)
	if err != nil {
		w.err = err
	}
	w.name(name)
	w.out = append(w.out, raw...)
}

func (w *schemaWriter) number(name string, value *float64) {
	if value != nil {
		w.value(name, *value)
	}
}

// quoteJSON returns text as a JSON string, without escaping what HTML would
// need: a description is read by people and models.
func quoteJSON(text string) []byte {
	for i := range len(text) {
		if c := text[i]; c < 0x20 || c == '"' || c == '\\' || c >= 0x7f {
			raw, err := json.Marshal(text)
			if err != nil {
				panic("metadata: " + err.Error()) // a string always marshals
			}
			return raw
		}
	}
	return append(append([]byte{'"'}, text...), '"')
}
