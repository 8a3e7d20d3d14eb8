package lease

import (
	"runtime"
	"strings"
	"testing"
)

func TestHolderGoneOnlyIfCertain(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("HolderGone is never true on Windows")
	}
	own := strings.Split(NewToken(), " ")
	for name, c := range map[string]struct {
		change func(parts []string) []string
		gone   bool
	}{
		"this process":                 {func(p []string) []string { return p }, false},
		"an earlier process of its id": {func(p []string) []string { p[2] = "1"; return p }, true},
		"a process of another machine": {func(p []string) []string { p[2], p[3] = "1", "elsewhere"; return p }, false},
		"a process of unknown start":   {func(p []string) []string { p[2] = ""; return p }, false},
		"a token of an older KOTA":     {func(p []string) []string { return p[:2] }, false},
		"a token without an id":        {func(p []string) []string { p[0] = "x"; return p }, false},
		"no token":                     {func([]string) []string { return nil }, false},
	} {
		holder := strings.Join(c.change(append([]string{}, own...)), " ")
		if got := HolderGone(holder); got != c.gone {
			t.Errorf("%s: got %v for %q", name, got, holder)
		}
	}
}
