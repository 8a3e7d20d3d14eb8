package metadata

import (
	"fmt"
	"reflect"
	"sync"
)

// Infer returns the schema of the struct T from its fields and their tags:
//
//	Limit int `json:"limit,omitempty" doc:"How many to return." default:"8" min:"1" max:"50"`
//
// The tags are:
//
//   - json names the field; a field without a json name is an error.
//   - doc is its description, at most 1,000 characters.
//   - enum lists the values of a string, or of the strings of a slice: "a,b,c". In "a|b,c",
//     b is a synonym: Read replaces b by a.
//   - default is the value of an absent argument: JSON, or plain text for a
//     string, or "a,b" for a slice of strings.
//   - min and max limit a number, the characters of a string or the items of a slice.
//   - format is one of date-time, date, time, email, uri, uuid.
//   - alias lists other names that Read accepts without a note: "q,text".
//   - audit is show or hide: see Redact.
//
// A field is required unless it is a pointer, has a default, or has omitempty or
// omitzero. Objects are closed except maps. A time.Time is a date-time; any and
// json.RawMessage are any JSON value.
//
// Infer returns an error with the type and the field if it cannot describe a field. Such
// fields have a recursive type, a type with its own JSON methods, an interface with
// methods, a map without string keys, a time.Duration or []byte. It also refuses names of
// more than 32 characters, unknown tags and tags that do not fit their field.
func Infer[T any]() (*Schema, error) { return InferType(reflect.TypeFor[T]()) }

// InferType is Infer for a type that is known at run time only.
func InferType(t reflect.Type) (*Schema, error) {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if s, known := inferred.Load(t); known {
		return s.(*Schema), nil
	}
	s, err := infer(t)
	if err != nil {
		return nil, fmt.Errorf("infer schema of %v: %w", t, err)
	}
	known, _ := inferred.LoadOrStore(t, s)
	return known.(*Schema), nil
}

// inferred has the schemas of all types so far. A server has the same bundles for each person, and
// their schemas are a quarter of the memory of a person.
var inferred sync.Map // reflect.Type → *Schema

// MustInfer is Infer for a type that has a schema. It panics if Infer returns an error.
func MustInfer[T any]() *Schema {
	s, err := Infer[T]()
	if err != nil {
		panic(err.Error())
	}
	return s
}

// LazySchema returns a schema that is the same as the result of infer. It calls infer once,
// on the first use of the schema. If infer panics, every use panics.
func LazySchema(infer func() *Schema) *Schema {
	return &Schema{content: sync.OnceValue(func() *content { return infer().content() })}
}

// Make computes a lazy schema now, instead of on its first use.
func (s *Schema) Make() { s.content() }

func infer(t reflect.Type) (*Schema, error) {
	if err := checkHasSchema(t); err != nil {
		return nil, err
	}
	s, err := shapeOf(t)
	if err != nil {
		return nil, err
	}
	if err := checkDefaults(s); err != nil {
		return nil, err
	}
	return newSchema(appendSchema(nil, s), s), nil
}

// checkDefaults returns an error for a default that does not fit its own schema.
func checkDefaults(s *shape) error {
	for _, p := range s.props {
		if p.def != nil && !p.admits(p.def) {
			return fmt.Errorf("the default of %q is not %s", p.name, p.expected())
		}
		if err := checkDefaults(p.shape); err != nil {
			return err
		}
	}
	for _, inner := range []*shape{s.items, s.otherProps} {
		if inner == nil {
			continue
		}
		if err := checkDefaults(inner); err != nil {
			return err
		}
	}
	return nil
}
