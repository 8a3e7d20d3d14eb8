package search

import (
	"strings"

	"kota/metadata/words"
)

// remembering has the verbs of forgetting in the forms of a request, each with a verb of
// remembering in its language.
var remembering = map[string]string{
	"forget": "remember", "vergeet": "onthoud", "vergeten": "onthouden", "vergiss": "merke", "vergesst": "merkt", "vergessen": "merken",
	"oublie": "retiens", "oubliez": "retenez", "oublier": "retenir",
	"olvides": "recuerda", "olvide": "recuerde", "olvidar": "recordar",
	"dimenticare": "ricorda", "dimenticarti": "ricorda", "dimentichi": "ricordi", "scordare": "ricorda", "scordarti": "ricorda",
}

var (
	// besideForget words may stand between such a verb and its negation.
	besideForget = wordSet(`bitte alsjeblieft graag aub svp maar ook te se ti si ever`)
	// infinitives after the verb ask to do something: "don't forget to call Ann".
	infinitives = wordSet(`to te zu de di`)
)

// affirmRemembering returns a request that begins with a negated verb of forgetting as a request
// to remember: "don't forget that I like tea" has the words of a request to forget, and asks for
// the opposite. A query that asks to do something later stays as it is.
func affirmRemembering(query string) string {
	fields := strings.Fields(query)
	verb, isNegated := "", false
	for i, field := range fields {
		word := words.Fold(apostrophes.Replace(strings.Trim(field, ",.;:?!")))
		if french, found := strings.CutPrefix(word, "noubli"); found { // "n'oublie"
			word, isNegated = "oubli"+french, true
		}
		switch {
		case negations[word]:
			isNegated = true
		case verb == "" && remembering[word] != "":
			verb = remembering[word]
		case leadingWords[word] || greetings[word] || besideForget[word]:
		case verb != "" && isNegated && !infinitives[word]:
			return verb + " " + strings.Join(fields[i:], " ")
		default:
			return query
		}
	}
	return query
}
