package eventtext

import (
	"fmt"
	"strings"

	"kota/bundles/internal/htmltext"
)

// Cut returns at most so many characters of the text.
func Cut(text string, most int) string {
	part, next, _ := htmltext.Cut(text, 0, most)
	if next > 0 {
		return strings.TrimSpace(part) + "…"
	}
	return part
}

// Counted is so many things: "1 day", "2 days".
func Counted(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}
