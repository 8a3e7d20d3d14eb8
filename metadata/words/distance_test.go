package words

import "testing"

func FuzzTyposAgreesWithItsDefinition(f *testing.F) {
	f.Add("kitten", "sitting")
	f.Add("ab", "ba")
	f.Add("ca", "abc")
	f.Fuzz(func(t *testing.T, a, b string) {
		x, y := []rune(a), []rune(b)
		if len(x) > 7 || len(y) > 7 {
			return
		}
		for limit := range 3 {
			if got, want := Typos(x, y, limit), min(typosByDefinition(x, y), limit+1); got != want {
				t.Fatalf("typos(%q, %q, %d) = %d, want %d", a, b, limit, got, want)
			}
		}
	})
}

// typosByDefinition tries every way to edit the last letters.
func typosByDefinition(a, b []rune) int {
	if len(a) == 0 || len(b) == 0 {
		return len(a) + len(b)
	}
	i, j := len(a)-1, len(b)-1
	change := 1
	if a[i] == b[j] {
		change = 0
	}
	least := min(typosByDefinition(a[:i], b)+1, typosByDefinition(a, b[:j])+1, typosByDefinition(a[:i], b[:j])+change)
	if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
		least = min(least, typosByDefinition(a[:i-1], b[:j-1])+1)
	}
	return least
}
