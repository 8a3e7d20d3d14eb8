package search

import (
	"slices"
	"strings"
	"sync"

	"kota/metadata/words"
)

// A concept is one word of a query. It has the terms of the index that express the word, and
// the maximum score that the word can add to an entry.
type concept struct {
	alternatives []alternative
	maxScore     float64
}

// An alternative is a term that expresses a concept.
type alternative struct {
	term      int
	weight    float64 // relative to the word as written
	corrected bool    // the word as written may be a misspelling of this term
}

// The weights of alternatives, relative to the word as written.
const (
	synonymWeight  = 0.7 // another word of the same class; see synonymsOf
	oneTypoWeight  = 0.7
	twoTyposWeight = 0.4
)

// concepts returns the concepts of a query: one for each distinct word.
func (x *wordIndex) concepts(tokens []words.Token) []concept {
	var list []concept
	seen := map[string]bool{}
	unknown := 0
	add := func(word string) {
		s := words.Stem(word)
		if seen[s] {
			return
		}
		seen[s] = true
		c := x.concept(s)
		if len(c.alternatives) == 0 && unknown < maxCorrected {
			unknown++
			c.alternatives = x.corrections(word)
		}
		list = append(list, c)
	}
	for i, t := range tokens {
		for _, word := range x.lookupWords(t) {
			add(word)
		}
		// The index may have "time zone" as one word.
		if i > 0 {
			if joined := tokens[i-1].Text + t.Text; x.has(joined) {
				add(joined)
			}
		}
	}
	return list
}

// lookupWords returns the words to look up for a token. These are the token if the index knows
// it, or else its parts, or else the two known words that it consists of. An unspaced token
// always gives its parts. A token without parts or known words stays whole.
func (x *wordIndex) lookupWords(t words.Token) []string {
	switch {
	case t.Unspaced:
		return t.Parts
	case x.has(t.Text):
		return []string{t.Text}
	case len(t.Parts) > 0:
		return t.Parts
	}
	// Both halves have at least three letters: shorter ones match by chance.
	letters := []rune(t.Text)
	for i := 3; i+3 <= len(letters); i++ {
		if first, second := string(letters[:i]), string(letters[i:]); x.has(first) && x.has(second) {
			return []string{first, second}
		}
	}
	return []string{t.Text}
}

// has reports whether the index has a word with the same stem.
func (x *wordIndex) has(word string) bool {
	_, known := x.terms[words.Stem(word)]
	return known
}

// concept returns the concept of a stem: the stem and its synonyms, if the index has them.
func (x *wordIndex) concept(s string) concept {
	c := concept{maxScore: x.maxIDF}
	if t, known := x.terms[s]; known {
		c.maxScore = x.idf[t]
		c.alternatives = append(c.alternatives, alternative{term: t, weight: 1})
	}
	c.alternatives = append(c.alternatives, x.synonymsOf(s)...)
	return c
}

// synonymsOf returns the synonyms of a stem. They get the idf of a word that occurs as often as
// the stem and all its synonyms together. So a rare synonym does not count more than a common
// word.
func (x *wordIndex) synonymsOf(stem string) []alternative {
	var terms []int
	occurrences := 0
	if t, known := x.terms[stem]; known {
		occurrences = len(x.postings[t])
	}
	for _, synonym := range synonymStems(stem) {
		if t, known := x.terms[synonym]; known {
			terms = append(terms, t)
			occurrences += len(x.postings[t])
		}
	}
	idf := idfOf(min(occurrences, x.entries), x.entries)
	list := make([]alternative, len(terms))
	for i, t := range terms {
		list[i] = alternative{term: t, weight: synonymWeight * idf / x.idf[t]}
	}
	return list
}

// corrections returns the terms that a misspelt word may mean: all that are one typo away, or
// else the first that is two typos away.
func (x *wordIndex) corrections(word string) []alternative {
	var list []alternative
	for _, fix := range x.lexicon.near(word) {
		if fix.distance > 1 && len(list) > 0 {
			break
		}
		weight := oneTypoWeight
		if fix.distance > 1 {
			weight = twoTyposWeight
		}
		list = append(list, alternative{term: x.terms[words.Stem(fix.word)], weight: weight, corrected: true})
	}
	return list
}

// stopWords are the words that do not show what a query is about. They are function words in
// six languages, and words such as those in "could you please help me …". They do not include
// verbs that can name an action (get, show, list, make).
var stopWords = sync.OnceValue(func() map[string]bool {
	return wordSet(`
a an the this that these those some any each every all both few many much more most other another such same own
i me my mine myself we us our ours you your yours yourself he him his she her hers it its itself they them their theirs
who whom whose which what when where why how whether
am is are was were be been being do does did doing done have has had having can could may might must shall should will would
and or but nor so if then than because as until while though although unless
of at by for with about against between into onto through during before after above below to from up down in out on off
over under again further once here there upon via per within without
not no only too very just also still already yet ever never really actually currently
im ive id ill youre youve hes shes theyre theyve weve were whats wheres whos hows thats theres lets isnt arent wasnt
werent dont doesnt didnt cant couldnt wont wouldnt shouldnt havent hasnt hadnt
please want wants wanted need needs needed like tell give help let able thanks thank hello hi hey ok okay
something anything everything thing things stuff someone anyone everyone one ones lot
sorry bother wonder wondering kindly maybe perhaps quick quickly question whenever again else instead
de het een die dat dit deze ik je jij mij mijn me jouw u uw hij zij ze wij we ons onze zich er is zijn ben bent was waren heb hebt heeft hebben had
wat wie welke waar wanneer hoe waarom en of maar om te van voor met op in aan uit bij naar over door tot nog iets niet geen wel ook al alle kun kunt kan wil moet moeten graag alsjeblieft
der das den dem des ein eine einen einem einer ich du er sie es wir ihr mich dich mir dir uns mein meine meinen meinem meiner dein deine ist sind bin war habe hast hat haben wird werden
wer welche welcher wo wann wie warum und oder aber dass von fur mit auf im am an aus bei nach uber zum zur zu noch etwas nicht kein keine auch alle kannst kann bitte mal schon sich
le la les un une du au aux ce cet cette ces mon ma mes ton ta tes son sa ses je tu il elle nous vous moi toi est sont suis ai as avez ont avoir etre
qui que quel quelle quels quelles ou quand comment pourquoi et mais par pour avec sur dans sans chez pas ne plus encore tout tous toute toutes peux peut veux sil plait
el los las unos unas del al este esta estos estas ese esa lo mi mis tu tus su sus yo ella nosotros te se nos es son soy estoy esta estan tengo tiene hay
quien cual cuales cuando como donde porque y o pero por para con sin sobre entre no si ya aun todo todos toda todas puedes puede quiero favor cuanto cuanta que en una
c d j l m n s t qu jusqu lorsqu puisqu all dall dell nell quell quest sull
il gli di del dello della dei degli delle al allo alla ai agli alle dal dalla nel nella sul sulla che chi cosa quale quali quanto quanta dove perche mio mia miei mie tuo tua suo sua nostro nostra
ho hai abbiamo avete hanno sei siamo siete erano essere avere io lui lei noi voi loro ci vi ne con anche ancora ma se piu non gia tutto tutti tutta tutte puoi potresti voglio vorrei grazie qualcosa
`)
})

func wordSet(list string) map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(list) {
		set[w] = true
	}
	return set
}

func onlyStopWords(tokens []words.Token) bool {
	return !slices.ContainsFunc(tokens, func(t words.Token) bool { return !stopWords()[t.Text] })
}

// withoutStopWords removes the stop words from a query. It does not change a query of only
// stop words: "do not" may be a part of the name that the user wants.
func withoutStopWords(tokens []words.Token) []words.Token {
	var kept []words.Token
	for _, t := range tokens {
		if !stopWords()[t.Text] {
			kept = append(kept, t)
		}
	}
	if len(kept) == 0 {
		return tokens
	}
	return kept
}
