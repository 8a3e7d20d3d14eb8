package search

import (
	"slices"
	"strings"

	"kota/metadata/words"
)

// IsQuestion reports whether a query is a question, and not a request in the form of one.
func IsQuestion(query string) bool {
	tokens := words.Split(boundQuery(query), maxQueryWords)
	for len(tokens) > 0 && greetings[tokens[0].Text] {
		tokens = tokens[1:]
	}
	if len(tokens) == 0 {
		return false
	}
	word := func(i int) string {
		if i < len(tokens) {
			return tokens[i].Text
		}
		return ""
	}
	first, second := word(0), word(1)
	suggests := suggesting[first] && negations[second] && (second != "dont" || word(2) == "you")
	switch {
	case suggests || politeWords[first] || first == "how" && second == "about" || first == "what" && (second == "a" || second == "an"): // "What a day!"
		return false
	case second == "you" && abilityWords[first]:
		return false
	case firstPerson[first] || wonderingWords[first] && (subjectsOfQuestions[second] || slices.ContainsFunc(tokens, func(t words.Token) bool { return participles[t.Text] })):
		return true
	}
	if beginsAsQuestion(first + " " + second) {
		return true
	}
	for i, t := range tokens {
		if politeWords[t.Text] || abilityWords[t.Text] && word(i+1) == "you" {
			return false
		}
	}
	return strings.HasSuffix(strings.TrimSpace(query), "?") && !strings.ContainsAny(query, ":\"“„«.!")
}

// saysDone reports whether a clause says that a thing was sent or deleted, and no clause asks for
// that.
func saysDone(clauses []parsedClause) bool {
	found := false
	for _, c := range clauses {
		auxiliary, isReport := false, false
		for i, t := range c.tokens {
			switch {
			case wishing[t.Text] && !isReport:
				return false
			case participles[t.Text] && auxiliary:
				isReport = true
			case isHarmful(t.Text) && !participles[t.Text] && !isReport && !c.covered[i]:
				return false
			}
			auxiliary = auxiliary || auxiliaries[t.Text]
		}
		found = found || isReport
	}
	return found
}
