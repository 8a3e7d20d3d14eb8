package staged

import (
	"encoding/json"
	"fmt"
	"strings"
	"sync"

	"kota/metadata"
)

// discoverySchema returns the schema for the call after discovery: a choice of the types.
func (f *Flow) discoverySchema(types []DocumentType) func() *metadata.Schema {
	return func() *metadata.Schema {
		names := []string{}
		for _, t := range types {
			names = append(names, quoted(t.Name))
		}
		choice := `"type":{"type":"string","enum":[` + strings.Join(names, ",") + `]}`
		return stageSchema("type", choice, callProperty("period"), callProperty("handle"))
	}
}

// instructionsSchema returns the schema for the call after the instructions. No answer is
// required.
func (t DocumentType) instructionsSchema(handle string) func() *metadata.Schema {
	return func() *metadata.Schema {
		properties := []string{`"handle":{"type":"string","enum":[` + quoted(handle) + `]}`}
		if t.Fields != nil {
			raw := marshalSchema(t.Fields.Optional())
			required := "required: " + strings.Join(t.missing(nil), ", ")
			properties = append(properties, `"answers":{"description":`+quoted(required)+`,`+strings.TrimPrefix(raw, "{"))
		}
		return stageSchema("handle", append(properties, callProperty("title"), callProperty("cancel"))...)
	}
}

func stageSchema(required string, properties ...string) *metadata.Schema {
	schema, err := metadata.ParseSchema(fmt.Appendf(nil, `{"type":"object","properties":{%s},"required":[%s],"additionalProperties":false}`,
		strings.Join(properties, ","), quoted(required)))
	if err != nil {
		panic(fmt.Sprintf("schema of a stage: %v", err)) // it is built from valid schemas
	}
	return schema
}

// callProperty returns a property of Call's schema.
func callProperty(name string) string { return quoted(name) + ":" + string(callProperties()[name]) }

var callProperties = sync.OnceValue(func() map[string]json.RawMessage {
	var schema struct{ Properties map[string]json.RawMessage }
	if err := json.Unmarshal([]byte(marshalSchema(metadata.MustInfer[Call]())), &schema); err != nil {
		panic(fmt.Sprintf("schema of a staged call: %v", err))
	}
	return schema.Properties
})

func marshalSchema(s *metadata.Schema) string {
	raw, err := s.MarshalJSON()
	if err != nil {
		panic(fmt.Sprintf("marshal a schema: %v", err)) // cannot fail
	}
	return string(raw)
}
