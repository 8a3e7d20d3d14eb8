package metadata

import (
	"encoding/json"
	"math"
	"strconv"

	"kota/metadata/words"
)

// A shape is the part of a schema that repair, messages and signatures use: the JSON Schema
// that KOTA writes itself. The validator handles the rest.
type shape struct {
	kinds       kind // empty: any value
	description string
	props       []property     // in declared order
	index       map[string]int // of props by name
	spellings   map[string]int // of props by the words.Key of the name and of each alias
	closed      bool           // no other properties
	values      *shape         // of the other properties, if they are described
	items       *shape
	enum        []string
	synonyms    map[string]string // the listed value for each synonym
	format      string
	min, max    string // the limits as written in the schema
	def         *value // the default
	partial     bool   // the schema says more than the shape
	audit       string // "show" or "hide"; "" if the other fields decide: see Redact
}

type property struct {
	*shape
	name     string
	aliases  []string // as declared
	required bool
}

var kindNames = map[string]kind{
	"null": isNull, "boolean": isBool, "integer": isInteger, "number": isNumber,
	"string": isString, "array": isArray, "object": isObject,
}

// limitNames has the keywords that limit values of each kind.
var limitNames = []struct {
	kind        kind
	least, most string
}{
	{isInteger | isNumber, "minimum", "maximum"},
	{isString, "minLength", "maxLength"},
	{isArray, "minItems", "maxItems"},
}

// newShape reads the shape of a schema. It treats what it does not understand as any value,
// for example a reference or a combination of schemas.
func newShape(schema *value) *shape {
	s := &shape{index: map[string]int{}, spellings: map[string]int{}, partial: schema.kind != isObject}
	for _, m := range schema.members {
		s.set(m.name, m.value)
	}
	for _, limit := range limitNames {
		s.setLimits(limit.kind, schema.member(limit.least), schema.member(limit.most))
	}
	if required := schema.member("required"); required != nil {
		s.setRequired(required.items)
	}
	return s
}

// setLimits sets the limits for values of one kind. If a schema allows several kinds, one
// sentence could not describe the limits, so the shape has none.
func (s *shape) setLimits(of kind, least, most *value) {
	if least == nil && most == nil {
		return
	}
	if s.kinds == 0 || s.kinds&^of != 0 {
		s.partial = true
		return
	}
	s.min, s.max = numberText(least), numberText(most)
}

func (s *shape) setRequired(names []*value) {
	for _, name := range names {
		i, ok := s.index[name.text]
		if !ok {
			s.partial = true
			continue
		}
		s.props[i].required = true
	}
}

func (s *shape) set(keyword string, v *value) {
	switch keyword {
	case "type":
		names := v.items
		if v.kind == isString {
			names = []*value{v}
		}
		for _, name := range names {
			s.kinds |= kindNames[name.text]
			s.partial = s.partial || kindNames[name.text] == 0
		}
	case "title", "required", "minimum", "maximum", "minLength", "maxLength", "minItems", "maxItems":
	case "minProperties":
		s.partial = s.partial || string(v.raw) != "0" // see appendSchema
	case "description":
		s.description = v.text
	case "properties":
		for _, m := range v.members {
			s.index[m.name] = len(s.props)
			s.spellings[words.Key(m.name)] = len(s.props)
			s.props = append(s.props, property{shape: newShape(m.value), name: m.name})
		}
	case "additionalProperties":
		s.closed = v.kind == isBool && v.raw[0] == 'f'
		if v.kind == isObject {
			s.values = newShape(v)
		}
	case "items":
		s.items = newShape(v)
	case "enum":
		for _, item := range v.items {
			if item.kind == isString {
				s.enum = append(s.enum, item.text)
				continue
			}
			s.enum = append(s.enum, string(item.raw))
			s.partial = true
		}
	case "format":
		s.format = v.text
		s.partial = s.partial || formatChecks[v.text] == nil
	case "default":
		s.def = v
	default:
		s.partial = true
	}
}

// numberText returns the number as a person would write it, "" if v is not a number.
func numberText(v *value) string {
	if v == nil || v.kind != isNumber {
		return ""
	}
	if f, err := strconv.ParseFloat(string(v.raw), 64); err == nil && math.Abs(f) < 1e15 {
		return strconv.FormatFloat(f, 'f', -1, 64) // people do not write 1e+06
	}
	return string(v.raw)
}

// accepts reports whether v has a type that the schema names. For example, 1.5 is not an integer.
func (s *shape) accepts(v *value) bool {
	if s.kinds == 0 || s.kinds&v.kind != 0 {
		return true
	}
	return v.kind == isNumber && s.kinds&isInteger != 0 && wholeNumber(v) != nil
}

// property returns the property of that name or nil.
func (s *shape) property(name string) *property {
	i, ok := s.index[name]
	if !ok {
		return nil
	}
	return &s.props[i]
}

// child returns the shape of that member. A member that the schema does not mention can have any value.
func (s *shape) child(name string) *shape {
	if p := s.property(name); p != nil {
		return p.shape
	}
	if s.values != nil {
		return s.values
	}
	return anything
}

// item returns the shape of an array's items.
func (s *shape) item() *shape {
	if s.items != nil {
		return s.items
	}
	return anything
}

var anything = &shape{}

// defaultJSON returns the default's JSON, nil if absent.
func (s *shape) defaultJSON() json.RawMessage {
	if s.def == nil {
		return nil
	}
	return json.RawMessage(s.def.raw)
}
