package metadata

import (
	"encoding"
	"encoding/json"
	"fmt"
	"iter"
	"reflect"
	"slices"
	"strings"
	"time"
)

// checkHasSchema returns an error if Infer cannot describe the type. It does not check the
// tags.
func checkHasSchema(t reflect.Type) error {
	if t.Kind() != reflect.Struct || noSchemaReason(t) != nil {
		return fmt.Errorf("arguments and results are structs, not %v", t.Kind())
	}
	return checkDescribable(t, nil)
}

// checkDescribable returns an error that names the field for which no schema can be inferred.
// The types in inside contain t.
func checkDescribable(t reflect.Type, inside []reflect.Type) error {
	if t.Kind() == reflect.Pointer {
		return checkDescribable(t.Elem(), inside)
	}
	if _, known := knownTypes[t]; known {
		return nil
	}
	if slices.Contains(inside, t) {
		return fmt.Errorf("%v contains itself", t)
	}
	if err := noSchemaReason(t); err != nil {
		return err
	}
	switch t.Kind() {
	case reflect.Slice, reflect.Array:
		return checkDescribable(t.Elem(), inside)
	case reflect.Map:
		if t.Key().Kind() != reflect.String {
			return fmt.Errorf("the keys of %v are not strings", t)
		}
		return checkDescribable(t.Elem(), inside)
	case reflect.Struct:
		return checkFields(t, append(inside, t))
	}
	return nil
}

// noSchemaReason returns why a schema cannot describe the JSON of t, or nil if it can.
func noSchemaReason(t reflect.Type) error {
	switch {
	case t == reflect.TypeFor[time.Duration]():
		return fmt.Errorf("a time.Duration is nanoseconds in JSON: use a string such as \"1h30m\" or a number of seconds")
	case t.Kind() == reflect.Slice && t.Elem().Kind() == reflect.Uint8:
		return fmt.Errorf("%v is base64 in JSON: use a string", t)
	case hasJSONMethods(t):
		return fmt.Errorf("%v has JSON methods of its own, so its fields do not define its JSON", t)
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
	if t.PkgPath() == "" && t.Kind() != reflect.Struct {
		return false // among types without a name, only a struct can have methods: by embedding
	}
	pointer := reflect.PointerTo(t) // it also has the methods of t
	return slices.ContainsFunc(jsonMethods, func(m reflect.Type) bool { return pointer.Implements(m) })
}

// checkFields checks a struct's fields, and that no two have the same name in JSON.
func checkFields(t reflect.Type, inside []reflect.Type) error {
	names := make(map[string]bool, t.NumField())
	for field := range fieldsOf(t) {
		if field.Anonymous {
			if field.Type.Kind() != reflect.Struct || noSchemaReason(field.Type) != nil || field.Tag != "" {
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
		if err := checkDescribable(field.Type, inside); err != nil {
			return fmt.Errorf("field %s.%s: %w", t, field.Name, err)
		}
	}
	return nil
}

// fieldsOf returns the fields of a struct, each embedded struct followed by its own fields.
func fieldsOf(t reflect.Type) iter.Seq[reflect.StructField] {
	return func(yield func(reflect.StructField) bool) { eachField(t, yield) }
}

func eachField(t reflect.Type, yield func(reflect.StructField) bool) bool {
	for i := range t.NumField() {
		field := t.Field(i)
		if !yield(field) {
			return false
		}
		if field.Anonymous && field.Type.Kind() == reflect.Struct && !eachField(field.Type, yield) {
			return false
		}
	}
	return true
}

// jsonName returns the name of the field in JSON, or "" if its tag has none. It also reports
// whether to skip the field, because the JSON does not have it.
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
		return fmt.Errorf("the name %q has characters other than letters, digits, - and _", name)
	case taken[name]:
		return fmt.Errorf("two fields have the name %q", name)
	case slices.Contains(strings.Split(options, ","), "string"):
		return fmt.Errorf("the json option string hides its type")
	}
	return nil
}
