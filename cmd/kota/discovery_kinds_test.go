package main

import (
	"fmt"
	"strings"
	"testing"
	"unicode"

	"kota/entrypoint"
)

// queryKind is a kind of query that is hard to answer. A rule chooses or makes
// its queries, so that nobody selects them by hand.
type queryKind struct {
	name string
	aim  float64 // the Recall@5 that the search should reach
	// of returns the query as this kind asks it, or "" if it is of another kind.
	of func(q labelledQuery, text func(tool string) string) string
}

// queryKinds are the kinds of the table in docs/explanation/disclosure.md.
var queryKinds = []queryKind{
	{"each with a misspelt word", 0.90, func(q labelledQuery, _ func(string) string) string {
		return misspelt(q.Query)
	}},
	{"no word of the action's name and description", 0.90, func(q labelledQuery, text func(string) string) string {
		for _, tool := range q.Want {
			described := wordSet(text(tool))
			for word := range wordSet(q.Query) {
				if described[word] {
					return ""
				}
			}
		}
		return q.Query
	}},
	{"two needs", 0.90, func(q labelledQuery, _ func(string) string) string {
		if len(q.Want) != 2 {
			return ""
		}
		return q.Query
	}},
	{"at most three words", 0.98, func(q labelledQuery, _ func(string) string) string {
		if len(strings.Fields(q.Query)) > 3 {
			return ""
		}
		return q.Query
	}},
}

// misspelt swaps the second and third letter of the longest word of a query, or
// returns "" if no word has five letters and two different ones there.
func misspelt(query string) string {
	words := strings.Fields(query)
	at := -1
	for i, word := range words {
		letters := []rune(word)
		if len(letters) >= 5 && letters[1] != letters[2] && unicode.IsLetter(letters[1]) && unicode.IsLetter(letters[2]) &&
			(at < 0 || len(letters) > len([]rune(words[at]))) {
			at = i
		}
	}
	if at < 0 {
		return ""
	}
	letters := []rune(words[at])
	letters[1], letters[2] = letters[2], letters[1]
	words[at] = string(letters)
	return strings.Join(words, " ")
}

// wordSet returns the words of at least four letters in a text.
func wordSet(text string) map[string]bool {
	words := map[string]bool{}
	for _, word := range strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) }) {
		if len([]rune(word)) >= 4 {
			words[word] = true
		}
	}
	return words
}

// queriesOfKind returns the answerable queries of a file as this kind asks them.
func queriesOfKind(t *testing.T, router *entrypoint.Router, kind queryKind, file string) []labelledQuery {
	t.Helper()
	described := func(tool string) string {
		action, ok := router.Action(tool)
		if !ok {
			t.Fatalf("there is no %s", tool)
		}
		return tool + " " + action.Summary + " " + action.Description
	}
	var queries []labelledQuery
	for _, q := range labelledQueries(t, file) {
		if len(q.Want) == 0 {
			continue
		}
		if query := kind.of(q, described); query != "" {
			queries = append(queries, labelledQuery{query, q.Want, q.Also})
		}
	}
	return queries
}

// kindsTable returns the table about kinds of queries in
// docs/explanation/disclosure.md, of the files on which nobody tuned.
func kindsTable(t *testing.T) string {
	var table strings.Builder
	table.WriteString("\n| queries | target | `held.json` | `third.json` |\n| --- | --- | --- | --- |\n")
	router := labelledRouter(t)
	for _, kind := range queryKinds {
		fmt.Fprintf(&table, "| %s | %.2f |", kind.name, kind.aim)
		for _, file := range []string{"held.json", "third.json"} {
			queries := queriesOfKind(t, router, kind, file)
			if len(queries) < 10 {
				t.Errorf("%s has %d queries of the kind %q, want at least 10", file, len(queries), kind.name)
			}
			got, _ := measure(t, router, queries)
			missed := ""
			if got.recall < kind.aim {
				missed = ", MISSED"
			}
			fmt.Fprintf(&table, " %.3f%s (%d queries; first is right %.3f) |", got.recall, missed, len(queries), got.first)
		}
		table.WriteString("\n")
	}
	return table.String() + "\n"
}

func TestMisspeltSwapsTwoLetters(t *testing.T) {
	for query, want := range map[string]string{
		"what's my wifi password again": "what's my wifi psasword again",
		"was it me":                     "",
		"öffne den Kalender":            "öffne den Klaender",
	} {
		if got := misspelt(query); got != want {
			t.Errorf("misspelt(%q) = %q, want %q", query, got, want)
		}
	}
}
