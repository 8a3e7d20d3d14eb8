package lease

import (
	"runtime"
	"strings"
	"testing"
)

func TestHolderGoneOnlyIfCertain(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("there it never is")
	}
	own := strings.Split(NewToken(), " ")
	for name, c := range map[string]struct {
		change func(parts []string) []string
		gone   bool
	}{
		"itself":                       {func(p []string) []string { return p }, false},
		"an earlier one of its number": {func(p []string) []string { p[2] = "1"; return p }, true},
		"on another machine":           {func(p []string) []string { p[2], p[3] = "1", "elsewhere"; return p }, false},
		"whose start is not known":     {func(p []string) []string { p[2] = ""; return p }, false},
		"of an older KOTA":             {func(p []string) []string { return p[:2] }, false},
		"of no number":                 {func(p []string) []string { p[0] = "x"; return p }, false},
		"of nobody":                    {func([]string) []string { return nil }, false},
	} {
		holder := strings.Join(c.change(append([]string{}, own...)), " ")
		if got := HolderGone(holder); got != c.gone {
			t.Errorf("%s: gone is %v of %q", name, got, holder)
		}
	}
}
