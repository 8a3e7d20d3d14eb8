package search

import (
	"strings"

	"kota/metadata/words"
)

// isAnswer reports whether the word at i is the answer that somebody gets.
func isAnswer(tokens []words.Token, i int) bool {
	if tokens[i].Text != "no" || i == 0 || i+1 < len(tokens) && !afterAnswer[tokens[i+1].Text] {
		return false
	}
	if answering[tokens[i-1].Text] {
		return true
	}
	if !answerLinks[tokens[i-1].Text] {
		return false
	}
	for j := i - 2; j >= max(0, i-negationReach-1); j-- {
		if answering[tokens[j].Text] {
			return true
		}
	}
	return false
}

// maxOnly is the maximum number of words from a negation to the exception that reverses it:
// "n'envoie rien d'autre que la facture".
const maxOnly = 5

// meansOnly reports whether the negation at i has an exception, and so means "only".
func meansOnly(tokens []words.Token, i int) bool {
	for j := i; j < min(i+maxOnly, len(tokens)-1); j++ {
		if onlyPairs[tokens[j].Text+"/"+tokens[j+1].Text] {
			return true
		}
	}
	if !frenchNe[tokens[i].Text] {
		return false
	}
	for j := i + 1; j < min(i+maxOnly, len(tokens)) && !frenchPas[tokens[j].Text]; j++ {
		if tokens[j].Text == "que" {
			return true
		}
	}
	return false
}

// describedUntil returns the last word of a description that the negation at i begins: "never
// opened", "nicht mehr benötigte". It returns i without a description.
func describedUntil(tokens []words.Token, i int) int {
	word := tokens[i].Text
	end := i + 1
	if end < len(tokens) && moreWords[tokens[end].Text] {
		end++
	}
	if end >= len(tokens) {
		return i
	}
	next := tokens[end].Text
	switch {
	case word == "no" && describedByNo[next]:
		// "send no longer newsletters" is a negation.
		if next == "longer" && i > 0 && isHarmful(tokens[i-1].Text) {
			return i
		}
		return end
	case neverWords[word] && (describedByNever[next] || word == "never" && strings.HasSuffix(next, "ed")),
		(neverWords[word] || notWords[word]) && isParticiple(next):
		return end
	}
	return i
}

// isParticiple reports whether a word has the form of a German, Dutch, Spanish or Italian participle
// before or after its noun: "gelesene", "geopende", "leídos", "usate".
func isParticiple(word string) bool {
	hasPrefix := func(list ...string) bool {
		for _, p := range list {
			if strings.HasPrefix(word, p) {
				return true
			}
		}
		return false
	}
	hasSuffix := func(list ...string) bool {
		for _, s := range list {
			if strings.HasSuffix(word, s) {
				return true
			}
		}
		return false
	}
	return len(word) > 6 && hasPrefix("ge", "be", "ver") && hasSuffix("te", "ten", "ter", "tes", "ene", "enen", "ener", "enes", "de", "zen", "pen", "ken") ||
		len(word) > 4 && hasSuffix("ado", "ada", "ados", "adas", "ido", "ida", "idos", "idas", "ato", "ata", "ati", "ate", "uto", "uta", "uti", "ute")
}
