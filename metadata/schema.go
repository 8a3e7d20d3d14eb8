package metadata

import (
	"bytes"
	"encoding/json"
	"fmt"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// A Schema is the JSON Schema (2020-12) of an action's input or output. Infer and ParseSchema
// return Schemas. A Schema never changes and is safe for concurrent use.
type Schema struct {
	content func() *content // returns the same content on every call
}

type content struct {
	raw      json.RawMessage
	shape    *shape
	compiled func() (*jsonschema.Schema, error)
}

// A Param is one top-level property of a schema.
type Param struct {
	Name        string
	Type        string // as in a signature: "str", "int", "[str]", "any", "upsert|create"
	Description string
	Required    bool
	Enum        []string        // the allowed values; nil if the schema lists none
	Default     json.RawMessage // nil if absent
}

// maxShownPath is the maximum length of a path in an error of ParseSchema.
const maxShownPath = 40

// ParseSchema reads a schema from its JSON, which must be an object. It keeps the order of
// the properties. It does not check that raw is valid JSON Schema. Check does that, but only
// for a value that needs the validator.
func ParseSchema(raw json.RawMessage) (*Schema, error) {
	v, problems := parse(raw)
	if problems != nil {
		first := problems[0]
		if len(first.Path) > maxShownPath {
			first.Path = "" // of a schema with many levels it would be the whole message
		}
		return nil, fmt.Errorf("parse schema: %s", first)
	}
	if v.kind != isObject {
		return nil, fmt.Errorf("parse schema: expected an object, got %s", shorten(string(v.raw)))
	}
	var compact bytes.Buffer
	if err := json.Compact(&compact, raw); err != nil {
		return nil, fmt.Errorf("parse schema: %w", err)
	}
	return newSchema(compact.Bytes(), newShape(v)), nil
}

// newSchema combines a schema's JSON and its shape.
func newSchema(raw json.RawMessage, s *shape) *Schema {
	c := &content{raw: raw, shape: s}
	// Compiling costs more than all other work, and many schemas are never used for a check.
	c.compiled = sync.OnceValues(c.compile)
	return &Schema{content: func() *content { return c }}
}

// MarshalJSON returns the schema's JSON. It is byte-identical on every call and has the
// properties in declared order.
func (s *Schema) MarshalJSON() ([]byte, error) { return s.content().raw, nil }

// UnmarshalJSON sets s to the schema that ParseSchema would return.
func (s *Schema) UnmarshalJSON(raw []byte) error {
	parsed, err := ParseSchema(raw)
	if err != nil {
		return err
	}
	*s = *parsed
	return nil
}

// Params returns the top-level properties in declared order.
func (s *Schema) Params() []Param {
	props := s.content().shape.props
	params := make([]Param, len(props))
	for i, p := range props {
		params[i] = Param{
			Name: p.name, Type: p.signature(0), Description: p.description, Required: p.required,
			Enum: p.enum, Default: p.defaultJSON(),
		}
	}
	return params
}

const schemaURL = "kota:schema"

func (c *content) compile() (*jsonschema.Schema, error) {
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(c.raw))
	if err != nil {
		return nil, err
	}
	compiler := jsonschema.NewCompiler()
	compiler.AssertFormat()
	for name, check := range formatChecks {
		compiler.RegisterFormat(&jsonschema.Format{Name: name, Validate: check})
	}
	compiler.UseLoader(noLoader{})
	if err := compiler.AddResource(schemaURL, doc); err != nil {
		return nil, err
	}
	return compiler.Compile(schemaURL)
}

// noLoader prevents a schema from reading files and web pages by reference.
type noLoader struct{}

func (noLoader) Load(url string) (any, error) {
	return nil, fmt.Errorf("schemas do not refer to other documents: %s", url)
}
