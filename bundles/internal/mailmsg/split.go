package mailmsg

import (
	"bytes"
	"strings"
)

// splitHeader returns the unfolded fields of a mail or part, and the text after
// the empty line. An invalid line becomes a field with the name "Line".
func splitHeader(raw []byte) (header []Field, body []byte) {
	for len(raw) > 0 {
		line, rest, _ := bytes.Cut(raw, []byte("\n"))
		raw = rest
		text := strings.TrimSuffix(string(line), "\r")
		if text == "" {
			return header, raw
		}
		name, value, ok := strings.Cut(text, ":")
		switch {
		case (text[0] == ' ' || text[0] == '\t') && len(header) > 0:
			header[len(header)-1].Value += " " + strings.Trim(text, " \t")
		case ok && isFieldName(name):
			header = append(header, Field{Name: name, Value: strings.Trim(value, " \t")})
		default:
			header = append(header, Field{Name: "Line", Value: text})
		}
	}
	return header, nil
}

// splitParts returns the parts of a multipart body, and the text before the
// first and after the last part. Mail programs do not show that text.
func splitParts(body []byte, boundary string) (before []byte, parts [][]byte, after []byte) {
	delimiter := []byte("--" + boundary)
	start, open := 0, false
	take := func(end int) {
		if text := body[start:end]; open {
			parts = append(parts, text)
		} else {
			before = text
		}
	}
	for at := 0; at < len(body); {
		line, _, _ := bytes.Cut(body[at:], []byte("\n"))
		next := min(at+len(line)+1, len(body))
		suffix, found := bytes.CutPrefix(line, delimiter)
		suffix = bytes.TrimRight(suffix, " \t\r")
		switch {
		case found && len(suffix) == 0:
			take(at)
			start, open = next, true
		case found && open && string(suffix) == "--":
			take(at)
			return before, parts, body[next:]
		}
		at = next
	}
	take(len(body))
	return before, parts, nil
}
