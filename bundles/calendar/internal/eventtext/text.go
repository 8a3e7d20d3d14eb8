package eventtext

import (
	"fmt"
	"strings"

	"kota/bundles/internal/htmltext"
)

// Cut returns at most max characters of the text. It adds "…" if something is left out.
func Cut(text string, max int) string {
	part, next, _ := htmltext.Cut(text, 0, max)
	if next > 0 {
		return strings.TrimSpace(part) + "…"
	}
	return part
}

// Counted returns a number with its noun: "1 day", "2 days".
func Counted(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}
