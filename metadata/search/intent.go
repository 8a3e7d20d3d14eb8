package search

import (
	_ "embed"
	"slices"
	"strings"
	"sync"

	"kota/metadata"
	"kota/metadata/words"
)

// The verbs with which people ask KOTA to delete or to send something, in English, Dutch,
// German, French, Spanish and Italian.
const (
	deletingVerbs = `delete deletes remove removes erase discard drop forget trash bin clear wipe purge scrap cancel rid uninvite throw
verwijder verwijderen wis wissen gooi weggooien vergeet annuleer annuleren schrap afzeggen losche loschen entferne entfernen vergiss verwirf verwerfen absagen storniere
supprime supprimer efface effacer oublie oublier jette jeter annule annuler borra borrar elimina eliminar olvida olvidar descarta descartar cancela cancelar quita quitar
borres borre borren elimines elimine olvides olvide effacez supprimez oubliez enleve enlever cancella cancellare cancelli eliminare elimini dimentica dimenticare dimenticati scorda scordati togli togliere rimuovi rimuovere butta buttare annulla annullare annulli cestina`
	sendingVerbs = `send resend reply replies answer respond forward fwd relay invite notify share rsvp accept decline attend unsubscribe deliver
verstuur versturen stuur sturen zend antwoord beantwoord beantwoorden doorsturen accepteer afmelden schick schicke schicken sende senden antworte antworten beantworte weiterleiten leite annehmen ablehnen abmelden abbestellen
envoie envoyer reponds repondre transfere transferer accepte accepter refuse desabonner envia enviar manda mandar responde responder contesta contestar reenvia reenviar acepta aceptar rechaza rechazar
mandes mande envies envie envoyez repondez transferez respondas responda reenvies invia inviare inoltra inoltrare spedisci spedire rispondi rispondere risponda invita invitare accetta accettare rifiuta rifiutare disiscrivimi`
)

// deletingStems and sendingStems return the stems of these verbs. The first search builds
// them, like the other classes of words.
var (
	deletingStems = sync.OnceValue(func() map[string]bool { return stems(deletingVerbs) })
	sendingStems  = sync.OnceValue(func() map[string]bool { return stems(sendingVerbs) })
)

func stems(list string) map[string]bool {
	set := map[string]bool{}
	for _, word := range strings.Fields(list) {
		set[words.Stem(words.Fold(word))] = true
	}
	return set
}

// AsksToDelete reports whether the text has a verb of deletion that it does not negate.
func AsksToDelete(text string) bool {
	affirmed, _ := splitByNegation(text)
	return hasAny(affirmed, deletingStems())
}

// AsksToSend reports whether the text has a verb of sending, answering or inviting that it does
// not negate.
func AsksToSend(text string) bool {
	affirmed, _ := splitByNegation(text)
	return hasAny(affirmed, sendingStems())
}

func hasAny(stems []string, set map[string]bool) bool {
	return slices.ContainsFunc(stems, func(s string) bool { return set[s] })
}

// SharedWords counts the words of a text that a query has too, or a synonym of them. Stop words do
// not count.
func SharedWords(query, text string) int {
	stems, n := stemsOf(query), 0
	for _, t := range words.Split(text, maxQueryWords) {
		if !stopWords()[t.Text] && hasSynonym(stems, []string{words.Stem(t.Text)}) {
			n++
		}
	}
	return n
}

// stemsOf returns the stems of a text's words, and of the parts of names in it.
func stemsOf(text string) []string {
	var list []string
	for _, t := range words.Split(boundQuery(text), maxQueryWords) {
		list = append(list, tokenStems(t)...)
	}
	return list
}

// tokenStems returns the stems of a word and of its parts.
func tokenStems(t words.Token) []string {
	list := []string{words.Stem(t.Text)}
	for _, part := range t.Parts {
		list = append(list, words.Stem(part))
	}
	return list
}

// Deletes reports whether the action deletes something, according to its effect or to the
// verb of its name.
func Deletes(a metadata.Action) bool {
	verb, _, _ := strings.Cut(a.Name, "_")
	return a.Effect == metadata.Destroys || deletingStems()[words.Stem(verb)]
}

// Asks reports whether a query clearly asks for a call of the action with that effect. For an
// action that only reads, it reports true. Words that the query negates do not count. A question
// asks for no change, but may ask for a call that reads. To ask for a deletion, the query must have
// a verb of deletion and the noun, if any, of the action's name. To ask for sending, it must have
// the verb of the name, or a word of the action's tags that the noun does not have. Synonyms of the
// verb and the noun count. A query with the action's full name always asks for the action, unless
// it negates that.
func Asks(query string, a metadata.Action, effect metadata.Effect) bool {
	verb, noun, _ := strings.Cut(a.Name, "_")
	queryStems, negated := splitByNegation(query)
	harms := Deletes(a) || a.Effect == metadata.Sends
	switch {
	case a.Effect == metadata.Reads:
		return true
	case asksForNoChange(query) && !endsWithRequest(query, harms):
		return effect == metadata.Reads && !Deletes(a)
	case Names(query, a):
		return true
	case Deletes(a):
		return hasAny(queryStems, deletingStems()) && (noun == "" || hasSynonym(queryStems, stemsOf(noun)))
	case !harms:
		return true
	case hasAny(negated, sendingStems()) && !hasAny(queryStems, sendingStems()):
		return false
	}
	sending := stemsOf(verb)
	for _, tag := range a.Tags {
		for _, s := range stemsOf(tag) {
			if !slices.Contains(stemsOf(noun), s) && !stopWords()[s] {
				sending = append(sending, s)
			}
		}
	}
	return slices.ContainsFunc(queryStems, func(s string) bool { return slices.Contains(sending, s) }) || hasSynonym(queryStems, stemsOf(verb))
}

// Names reports whether a query has the action's full name, in any spelling.
func Names(query string, a metadata.Action) bool {
	return slices.ContainsFunc(strings.FieldsFunc(query, isListSeparator), func(word string) bool {
		return metadata.SameName(word, a.Tool) || strings.HasSuffix(words.Key(word), words.Key(a.Tool))
	})
}

// hasSynonym reports whether queryStems contains one of the stems or a synonym of one.
func hasSynonym(queryStems, stems []string) bool {
	return slices.ContainsFunc(stems, func(s string) bool {
		synonyms := append(synonymStems(s), s)
		return slices.ContainsFunc(queryStems, func(s string) bool { return slices.Contains(synonyms, s) })
	})
}

// topicLines has the topics that people ask an assistant about. Each line has the names of the
// topic and how people ask for it. The topics after the empty line belong to KOTA's bundles:
// they are out of scope if the profile hides the bundle.
//
//go:embed out_of_scope.txt
var topicLines string

// OutOfScope returns the topics that no entry is about, as entries without a tool: see
// Options. It leaves out a topic if one of its names is the key of a bundle or the tag of an
// action.
func OutOfScope(entries []Entry) []Entry {
	inScope := map[string]bool{}
	for _, e := range entries {
		for _, word := range append([]string{e.Bundle}, e.Tags...) {
			inScope[word] = true
		}
	}
	var topics []Entry
	for line := range strings.Lines(topicLines) {
		names, requests, ok := strings.Cut(strings.TrimSpace(line), ": ")
		if ok && !slices.ContainsFunc(strings.Split(names, "/"), func(tag string) bool { return inScope[tag] }) {
			topics = append(topics, Entry{Phrases: strings.Split(requests, " | ")})
		}
	}
	return topics
}
