package words

// maxTypoRunes is the maximum length in runes of a word for which Typos counts.
const maxTypoRunes = 160

// Typos returns the minimum number of insertions, deletions, substitutions and swaps of
// neighbours that turn a into b (Damerau-Levenshtein, optimal string alignment). It edits no
// letter twice. If the number is above limit, or a word has more than 160 runes, it returns
// limit+1.
func Typos(a, b []rune, limit int) int {
	if len(a)-len(b) > limit || len(b)-len(a) > limit {
		return limit + 1
	}
	if len(a) > maxTypoRunes || len(b) > maxTypoRunes {
		return limit + 1
	}
	var rows [3][maxTypoRunes + 1]uint8
	before, last, row := &rows[0], &rows[1], &rows[2]
	for j := range len(b) + 1 {
		last[j] = uint8(j)
	}
	for i := 1; i <= len(a); i++ {
		row[0] = uint8(i)
		least := row[0]
		for j := 1; j <= len(b); j++ {
			change := uint8(1)
			if a[i-1] == b[j-1] {
				change = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+change)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
			least = min(least, row[j])
		}
		if int(least) > limit {
			return limit + 1
		}
		before, last, row = last, row, before
	}
	return min(int(last[len(b)]), limit+1)
}
