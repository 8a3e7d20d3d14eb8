package bundles

import "strings"

// ShellWord returns text as one shell word. It adds quotes unless text consists only of
// ASCII letters, digits and the characters @.-_+ and is not empty.
func ShellWord(text string) string {
	safe := strings.IndexFunc(text, func(r rune) bool {
		return !(r == '@' || r == '.' || r == '-' || r == '_' || r == '+' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z')
	}) < 0
	if safe && text != "" {
		return text
	}
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}
