package mailbody

import "strings"

// unflow joins the lines of a text with format=flowed (RFC 3676): one that ends
// in a space goes on in the next of the same depth of quoting. With delsp that
// space is no part of the text.
func unflow(text string, delsp bool) string {
	lines := strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n")
	var b strings.Builder
	b.Grow(len(text))
	flowing, last := false, 0
	for i, line := range lines {
		content := strings.TrimLeft(line, ">")
		depth := len(line) - len(content)
		content = strings.TrimPrefix(content, " ") // stuffed by the sender
		signature := content == "-- "
		if i > 0 && (!flowing || depth != last || signature) {
			b.WriteByte('\n')
			flowing = false
		}
		if !flowing && depth > 0 {
			b.WriteString(strings.Repeat(">", depth) + " ")
		}
		flowing, last = strings.HasSuffix(content, " ") && !signature, depth
		if flowing && delsp {
			content = content[:len(content)-1]
		}
		b.WriteString(content)
	}
	return b.String()
}
