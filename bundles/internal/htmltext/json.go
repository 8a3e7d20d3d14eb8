package htmltext

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf16"

	"kota/metadata"
)

// JSON returns a JSON text in which every string, the names of members
// included, is what Text makes of it. All else stays as it was, to the byte.
// What is no JSON text comes back as it is.
func JSON(raw []byte) []byte { return eachString(raw, func(_, clean string) string { return clean }) }

// Escaped returns a JSON text that means the same to the letter, in which every
// string that Text would change is written in ASCII, its ampersands escaped too:
// nothing in it hides from whoever looks at it.
func Escaped(raw []byte) []byte { return eachString(raw, func(as, _ string) string { return as }) }

// eachString puts another text in the place of each string that Text would
// change. One that stays as it is is to be escaped.
func eachString(raw []byte, instead func(as, clean string) string) []byte {
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
		end := start + stringIn(raw[start:])
		out.Write(raw[:start])
		out.Write(written(raw[start:end], instead))
		raw = raw[end:]
	}
	out.Write(raw)
	return out.Bytes()
}

// plainJSON reports whether Text would change no string in raw, which is usual.
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

// stringIn is how many bytes the JSON string at the start of raw takes.
func stringIn(raw []byte) int {
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

func written(literal []byte, instead func(as, clean string) string) []byte {
	var s string
	if plainJSON(literal) || json.Unmarshal(literal, &s) != nil {
		return literal
	}
	clean, _ := Text(s)
	if clean == s {
		return literal
	}
	text := instead(s, clean)
	if text == s {
		return inASCII(s)
	}
	out, err := metadata.Plain(text)
	if err != nil {
		return []byte(`""`) // a string can always be written
	}
	return out
}

// inASCII is the JSON of a string in ASCII.
func inASCII(s string) []byte {
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
