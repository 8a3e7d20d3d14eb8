package metadata

import (
	"fmt"
	"reflect"
	"strings"
)

// addAliases adds to s what its JSON does not say: the other names that the
// properties of t are taken by.
func addAliases(s *shape, t reflect.Type) error {
	if s == nil || knownTypes[t] != nil {
		return nil
	}
	switch t.Kind() {
	case reflect.Pointer:
		return addAliases(s, t.Elem())
	case reflect.Slice, reflect.Array:
		return addAliases(s.items, t.Elem())
	case reflect.Map:
		return addAliases(s.values, t.Elem())
	case reflect.Struct:
		return addFieldAliases(s, t)
	}
	return nil
}

func addFieldAliases(s *shape, t reflect.Type) error {
	for _, field := range reflect.VisibleFields(t) {
		name, skip := jsonName(field)
		if field.Anonymous || skip {
			continue
		}
		rank := s.index[name]
		if err := addAliases(s.props[rank].shape, field.Type); err != nil {
			return err
		}
		list := field.Tag.Get("alias")
		if list == "" {
			continue
		}
		for _, alias := range strings.Split(list, ",") {
			key := nameKey(alias)
			if _, taken := s.spellings[key]; taken || key == "" {
				return fmt.Errorf("field %s.%s: tag alias: the name %q is empty or taken", t, field.Name, alias)
			}
			s.spellings[key] = rank
		}
	}
	return nil
}
