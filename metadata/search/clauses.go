package search

import (
	"strings"

	"kota/metadata/words"
)

// splitClauses splits a query into the several things that it asks for. It splits at conjunctions
// and punctuation. It returns nil if the query asks for only one thing.
func splitClauses(query string) []string {
	var list []string
	var clause []string
	contentWords := 0
	end := func() {
		switch {
		case contentWords >= minClauseWords:
			list = append(list, strings.Join(clause, " "))
		case len(list) > 0:
			list[len(list)-1] += " " + strings.Join(clause, " ")
		}
		clause, contentWords = nil, 0
	}
	for _, field := range strings.Fields(query) {
		word := words.Fold(apostrophes.Replace(strings.Trim(field, ",.;:?!")))
		if conjunctions[word] && contentWords >= minClauseWords {
			end()
			continue
		}
		clause = append(clause, field)
		if !stopWords()[word] {
			contentWords++
		}
		if strings.ContainsAny(field[len(field)-1:], ",.;:?!") && contentWords >= minClauseWords {
			end()
		}
	}
	end()
	if len(list) < 2 {
		return nil
	}
	return list[:min(maxClauses, len(list))]
}

// apostrophes removes them, as words.Split does.
var apostrophes = strings.NewReplacer("'", "", "’", "")

// maxClauses is the maximum number of clauses that count, because each one is searched for.
const maxClauses = 8

// minClauseWords is the minimum number of words in a clause, not counting stop words. Fewer
// words belong to the clause before it or after it.
const minClauseWords = 2

var conjunctions = map[string]bool{
	"and": true, "then": true, "afterwards": true, "und": true, "dann": true, "danach": true, "en": true,
	"daarna": true, "et": true, "puis": true, "ensuite": true, "y": true, "luego": true,
}
