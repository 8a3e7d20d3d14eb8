package metadata

import (
	"slices"

	"kota/metadata/words"
)

// wrappers are the names that models use for an object around the arguments.
var wrappers = []string{"args", "arguments", "params", "parameters", "input", "request"}

// maxWrappers is the maximum number of wrappers around arguments.
const maxWrappers = 3

// unwrapArguments decodes arguments in JSON text and takes them out of wrappers such as
// {"args": {…}}. It removes a wrapper only if the schema is closed and has no such property.
func (s *shape) unwrapArguments(v *value, m *repairLog) *value {
	for range maxWrappers {
		if !s.accepts(v) {
			v = s.tryConvert(v, m)
		}
		inner, wrapper := s.unwrap(v)
		if inner == nil {
			return v
		}
		m.add("arguments taken from inside " + wrapper)
		v = inner
	}
	return v
}

// unwrap returns the value inside a wrapper and the wrapper's name, or nil if v has no wrapper.
func (s *shape) unwrap(v *value) (inner *value, wrapper string) {
	if !s.closed || v.kind != isObject || len(v.members) != 1 {
		return nil, ""
	}
	given := v.members[0]
	if s.property(given.name) != nil || s.findBySpelling(given.name) != nil {
		return nil, ""
	}
	for _, name := range wrappers {
		switch {
		case !SameName(name, given.name):
		case given.value.kind == isNull:
			return &value{kind: isObject}, name
		case anObject.accepts(given.value):
			return given.value, name
		default:
			inner, _ = anObject.convert(given.value)
			return inner, name
		}
	}
	return nil, ""
}

var anObject = &shape{kinds: isObject}

// repairNames renames properties sent under an alias, in another spelling or with a typo, unless
// the arguments also have the declared name. It reports whether anything changed.
func (s *shape) repairNames(v *value, m *repairLog) bool {
	if !s.closed {
		return false
	}
	changed := false
	unknown := 0
	for i, given := range v.members {
		if s.property(given.name) != nil {
			continue
		}
		unknown++
		if p := s.findBySpelling(given.name); p != nil && v.member(p.name) == nil {
			v.members[i].name = p.name
			if !slices.Contains(p.aliases, given.name) {
				m.noteRename(given.name, p.name)
			}
			changed, unknown = true, unknown-1
		}
	}
	if unknown == 0 || unknown > maxUnknown || !m.correctTypos {
		return changed
	}
	return s.repairTypos(v, m) || changed
}

// findBySpelling returns the property whose name or alias differs from name only in case and
// separators, or nil.
func (s *shape) findBySpelling(name string) *property {
	if len(name) > maxName {
		return nil
	}
	key := words.Key(name)
	i, ok := s.spellings[key]
	if !ok || key == "" {
		return nil
	}
	return &s.props[i]
}

// maxUnknown is the maximum number of unknown names in an object in which KOTA corrects typos.
// An object with more unknown names is probably meant for another action.
const maxUnknown = 4

// repairTypos renames properties sent with one typo. The name must be near exactly one property,
// the arguments must not have that property already, and the value must fit. It reports whether
// anything changed.
func (s *shape) repairTypos(v *value, m *repairLog) bool {
	changed := false
	for i, given := range v.members {
		if s.property(given.name) != nil {
			continue
		}
		if p := s.findByTypo(given.name); p != nil && v.member(p.name) == nil && p.fits(given.value) {
			v.members[i].name = p.name
			m.noteRename(given.name, p.name)
			changed = true
		}
	}
	return changed
}

// findByTypo returns the property whose name or alias is one typo away, or nil if there are
// none or several.
func (s *shape) findByTypo(name string) *property {
	found := -1
	for other, i := range s.spellings {
		if !OneTypo(name, other) || i == found {
			continue
		}
		if found >= 0 {
			return nil
		}
		found = i
	}
	if found < 0 {
		return nil
	}
	return &s.props[found]
}

// fits reports whether v would fit the schema after repairs. It does not change v.
func (s *shape) fits(v *value) bool {
	copied, problems := parse(v.append(nil))
	if problems != nil {
		return false
	}
	copied, _ = s.repair(copied, &repairLog{})
	return s.admits(copied)
}
