package metadata

import "strings"

const (
	maxSignature     = 272 // maximum bytes of a signature with optional arguments
	MaxChoices       = 8   // maximum values of an enum in a signature
	maxStatedDefault = 40  // maximum bytes of a default in words
)

// Signature returns an action's input on one line:
//
//	set(key*:str, value*:any, mode:upsert|create=upsert, tags:[str], limit:int=8)
//
// A star marks a required argument, {a:str} an object and {str:int} a map. An = marks a
// default, which may also be words at the end of a description ("; default a week on").
// Arguments are in declared order. In a long line "…" replaces optional arguments, but never
// required arguments.
func Signature(name string, s *Schema) string { return SignatureWithin(maxSignature, name, s) }

// Elided stands at the end of a signature for omitted arguments.
const Elided = "…"

// SignatureWithin is Signature with another limit. It leaves out optional arguments that would
// make the line longer than limit bytes.
func SignatureWithin(limit int, name string, s *Schema) string {
	var lines []string
	length, elided := len(name), false
	for _, p := range s.content().shape.props {
		line := p.line(0)
		if !p.required && length+len(line) > limit {
			elided = true
			continue
		}
		lines = append(lines, line)
		length += len(line) + len(", ")
	}
	if elided {
		lines = append(lines, Elided)
	}
	return name + "(" + strings.Join(lines, ", ") + ")"
}

// line returns the property as in a signature. The depth is 0 at the top level.
func (p property) line(depth int) string {
	text := p.name
	if p.required {
		text += "*"
	}
	text += ":" + p.signature(depth)
	if p.def != nil && len(p.def.raw) <= maxShort {
		if p.def.kind == isString {
			return text + "=" + p.def.text
		}
		return text + "=" + string(p.def.raw)
	}
	if stated := p.statedDefault(); p.def == nil && stated != "" {
		text += "=" + stated
	}
	return text
}

// statedDefault returns the default that the description states in words, such as "a week on",
// or "". The words follow "default" at the end of the description.
func (p property) statedDefault() string {
	const word = "default "
	text := p.description
	if i := strings.LastIndex(text, "; "+word); i >= 0 {
		text = text[i+len("; "):]
	}
	usual, found := strings.CutPrefix(text, word)
	if !found || len(usual) > maxStatedDefault || strings.ContainsAny(usual, ",;:()\"") {
		return ""
	}
	return usual
}

var shortKinds = []struct {
	kind kind
	name string
}{{isString, "str"}, {isInteger, "int"}, {isNumber, "num"}, {isBool, "bool"}}

// signature returns a short form of the type: "str", "[int]", "upsert|create".
func (s *shape) signature(depth int) string {
	if len(s.enum) > MaxChoices {
		return strings.Join(s.enum[:MaxChoices], "|") + "|…"
	}
	if len(s.enum) > 0 {
		return strings.Join(s.enum, "|")
	}
	if s.kinds == isString && (s.format == "date-time" || s.format == "date") {
		return s.format
	}
	var kinds []string
	for _, k := range shortKinds {
		if s.kinds&k.kind != 0 {
			kinds = append(kinds, k.name)
		}
	}
	if s.kinds&isArray != 0 {
		kinds = append(kinds, "["+s.item().signature(depth+1)+"]")
	}
	if s.kinds&isObject != 0 {
		kinds = append(kinds, s.objectSignature(depth))
	}
	if len(kinds) == 0 {
		return "any"
	}
	return strings.Join(kinds, "|")
}

func (s *shape) objectSignature(depth int) string {
	if s.otherProps != nil {
		return "{str:" + s.otherProps.signature(depth+1) + "}"
	}
	if len(s.props) == 0 || depth > 1 {
		return "obj"
	}
	lines := make([]string, len(s.props))
	for i, p := range s.props {
		lines[i] = p.line(depth + 1)
	}
	return "{" + strings.Join(lines, ", ") + "}"
}
