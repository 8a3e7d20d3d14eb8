package metadata

import (
	"slices"
	"testing"
)

func FuzzSearch(f *testing.F) {
	for _, seed := range []string{
		"", "memory_set", "mcp__kota__memory_set", "gsm", "what's on my agenda?", "\x00\xff", "電子メール", "İSTANBUL ßtraße", "a.b:c/d__e", "don't", "ＭＥＭＯＲＹ",
	} {
		f.Add(seed, "Send a message", 5)
	}
	f.Fuzz(func(t *testing.T, query, said string, limit int) {
		entries := append(slices.Clone(desk), Entry{Tool: said, Name: said, Summary: query, Description: said})
		x := NewIndex(entries)
		hits := x.Search(query, limit)
		if again := NewIndex(entries).Search(query, limit); !slices.Equal(hits, again) {
			t.Fatalf("%q found %v, then %v", query, hits, again)
		}
		if limit > 0 && len(hits) > limit {
			t.Fatalf("%d hits, limit %d", len(hits), limit)
		}
		seen := map[int]bool{}
		for i, h := range hits {
			switch {
			case seen[h.Entry]:
				t.Fatalf("entry %d twice in %v", h.Entry, hits)
			case h.Score <= 0 || h.Score > 1:
				t.Fatalf("score %v out of (0, 1]", h.Score)
			case i > 0 && h.Score > hits[i-1].Score:
				t.Fatalf("hits are not sorted: %v", hits)
			case !slices.Contains([]string{WhyExact, WhyWord, WhySpelling, WhyAbbreviation}, h.Why):
				t.Fatalf("no such reason: %v", h)
			}
			seen[h.Entry] = true
		}
	})
}

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
			if got, want := typos(x, y, limit), min(typosByDefinition(x, y), limit+1); got != want {
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
