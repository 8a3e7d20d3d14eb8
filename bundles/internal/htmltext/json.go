package htmltext

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf16"

	"kota/metadata"
)

// CleanJSON returns a JSON text with every string, including the names of members,
// cleaned by Text. Everything else stays byte for byte. Invalid JSON is
// returned unchanged.
func CleanJSON(raw []byte) []byte {
	return eachString(raw, func(_, clean string) string { return clean })
}

// EscapeJSON returns a JSON text with exactly the same meaning. Every string that
// Text would change is written in ASCII, with escaped ampersands, so that
// nothing in it is hidden from a reader.
func EscapeJSON(raw []byte) []byte {
	return eachString(raw, func(original, _ string) string { return original })
}

// eachString replaces each string that Text would change by the result of
// replace. If replace returns the original, the string is written in ASCII.
func eachString(raw []byte, replace func(original, clean string) string) []byte {
	if plainJSON(raw) || !json.Valid(raw) {
		return raw
	}
	var out bytes.Buffer
	out.Grow(len(raw))
	for len(raw) > 0 {
		start := bytes.IndexByte(raw, '"')
		if start < 0 {
			break
		}
		end := start + stringLength(raw[start:])
		out.Write(raw[:start])
		out.Write(encodeString(raw[start:end], replace))
		raw = raw[end:]
	}
	out.Write(raw)
	return out.Bytes()
}

// plainJSON reports whether raw certainly needs no change. It is a fast check for the
// usual case, and may return false for text that Text leaves unchanged.
func plainJSON(raw []byte) bool {
	for i, c := range raw {
		switch {
		case c >= 0x7f || c == '&':
			return false
		case c == '\\' && i+1 < len(raw) && strings.IndexByte("ubfr", raw[i+1]) >= 0:
			return false
		}
	}
	return true
}

// stringLength returns how many bytes the JSON string at the start of raw takes.
func stringLength(raw []byte) int {
	for i := 1; i < len(raw); i++ {
		switch raw[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(raw)
}

func encodeString(literal []byte, replace func(original, clean string) string) []byte {
	var s string
	if plainJSON(literal) || json.Unmarshal(literal, &s) != nil {
		return literal
	}
	clean, _ := Text(s)
	if clean == s {
		return literal
	}
	text := replace(s, clean)
	if text == s {
		return encodeASCII(s)
	}
	out, err := metadata.Plain(text)
	if err != nil {
		return []byte(`""`) // cannot happen: every string can be encoded
	}
	return out
}

// encodeASCII returns the JSON of a string in ASCII.
func encodeASCII(s string) []byte {
	out := []byte{'"'}
	for _, unit := range utf16.Encode([]rune(s)) {
		switch {
		case unit == '"' || unit == '\\':
			out = append(out, '\\', byte(unit))
		case unit < ' ' || unit >= 0x7f || unit == '&':
			out = fmt.Appendf(out, "\\u%04x", unit)
		default:
			out = append(out, byte(unit))
		}
	}
	return append(out, '"')
}
