package search

import (
	"strings"
	"sync"

	"kota/metadata/words"
)

// A phrase describes an entry. It may contain both a question and a command.
type phrase struct {
	entry      int
	weight     float64 // the sum of the weights of its terms
	isQuestion bool
	isCommand  bool
}

func newPhrase(entry int, text string) phrase {
	p := phrase{entry: entry}
	for part := range strings.SplitSeq(text, ",") {
		if beginsAsQuestion(part) {
			p.isQuestion = true
		} else {
			p.isCommand = true
		}
	}
	return p
}

// beginsAsQuestion reports whether a text begins like a question and not like a command. "Could you …"
// is a command. Questions usually ask for a read, commands for a change.
func beginsAsQuestion(text string) bool {
	const opening = 2
	tokens := words.Split(text, opening)
	if len(tokens) == 0 {
		return false
	}
	open := questionOpenings()
	first := tokens[0].Text
	switch {
	case open.questions[first]:
		return true
	case len(tokens) < opening:
		return false
	case tokens[1].Text == "you":
		return open.beforeYou[first]
	case open.ownPronoun[first] != "": // "bin that mail", "habe gut geschlafen"
		return tokens[1].Text == open.ownPronoun[first]
	case open.either[first]:
		return open.subjects[tokens[1].Text]
	}
	return open.inverted[first]
}

// questionWords are the words that can begin a question.
type questionWords struct {
	questions map[string]bool // always begin a question
	inverted  map[string]bool // begin a question, except before "you"
	either    map[string]bool // begin a question before one of subjects, or else a command
	beforeYou map[string]bool // begin a question before "you"
	subjects  map[string]bool

	ownPronoun map[string]string // by word: the pronoun before which it begins a question
}

// questionOpenings returns these words. The first search builds them, like the classes of
// words.
var questionOpenings = sync.OnceValue(func() questionWords {
	return questionWords{
		questions: wordSet(`what which who whom whose when where why how whats whos wheres whens hows did does any anything anyone anybody
wat wie welke waar wanneer hoe waarom hoeveel was wer wen wem welche welcher welches wo wann warum wieviel
qui que quel quelle quels quelles ou quand comment pourquoi combien qu quoi
quien quienes cual cuales donde cuando como cuanto cuantos cuanta cuantas
chi cosa quale quali dove quando come perche quanto quanti quanta quante`),
		inverted:   wordSet(`is are am were has can may could should would heeft ben zijn hast hat ist sind est ai suis as estoy hay tengo`),
		either:     wordSet(`do have had will esta`),
		beforeYou:  wordSet(`do did does have`),
		subjects:   wordSet(`i my we there it that this he she they anyone somebody someone anybody everybody everyone our his her el la mi`),
		ownPronoun: map[string]string{"bin": "ich", "habe": "ich", "heb": "ik"},
	}
})

// overviewWords are the words of a question for everything that KOTA can do.
type overviewWords struct {
	all    map[string]bool // words for everything and for help
	able   map[string]bool // words for being able
	around map[string]bool // other words of such questions, except stop words
}

// overviewQuestionWords returns these words. The first search builds them, like the other
// classes of words.
var overviewQuestionWords = sync.OnceValue(func() overviewWords {
	return overviewWords{
		all: wordSet(`help everything all capabilities capability abilities features functions functionality tools commands actions skills options bundles overview manual menu
hilfe alles alle funktionen fahigkeiten werkzeuge befehle moglichkeiten hulp functies mogelijkheden opdrachten acties gereedschap
aide tout toutes fonctions fonctionnalites outils commandes capacites ayuda todo todas funciones herramientas comandos capacidades acciones
aiuto tutto funzioni strumenti comandi capacita azioni`),
		able: wordSet(`can able kannst konnen kun kunt kan peux peut pouvez sais puedes puede sabes puoi sai`),
		around: wordSet(`list show tell display name see get print available possible kota do work use offer support exactly assistant
tun machen zeig zeige auflisten verfugbar doen toon laat zien faire montre liste affiche hacer muestra lista ensena disponibles disponible
fare mostra elenca disponibili`),
	}
})

// AsksForOverview reports whether a query asks what KOTA can do in general: "help", "what can
// you do", "list all tools".
func AsksForOverview(query string) bool {
	known := overviewQuestionWords()
	asked := false
	tokens := words.Split(boundQuery(query), maxQueryWords)
	for _, t := range tokens {
		switch {
		case known.all[t.Text], known.able[t.Text]:
			asked = true
		case !known.around[t.Text] && !stopWords()[t.Text]:
			return false
		}
	}
	return asked
}
