package search

import (
	"sync"

	"kota/metadata/words"
)

// allWords are what a question for everything that can be done is made of: words
// for all of it, words of being able to, and what may stand around them beside
// stop words.
type allWords struct{ all, able, around map[string]bool }

// asksAll is made on the first search, as the other classes of words are.
var asksAll = sync.OnceValue(func() allWords {
	return allWords{
		all: wordSet(`help everything all capabilities capability abilities features functions functionality tools commands actions skills options bundles overview manual menu
hilfe alles alle funktionen fahigkeiten werkzeuge befehle moglichkeiten hulp functies mogelijkheden opdrachten acties gereedschap
aide tout toutes fonctions fonctionnalites outils commandes capacites ayuda todo todas funciones herramientas comandos capacidades acciones`),
		able: wordSet(`can able kannst konnen kun kunt kan peux peut pouvez sais puedes puede sabes`),
		around: wordSet(`list show tell display name see get print available possible kota do work use offer support exactly assistant
tun machen zeig zeige auflisten verfugbar doen toon laat zien faire montre liste affiche hacer muestra lista ensena disponibles disponible`),
	}
})

// AsksForAll reports whether a query asks what there is altogether, and for
// nothing in particular: "help", "what can you do", "list all tools".
func AsksForAll(query string) bool {
	known := asksAll()
	asked := false
	tokens := words.Split(bounded(query), maxQueryWords)
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
