package metadata

import (
	"strconv"
	"strings"
)

// maxListed is the maximum number of names or values in a sentence.
const maxListed = 20

// expected returns in words what the schema requires: "an integer between 1 and 50".
func (s *shape) expected() string {
	if len(s.enum) > 0 {
		return "one of " + quotedList(s.enum)
	}
	var kinds []string
	for _, name := range []string{"string", "integer", "number", "boolean", "array", "object", "null"} {
		if s.kinds&kindByName[name] != 0 {
			kinds = append(kinds, s.expectedKind(name))
		}
	}
	if len(kinds) == 0 {
		return "any JSON value"
	}
	return strings.Join(kinds, " or ")
}

func (s *shape) expectedKind(name string) string {
	switch name {
	case "string":
		if text, ok := formatWords[s.format]; ok {
			return text
		}
		return "a string" + s.limits(" of", "character")
	case "integer":
		return "an integer" + s.limits("", "")
	case "number":
		return "a number" + s.limits("", "")
	case "boolean":
		return "true or false"
	case "array":
		if s.items == nil || s.items.kinds == 0 && len(s.items.enum) == 0 {
			return "an array" + s.limits(" of", "item")
		}
		return "an array" + s.limits(" of", "item") + ", each " + s.items.expected()
	case "object":
		if s.otherProps != nil && s.otherProps.kinds != 0 {
			return "an object, each value " + s.otherProps.expected()
		}
		if len(s.props) > 0 {
			return "an object with " + s.names()
		}
		return "an object"
	}
	return "null"
}

// formatWords describes the formats that Infer accepts.
var formatWords = map[string]string{
	"date-time": `a date and time with its offset, such as "2026-01-31T09:30:00Z"`,
	"date":      `a date such as "2026-01-31"`,
	"time":      `a time with its offset, such as "09:30:00Z"`,
	"email":     `an e-mail address such as "ada@example.com"`,
	"uri":       `a URI such as "https://example.com/page"`,
	"uuid":      `a UUID such as "0191d5a0-7b3c-7000-8000-0123456789ab"`,
}

// limits describes the limits of a number, or of a length counted in unit. It puts the
// preposition before a length: " between 1 and 50", " of 1 to 50 characters".
func (s *shape) limits(preposition, unit string) string {
	count := func(n string) string {
		if unit == "" || n == "1" {
			return strings.TrimRight(n+" "+unit, " ")
		}
		return n + " " + unit + "s"
	}
	switch {
	case s.min == "" && s.max == "":
		return ""
	case s.max == "":
		return orElse(preposition, " of") + " at least " + count(s.min)
	case s.min == "":
		return orElse(preposition, " of") + " at most " + count(s.max)
	case s.min == s.max:
		return orElse(preposition, " of") + " exactly " + count(s.min)
	case unit == "":
		return " between " + s.min + " and " + s.max
	}
	return preposition + " " + s.min + " to " + count(s.max)
}

func orElse(text, other string) string {
	if text == "" {
		return other
	}
	return text
}

// names lists the properties, for a caller that used an unknown property.
func (s *shape) names() string {
	switch len(s.props) {
	case 0:
		return "no arguments"
	case 1:
		return "the argument " + s.props[0].name
	}
	names := make([]string, len(s.props))
	for i, p := range s.props {
		names[i] = p.name
	}
	if len(names) > maxListed {
		names = append(names[:maxListed:maxListed], "…")
	}
	return "the arguments " + strings.Join(names, ", ")
}

func quotedList(texts []string) string {
	quoted := make([]string, 0, len(texts))
	for _, text := range texts {
		if len(quoted) == maxListed {
			quoted = append(quoted, "…")
			break
		}
		quoted = append(quoted, strconv.Quote(text))
	}
	return strings.Join(quoted, ", ")
}
