package search

import (
	"strings"

	"kota/metadata/words"
)

// Words that look like a negation of the verb before them, but negate nothing.
var (
	// After one of these verbs, "no" is the answer: "reply no to Bob", "responde que no a Ana".
	answering = wordSet(`reply answer respond rsvp responde responder responda respondas contesta contestar conteste contestes rispondi rispondere risponda`)
	// Between such a verb and its answer.
	answerLinks = wordSet(`que di che with con of`)
	// After the answer. Another word is what nobody gets: "answer no mails".
	answered = wordSet(`to a al ad alla allo agli ai thanks gracias grazie for per para please por`)

	// "send nothing but the invoice" asks to send it.
	onlyPairs = wordSet(`nothing/but nothing/except nichts/als nichts/ausser anderes/als niets/dan niets/behalve anders/dan rien/que rien/sauf autre/que
mas/que nada/salvo nada/excepto altro/che niente/tranne nulla/tranne`)

	// "no longer needed" and "no-reply" describe a thing, and so does "never opened".
	describedByNo    = wordSet(`longer reply`)
	describedByNever = wordSet(`opened read used seen sent paid lu lue lus lues ouvert ouverte ouverts ouvertes utilise utilisee utilises utilisees consulte consultee consultes consultees
aperto aperta aperti aperte letto letta letti lette visto vista visti viste abierto abierta abiertos abiertas vistos vistas`)
	never  = wordSet(`never nie niemals nooit jamais nunca jamas mai`)
	not    = wordSet(`nicht niet no`)
	more   = wordSet(`mehr meer mas`)
	onlyFr = wordSet(`n ne`)
	fullFr = wordSet(`pas rien jamais plus aucun aucune`)
)

// isAnswer reports whether the word at i is the answer that somebody gets.
func isAnswer(tokens []words.Token, i int) bool {
	if tokens[i].Text != "no" || i == 0 || i+1 < len(tokens) && !answered[tokens[i+1].Text] {
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
	if !onlyFr[tokens[i].Text] {
		return false
	}
	for j := i + 1; j < min(i+maxOnly, len(tokens)) && !fullFr[tokens[j].Text]; j++ {
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
	if end < len(tokens) && more[tokens[end].Text] {
		end++
	}
	if end >= len(tokens) {
		return i
	}
	next := tokens[end].Text
	switch {
	case word == "no" && describedByNo[next]:
		// "send no longer newsletters" is a negation.
		if next == "longer" && i > 0 && (deletingStems()[words.Stem(tokens[i-1].Text)] || sendingStems()[words.Stem(tokens[i-1].Text)]) {
			return i
		}
		return end
	case never[word] && (describedByNever[next] || word == "never" && strings.HasSuffix(next, "ed")),
		(never[word] || not[word]) && isParticiple(next):
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
