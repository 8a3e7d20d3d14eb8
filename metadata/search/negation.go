package search

import (
	"strings"

	"kota/metadata/words"
)

// negationReach is how many words before an answer its verb may be: "answer the invitation with no".
const negationReach = 3

// splitByNegation returns the stems of the words that a query affirms, and of those that it
// negates. A negation covers the rest of its clause. If it follows the verb of its clause, it
// also covers the verb, and everything between: "lösche den Termin bloß nicht". The verb is a
// verb of deletion or sending. A clause without one has its first word as verb.
func splitByNegation(query string) (affirmed, negated []string) {
	for _, c := range readClauses(query) {
		for i, t := range c.tokens {
			if c.covered[i] {
				negated = append(negated, tokenStems(t)...)
			} else {
				affirmed = append(affirmed, tokenStems(t)...)
			}
		}
	}
	return affirmed, negated
}

// A parsedClause is a clause with the words in it that a negation covers.
type parsedClause struct {
	tokens  []words.Token
	covered []bool
}

// readClauses returns the clauses of a query. A negation that ends a clause without covering
// anything also covers the next clauses of its sentence: "do not, ever, send it".
func readClauses(query string) []parsedClause {
	var list []parsedClause
	for _, sentence := range splitAtAny(boundQuery(query), ".;:!?\n") {
		carried := false
		for i, text := range splitAtAny(sentence, ",") {
			c := parsedClause{tokens: words.Split(text, maxQueryWords)}
			c.covered = make([]bool, len(c.tokens))
			if carried {
				c.cover(0, len(c.tokens))
			}
			isAnswer := i == 0 && len(c.tokens) == 1 // "No, delete it"
			carried = c.negate() && !isAnswer || carried
			list = append(list, c)
		}
	}
	return list
}

func splitAtAny(text, separators string) []string {
	return strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(separators, r) })
}

func (c parsedClause) text(i int) string {
	if i < 0 || i >= len(c.tokens) {
		return ""
	}
	return c.tokens[i].Text
}

// cover covers the words from i up to, but not including, end.
func (c parsedClause) cover(i, end int) {
	for ; i < end; i++ {
		c.covered[i] = true
	}
}

// negate covers the words that the clause negates. It reports whether a negation at the end
// covers none.
func (c parsedClause) negate() (open bool) {
	sawNe := false
	for i := range c.tokens {
		word, verb := c.text(i), c.verbBefore(i)
		isNegation := (negations[word] || word == "personne" && c.text(i-1) == "a") && !c.isExcused(i, verb)
		afterNe := sawNe && frenchPas[word]
		sawNe = sawNe || frenchNe[word]
		switch {
		case afterNe: // ne has covered it
		case avoiding[word]:
			if c.avoids(i) {
				c.covered[i] = true
				c.coverAfter(i)
			}
			open = open || avoidingLater[word]
		case !isNegation && !(postponing[word] && verb >= 0 && !negations[c.text(i-1)]):
		case omitting[c.text(i-1)]: // "vergeet niet te sturen"
			c.covered[i-1] = true
		case verb < 0:
			open = i == len(c.tokens)-1
			c.coverAfter(i)
		case limiting[word]:
			c.coverAfter(i)
		case !c.describes(verb, i):
			c.cover(verb, i)
			c.coverAfter(i)
		}
	}
	return open
}

// coverAfter covers the words after i, up to a reversal or a verb of omission.
func (c parsedClause) coverAfter(i int) {
	for j := i + 1; j < len(c.tokens) && !reversals[c.text(j)]; j++ {
		c.covered[j] = true
		if omitting[c.text(j)] {
			break
		}
	}
}

// avoids reports whether a verb of deletion or sending follows the avoiding verb at i.
func (c parsedClause) avoids(i int) bool {
	for j := i + 1; j < len(c.tokens); j++ {
		if isHarmful(c.text(j)) {
			return true
		}
	}
	return false
}

// verbBefore returns the index of the verb to which a negation at i may belong, or -1.
func (c parsedClause) verbBefore(i int) int {
	start := i
	for start > 0 && !reversals[c.text(start-1)] {
		start--
	}
	for j := start; j < i; j++ {
		if isHarmful(c.text(j)) && !c.covered[j] {
			return j
		}
	}
	return -1
}

func isHarmful(word string) bool {
	s := words.Stem(word)
	return deletingStems()[s] || sendingStems()[s]
}

// isExcused reports whether the word at i is a negation in form only. The parameter verb is the
// index of the verb before it, or -1.
func (c parsedClause) isExcused(i, verb int) bool {
	word, before, next := c.text(i), c.text(i-1), c.text(i+1)
	switch {
	case suggesting[before]: // "why don't you send it", but "why was it not sent"
		return true
	case isAnswer(c.tokens, i) || meansOnly(c.tokens, i) || next == "only" || word == "no" && (next == "matter" || next != "" && strings.Trim(next, "0123456789") == ""):
		return true
	case comparing[next] && (than[c.text(i+2)] || than[c.text(i+3)]):
		return true
	}
	if word == "non" && verb >= 0 && !isHarmful(next) {
		return true // in Italian and French, it comes before its verb: "cancella le mail non lette"
	}
	return verb >= 0 && (describedUntil(c.tokens, i) > i || word == "not" && strings.HasSuffix(next, "ed"))
}

// describes reports whether the negation at i belongs to a description or a message after the
// verb, and not to the verb: "send Bob a mail that I do not come".
func (c parsedClause) describes(verb, i int) bool {
	for j := verb + 1; j < i; j++ {
		word, next := c.text(j), c.text(j+1)
		isLast := i == len(c.tokens)-1
		switch {
		case subordinating[word] && !isLast:
			return true
		case pointing[word] && !isLast && (j+1 == i || subjects[next] || j > verb+1 && word != "die" && word != "das"):
			return true
		}
	}
	return false
}
