package bundles

import "strings"

// ShellWord returns text as one shell word. It keeps a text of only ASCII letters, digits
// and the characters @.-_+ as it is. It quotes any other text, also the empty one.
func ShellWord(text string) string {
	safe := strings.IndexFunc(text, func(r rune) bool {
		return !(r == '@' || r == '.' || r == '-' || r == '_' || r == '+' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z')
	}) < 0
	if safe && text != "" {
		return text
	}
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}
