package metadata

import "encoding/json"

// A kind is a set of JSON types. The empty set means any type.
type kind uint8

const (
	isNull kind = 1 << iota
	isBool
	isInteger // only in schemas; the kind of a JSON number is isNumber
	isNumber
	isString
	isArray
	isObject
)

// A value is one JSON value with its original text. So a value without repairs keeps its
// digits, its key order and its escapes.
type value struct {
	kind    kind
	raw     []byte // the original text; nil after a change inside
	text    string // the characters of a string
	members []member
	items   []*value
}

type member struct {
	name  string
	value *value
}

func newString(text string) *value {
	raw, _ := json.Marshal(text) // a string always marshals
	return &value{kind: isString, raw: raw, text: text}
}

// append appends v's JSON to out.
func (v *value) append(out []byte) []byte {
	if v.raw != nil {
		return append(out, v.raw...)
	}
	if v.kind == isArray {
		out = append(out, '[')
		for i, item := range v.items {
			if i > 0 {
				out = append(out, ',')
			}
			out = item.append(out)
		}
		return append(out, ']')
	}
	out = append(out, '{')
	for i, m := range v.members {
		if i > 0 {
			out = append(out, ',')
		}
		name, _ := json.Marshal(m.name) // a string always marshals
		out = append(append(out, name...), ':')
		out = m.value.append(out)
	}
	return append(out, '}')
}

// plain returns v as encoding/json would decode it into an any, with json.Number.
func (v *value) plain() any {
	switch v.kind {
	case isBool:
		return v.raw[0] == 't'
	case isNumber:
		return json.Number(v.raw)
	case isString:
		return v.text
	case isArray:
		items := make([]any, len(v.items))
		for i, item := range v.items {
			items[i] = item.plain()
		}
		return items
	case isObject:
		members := make(map[string]any, len(v.members))
		for _, m := range v.members {
			members[m.name] = m.value.plain()
		}
		return members
	}
	return nil
}

// member returns the value of the member with this name, or nil if absent.
func (v *value) member(name string) *value {
	for _, m := range v.members {
		if m.name == name {
			return m.value
		}
	}
	return nil
}
