// Package search finds the actions that a query asks for. It is a pure function of a
// catalogue: it knows no bundle, runs nothing and keeps no state.
//
// It matches words by stem, spelling, synonym and phrase, and weighs them with BM25F. A
// classifier of requests can add hits and change their order. A query that is probably out of
// scope gets no hit that fits.
//
// Start reading at NewIndex and Index.Search. Entries makes a catalogue from a bundle, and
// ParseCatalogue makes one from the tools of other servers.
package search

import (
	"slices"
	"strings"
	"unicode"

	"kota/metadata/classifier"
	"kota/metadata/words"
)

// An Entry has the searchable texts of one action.
type Entry struct {
	Tool                 string // "memory_set"; unique in an index
	Bundle               string // "memory"; "" for a tool without a bundle
	Name                 string // "set"
	Summary, Description string
	Params               []Param
	Tags                 []string
	Phrases              []string // how people ask for it
	Examples             []string // titles of the examples
	BundleText           string   // name, description and tags of the bundle
}

// A Param is a parameter of an action, at any depth of its input.
type Param struct{ Name, Description string }

// The reasons why an action was found.
const (
	MatchExact        = "exact"        // the query has its name or is the key of its bundle, in any case and with any separators
	MatchWord         = "word"         // the query has words of its texts
	MatchSpelling     = "spelling"     // the query misspells its name or words of its texts
	MatchAbbreviation = "abbreviation" // the query abbreviates its name
	MatchRequest      = "request"      // only the classifier found it
)

// A Hit is an entry that matches a query.
type Hit struct {
	Entry     int     // index in the list that NewIndex got
	Score     float64 // in (0, 1]; comparable within one answer of Search only
	MatchKind string  // one of the reasons above, or MatchMeaning
	Evidence  Evidence
	weak      bool // see Fits
}

// The limits of a query. KOTA ignores the rest, so that a pasted book costs no more than a
// paragraph.
const (
	maxQueryBytes = 4096
	maxQueryWords = 64
	maxCorrected  = 8 // how many unknown words KOTA treats as misspelt
)

// An Index finds actions by their names, descriptions and phrases. It never changes and is
// safe for concurrent use. It knows English word forms, and synonyms of everyday and office
// life in six languages.
type Index struct {
	rank  []int // by entry: its position in the order of tool names, which decides ties
	names nameIndex
	words wordIndex // the entries, followed by the topics out of scope

	meaning  *meaningIndex // nil unless Options.Meaning
	requests *requestModel // nil without a classifier
}

// Options are the optional parts of an Index.
type Options struct {
	// OutOfScope are topics that no entry is about; see the function OutOfScope. They are
	// never hits. A query that is clearly nearer to a topic than to every entry fits no entry.
	OutOfScope []Entry
	Classifier *classifier.Model // the classifier of requests, whose labels are tool names; nil for none
	Meaning    bool              // English words of similar meaning count too: for tools without phrases
}

// NewIndex returns an index of the entries. It keeps no reference to the slice.
func NewIndex(entries []Entry, o Options) *Index {
	byName := make([]int, len(entries))
	for i := range byName {
		byName[i] = i
	}
	slices.SortStableFunc(byName, func(a, b int) int { return strings.Compare(entries[a].Tool, entries[b].Tool) })
	rank := make([]int, len(entries))
	for p, i := range byName {
		rank[i] = p
	}
	x := &Index{
		rank:     rank,
		names:    newNameIndex(entries),
		words:    newWordIndex(slices.Concat(entries, o.OutOfScope)),
		requests: newRequestModel(o.Classifier, entries),
	}
	if o.Meaning {
		x.meaning = newMeaningIndex(entries)
	}
	return x
}

// Search returns at most limit hits, the best first; limit < 1 means all hits. An action that
// the query names comes before all others. A match of the whole tool name comes before a match
// of the action's name. Hits with equal scores are in the order of their tool names, so the
// result is deterministic. Only the first 4,096 bytes and 64 words of a query count. A query
// without a letter or digit has no hits. A query of stop words alone finds only entries whose
// names have all of them.
func (x *Index) Search(query string, limit int) []Hit {
	query = affirmRemembering(boundQuery(query))
	tokens := words.Split(query, maxQueryWords)
	if len(tokens) == 0 {
		return nil
	}
	shared := wordRows{}
	whole := x.findClause(query, shared)
	hits := whole.hits
	if named := x.names.exact(query); len(named) > 0 {
		hits = x.sortHits(append(hits, named...))
		markWeak(hits, whole.outside)
		return first(hits, limit)
	}
	known := x.words.knows(tokens)
	hits = append(hits, x.names.near(query, known)...)
	hits = x.sortHits(append(hits, x.names.abbreviated(query, tokens, known)...))
	if onlyStopWords(tokens) {
		hits = slices.DeleteFunc(hits, func(h Hit) bool { return !x.names.contains(h.Entry, tokens) })
		return first(hits, limit)
	}
	var clauses []clause
	for _, text := range splitClauses(query) {
		c := x.findClause(text, shared)
		c.text, c.hits = text, x.sortHits(c.hits)
		clauses = append(clauses, c)
		whole.outside = min(whole.outside, c.outside)
	}
	whole.hits = x.sortHits(addClauses(hits, clauses))
	markWeak(whole.hits, whole.outside)
	if x.requests == nil || onlyNumbers(tokens) {
		return first(whole.hits, limit)
	}
	return first(x.sortHits(x.requests.rank(query, whole, clauses)), limit)
}

// onlyNumbers reports whether no word has a letter. To the classifier, all numbers are the same.
func onlyNumbers(tokens []words.Token) bool {
	return !slices.ContainsFunc(tokens, func(t words.Token) bool { return strings.IndexFunc(t.Text, unicode.IsLetter) >= 0 })
}

// first returns at most limit hits; limit < 1 means all hits.
func first(hits []Hit, limit int) []Hit {
	if limit > 0 && len(hits) > limit {
		return hits[:limit]
	}
	return hits
}

// The conditions for a hit to fit a query.
const (
	minScore        = 0.05 // the minimum score
	outOfScopeShare = 0.75 // the minimum score, relative to the score of the nearest topic out of scope
)

// markWeak sets for each hit whether it fits a query of words alone; outside is as in clause.
func markWeak(hits []Hit, outside float64) {
	for i, h := range hits {
		hits[i].weak = h.Score < max(minScore, outOfScopeShare*outside)
	}
}

// Fits reports whether the entry answers the query and may be offered. A hit does not fit if
// it only shares a word with the query, or if the query is probably out of scope. With a
// classifier, all hits of a query fit or none does. A hit by exact name, or one that Fuse adds,
// always fits.
func (h Hit) Fits() bool { return !h.weak }

// A clause is a part of a query that asks for several things, or a whole query.
type clause struct {
	text    string  // "" for the whole query
	hits    []Hit   // by words and meaning
	outside float64 // the score of the nearest topic out of scope
}

// findClause returns the clause without its text. Its hits are in no order.
func (x *Index) findClause(text string, shared wordRows) clause {
	var c clause
	c.hits = slices.DeleteFunc(x.words.find(text), func(h Hit) bool {
		isTopic := h.Entry >= len(x.rank)
		if isTopic {
			c.outside = max(c.outside, h.Score)
		}
		return isTopic
	})
	if x.meaning != nil {
		c.hits = x.meaning.add(c.hits, text, shared)
	}
	return c
}

// addClauses adds the squares of the scores in the clauses to the hits. An entry that answers
// one clause well thus comes before an entry that shares a little with all clauses. Hits above
// wordCeiling, which are by name, keep their scores; no other hit gets more than wordCeiling.
func addClauses(hits []Hit, clauses []clause) []Hit {
	if len(clauses) == 0 {
		return hits
	}
	isNamed := func(h Hit) bool { return h.Score > wordCeiling }
	named := slices.DeleteFunc(slices.Clone(hits), func(h Hit) bool { return !isNamed(h) })
	sums := slices.DeleteFunc(hits, isNamed)
	at := map[int]int{} // by entry: its index in sums
	for i, h := range sums {
		at[h.Entry] = i
	}
	highest := wordCeiling
	for _, c := range clauses {
		for _, h := range c.hits {
			i, known := at[h.Entry]
			if !known {
				i = len(sums)
				at[h.Entry], sums = i, append(sums, Hit{Entry: h.Entry, MatchKind: h.MatchKind})
			}
			sums[i].Score += h.Score * h.Score
			highest = max(highest, sums[i].Score)
		}
	}
	for i := range sums {
		sums[i].Score *= wordCeiling / highest
	}
	return append(named, sums...)
}

// Named returns the entries with this tool name or, if there are none, the entries with this
// action name. They are in the order of tool names. Case, separators and the prefixes that
// clients add do not matter, but a misspelt name has no entries.
func (x *Index) Named(name string) []int {
	var full, bare []int
	for _, f := range x.names.mentioned(boundQuery(name)) {
		if f.full && !slices.Contains(full, f.entry) {
			full = append(full, f.entry)
		}
		if !f.full {
			bare = append(bare, f.entry)
		}
	}
	if len(full) > 0 {
		bare = full
	}
	slices.SortFunc(bare, func(a, b int) int { return x.rank[a] - x.rank[b] })
	return bare
}

// sortHits sorts hits and keeps the best hit of each entry.
func (x *Index) sortHits(hits []Hit) []Hit {
	slices.SortFunc(hits, x.compare)
	seen := make([]bool, len(x.rank))
	kept := hits[:0]
	for _, h := range hits {
		if !seen[h.Entry] {
			seen[h.Entry] = true
			kept = append(kept, h)
		}
	}
	return kept
}

// compare orders hits, the best first.
func (x *Index) compare(a, b Hit) int {
	switch {
	case a.Score > b.Score:
		return -1
	case a.Score < b.Score:
		return 1
	case a.Entry != b.Entry:
		return x.rank[a.Entry] - x.rank[b.Entry]
	}
	return strings.Compare(a.MatchKind, b.MatchKind)
}

// boundQuery cuts the query to its first maxQueryBytes and maxQueryWords, and makes it valid UTF-8.
func boundQuery(query string) string {
	if len(query) > maxQueryBytes {
		query = query[:maxQueryBytes]
	}
	query = strings.ToValidUTF8(query, " ")
	if fields := strings.Fields(query); len(fields) > maxQueryWords {
		query = strings.Join(fields[:maxQueryWords], " ")
	}
	return query
}
