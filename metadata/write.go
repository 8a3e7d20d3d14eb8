package metadata

import "encoding/json"

// typeNames has the JSON Schema names of the kinds.
var typeNames = map[kind]string{
	isBool: "boolean", isInteger: "integer", isNumber: "number", isString: "string", isArray: "array", isObject: "object",
}

// appendSchema appends the JSON of a schema with this shape, with the properties in declared
// order. The shape must come from shapeOf or be derived from such a shape.
func appendSchema(out []byte, s *shape) []byte {
	out = append(out, '{')
	switch {
	case s.kinds != 0:
		out = appendText(out, "type", typeNames[s.kinds])
	case s.props == nil && len(s.enum) == 0:
		// Any value. Clients warn about an empty schema, and this keyword restricts nothing.
		out = append(appendName(out, "minProperties"), '0')
	}
	if s.description != "" {
		out = appendText(out, "description", s.description)
	}
	if s.items != nil {
		out = appendSchema(appendName(out, "items"), s.items)
	}
	if s.def != nil {
		out = append(appendName(out, "default"), s.def.raw...)
	}
	if len(s.enum) > 0 {
		out = appendTexts(out, "enum", s.enum)
	}
	out = appendLimits(out, s)
	if s.format != "" {
		out = appendText(out, "format", s.format)
	}
	if s.props != nil { // some clients refuse a closed object without properties
		out = appendProperties(out, s.props)
	}
	switch {
	case s.closed:
		out = append(appendName(out, "additionalProperties"), "false"...)
	case s.otherProps != nil:
		out = appendSchema(appendName(out, "additionalProperties"), s.otherProps)
	}
	return append(out, '}')
}

func appendLimits(out []byte, s *shape) []byte {
	for _, limit := range limitNames {
		if s.kinds&limit.kind == 0 {
			continue
		}
		if s.min != "" {
			out = append(appendName(out, limit.least), s.min...)
		}
		if s.max != "" {
			out = append(appendName(out, limit.most), s.max...)
		}
	}
	return out
}

func appendProperties(out []byte, props []property) []byte {
	out = append(appendName(out, "properties"), '{')
	var required []string
	for _, p := range props {
		out = appendSchema(appendName(out, p.name), p.shape)
		if p.required {
			required = append(required, p.name)
		}
	}
	out = append(out, '}')
	if required == nil {
		return out
	}
	return appendTexts(out, "required", required)
}

// appendName appends the name of a member. The names of keywords and of arguments (see
// checkName) need no escapes.
func appendName(out []byte, name string) []byte {
	if out[len(out)-1] != '{' {
		out = append(out, ',')
	}
	out = append(out, '"')
	out = append(out, name...)
	return append(out, '"', ':')
}

func appendText(out []byte, name, text string) []byte {
	return appendQuoted(appendName(out, name), text)
}

func appendTexts(out []byte, name string, texts []string) []byte {
	out = append(appendName(out, name), '[')
	for i, text := range texts {
		if i > 0 {
			out = append(out, ',')
		}
		out = appendQuoted(out, text)
	}
	return append(out, ']')
}

// appendQuoted appends text as a JSON string. People and models read it, so appendQuoted writes
// HTML escapes only if the text needs other escapes too, or is not ASCII.
func appendQuoted(out []byte, text string) []byte {
	for i := range len(text) {
		if c := text[i]; c < 0x20 || c == '"' || c == '\\' || c >= 0x7f {
			raw, err := json.Marshal(text)
			if err != nil {
				panic("metadata: " + err.Error()) // a string always marshals
			}
			return append(out, raw...)
		}
	}
	out = append(append(out, '"'), text...)
	return append(out, '"')
}
