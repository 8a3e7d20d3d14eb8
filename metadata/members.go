package metadata

import (
	"bytes"
	"encoding/json"
)

// Members returns the members of a JSON object by their names. The object may also be encoded
// as a JSON string or be in a list of one. Blank text and null count as the empty object. Members
// returns false for everything else, and for an object with repeated keys.
func Members(args json.RawMessage) (map[string]json.RawMessage, bool) {
	members := map[string]json.RawMessage{}
	if len(bytes.TrimSpace(args)) == 0 {
		return members, true
	}
	v, problems := parse(args)
	if problems != nil {
		return nil, false
	}
	if v.kind == isNull {
		return members, true
	}
	if v, _ = anObject.repair(v, &repairLog{}); v.kind != isObject {
		return nil, false
	}
	for _, m := range v.members {
		members[m.name] = m.value.append(nil)
	}
	return members, true
}

// Accepts reports whether Read accepts an argument with this name: the name of a property, an
// alias, or another spelling of a name or alias.
func (s *Schema) Accepts(name string) bool {
	shape := s.content().shape
	return shape.property(name) != nil || shape.findBySpelling(name) != nil
}

// ArgumentError returns the VALIDATION_ERROR that Read would return for these problems. There
// must be at least one.
func (s *Schema) ArgumentError(problems ...Problem) *Error { return s.argumentError(problems) }

// Parts are the arguments of a call, to be read one by one.
type Parts struct {
	object   *value
	Repaired []string // as in a ReadResult
}

// Parts reads arguments like Read, but leaves their values as JSON. The caller decodes only
// the values that it needs.
func (s *Schema) Parts(args json.RawMessage, effect Effect) (Parts, error) {
	m := newRepairLog(effect)
	v, problems := s.parse(args, m)
	if problems != nil {
		return Parts{}, s.argumentError(problems)
	}
	return Parts{object: v, Repaired: m.notes}, nil
}

// Text returns the argument's text, or "" if the argument is absent or not a string.
func (p Parts) Text(name string) string {
	if v := p.object.member(name); v != nil {
		return v.text
	}
	return ""
}

// JSON returns the argument's JSON, or nil if the argument is absent. It may share memory with
// the input.
func (p Parts) JSON(name string) json.RawMessage {
	v := p.object.member(name)
	switch {
	case v == nil:
		return nil
	case v.raw != nil:
		return v.raw
	}
	return v.append(nil)
}
