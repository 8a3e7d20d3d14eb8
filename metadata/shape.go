package metadata

import (
	"encoding/json"
	"math"
	"strconv"

	"kota/metadata/words"
)

// A shape holds the JSON Schema keywords that KOTA writes itself. Repair, messages and
// signatures use it. The validator handles all other keywords.
type shape struct {
	kinds       kind // the allowed kinds; 0 allows any value
	description string
	props       []property        // in declared order
	index       map[string]int    // name → index in props
	spellings   map[string]int    // words.Key of a name or alias → index in props
	closed      bool              // only the properties in props are allowed
	otherProps  *shape            // shape of properties not in props; nil if any value is allowed
	items       *shape            // shape of array items; nil if any item is allowed
	enum        []string          // the allowed values; nil if the schema lists none
	synonyms    map[string]string // enum value for each synonym
	format      string
	min, max    string // the limits of a number, or of the length of a string or array; "" without a limit
	def         *value // the default; nil if absent
	partial     bool   // the schema has keywords that the shape does not hold
	audit       string // "show" or "hide"; "" if the other fields decide: see Redact
}

type property struct {
	*shape
	name     string
	aliases  []string // as declared
	required bool
}

var kindByName = map[string]kind{
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

// newShape returns the shape of a schema. A keyword that it does not understand, such as a
// reference or a combination, only makes the shape partial.
func newShape(schema *value) *shape {
	s := &shape{index: map[string]int{}, spellings: map[string]int{}, partial: schema.kind != isObject}
	for _, m := range schema.members {
		s.setKeyword(m.name, m.value)
	}
	for _, limit := range limitNames {
		s.setLimits(limit.kind, schema.member(limit.least), schema.member(limit.most))
	}
	if required := schema.member("required"); required != nil {
		s.setRequired(required.items)
	}
	return s
}

// setLimits sets the limits of values of limitedKind; nil means no limit. The shape keeps
// limits only if they apply to all allowed kinds, because an error message states one limit.
func (s *shape) setLimits(limitedKind kind, least, most *value) {
	if least == nil && most == nil {
		return
	}
	if s.kinds == 0 || s.kinds&^limitedKind != 0 {
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

// setKeyword reads one keyword of the schema. newShape reads limits and required after it.
func (s *shape) setKeyword(keyword string, v *value) {
	switch keyword {
	case "type":
		names := v.items
		if v.kind == isString {
			names = []*value{v}
		}
		for _, name := range names {
			s.kinds |= kindByName[name.text]
			s.partial = s.partial || kindByName[name.text] == 0
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
			s.otherProps = newShape(v)
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

// numberText returns the number as a person would write it, or "" if v is not a number.
func numberText(v *value) string {
	if v == nil || v.kind != isNumber {
		return ""
	}
	if f, err := strconv.ParseFloat(string(v.raw), 64); err == nil && math.Abs(f) < 1e15 {
		return strconv.FormatFloat(f, 'f', -1, 64) // people do not write 1e+06
	}
	return string(v.raw)
}

// accepts reports whether the schema allows the kind of v. For an integer, 5.0 is allowed and
// 1.5 is not.
func (s *shape) accepts(v *value) bool {
	if s.kinds == 0 || s.kinds&v.kind != 0 {
		return true
	}
	return v.kind == isNumber && s.kinds&isInteger != 0 && wholeNumber(v) != nil
}

// property returns the property with this name, or nil.
func (s *shape) property(name string) *property {
	i, ok := s.index[name]
	if !ok {
		return nil
	}
	return &s.props[i]
}

// child returns the shape of the member with this name. If the schema does not describe the
// member, the shape allows any value.
func (s *shape) child(name string) *shape {
	if p := s.property(name); p != nil {
		return p.shape
	}
	if s.otherProps != nil {
		return s.otherProps
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

// defaultJSON returns the JSON of the default, or nil if there is none.
func (s *shape) defaultJSON() json.RawMessage {
	if s.def == nil {
		return nil
	}
	return json.RawMessage(s.def.raw)
}
