package bundles

import "strings"

// ShellWord returns a text as one word of a shell's: in quotes where it has
// anything that a shell might take for its own.
func ShellWord(text string) string {
	safe := strings.IndexFunc(text, func(r rune) bool {
		return !(r == '@' || r == '.' || r == '-' || r == '_' || r == '+' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z')
	}) < 0
	if safe && text != "" {
		return text
	}
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}
