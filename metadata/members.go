package metadata

import (
	"bytes"
	"encoding/json"
)

// Members returns the members of an object in which each key is given once, by
// their names. It may have been sent as JSON text or in a list of one; nothing
// and null are the empty object. It returns false for all else.
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

// Takes reports whether Read takes an argument of that name for one of the
// schema's: it is its name, an alias, or another spelling of them.
func (s *Schema) Takes(name string) bool {
	shape := s.content().shape
	return shape.property(name) != nil || shape.meant(name) != nil
}

// Refuse returns the VALIDATION_ERROR that Read would answer with for these
// problems, of which there must be one.
func (s *Schema) Refuse(problems ...Problem) *Error { return s.refuse(problems) }

// Parts are the arguments of a call that are read one by one.
type Parts struct {
	object   *value
	Repaired []string // as in a Reading
}

// Parts reads arguments as Read does, and leaves them as they were sent: what
// is passed on need not be decoded.
func (s *Schema) Parts(args json.RawMessage, effect Effect) (Parts, error) {
	m := newRepairLog(effect)
	v, problems := s.parse(args, m)
	if problems != nil {
		return Parts{}, s.refuse(problems)
	}
	return Parts{object: v, Repaired: m.notes}, nil
}

// Text returns the characters of the argument, "" when it is absent or no
// string.
func (p Parts) Text(name string) string {
	if v := p.object.member(name); v != nil {
		return v.text
	}
	return ""
}

// JSON returns the argument's JSON, nil when it is absent. It may share memory
// with what was read.
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
