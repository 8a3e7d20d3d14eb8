package metadata

import "encoding/json"

// A Schema is the JSON Schema of an action's input or output.
type Schema struct{ raw json.RawMessage }

// MarshalJSON returns the schema's JSON, byte-identical on every call.
func (s *Schema) MarshalJSON() ([]byte, error) { return s.raw, nil }
