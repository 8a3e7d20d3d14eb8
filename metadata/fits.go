package metadata

import (
	"strconv"
	"time"
	"unicode/utf8"
)

// admits reports whether v certainly fits the schema. If it reports false, the validator must
// decide. The validator knows all of JSON Schema and says what is wrong. But it takes longer
// than the rest of a call, and a third of a millisecond to prepare. A fuzz test checks that
// the validator accepts everything that admits accepts.
func (s *shape) admits(v *value) bool {
	if s.partial || !s.accepts(v) || len(s.enum) > 0 && v.kind != isString {
		return false
	}
	switch v.kind {
	case isNumber:
		size, err := strconv.ParseFloat(string(v.raw), 64)
		return err == nil && len(v.raw) <= maxExactDigits && s.withinLimits(size)
	case isString:
		return s.admitsText(v.text)
	case isArray:
		return s.withinLimits(float64(len(v.items))) && s.admitsItems(v.items)
	case isObject:
		return s.admitsMembers(v)
	}
	return true
}

// maxExactDigits is the maximum length of a number in JSON for which a comparison as float64
// has the exact result.
const maxExactDigits = 15

// withinLimits reports whether a number, a length or a count is within the limits.
func (s *shape) withinLimits(size float64) bool {
	if s.min == "" && s.max == "" {
		return true
	}
	if low, err := strconv.ParseFloat(s.min, 64); err == nil && size < low {
		return false
	}
	high, err := strconv.ParseFloat(s.max, 64)
	return err != nil || size <= high
}

func (s *shape) admitsText(text string) bool {
	if check := formatChecks[s.format]; check != nil && check(text) != nil {
		return false
	}
	if !s.withinLimits(float64(utf8.RuneCountInString(text))) {
		return false
	}
	for _, known := range s.enum {
		if known == text {
			return true
		}
	}
	return len(s.enum) == 0
}

func (s *shape) admitsItems(items []*value) bool {
	item := s.item()
	for _, v := range items {
		if !item.admits(v) {
			return false
		}
	}
	return true
}

func (s *shape) admitsMembers(v *value) bool {
	for _, m := range v.members {
		if s.closed && s.property(m.name) == nil {
			return false
		}
		if !s.child(m.name).admits(m.value) {
			return false
		}
	}
	for _, p := range s.props {
		if p.required && v.member(p.name) == nil {
			return false
		}
	}
	return true
}

// formatChecks has the formats that KOTA checks itself, so that the schema accepts exactly
// what time.Time can read. The validator's own checks also accept leap seconds.
var formatChecks = map[string]func(any) error{
	"date-time": func(v any) error {
		if text, ok := v.(string); ok {
			return new(time.Time).UnmarshalText([]byte(text))
		}
		return nil
	},
	"date": func(v any) error {
		if text, ok := v.(string); ok {
			_, err := time.Parse(time.DateOnly, text)
			return err
		}
		return nil
	},
}
