package metadata

import "slices"

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
