package google

import "bytes"

// withoutNulls leaves out the elements of lists that are null, in place, from
// valid JSON. In Go they are nil pointers that nobody expects: Google's lists
// have none.
func withoutNulls(body []byte) []byte {
	null := []byte("null")
	if !bytes.Contains(body, null) {
		return body
	}
	out := body[:0]
	for i := 0; i < len(body); {
		switch b := body[i]; {
		case b == '"':
			end := i + lengthOfString(body[i:])
			out = append(out, body[i:end]...)
			i = end
		case bytes.HasPrefix(body[i:], null):
			i += len(null)
			kept := bytes.TrimRight(out, " \t\r\n")
			if last := kept[len(kept)-1]; last == ':' { // of an object, where it says that nothing is known
				out = append(out, null...)
			} else {
				i += lengthToComma(body[i:])
			}
		case b == ']' && isAfterComma(out):
			out = append(bytes.TrimSuffix(bytes.TrimRight(out, " \t\r\n"), []byte(",")), b)
			i++
		default:
			out = append(out, b)
			i++
		}
	}
	return out
}

// lengthOfString returns how long the string is that s begins with, its quotes
// included.
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

// lengthToComma returns how much of s is the comma before another element, 0
// when there is none.
func lengthToComma(s []byte) int {
	rest := bytes.TrimLeft(s, " \t\r\n")
	if len(rest) == 0 || rest[0] != ',' {
		return 0
	}
	return len(s) - len(rest) + 1
}

// isAfterComma reports whether out ends in a comma.
func isAfterComma(out []byte) bool {
	return bytes.HasSuffix(bytes.TrimRight(out, " \t\r\n"), []byte(","))
}
