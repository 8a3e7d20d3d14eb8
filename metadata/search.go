package metadata

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"
)

// An Entry is what the search index knows of one action.
type Entry struct {
	Tool                 string // "memory_set"; unique in an index
	Bundle               string // "memory"; "" for a tool of no bundle
	Name                 string // "set"
	Summary, Description string
	Params               []SearchParam
	Tags                 []string
	Phrases              []string // how people ask for it
	Examples             []string // titles
	BundleText           string   // name, description and tags of the bundle
}

// A SearchParam is a parameter of an action, at any depth of its input.
type SearchParam struct{ Name, Description string }

// The reasons why an action was found, best first.
const (
	WhyExact        = "exact"        // its name, in some spelling
	WhyWord         = "word"         // words of its description
	WhySpelling     = "spelling"     // nearly its name, or nearly such words
	WhyAbbreviation = "abbreviation" // the beginnings of the words of its name
)

// A Hit is an entry that answers a query.
type Hit struct {
	Entry int     // its place in the list NewIndex was given
	Score float64 // in (0, 1]; comparable within one answer only
	Why   string  // WhyExact, WhyWord, WhySpelling or WhyAbbreviation
}

// The bounds of a query: what exceeds them is not looked at, so that a pasted
// book costs no more than a paragraph.
const (
	maxQueryBytes = 4096
	maxQueryWords = 64
)

// An Index finds actions by what is said of them. It is immutable and safe for
// concurrent use. It knows English word forms and verbs, and no names.
type Index struct {
	tools []string
	names nameIndex
	words wordIndex
}

// NewIndex returns the index over entries. It depends on nothing else, and
// keeps no reference to them.
func NewIndex(entries []Entry) *Index {
	x := &Index{tools: make([]string, len(entries))}
	for i, e := range entries {
		x.tools[i] = e.Tool
	}
	x.names = newNameIndex(entries)
	x.words = newWordIndex(entries)
	return x
}

// Search returns at most limit hits, best first; limit < 1 means all of them.
// An action whose name the query spells, however it is written, comes before
// all others, and one whose whole tool name it is before one that shares its
// bare action name. Equal scores are ordered by tool name, so one query has
// one answer. A query without a letter or digit has no hits.
func (x *Index) Search(query string, limit int) []Hit {
	query = bounded(query)
	tokens := tokenize(query, maxQueryWords)
	if len(tokens) == 0 {
		return nil
	}
	best := map[int]Hit{}
	add := func(hits []Hit) {
		for _, h := range hits {
			if old, found := best[h.Entry]; !found || h.Score > old.Score {
				best[h.Entry] = h
			}
		}
	}
	add(x.words.find(tokens))
	add(x.names.exact(query))
	add(x.names.near(query, x.words.knows(tokens)))
	add(x.names.abbreviated(query, tokens))
	return x.ranked(best, limit)
}

func (x *Index) ranked(best map[int]Hit, limit int) []Hit {
	hits := make([]Hit, 0, len(best))
	for _, h := range best {
		hits = append(hits, h)
	}
	slices.SortFunc(hits, func(a, b Hit) int {
		return cmp.Or(
			cmp.Compare(b.Score, a.Score),
			strings.Compare(x.tools[a.Entry], x.tools[b.Entry]),
			cmp.Compare(a.Entry, b.Entry),
		)
	})
	if limit > 0 && len(hits) > limit {
		hits = hits[:limit]
	}
	return hits
}

// bounded cuts the query to its first maxQueryBytes and makes it valid UTF-8.
func bounded(query string) string {
	if len(query) > maxQueryBytes {
		query = query[:maxQueryBytes]
	}
	if !utf8.ValidString(query) {
		query = strings.ToValidUTF8(query, " ")
	}
	return query
}
