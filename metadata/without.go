package metadata

import "slices"

// Without returns the schema without the properties of this name, at any depth. Like
// Reworded, it supports only schemas from Infer and schemas derived from them.
func (s *Schema) Without(name string) *Schema {
	if s == nil {
		return nil
	}
	return LazySchema(func() *Schema {
		shape := s.content().shape.without(name)
		return newSchema(appendSchema(nil, shape), shape)
	})
}

func (s *shape) without(name string) *shape {
	if s == nil {
		return nil
	}
	kept := *s
	kept.items, kept.otherProps = s.items.without(name), s.otherProps.without(name)
	kept.props = slices.DeleteFunc(slices.Clone(s.props), func(p property) bool { return p.name == name })
	kept.index, kept.spellings = map[string]int{}, map[string]int{}
	for i, p := range kept.props {
		kept.props[i].shape = p.without(name)
		kept.index[p.name] = i
	}
	for spelling, i := range s.spellings {
		if at, ok := kept.index[s.props[i].name]; ok {
			kept.spellings[spelling] = at
		}
	}
	return &kept
}

// WithoutUnknown returns the JSON text without the members that the schema forbids. It returns
// text that is not JSON unchanged.
func (s *Schema) WithoutUnknown(text []byte) []byte {
	v, problems := parse(text)
	if problems != nil {
		return text
	}
	s.content().shape.removeUnknown(v)
	return v.append(nil)
}

// removeUnknown removes the members of v that the schema forbids, at any depth. It reports
// whether it removed something.
func (s *shape) removeUnknown(v *value) bool {
	cut := false
	for i := range v.items {
		cut = s.items != nil && s.items.removeUnknown(v.items[i]) || cut
	}
	kept := v.members[:0]
	for _, m := range v.members {
		if s.closed && s.property(m.name) == nil {
			cut = true
			continue
		}
		if child := s.child(m.name); child != nil {
			cut = child.removeUnknown(m.value) || cut
		}
		kept = append(kept, m)
	}
	v.members = kept
	if cut {
		v.raw = nil
	}
	return cut
}

// Optional returns a schema for a part of the arguments: no top-level property is required
// or has a default. Read still accepts aliases, but notes their use as a repair.
func (s *Schema) Optional() *Schema {
	part := *s.content().shape
	part.props = slices.Clone(part.props)
	for i, p := range part.props {
		without := *p.shape
		without.def = nil
		part.props[i] = property{shape: &without, name: p.name}
	}
	return newSchema(appendSchema(nil, &part), &part)
}
