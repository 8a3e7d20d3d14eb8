package metadata

import (
	"math/big"
	"strings"
)

// Models send arguments that mean the right thing in the wrong form. Examples are a list as
// a string of JSON, one item instead of a list, "5" for 5, and ifVersion for if_version.
// Only the schema decides what KOTA repairs. A string stays a string if the schema accepts
// a string or any value.

// repair changes v to fit s where the meaning is certain, and fills in defaults. It may change
// v in place. It returns the new value and whether anything changed, and notes each repair.
// It leaves everything else unchanged for the later check.
func (s *shape) repair(v *value, m *repairLog) (*value, bool) {
	changed := false
	if !s.accepts(v) {
		converted := s.tryConvert(v, m)
		v, changed = converted, converted != v
	}
	if s.kinds&isNumber == 0 && s.kinds&isInteger != 0 && v.kind == isNumber {
		if whole := wholeNumber(v); whole != nil && string(whole.raw) != string(v.raw) {
			return whole, true
		}
	}
	switch {
	case s.kinds == 0:
		return v, false
	case v.kind == isString:
		return s.repairEnum(v, changed, m)
	case v.kind == isArray && s.items != nil:
		return v, s.repairItems(v, m) || changed
	case v.kind == isObject:
		return v, s.repairMembers(v, m) || changed
	}
	return v, changed
}

// tryConvert returns v converted to a type that the schema accepts and notes how, or returns v
// itself.
func (s *shape) tryConvert(v *value, m *repairLog) *value {
	converted, how := s.convert(v)
	if converted == nil {
		return v
	}
	if how == ListOfOne && v.kind == isString && strings.Contains(v.text, ",") && m.isArgument(wordLists) {
		converted, how = split(v.text), SplitList
	}
	m.note(how)
	return converted
}

// wordLists are the arguments whose items never contain a comma. For them "a, b" means two
// items. For other arguments "a, b" may be one text.
var wordLists = []string{"tags", "actions"}

// split returns the list of the texts between commas. It leaves out blank texts.
func split(text string) *value {
	list := &value{kind: isArray}
	for word := range strings.SplitSeq(text, ",") {
		if word = strings.TrimSpace(word); word != "" {
			list.items = append(list.items, newString(word))
		}
	}
	return list
}

// convert returns v converted to a type that the schema accepts, and the words of a note that
// say how. It returns nil if it knows no way.
func (s *shape) convert(v *value) (*value, string) {
	switch {
	case v.kind == isString:
		if parsed := s.unquote(v.text); parsed != nil {
			return parsed, FromText
		}
	case s.kinds&isString != 0 && (v.kind == isNumber || v.kind == isBool):
		return newString(string(v.raw)), "read as text"
	case v.kind == isArray && s.kinds&isObject != 0 && len(v.items) == 1 && v.items[0].kind == isObject:
		return v.items[0], "taken out of its list"
	}
	if s.kinds&isArray != 0 {
		return s.wrap(v), ListOfOne
	}
	return nil, ""
}

// maxQuoted is how many times a caller may have encoded a value as a JSON string.
const maxQuoted = 3

// unquote decodes text that is JSON, or a JSON string that contains JSON. It returns nil if
// the schema does not accept the value.
func (s *shape) unquote(text string) *value {
	for range maxQuoted {
		text = withoutFence(strings.TrimSpace(text))
		if s.kinds&isBool != 0 && (strings.EqualFold(text, "true") || strings.EqualFold(text, "false")) {
			text = strings.ToLower(text)
		}
		if text == "" || !strings.ContainsRune(`{["-0123456789tfn`, rune(text[0])) {
			return nil
		}
		v, problems := parse([]byte(text))
		switch {
		case problems != nil:
			return nil
		case s.accepts(v):
			return v
		case v.kind != isString:
			return nil
		}
		text = v.text
	}
	return nil
}

// withoutFence returns the content of a Markdown code block, and any other text unchanged.
func withoutFence(text string) string {
	inside, fenced := strings.CutPrefix(text, "```")
	if !fenced || !strings.HasSuffix(inside, "```") {
		return text
	}
	inside = strings.TrimSuffix(inside, "```")
	return strings.TrimSpace(strings.TrimPrefix(inside, "json"))
}

// isNothing reports whether the schema does not accept v and v means an absent value: null or
// the string "null".
func (s *shape) isNothing(v *value) bool {
	return !s.accepts(v) && (v.kind == isNull || v.kind == isString && strings.TrimSpace(v.text) == "null")
}

// wrap returns an array with v as its only item, or nil if v cannot be an item. It refuses a
// blank string: as a list of tags, for example, it would mean an empty tag.
func (s *shape) wrap(v *value) *value {
	if s.isNothing(v) || v.kind == isString && strings.TrimSpace(v.text) == "" {
		return nil
	}
	item, _ := s.item().repair(v, &repairLog{})
	if !s.item().accepts(item) {
		return nil
	}
	return &value{kind: isArray, items: []*value{item}}
}

// wholeNumber returns v in plain digits, or nil if it is not whole.
func wholeNumber(v *value) *value {
	if isDigits(v.raw) {
		return v
	}
	r, ok := new(big.Rat).SetString(string(v.raw))
	if !ok || !r.IsInt() {
		return nil
	}
	return &value{kind: isNumber, raw: []byte(r.Num().String())}
}

func isDigits(raw []byte) bool {
	for i, c := range raw {
		if (c < '0' || '9' < c) && (i > 0 || c != '-') {
			return false
		}
	}
	return true
}

// repairEnum corrects the case of a value that matches exactly one enum value, and replaces a
// synonym by its enum value.
func (s *shape) repairEnum(v *value, changed bool, m *repairLog) (*value, bool) {
	var matches []string
	text := strings.TrimSpace(v.text)
	for _, known := range s.enum {
		if known == v.text {
			return v, changed
		}
		if strings.EqualFold(known, text) {
			matches = append(matches, known)
		}
	}
	if len(matches) == 1 {
		m.note("read without regard to case or space")
		return newString(matches[0]), true
	}
	listed := s.synonyms[strings.ToLower(text)]
	if listed == "" || len(matches) > 1 {
		return v, changed
	}
	m.note("read as " + listed)
	return newString(listed), true
}

func (s *shape) repairItems(v *value, m *repairLog) bool {
	changed := false
	m.push("[]")
	for i, item := range v.items {
		repaired, itemChanged := s.items.repair(item, m)
		v.items[i], changed = repaired, changed || itemChanged
	}
	m.pop()
	if changed {
		v.raw = nil
	}
	return changed
}

func (s *shape) repairMembers(v *value, m *repairLog) bool {
	changed := s.repairNames(v, m)
	kept := v.members[:0]
	for _, given := range v.members {
		child, memberChanged := s.child(given.name), false
		m.push(s.loggedName(given.name))
		// An optional argument with null counts as absent, even if its type accepts null. A
		// model that fills in every name must not erase a value.
		absent := s.optional(given.name) && (given.value.kind == isNull || child.isNothing(given.value))
		if absent {
			m.note("omitted, because it was null")
		} else {
			given.value, memberChanged = child.repair(given.value, m)
			kept = append(kept, given)
		}
		m.pop()
		changed = changed || memberChanged || absent
	}
	v.members = kept
	for _, p := range s.props {
		if p.def != nil && v.member(p.name) == nil {
			v.members = append(v.members, member{p.name, p.def})
			changed = true
		}
	}
	if changed {
		v.raw = nil
	}
	return changed
}

// optional reports whether name is declared and may be left out.
func (s *shape) optional(name string) bool {
	p := s.property(name)
	return p != nil && !p.required
}
