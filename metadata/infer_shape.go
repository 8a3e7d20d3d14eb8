package metadata

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"time"

	"kota/metadata/words"
)

// knownTypes has the types whose JSON does not follow from their Go definition.
var knownTypes = map[reflect.Type]shape{
	reflect.TypeFor[time.Time]():       {kinds: isString, format: "date-time"},
	reflect.TypeFor[json.Number]():     {kinds: isNumber},
	reflect.TypeFor[json.RawMessage](): {},
	reflect.TypeFor[Schema]():          {kinds: isObject},
}

// shapeOf returns the shape of a describable type, or of the type that a pointer points to.
// A shape with a type does not accept null, because some clients refuse lists of types.
func shapeOf(t reflect.Type) (*shape, error) {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if s, known := knownTypes[t]; known {
		return &s, nil
	}
	s := &shape{}
	switch t.Kind() {
	case reflect.Bool:
		s.kinds = isBool
	case reflect.String:
		s.kinds = isString
	case reflect.Float32, reflect.Float64:
		s.kinds = isNumber
	case reflect.Slice, reflect.Array:
		return shapeOfList(t)
	case reflect.Map:
		return shapeOfMap(t)
	case reflect.Struct:
		return shapeOfStruct(t)
	case reflect.Interface:
	default:
		s.kinds = isInteger
		s.min, s.max = integerLimits(t)
	}
	return s, nil
}

// integerLimits returns the minimum and the maximum of the Go type. It returns "" for the
// limits of 64-bit types, except for the minimum "0" of uint64.
func integerLimits(t reflect.Type) (minimum, maximum string) {
	bits := t.Bits()
	signed := t.Kind() >= reflect.Int && t.Kind() <= reflect.Int64
	switch {
	case signed && bits == 64:
		return "", ""
	case signed:
		return strconv.Itoa(-1 << (bits - 1)), strconv.Itoa(1<<(bits-1) - 1)
	case bits == 64:
		return "0", ""
	}
	return "0", strconv.Itoa(1<<bits - 1)
}

func shapeOfList(t reflect.Type) (*shape, error) {
	items, err := shapeOf(t.Elem())
	if err != nil {
		return nil, err
	}
	items.describeAny()
	s := &shape{kinds: isArray, items: items}
	if t.Kind() == reflect.Array {
		s.min = strconv.Itoa(t.Len())
		s.max = s.min
	}
	return s, nil
}

func shapeOfMap(t reflect.Type) (*shape, error) {
	values, err := shapeOf(t.Elem())
	if err != nil {
		return nil, err
	}
	if values.kinds == 0 {
		values = nil
	}
	return &shape{kinds: isObject, otherProps: values}, nil
}

func shapeOfStruct(t reflect.Type) (*shape, error) {
	n := t.NumField()
	s := &shape{
		kinds: isObject, closed: true,
		props: make([]property, 0, n), index: make(map[string]int, n), spellings: make(map[string]int, n),
	}
	aliases := make([]string, 0, n) // the alias tag of each property
	for field := range fieldsOf(t) {
		name, skip := jsonName(field)
		if field.Anonymous || skip {
			continue
		}
		p, alias, err := propertyOf(field, name)
		if err != nil {
			return nil, fmt.Errorf("field %s.%s: %w", t, field.Name, err)
		}
		s.index[name] = len(s.props)
		s.spellings[words.Key(name)] = len(s.props)
		s.props, aliases = append(s.props, p), append(aliases, alias)
	}
	for i, list := range aliases {
		if err := s.addAliases(i, list); err != nil {
			return nil, fmt.Errorf("property %q of %s: %w", s.props[i].name, t, err)
		}
	}
	return s, nil
}

// propertyOf returns the property of a field, and the field's alias tag.
func propertyOf(field reflect.StructField, name string) (p property, alias string, err error) {
	tags, err := readTags(field.Tag)
	if err != nil {
		return property{}, "", err
	}
	s, err := shapeOf(field.Type)
	if err != nil {
		return property{}, "", err
	}
	if err := tags.apply(s); err != nil {
		return property{}, "", err
	}
	s.describeAny()
	alias, _ = tags.lookup("alias")
	return property{shape: s, name: name, required: field.Type.Kind() != reflect.Pointer && tags.isRequired()}, alias, nil
}

// describeAny adds a description to an unrestricted shape. Without it, the schema would be {},
// which some clients cannot read. Other clients cannot read a list of all types.
func (s *shape) describeAny() {
	if s.kinds == 0 && s.description == "" {
		s.description = "Any JSON value."
	}
}

// addAliases adds the aliases in list to the property with this index.
func (s *shape) addAliases(i int, list string) error {
	if list == "" {
		return nil
	}
	for _, alias := range strings.Split(list, ",") {
		key := words.Key(alias)
		if _, taken := s.spellings[key]; taken || key == "" {
			return fmt.Errorf("tag alias: the name %q is empty or taken", alias)
		}
		s.spellings[key] = i
		s.props[i].aliases = append(s.props[i].aliases, alias)
	}
	return nil
}
