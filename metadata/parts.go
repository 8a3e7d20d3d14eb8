package metadata

import "encoding/json"

// Parts are the arguments of a call that are read one by one.
type Parts struct {
	object   *value
	Repaired []string // as in a Reading
}

// Parts reads arguments as Read does, and leaves them as they were sent: what
// is passed on need not be decoded.
func (s *Schema) Parts(args json.RawMessage, effect Effect) (Parts, error) {
	m := newMending(effect)
	v, problems := s.mend(args, m)
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
