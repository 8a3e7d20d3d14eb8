package metadata

import (
	"encoding/json"
	"fmt"
	"strconv"
	"unicode/utf8"
)

const (
	maxShownChars = 200     // maximum characters of a shown text
	maxShownBytes = 8 << 10 // maximum bytes of shown arguments
)

// Redact returns arguments for the audit log, without their texts. It shows numbers,
// booleans, enum values, strings with a format other than uri, and the texts of fields
// tagged audit:"show", such as ids and recipients. It replaces every other text, every map
// and every value without a declared type by {"chars": 1234}, the length of its text or
// JSON. It adds no digest, because somebody could find a card number by trying all
// numbers. It also replaces fields tagged audit:"hide", texts of more than 200 characters,
// and values of a wrong type. It replaces all arguments together if they would take more
// than 8 KB.
func (s *Schema) Redact(args json.RawMessage) json.RawMessage {
	v, problems := parse(args)
	if problems != nil {
		return redacted(nil, string(args))
	}
	shown := s.content().shape.redact(nil, v, false)
	if len(shown) > maxShownBytes {
		return redacted(nil, string(args))
	}
	return shown
}

// redact appends v without the parts that the log may not show. The parameter show says
// whether the field around v is tagged audit:"show".
func (s *shape) redact(out []byte, v *value, show bool) []byte {
	show = show && s.audit == "" || s.audit == "show"
	switch {
	case s.audit == "hide" || s.kinds == 0 || !s.accepts(v):
	case v.kind == isArray && s.items != nil:
		out = append(out, '[')
		for i, item := range v.items {
			if i > 0 {
				out = append(out, ',')
			}
			out = s.items.redact(out, item, show)
		}
		return append(out, ']')
	case v.kind == isObject && s.closed:
		return s.redactMembers(out, v, show)
	case v.kind == isBool || v.kind == isNumber || v.kind == isNull:
		return v.append(out)
	case v.kind == isString && (show || s.enum != nil || s.format != "" && s.format != "uri") && utf8.RuneCountInString(v.text) <= maxShownChars:
		return v.append(out)
	}
	if v.kind == isString {
		return redacted(out, v.text)
	}
	return redacted(out, string(v.append(nil)))
}

// redactMembers appends the members that the schema names, and drops all others.
func (s *shape) redactMembers(out []byte, v *value, show bool) []byte {
	out = append(out, '{')
	notFirst := false
	for _, m := range v.members {
		p := s.property(m.name)
		if p == nil {
			continue
		}
		if notFirst {
			out = append(out, ',')
		}
		notFirst = true
		out = append(strconv.AppendQuote(out, m.name), ':')
		out = p.redact(out, m.value, show)
	}
	return append(out, '}')
}

// redacted appends the replacement for a text: {"chars": 1234}.
func redacted(out []byte, text string) []byte {
	return append(strconv.AppendInt(append(out, `{"chars":`...), int64(utf8.RuneCountInString(text)), 10), '}')
}

func (s *shape) setAudit(text string) error {
	if text != "show" && text != "hide" {
		return fmt.Errorf("it is neither show nor hide")
	}
	s.audit = text
	return nil
}
