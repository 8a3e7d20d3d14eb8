package metadata

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
)

// maxName is the length in bytes up to which a name is compared with others.
const maxName = 128

// Nearest returns up to max of the names that name may have meant, nearest
// first: the same but for case and separators, then a few typos apart (one in
// three letters, at most three; Damerau-Levenshtein), then one that begins
// with the other or has it among its words. The order is always the same.
func Nearest(name string, among []string, max int) []string {
	if len(name) > maxName {
		return nil
	}
	type candidate struct {
		name string
		cost int
	}
	var near []candidate
	for _, other := range among {
		if cost, ok := nearness(name, other); ok {
			near = append(near, candidate{other, cost})
		}
	}
	slices.SortFunc(near, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(a.cost, b.cost), cmp.Compare(len(a.name), len(b.name)), cmp.Compare(a.name, b.name))
	})
	near = slices.Compact(near)
	names := []string{}
	for _, c := range near[:min(len(near), max)] {
		names = append(names, c.name)
	}
	return names
}

// nearness returns how far apart two names are, false when too far.
func nearness(name, other string) (cost int, near bool) {
	a, b := looseKey(name), looseKey(other)
	if a == "" || b == "" || len(other) > maxName {
		return 0, false
	}
	if a == b {
		return 0, true
	}
	aWords, bWords := nameWords(name), nameWords(other)
	if sameWords(aWords, bWords) {
		return 1, true
	}
	ra, rb := []rune(a), []rune(b)
	limit := min(3, max(len(ra), len(rb))/3)
	if d := editDistance(ra, rb, limit); d <= limit {
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

// looseKey returns name without case and separators: if-version, ifVersion and
// if_version are one.
func looseKey(name string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, name)
}

// nameWords returns the words of a name in lower case: memory_set has two.
func nameWords(name string) []string {
	return strings.FieldsFunc(strings.ToLower(name), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r)
	})
}

func sameWords(a, b []string) bool {
	slices.Sort(a)
	slices.Sort(b)
	return slices.Equal(a, b)
}

// editDistance counts the insertions, deletions, substitutions and swaps of
// neighbours that make b of a, no letter touched twice. It returns more than
// limit as soon as the count must exceed it.
func editDistance(a, b []rune, limit int) int {
	if len(a)-len(b) > limit || len(b)-len(a) > limit {
		return limit + 1
	}
	before, last, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := range a {
		row[0] = i + 1
		least := row[0]
		for j := range b {
			change := 1
			if a[i] == b[j] {
				change = 0
			}
			row[j+1] = min(last[j+1]+1, row[j]+1, last[j]+change)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				row[j+1] = min(row[j+1], before[j-1]+1)
			}
			least = min(least, row[j+1])
		}
		if least > limit {
			return limit + 1
		}
		before, last, row = last, row, before
	}
	return last[len(b)]
}
