package google

import "bytes"

// withoutNulls removes null elements of lists from valid JSON in place. In Go
// they would be nil pointers that no caller expects. If the JSON contains
// "null", withoutNulls also removes the space outside strings.
func withoutNulls(body []byte) []byte {
	null := []byte("null")
	if !bytes.Contains(body, null) {
		return body
	}
	out := body[:0]
	last := func() byte { // the last byte kept; 0 at the beginning
		if len(out) == 0 {
			return 0
		}
		return out[len(out)-1]
	}
	for i := 0; i < len(body); {
		switch b := body[i]; {
		case b == ' ' || b == '\t' || b == '\r' || b == '\n':
			i++
		case b == '"':
			end := i + lengthOfString(body[i:])
			out = append(out, body[i:end]...)
			i = end
		case bytes.HasPrefix(body[i:], null) && (last() == '[' || last() == ','):
			i += len(null)
			i += lengthToComma(body[i:])
		case b == ']' && last() == ',':
			out[len(out)-1] = b
			i++
		default:
			out = append(out, b)
			i++
		}
	}
	return out
}

// lengthOfString returns the length of the string at the start of s, with its quotes.
func lengthOfString(s []byte) int {
	for i := 1; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(s)
}

// lengthToComma returns the length of the space and the comma at the start of
// s, or 0 if there is no comma.
func lengthToComma(s []byte) int {
	rest := bytes.TrimLeft(s, " \t\r\n")
	if len(rest) == 0 || rest[0] != ',' {
		return 0
	}
	return len(s) - len(rest) + 1
}
