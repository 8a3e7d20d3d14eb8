package metadata

import (
	"cmp"
	"slices"
	"strings"

	"kota/metadata/words"
)

// maxName is the maximum length in bytes of a name that KOTA compares with other names.
const maxName = 128

// Nearest returns at most limit of the candidates that name may mean, the nearest first.
// Candidates that differ only in case and separators come first, and then those with the same
// words in another order. Then come candidates a few typos away (one for every three letters, at
// most three; Damerau-Levenshtein). Last come candidates for which the shorter of the two names
// begins the longer or is a word of it. The order is deterministic.
func Nearest(name string, candidates []string, limit int) []string {
	if len(name) > maxName {
		return []string{}
	}
	type candidate struct {
		name string
		cost int
	}
	var near []candidate
	for _, other := range candidates {
		if cost, ok := nearness(name, other); ok {
			near = append(near, candidate{other, cost})
		}
	}
	slices.SortFunc(near, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(a.cost, b.cost), cmp.Compare(len(a.name), len(b.name)), cmp.Compare(a.name, b.name))
	})
	near = slices.Compact(near)
	names := []string{}
	for _, c := range near[:min(len(near), limit)] {
		names = append(names, c.name)
	}
	return names
}

// nearness returns the distance between two names, or false if they are too different.
func nearness(name, other string) (cost int, near bool) {
	a, b := words.Key(name), words.Key(other)
	if a == "" || b == "" || len(other) > maxName {
		return 0, false
	}
	if a == b {
		return 0, true
	}
	aWords, bWords := words.SplitName(name), words.SplitName(other)
	if sameWords(aWords, bWords) {
		return 1, true
	}
	ra, rb := []rune(a), []rune(b)
	limit := min(3, max(len(ra), len(rb))/3)
	if d := words.Typos(ra, rb, limit); d <= limit {
		return 1 + d, true
	}
	shorter, longer := a, b
	if len(shorter) > len(longer) {
		shorter, longer = longer, shorter
	}
	switch {
	case len([]rune(shorter)) < 3:
		return 0, false
	case strings.HasPrefix(longer, shorter):
		return 5, true
	case slices.Contains(bWords, a) || slices.Contains(aWords, b):
		return 6, true
	}
	return 0, false
}

func sameWords(a, b []string) bool {
	slices.Sort(a)
	slices.Sort(b)
	return slices.Equal(a, b)
}

// SameName reports whether two names differ only in case and separators, as memory_set,
// memorySet, "Memory set" and memory.set do. A name of more than 128 bytes matches no name.
func SameName(a, b string) bool {
	return len(a) <= maxName && len(b) <= maxName && words.Key(a) == words.Key(b)
}

// OneTypo reports whether two names differ in one letter that is missing, extra, wrong or
// swapped with its neighbour. Short names, and names that differ in a digit, are different
// names: to and too, line1 and line2.
func OneTypo(a, b string) bool {
	if len(a) > maxName || len(b) > maxName {
		return false
	}
	a, b = words.Key(a), words.Key(b)
	ra, rb := []rune(a), []rune(b)
	if min(len(ra), len(rb)) < 3 || max(len(ra), len(rb)) < 4 || digitsOf(a) != digitsOf(b) {
		return false
	}
	return words.Typos(ra, rb, 1) == 1
}

func digitsOf(name string) string {
	return strings.Map(func(r rune) rune {
		if r < '0' || '9' < r {
			return -1
		}
		return r
	}, name)
}

// UnknownName returns the problem of an unknown name at the path. It suggests the nearest
// known name.
func UnknownName(path, expected, name string, known []string) Problem {
	p := Problem{Path: path, Expected: expected, Got: Shorten(name)}
	if near := Nearest(name, known, 1); len(near) > 0 {
		p.Suggestion = near[0]
	}
	return p
}

// Shorten returns the first 80 characters of a caller's text, for an error.
func Shorten(s string) string {
	const limit = 80
	runes := []rune(strings.ToValidUTF8(s, "\uFFFD"))
	if len(runes) <= limit {
		return string(runes)
	}
	return string(runes[:limit]) + "…"
}
