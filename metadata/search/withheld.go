package search

import (
	"strings"

	"kota/metadata/words"
)

// The words of questions and reports that ask for no action, besides those of isQuestion.
var (
	// wondering words begin a question whether a thing is possible, right or done, in the other
	// languages.
	wondering = wordSet(`kan mag moet kann darf soll puis dois ai est es se puedo debo posso devo si e ist is was were has have had did
heb hebben heeft hebt had zijn werd wurde habe haben hast hat he ha has hemos han ho hai abbiamo avete hanno as avez avons ont gibt`)
	// polite words begin a request in the form of a question, with or without "you".
	polite = wordSet(`kun kunt wil wilt zou kannst konnen konntest wurdest wurden magst peux pouvez pourrais pourriez veux voulez puedes puede podrias podria quieres puoi potresti vuoi potrebbe please bitte`)
	// persons after such a word of possibility make it a question, not a request to KOTA.
	persons = wordSet(`i we he she they it the this that my our one anybody anyone ik men het de dit dat mijn we ich man es das der die mein wir je on il elle ce yo se uno possibile possible posible mogelijk moglich puede pueden puo possono`)
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

// IsWithheld reports whether a query asks for nothing to be changed: it negates its request, or
// it asks whether, when or why a thing is or was done.
func IsWithheld(query string) bool {
	clauses := readClauses(query)
	last, negated := map[string]bool{}, false // by stem: whether its last use is negated
	for _, c := range clauses {
		for i, t := range c.tokens {
			if (isHarmful(t.Text) || done[t.Text]) && !omitting[t.Text] {
				s := words.Stem(t.Text)
				if last[s] = c.covered[i]; c.covered[i] {
					negated = true
				}
			}
		}
	}
	affirmed := false
	for _, isNegated := range last {
		affirmed = affirmed || !isNegated
	}
	return negated && !affirmed || asksWhether(query) || reports(clauses) || !affirmed && negatesFirst(clauses)
}

// asksWhether reports whether a query is a question, and not a request in the form of one.
func asksWhether(query string) bool {
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
	suggests := first == "why" && (second == "not" || second == "dont" && word(2) == "you") || first == "how" && second == "about" || first == "warum" && second == "nicht" || first == "waarom" && second == "niet" || first == "pourquoi" && second == "pas"
	switch {
	case suggests || polite[first] || second == "you" && wordSet("can could would will")[first]:
		return false
	case firstPerson[first] || wondering[first] && (persons[second] || done[second] || hasDone(tokens)):
		return true
	}
	var rest []string
	for _, t := range tokens[:min(2, len(tokens))] {
		rest = append(rest, t.Text)
	}
	if isQuestion(strings.Join(rest, " ")) {
		return true
	}
	return strings.HasSuffix(strings.TrimSpace(query), "?") && !strings.ContainsAny(query, ":\"“„«.!")
}

// greetings may come before a request or a question.
var greetings = wordSet(`hey hi hello ok okay so and um uh well kota hoi hallo ja en und et y ehi ciao hola salut bonjour dis`)

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

// negatesFirst reports whether the first clause negates its first word, as "log nothing" does, or
// begins with a negation.
func negatesFirst(clauses []negatedClause) bool {
	for _, c := range clauses {
		start := 0
		for start < len(c.tokens) && (leading[c.text(start)] || greetings[c.text(start)]) {
			start++
		}
		if start == len(c.tokens) {
			continue
		}
		if negations[c.text(start)] && !c.isExcused(start, -1) || avoiding[c.text(start)] && wordSet("avoid refrain hold")[c.text(start)] {
			for j := start; j < len(c.tokens) && j <= start+2; j++ {
				if omitting[c.text(j)] {
					return false
				}
			}
			return true
		}
		if subjects[c.text(start)] || subordinating[c.text(start)] {
			return false
		}
		for i := start + 1; i < len(c.tokens); i++ {
			if negations[c.text(i)] && !limiting[c.text(i)] && !c.isExcused(i, start) {
				return !omitting[c.text(start)] && !c.describes(start, i) && (i <= start+2 || i == len(c.tokens)-1)
			}
		}
		return false
	}
	return false
}

// leading words may come before a negation: "please do not", "todavía no".
var leading = wordSet(`please do does you must should may bitte aub alsjeblieft graag surtout svp todavia aun por favor per ancora still you u je du tu`)
