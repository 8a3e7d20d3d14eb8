package search

import (
	"strings"

	"kota/metadata/words"
)

// The words of questions and reports that ask for no action, besides those that isQuestion knows.
var (
	// wondering words begin a question whether a thing is possible, right or done, in the other
	// languages.
	wondering = wordSet(`kan mag moet kann darf soll puis dois ai est es se puedo debo posso devo si e ist is was were has have had did
heb hebben heeft hebt had zijn werd wurde habe haben hast hat he ha has hemos han ho hai abbiamo avete hanno as avez avons ont gibt`)
	// polite words begin a request in the form of a question, with or without "you".
	polite = wordSet(`kun kunt wil wilt zou kannst konnen konntest wurdest wurden magst peux pouvez pourrais pourriez veux voulez puedes puede podrias podria quieres puoi potresti vuoi potrebbe please bitte`)
	// persons after such a word of possibility make it a question, not a request to KOTA.
	persons = wordSet(`i we he she they it the this that my our one anybody anyone ik men het de dit dat mijn we ich man es das der die mein wir je on il elle ce yo se uno possibile possible posible mogelijk moglich puede pueden puo possono`)
	// able words before "you" also begin such a request.
	able = wordSet(`can could would will`)
	// greetings may come before a request or a question.
	greetings = wordSet(`hey hi hello ok okay so and um uh well kota hoi hallo ja en und et y ehi ciao hola salut bonjour dis`)
	// firstPerson are forms of can and must that begin a question without a person.
	firstPerson = wordSet(`puedo podemos debo debemos posso possiamo devo dobbiamo`)
	// done are the participles of sending and deleting: "I sent the mail" reports.
	done = wordSet(`sent replied answered forwarded invited deleted removed erased discarded cancelled canceled trashed declined accepted unsubscribed
verstuurd gestuurd verzonden beantwoord geantwoord doorgestuurd verwijderd gewist weggegooid geannuleerd afgezegd uitgenodigd
geschickt gesendet versendet verschickt abgeschickt beantwortet geantwortet weitergeleitet geloscht entfernt verworfen abgesagt storniert eingeladen
envoye envoyee repondu transfere supprime supprimee efface effacee annule annulee jete invite
enviado mandado respondido contestado reenviado borrado eliminado cancelado anulado invitado
inviato inviata mandato mandata spedito risposto inoltrato cancellato cancellata eliminato eliminata annullato annullata invitato`)
	// perfect words are the auxiliaries before these participles.
	perfect = wordSet(`have has had ive weve was were been is are did got i we he she they heb hebt heeft hebben is was werd zijn habe hast hat haben wurde wurden ist sind ai as a avons avez ont est ete he has ha hemos han fue ho hai abbiamo avete hanno stato stata`)
	// wishing words make a participle a wish: "I want it deleted".
	wishing = wordSet(`want wants need needs needed get like can may should must please wil moet soll muss kann veux doit quiero debe voglio deve`)
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
	case suggests || polite[first] || first == "how" && second == "about" || first == "what" && (second == "a" || second == "an"): // "What a day!"
		return false
	case second == "you" && able[first]:
		return false
	case firstPerson[first] || wondering[first] && (persons[second] || done[second] || hasDone(tokens)):
		return true
	}
	if isQuestion(first + " " + second) {
		return true
	}
	for i, t := range tokens {
		if polite[t.Text] || able[t.Text] && word(i+1) == "you" {
			return false
		}
	}
	return strings.HasSuffix(strings.TrimSpace(query), "?") && !strings.ContainsAny(query, ":\"“„«.!")
}

func hasDone(tokens []words.Token) bool {
	for _, t := range tokens {
		if done[t.Text] {
			return true
		}
	}
	return false
}

// reports reports whether a clause says that a thing was sent or deleted, and no clause asks for
// that.
func reports(clauses []negatedClause) bool {
	found := false
	for _, c := range clauses {
		auxiliary, isReport := false, false
		for i, t := range c.tokens {
			switch {
			case wishing[t.Text] && !isReport:
				return false
			case done[t.Text] && auxiliary:
				isReport = true
			case isHarmful(t.Text) && !done[t.Text] && !isReport && !c.covered[i]:
				return false
			}
			auxiliary = auxiliary || perfect[t.Text]
		}
		found = found || isReport
	}
	return found
}
