package metadata

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
)

// ownTags are the struct tags that Infer reads. A field with any other is an
// error: a misspelt tag would silently say nothing.
var ownTags = []string{"json", "doc", "enum", "default", "min", "max", "format", "alias"}

// dress completes what the library inferred for t: it adds what the tags say,
// decides what is required, and takes null out of every type, since clients of
// other dialects refuse lists of types and a nil slice is a mistake anyway.
func dress(s *jsonschema.Schema, t reflect.Type) error {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if len(s.Types) == 2 {
		s.Type, s.Types = s.Types[1], nil
	}
	if slices.Equal(s.Types, []string{"null"}) {
		s.Types = nil
	}
	if knownTypes[t] != nil {
		return nil
	}
	switch t.Kind() {
	case reflect.Slice, reflect.Array:
		if err := dress(s.Items, t.Elem()); err != nil {
			return err
		}
		describeAny(s.Items)
	case reflect.Map:
		if err := dress(s.AdditionalProperties, t.Elem()); err != nil {
			return err
		}
		if isAny(s.AdditionalProperties) {
			s.AdditionalProperties = nil
		}
	case reflect.Struct:
		return dressFields(s, t)
	}
	return nil
}

func isAny(s *jsonschema.Schema) bool {
	return s.Type == "" && s.Types == nil
}

// describeAny gives a schema that says nothing a description, because it would
// marshal to true, which some clients cannot read. It gets no list of types,
// which others cannot read.
func describeAny(s *jsonschema.Schema) {
	if isAny(s) && s.Description == "" {
		s.Description = "Any JSON value."
	}
}

func dressFields(s *jsonschema.Schema, t reflect.Type) error {
	s.Required = nil
	if s.Properties == nil {
		s.Properties = map[string]*jsonschema.Schema{} // some clients refuse an object without
	}
	for _, field := range reflect.VisibleFields(t) {
		name, skip := jsonName(field)
		if field.Anonymous || skip {
			continue
		}
		property := s.Properties[name]
		err := dress(property, field.Type)
		if err == nil {
			err = applyTags(property, field)
		}
		if err != nil {
			return fmt.Errorf("field %s.%s: %w", t, field.Name, err)
		}
		describeAny(property)
		if isRequired(field) {
			s.Required = append(s.Required, name)
		}
	}
	return nil
}

func isRequired(field reflect.StructField) bool {
	_, options, _ := strings.Cut(field.Tag.Get("json"), ",")
	_, hasDefault := field.Tag.Lookup("default")
	list := strings.Split(options, ",")
	return field.Type.Kind() != reflect.Pointer && !hasDefault &&
		!slices.Contains(list, "omitempty") && !slices.Contains(list, "omitzero")
}

func applyTags(s *jsonschema.Schema, field reflect.StructField) error {
	if err := knowTags(field.Tag); err != nil {
		return err
	}
	s.Description = field.Tag.Get("doc")
	if len([]rune(s.Description)) > maxDescription {
		return fmt.Errorf("its doc has more than %d characters", maxDescription)
	}
	for _, tag := range []struct {
		name  string
		apply func(*jsonschema.Schema, string) error
	}{{"enum", applyEnum}, {"min", applyMin}, {"max", applyMax}, {"format", applyFormat}, {"default", applyDefault}} {
		text, ok := field.Tag.Lookup(tag.name)
		if !ok {
			continue
		}
		if err := tag.apply(s, text); err != nil {
			return fmt.Errorf("tag %s:%q: %w", tag.name, text, err)
		}
	}
	return nil
}

// knowTags returns an error for the first tag that Infer does not read.
func knowTags(tag reflect.StructTag) error {
	rest := string(tag)
	for rest = strings.TrimSpace(rest); rest != ""; rest = strings.TrimSpace(rest) {
		key, value, _ := strings.Cut(rest, ":")
		if !slices.Contains(ownTags, key) {
			return fmt.Errorf("tag %q is none of %s", key, strings.Join(ownTags, ", "))
		}
		quoted, err := strconv.QuotedPrefix(value)
		if err != nil {
			return fmt.Errorf("tag %s is not quoted", key)
		}
		rest = value[len(quoted):]
	}
	return nil
}

func applyEnum(s *jsonschema.Schema, text string) error {
	if s.Type == "array" {
		return applyEnum(s.Items, text)
	}
	if s.Type != "string" {
		return fmt.Errorf("only strings and slices of strings are listed")
	}
	values := strings.Split(text, ",")
	for i, v := range values {
		if v == "" || v != strings.TrimSpace(v) || slices.Contains(values[:i], v) {
			return fmt.Errorf("the value %q is empty, padded or listed twice", v)
		}
		s.Enum = append(s.Enum, v)
	}
	return nil
}

func applyMin(s *jsonschema.Schema, text string) error {
	return applyLimit(s, text, &s.Minimum, &s.MinLength, &s.MinItems)
}

func applyMax(s *jsonschema.Schema, text string) error {
	return applyLimit(s, text, &s.Maximum, &s.MaxLength, &s.MaxItems)
}

func applyLimit(s *jsonschema.Schema, text string, number **float64, length, items **int) error {
	count := items
	switch s.Type {
	case "integer", "number":
		n, err := strconv.ParseFloat(text, 64)
		if err != nil || s.Type == "integer" && n != float64(int64(n)) {
			return fmt.Errorf("it is no %s", s.Type)
		}
		*number = &n
		return nil
	case "string":
		count = length
	case "array":
	default:
		return fmt.Errorf("only numbers, strings and slices have limits")
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 {
		return fmt.Errorf("it is no count")
	}
	*count = &n
	return nil
}

func applyFormat(s *jsonschema.Schema, text string) error {
	if s.Type != "string" {
		return fmt.Errorf("only strings have a format")
	}
	if _, ok := formatWords[text]; !ok {
		return fmt.Errorf("it is no format that KOTA knows")
	}
	s.Format = text
	return nil
}

func applyDefault(s *jsonschema.Schema, text string) error {
	value := any(json.RawMessage(text))
	switch {
	case s.Type == "string":
		value = text
	case s.Type == "array" && s.Items.Type == "string" && !strings.HasPrefix(text, "["):
		value = strings.Split(text, ",")
	}
	raw, err := json.Marshal(value)
	if err != nil {
		return fmt.Errorf("it is no JSON")
	}
	s.Default = raw
	return nil
}
