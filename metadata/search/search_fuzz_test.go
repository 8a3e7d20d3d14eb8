package search

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
		entries := append(slices.Clone(deskEntries), Entry{Tool: said, Name: said, Summary: query, Description: said})
		for _, o := range []Options{{}, {Meaning: true}, {OutOfScope: OutOfScope(entries), Classifier: Classifier()}} {
			checkHits(t, entries, o, query, limit)
		}
	})
}

// checkHits searches and checks what holds for all queries.
func checkHits(t *testing.T, entries []Entry, o Options, query string, limit int) []Hit {
	t.Helper()
	hits := NewIndex(entries, o).Search(query, limit)
	if again := NewIndex(entries, o).Search(query, limit); !slices.Equal(hits, again) {
		t.Fatalf("%q found %v, then %v", query, hits, again)
	}
	if limit > 0 && len(hits) > limit {
		t.Fatalf("%d hits, limit %d", len(hits), limit)
	}
	seen := map[int]bool{}
	for i, h := range hits {
		switch {
		case h.Entry < 0 || h.Entry >= len(entries):
			t.Fatalf("there is no entry %d", h.Entry)
		case seen[h.Entry]:
			t.Fatalf("entry %d twice in %v", h.Entry, hits)
		case !(h.Score > 0 && h.Score <= 1):
			t.Fatalf("score %v out of (0, 1]", h.Score)
		case i > 0 && h.Score > hits[i-1].Score:
			t.Fatalf("hits are not sorted: %v", hits)
		case !slices.Contains([]string{MatchExact, MatchWord, MatchSpelling, MatchAbbreviation, MatchRequest, MatchMeaning}, h.MatchKind):
			t.Fatalf("no such reason: %v", h)
		}
		seen[h.Entry] = true
	}
	return hits
}
