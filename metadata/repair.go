package metadata

import (
	"math/big"
	"strings"
)

// Models send arguments that mean the right thing in the wrong form: a list as
// a string of JSON, one item where a list is wanted, "5" for 5, null for
// nothing, ifVersion for if_version. The schema alone decides what is mended;
// a string stays a string where a string or any value is wanted.

// repair mends v in place to fit s as far as that is certain, fills in the
// defaults, and returns what v became and whether anything changed. What it
// cannot mend it leaves as it was sent, for the check to name.
func (s *shape) repair(v *value) (*value, bool) {
	changed := false
	if !s.accepts(v) {
		if converted := s.convert(v); converted != nil {
			v, changed = converted, true
		}
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
		return s.repairEnum(v, changed)
	case v.kind == isArray && s.items != nil:
		return v, s.repairItems(v) || changed
	case v.kind == isObject:
		return v, s.repairMembers(v) || changed
	}
	return v, changed
}

// convert returns v as a type the schema accepts, or nil.
func (s *shape) convert(v *value) *value {
	switch {
	case v.kind == isString:
		if parsed := s.unquote(v.text); parsed != nil {
			return parsed
		}
	case s.kinds&isString != 0 && (v.kind == isNumber || v.kind == isBool):
		return newString(string(v.raw))
	}
	if s.kinds&isArray != 0 {
		return s.wrap(v)
	}
	return nil
}

// unquote returns the value that text is the JSON of, when the schema accepts
// it and does not accept strings.
func (s *shape) unquote(text string) *value {
	text = strings.TrimSpace(text)
	if s.kinds&isBool != 0 && (strings.EqualFold(text, "true") || strings.EqualFold(text, "false")) {
		text = strings.ToLower(text)
	}
	if text == "" || !strings.ContainsRune(`{[-0123456789tfn`, rune(text[0])) {
		return nil
	}
	v, problems := parse([]byte(text))
	if problems != nil || !s.accepts(v) {
		return nil
	}
	return v
}

// isNothing reports whether v stands for an absent value: null, or that word
// where no string is wanted.
func (s *shape) isNothing(v *value) bool {
	return !s.accepts(v) && (v.kind == isNull || v.kind == isString && strings.TrimSpace(v.text) == "null")
}

// wrap returns an array of v alone, when v is what the items should be. A
// blank string is no item: it would filter by an empty tag.
func (s *shape) wrap(v *value) *value {
	if s.isNothing(v) || v.kind == isString && strings.TrimSpace(v.text) == "" {
		return nil
	}
	item, _ := s.item().repair(v)
	if !s.item().accepts(item) {
		return nil
	}
	return &value{kind: isArray, items: []*value{item}}
}

// wholeNumber returns v in plain digits, or nil when it is not whole.
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

// repairEnum mends the case of a value that is listed in one other case alone.
func (s *shape) repairEnum(v *value, changed bool) (*value, bool) {
	var meant []string
	text := strings.TrimSpace(v.text)
	for _, known := range s.enum {
		if known == v.text {
			return v, changed
		}
		if strings.EqualFold(known, text) {
			meant = append(meant, known)
		}
	}
	if len(meant) != 1 {
		return v, changed
	}
	return newString(meant[0]), true
}

func (s *shape) repairItems(v *value) bool {
	changed := false
	for i, item := range v.items {
		mended, did := s.items.repair(item)
		v.items[i], changed = mended, changed || did
	}
	if changed {
		v.raw = nil
	}
	return changed
}

func (s *shape) repairMembers(v *value) bool {
	changed := s.repairNames(v)
	kept := v.members[:0]
	for _, m := range v.members {
		child := s.child(m.name)
		// An optional argument that is null was left out, whatever it may be
		// otherwise: a model that fills in every name must not erase a value.
		if s.optional(m.name) && (m.value.kind == isNull || child.isNothing(m.value)) {
			changed = true
			continue
		}
		mended, did := child.repair(m.value)
		changed = changed || did
		kept = append(kept, member{m.name, mended})
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

// repairNames gives a property its own name where it was sent under an alias
// or in another spelling, unless that property was given as well.
func (s *shape) repairNames(v *value) bool {
	if !s.closed {
		return false
	}
	changed := false
	for i, m := range v.members {
		if s.property(m.name) != nil {
			continue
		}
		if p := s.meant(m.name); p != nil && v.member(p.name) == nil {
			v.members[i].name = p.name
			changed = true
		}
	}
	return changed
}

// meant returns the property whose name or alias is spelt like name but for
// case and separators, or nil.
func (s *shape) meant(name string) *property {
	if len(name) > maxName {
		return nil
	}
	key := nameKey(name)
	i, ok := s.spellings[key]
	if !ok || key == "" {
		return nil
	}
	return &s.props[i]
}
