package calendar

import (
	"fmt"
	"strings"

	"kota/bundles/internal/htmltext"
)

// cut returns at most so many characters of the text.
func cut(text string, most int) string {
	part, next, _ := htmltext.Cut(text, 0, most)
	if next > 0 {
		return strings.TrimSpace(part) + "…"
	}
	return part
}

func counted(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}
