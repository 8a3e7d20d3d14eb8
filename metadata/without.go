package metadata

import "slices"

// Without returns the schema without the properties of that name, at any depth.
// As Reworded it is for schemas that Infer makes, and those made of them.
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
	kept.items, kept.values = s.items.without(name), s.values.without(name)
	kept.props = slices.DeleteFunc(slices.Clone(s.props), func(p property) bool { return p.name == name })
	kept.index = map[string]int{}
	for i, p := range kept.props {
		kept.props[i].shape = p.without(name)
		kept.index[p.name] = i
	}
	return &kept
}

// Only returns the JSON of a value without the members that the schema does not
// know, where it knows all that there are. What is no JSON it returns as it is.
func (s *Schema) Only(text []byte) []byte {
	v, problems := parse(text)
	if problems != nil {
		return text
	}
	s.content().shape.only(v)
	return v.append(nil)
}

// only reports whether it left something out of v.
func (s *shape) only(v *value) bool {
	cut := false
	for i := range v.items {
		cut = s.items != nil && s.items.only(v.items[i]) || cut
	}
	kept := v.members[:0]
	for _, m := range v.members {
		if s.closed && s.property(m.name) == nil {
			cut = true
			continue
		}
		if child := s.child(m.name); child != nil {
			cut = child.only(m.value) || cut
		}
		kept = append(kept, m)
	}
	v.members = kept
	if cut {
		v.raw = nil
	}
	return cut
}

// Optional returns the schema of a part of what s describes: no top-level
// property is required, and none has a default. It knows of s what its
// signature shows, and the limits.
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
