package metadata

import (
	"encoding"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/google/jsonschema-go/jsonschema"
)

// Infer returns the schema of T, a struct, from its fields and their tags:
//
//	Limit int `json:"limit,omitempty" doc:"How many to return." default:"8" min:"1" max:"50"`
//
// The tags are:
//
//   - json names the field; a field without a json name is an error.
//   - doc is its description, at most 1,000 characters.
//   - enum lists the values of a string, or of the strings of a slice: "a,b,c".
//   - default is the value of an absent argument: JSON, or plain text for a
//     string, or "a,b" for a slice of strings.
//   - min and max bound a number, the characters of a string, the items of a slice.
//   - format is one of date-time, date, time, email, uri, uuid.
//   - alias lists other names that Decode takes silently: "q,text".
//
// A field is required unless it is a pointer, has a default, or is marked
// omitempty or omitzero. Objects are closed except maps. A time.Time is a
// date-time; any and json.RawMessage are any JSON value.
//
// The error names the type and the field that cannot be described so: a
// recursive type, one with JSON methods of its own, an interface, a map
// without string keys, a time.Duration, []byte, a name of more than 32
// characters, a tag that does not fit its field or that Infer does not know.
func Infer[T any]() (*Schema, error) {
	t := reflect.TypeFor[T]()
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	s, err := infer(t)
	if err != nil {
		return nil, fmt.Errorf("infer schema of %v: %w", t, err)
	}
	return s, nil
}

// Later returns the schema that make returns, which is called when the schema
// is first used, and once. When it panics, so does every use.
func Later(make func() *Schema) *Schema {
	return &Schema{content: sync.OnceValue(func() *content { return make().content() })}
}

// Make makes the schema now, if it was left for later.
func (s *Schema) Make() { s.content() }

// Describable returns the error that Infer would return for T whatever its
// tags say: that it is of a type that has no schema.
func Describable[T any]() error {
	t := reflect.TypeFor[T]()
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if err := hasSchema(t); err != nil {
		return fmt.Errorf("infer schema of %v: %w", t, err)
	}
	return nil
}

func hasSchema(t reflect.Type) error {
	if t.Kind() != reflect.Struct || foreign(t) != nil {
		return fmt.Errorf("arguments and results are structs, not %v", t.Kind())
	}
	return describable(t, nil)
}

func infer(t reflect.Type) (*Schema, error) {
	if err := hasSchema(t); err != nil {
		return nil, err
	}
	described, err := jsonschema.ForType(t, &jsonschema.ForOptions{TypeSchemas: knownTypes})
	if err != nil {
		return nil, err
	}
	if err := dress(described, t); err != nil {
		return nil, err
	}
	raw, err := schemaJSON(described)
	if err != nil {
		return nil, err
	}
	s, err := ParseSchema(raw)
	if err != nil {
		return nil, err
	}
	if err := addAliases(s.content().shape, t); err != nil {
		return nil, err
	}
	return s, checkDefaults(s.content().shape)
}

// checkDefaults returns an error for a default that its own schema refuses.
func checkDefaults(s *shape) error {
	for _, p := range s.props {
		if p.def != nil && !p.admits(p.def) {
			return fmt.Errorf("the default of %q is not %s", p.name, p.expected())
		}
		if err := checkDefaults(p.shape); err != nil {
			return err
		}
	}
	for _, inner := range []*shape{s.items, s.values} {
		if inner == nil {
			continue
		}
		if err := checkDefaults(inner); err != nil {
			return err
		}
	}
	return nil
}

// knownTypes are the types whose JSON their Go form does not show.
var knownTypes = map[reflect.Type]*jsonschema.Schema{
	reflect.TypeFor[time.Time]():       {Type: "string", Format: "date-time"},
	reflect.TypeFor[json.Number]():     {Type: "number"},
	reflect.TypeFor[json.RawMessage](): {},
	reflect.TypeFor[Schema]():          {Type: "object"},
}

// describable returns an error that names the field which a schema cannot be
// inferred for. Inside are the types around t.
func describable(t reflect.Type, inside []reflect.Type) error {
	if t.Kind() == reflect.Pointer {
		return describable(t.Elem(), inside)
	}
	if knownTypes[t] != nil {
		return nil
	}
	if slices.Contains(inside, t) {
		return fmt.Errorf("%v contains itself", t)
	}
	if err := foreign(t); err != nil {
		return err
	}
	switch t.Kind() {
	case reflect.Slice, reflect.Array:
		return describable(t.Elem(), inside)
	case reflect.Map:
		if t.Key().Kind() != reflect.String {
			return fmt.Errorf("the keys of %v are no strings", t)
		}
		return describable(t.Elem(), inside)
	case reflect.Struct:
		return describableFields(t, append(inside, t))
	}
	return nil
}

// foreign says why values of t have no JSON that a schema could tell.
func foreign(t reflect.Type) error {
	switch {
	case t == reflect.TypeFor[time.Duration]():
		return fmt.Errorf("a time.Duration is nanoseconds in JSON: use a string such as \"1h30m\" or a number of seconds")
	case t.Kind() == reflect.Slice && t.Elem().Kind() == reflect.Uint8:
		return fmt.Errorf("%v is base64 in JSON: use a string", t)
	case hasJSONMethods(t):
		return fmt.Errorf("%v has JSON methods of its own, so its fields do not tell its JSON", t)
	}
	switch t.Kind() {
	case reflect.Interface:
		if t.NumMethod() > 0 {
			return fmt.Errorf("%v is an interface: its JSON is not known", t)
		}
	case reflect.Chan, reflect.Func, reflect.Complex64, reflect.Complex128, reflect.UnsafePointer, reflect.Uintptr:
		return fmt.Errorf("%v has no JSON", t)
	}
	return nil
}

var jsonMethods = []reflect.Type{
	reflect.TypeFor[json.Marshaler](), reflect.TypeFor[json.Unmarshaler](),
	reflect.TypeFor[encoding.TextMarshaler](), reflect.TypeFor[encoding.TextUnmarshaler](),
}

func hasJSONMethods(t reflect.Type) bool {
	return slices.ContainsFunc(jsonMethods, func(m reflect.Type) bool {
		return t.Implements(m) || reflect.PointerTo(t).Implements(m)
	})
}

// describableFields checks the fields of a struct, and that no two have the
// same name in JSON.
func describableFields(t reflect.Type, inside []reflect.Type) error {
	names := map[string]bool{}
	for _, field := range reflect.VisibleFields(t) {
		if field.Anonymous {
			if field.Type.Kind() != reflect.Struct || foreign(field.Type) != nil || field.Tag != "" {
				return fmt.Errorf("field %s.%s: embed plain structs alone, without tags", t, field.Name)
			}
			continue
		}
		name, skip := jsonName(field)
		if skip {
			continue
		}
		if err := checkName(field, name, names); err != nil {
			return fmt.Errorf("field %s.%s: %w", t, field.Name, err)
		}
		names[name] = true
		if err := describable(field.Type, inside); err != nil {
			return fmt.Errorf("field %s.%s: %w", t, field.Name, err)
		}
	}
	return nil
}

// jsonName returns the name that encoding/json gives the field, "" when the
// tag has none, and whether the field is not in the JSON at all.
func jsonName(field reflect.StructField) (name string, skip bool) {
	tag := field.Tag.Get("json")
	name, _, _ = strings.Cut(tag, ",")
	return name, tag == "-" || !field.IsExported()
}

const (
	maxArgumentName = 32
	maxDescription  = 1000
)

func checkName(field reflect.StructField, name string, taken map[string]bool) error {
	_, options, _ := strings.Cut(field.Tag.Get("json"), ",")
	switch {
	case name == "":
		return fmt.Errorf("it has no json name")
	case len(name) > maxArgumentName:
		return fmt.Errorf("the name %q has more than %d characters", name, maxArgumentName)
	case !isPlainWord(name):
		return fmt.Errorf("the name %q has more than letters, digits, - and _ in it", name)
	case taken[name]:
		return fmt.Errorf("the name %q is taken twice", name)
	case slices.Contains(strings.Split(options, ","), "string"):
		return fmt.Errorf("the json option string hides its type")
	}
	return nil
}
