package search

import (
	"strings"

	"kota/metadata/words"
)

// negationReach is how many words before an answer its verb may be: "answer the invitation with no".
const negationReach = 3

// The words that keep a request from being one, in English, Dutch, German, French, Spanish and
// Italian. A ready call that is missing costs a caller a moment, and a wrong one may send a mail.
// The lists are therefore long, and the exceptions to them are short.
var (
	negations = wordSet(`not never nothing nobody noone none neither without no dont doesnt didnt wont cant cannot shouldnt mustnt wouldnt couldnt neednt isnt arent wasnt havent hasnt
niet nooit niets niks niemand geen zonder nicht nie niemals nichts niemand niemandem niemanden kein keine keinen keinem keiner keines keinesfalls ohne
ne n pas jamais rien aucun aucune sans nunca jamas nada nadie tampoco sin ningun ninguna ninguno non mai nulla niente nessun nessuna nessuno senza`)
	// postponing words after a verb also keep it from happening now: "send it later".
	postponing = wordSet(`later spater`)
	// avoiding verbs negate only what follows them: "avoid sending a mail".
	avoiding = wordSet(`avoid avoiding refrain abstain hold wait postpone delay stop prevent
vermijd vermijden voorkom wacht wachten stop nalaten vermeide vermeiden warte warten unterlass unterlasse unterlassen verzichte stopp
evite eviter evitez attends attendez attendre abstiens abstenez arrete evita evitar evites espera esperar abstente deja evitare eviti aspetta aspettare astieniti smetti`)
	// limiting words say how to do a thing if they follow its verb: "delete it without a mail".
	limiting = wordSet(`without zonder ohne sans sin senza`)
	// A negation of one of these verbs asks for what follows: "don't forget to send it".
	omitting = wordSet(`forget hesitate vergeet vergeten vergiss vergessen oublie oublier oubliez olvide olvides olvidar dudes dimenticare dimenticarti scordare scordarti hesiter hesite`)
	// After these words, a clause asks again: "don't archive but delete it".
	reversals = wordSet(`but just instead so maar dus gewoon sondern mais donc sino pero ma quindi invece`)
	// comparing words after a negation set a limit: "no later than Friday".
	comparing = wordSet(`later earlier sooner more less fewer spater fruher mehr weniger eerder meer minder plus moins mas menos piu meno`)
	than      = wordSet(`than als dan que de di tard tarde tardi`)
	// These avoiding verbs may have their object in the next clause: "vermeide es, Mails zu senden".
	avoidingLater = wordSet(`vermeide vermeiden verzichte verzichten unterlass unterlasse`)
	// A clause with its own subject describes a thing: "the mail that I did not get".
	subordinating = wordSet(`who which whom whose because if when what i we he she they im ive weve hes shes theyre
omdat als wat wie ik wij hij zij weil wenn wer ich wir er dass qui parce quand il elle nous quien porque cuando yo lo chi perche quando io`)
	// These words begin such a clause too, unless they point at a thing: "send that mail".
	pointing = wordSet(`that dat die das que che`)
	subjects = wordSet(`i we he she they it you the my our this im ive hes shes theyre its ik je hij zij ze we het de mijn onze ich er sie wir es der die meine unsere je il elle on nous le la les mon ma me el los las mi mio nos io lui lei lo gli`)
)

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

// A negatedClause is a clause with the words in it that a negation covers.
type negatedClause struct {
	tokens  []words.Token
	covered []bool
}

// readClauses returns the clauses of a query. A negation that ends a clause without covering
// anything also covers the next clauses of its sentence: "do not, ever, send it".
func readClauses(query string) []negatedClause {
	var list []negatedClause
	for _, sentence := range splitAtAny(boundQuery(query), ".;:!?\n") {
		carried := false
		for i, text := range splitAtAny(sentence, ",") {
			c := negatedClause{tokens: words.Split(text, maxQueryWords)}
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

func (c negatedClause) text(i int) string {
	if i < 0 || i >= len(c.tokens) {
		return ""
	}
	return c.tokens[i].Text
}

// cover covers the words from i up to, but not including, end.
func (c negatedClause) cover(i, end int) {
	for ; i < end; i++ {
		c.covered[i] = true
	}
}

// negate covers the words that the clause negates. It reports whether a negation at the end
// covers none.
func (c negatedClause) negate() (open bool) {
	sawNe := false
	for i := range c.tokens {
		word, verb := c.text(i), c.verbBefore(i)
		isNegation := (negations[word] || word == "personne" && c.text(i-1) == "a") && !c.isExcused(i, verb)
		afterNe := sawNe && fullFr[word]
		sawNe = sawNe || onlyFr[word]
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
func (c negatedClause) coverAfter(i int) {
	for j := i + 1; j < len(c.tokens) && !reversals[c.text(j)]; j++ {
		c.covered[j] = true
		if omitting[c.text(j)] {
			break
		}
	}
}

// avoids reports whether a verb of deletion or sending follows the avoiding verb at i.
func (c negatedClause) avoids(i int) bool {
	for j := i + 1; j < len(c.tokens); j++ {
		if isHarmful(c.text(j)) {
			return true
		}
	}
	return false
}

// verbBefore returns the index of the verb to which a negation at i may belong, or -1.
func (c negatedClause) verbBefore(i int) int {
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
func (c negatedClause) isExcused(i, verb int) bool {
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

// suggesting words before a negation make a proposal.
var suggesting = wordSet(`why warum waarom pourquoi`)

// describes reports whether the negation at i belongs to a description or a message after the
// verb, and not to the verb: "send Bob a mail that I do not come".
func (c negatedClause) describes(verb, i int) bool {
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
