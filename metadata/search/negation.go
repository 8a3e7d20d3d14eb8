package search

import (
	"strings"

	"kota/metadata/words"
)

// negationReach is how many words after a negation it covers: "don't ever send mail".
const negationReach = 3

// The words of negation, in English, Dutch, German, French, Spanish and Italian.
var (
	negations = wordSet(`dont doesnt not never nothing without no niet nooit niets geen zonder nicht nie niemals nichts kein keine keinen keiner ohne
ne n jamais rien aucun aucune sans nunca jamas nada sin ningun ninguna non mai nulla niente nessun nessuna senza`)
	// endings also negate the verb before them: "lösche nichts", "send no mail". Some of
	// the words above do not: "delete the mail I did not answer".
	endings = wordSet(`nothing never no niet nooit niets geen nicht nie niemals nichts kein keine keinen keiner jamais rien aucun aucune nunca jamas nada ningun ninguna mai nulla niente nessun nessuna`)
	// A negation of one of these verbs asks for what follows: "don't forget to send it".
	omitting = wordSet(`forget hesitate vergeet vergeten vergiss vergessen oublie oublier oubliez olvide olvides olvidar dudes dimenticare dimenticarti scordare scordarti hesiter hesite`)
	// After these words, a clause asks again: "don't archive but delete it".
	reversals = wordSet(`but just instead maar sondern mais sino pero ma`)
)

// splitByNegation returns the stems of the words that a query affirms, and of those that it
// negates. A negation covers a few words after it, or the verb of deletion or sending shortly
// before it.
func splitByNegation(query string) (affirmed, negated []string) {
	for _, clause := range strings.FieldsFunc(boundQuery(query), func(r rune) bool { return strings.ContainsRune(",;.:!?\n", r) }) {
		tokens := words.Split(clause, maxQueryWords)
		covered := make([]bool, len(tokens))
		for i, t := range tokens {
			if !negations[t.Text] || i > 0 && tokens[i-1].Text == "why" {
				continue
			}
			if endings[t.Text] && negateBefore(tokens, covered, i) {
				continue
			}
			for j := i + 1; j <= min(i+negationReach, len(tokens)-1) && !reversals[tokens[j].Text]; j++ {
				covered[j] = true
				if omitting[tokens[j].Text] {
					break
				}
			}
		}
		for i, t := range tokens {
			if covered[i] {
				negated = append(negated, tokenStems(t)...)
			} else {
				affirmed = append(affirmed, tokenStems(t)...)
			}
		}
	}
	return affirmed, negated
}

// negateBefore negates the verb of deletion or sending that the negation at i follows, and
// everything between. It returns false if the negation follows no such verb.
func negateBefore(tokens []words.Token, covered []bool, i int) bool {
	for j := i - 1; j >= max(0, i-negationReach); j-- {
		s := words.Stem(tokens[j].Text)
		if !deletingStems()[s] && !sendingStems()[s] {
			continue
		}
		for k := j; k < i; k++ {
			covered[k] = true
		}
		return true
	}
	return false
}
