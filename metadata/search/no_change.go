package search

import (
	"slices"
	"strings"

	"kota/metadata/words"
)

// asksForNoChange reports whether a query asks KOTA not to act: it negates its request, or asks
// about an action.
func asksForNoChange(query string) bool {
	clauses := readClauses(query)
	affirmed, negated := harmAsked(clauses)
	switch {
	case affirmed:
		return IsQuestion(query) || saysDone(clauses)
	case negated:
		return true
	}
	return IsQuestion(query) || saysDone(clauses) || negatesFirst(clauses)
}

// harmAsked reports whether the clauses affirm a verb of deletion or sending, and whether they
// negate one. If they use a verb twice, its last use counts: "send it? no, don't send it".
func harmAsked(clauses []parsedClause) (affirmed, negated bool) {
	last := map[string]bool{} // by stem: whether its last use is negated
	for _, c := range clauses {
		for i, t := range c.tokens {
			if (isHarmful(t.Text) || participles[t.Text]) && !omitting[t.Text] {
				last[words.Stem(t.Text)] = c.covered[i]
				negated = negated || c.covered[i]
			}
		}
	}
	for _, isNegated := range last {
		affirmed = affirmed || !isNegated
	}
	return affirmed, negated
}

// negatesFirst reports whether the first clause negates its first word, as "log nothing" does, or
// begins with a negation.
func negatesFirst(clauses []parsedClause) bool {
	for _, c := range clauses {
		start := 0
		for leadingWords[c.text(start)] || greetings[c.text(start)] {
			start++
		}
		first := c.text(start)
		switch {
		case first == "":
			continue
		case first == "not" && start == 0: // "not spam" is no command
			return false
		case negations[first] && !c.isExcused(start, -1), anyAvoiding[first] || first == "hold" && c.text(start+1) == "off":
			return !c.omits(start)
		case subjects[first] || subordinating[first]:
			return false
		}
		for i := start + 1; i < len(c.tokens); i++ {
			if negations[c.text(i)] && !limiting[c.text(i)] && !c.isExcused(i, start) {
				return !omitting[first] && !c.omits(i) && !c.describes(start, i) && (i <= start+2 || i == len(c.tokens)-1)
			}
		}
		return false
	}
	return false
}

// omits reports whether a verb of omission follows the negation at i: "don't you forget".
func (c parsedClause) omits(i int) bool {
	return slices.ContainsFunc(c.tokens[i:min(i+negationReach+1, len(c.tokens))], func(t words.Token) bool { return omitting[t.Text] })
}

// endsWithRequest reports whether the last clause is a request, as in "which calendar is the
// school's? Unsubscribe me". With needsVerb, one of its first two words must be a verb of deletion
// or sending.
func endsWithRequest(query string, needsVerb bool) bool {
	clauses := readClauses(query)
	if len(clauses) < 2 || strings.HasSuffix(strings.TrimSpace(query), "?") {
		return false
	}
	last := clauses[len(clauses)-1]
	var text []string
	asks := false
	for i, t := range last.tokens {
		if last.covered[i] || negations[t.Text] {
			return false
		}
		text = append(text, t.Text)
		asks = asks || (i < 2 && isHarmful(t.Text) && !participles[t.Text] || !needsVerb && !asides[t.Text] && !stopWords()[t.Text])
	}
	isInfinitive := last.text(len(last.tokens)-2) == "zu" // "ist es möglich, eine Mail zu löschen"
	return asks && !isInfinitive && !alternatives[last.text(0)] && !IsQuestion(strings.Join(text, " "))
}
