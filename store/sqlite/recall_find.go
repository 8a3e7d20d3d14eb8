package sqlite

import (
	"cmp"
	"context"
	"encoding/json"
	"kota/store"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/sahilm/fuzzy"
)

// memoryIndex makes memories searchable.
var memoryIndex = index{
	table:   "memories",
	columns: "id, owner, key, category, tags, value",
	meta:    "memories.key, updated, importance, pinned, uses",
	load: func(row scanner) (document, error) {
		d, tags, value := document{}, "", ""
		if err := row.Scan(&d.id, &d.owner, &d.key, &d.category, &tags, &value); err != nil {
			return document{}, err
		}
		d.text = plainText(value)
		return d, json.Unmarshal([]byte(tags), &d.tags)
	},
}

// find returns the candidates for the text of q, the best first, and how many
// memories it could not look at.
func (m *Memories) find(ctx context.Context, q store.Query) ([]*candidate, int, error) {
	where, args := m.scopeOf(q)
	in := scope{where: where, args: args}
	found, unindexed, err := m.db.match(ctx, memoryIndex, q.Text, in, labelsOf(q))
	if err != nil {
		return nil, 0, err
	}
	shortened, err := m.abbreviated(ctx, q, in)
	if err != nil {
		return nil, 0, err
	}
	found = mergeCandidates(found, shortened)
	bestFirst(found)
	return found, unindexed, nil
}

// match returns the documents of the scope that have words of a text, scored,
// in any order, and how many it could not look at.
func (db *DB) match(ctx context.Context, ix index, text string, in scope, labels []string) ([]*candidate, int, error) {
	fresh, unindexed, err := db.indexFirst(ctx, ix, in)
	if err != nil {
		return nil, 0, err
	}
	found, err := find(ctx, searched{db, ix, in}, text, labels, fresh, db.now())
	return found, unindexed, err
}

// bestFirst sorts candidates by score.
func bestFirst(found []*candidate) {
	slices.SortFunc(found, func(a, b *candidate) int {
		return cmp.Or(cmp.Compare(b.score, a.score), b.updated.Compare(a.updated), cmp.Compare(b.id, a.id))
	})
}

// mergeFresh puts rows as they are now in place of what the index has of them.
func mergeFresh(found, fresh []*candidate) []*candidate {
	isFresh := map[int64]bool{}
	for _, c := range fresh {
		isFresh[c.id] = true
	}
	found = slices.DeleteFunc(found, func(c *candidate) bool { return isFresh[c.id] })
	return append(found, fresh...)
}

// labelsOf are the terms that the filter's category and tags surely have.
func labelsOf(q store.Query) []string {
	return terms(strings.Join(append(slices.Clone(q.Tags), q.Category), " "))
}

// mergeCandidates adds to found what others know better.
func mergeCandidates(found, others []*candidate) []*candidate {
	for _, other := range others {
		at := slices.IndexFunc(found, func(c *candidate) bool { return c.id == other.id })
		switch {
		case at < 0:
			found = append(found, other)
		case found[at].score < other.score:
			other.matched, other.whole = found[at].matched, other.whole || found[at].whole
			found[at] = other
		}
	}
	return found
}

const (
	longestAbbreviation = 12
	leastInitials       = 4    // that can be certain: "tv" and "hat" are words
	mostAbbreviated     = 2000 // keys with the same first letter that are compared with it
)

// abbreviated finds memories whose key a short text without spaces may
// abbreviate: by the initials of its words, at any size of the store, and by
// letters in their order ("grclst" for "grocery list") among the 2,000
// memories changed last whose keys begin with the same letter.
func (m *Memories) abbreviated(ctx context.Context, q store.Query, in scope) ([]*candidate, error) {
	text := abbreviation(q.Text)
	if text == "" {
		return nil, nil
	}
	found, err := initialed(ctx, searched{m.db, memoryIndex, in}, text)
	if err != nil {
		return nil, err
	}
	shortened, err := m.subsequent(ctx, text, in)
	return mergeCandidates(found, shortened), err
}

// abbreviation is the text as an abbreviation, "" where it is too short or too long
// for one.
func abbreviation(text string) string {
	text = fold(strings.TrimSpace(text))
	if size := utf8.RuneCountInString(text); size < 2 || size > longestAbbreviation || !spelled(text+"xx") {
		return ""
	}
	return text
}

// initialed finds documents whose keys have these initials.
func initialed(ctx context.Context, x Source, text string) ([]*candidate, error) {
	ids, err := x.Postings(ctx, Initials, []string{text}, nil, mostAbbreviated)
	if err != nil {
		return nil, err
	}
	found, err := x.Documents(ctx, ids, 20)
	if err != nil {
		return nil, err
	}
	for _, c := range found {
		c.fit, c.score, c.why = .8, .8, store.Abbreviation
		c.whole = utf8.RuneCountInString(text) >= leastInitials
	}
	return found, nil
}

// subsequent finds keys that have the letters of text in their order.
func (m *Memories) subsequent(ctx context.Context, text string, in scope) ([]*candidate, error) {
	first := string([]rune(text)[:1])
	query := "SELECT id, key, norm FROM memories WHERE " + in.where + " AND norm >= ? AND norm < ? LIMIT ?"
	rows, err := m.db.readPool().QueryContext(ctx, query, append(slices.Clone(in.args), first, after(first), mostAbbreviated)...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	found, norms := []*candidate{}, []string{}
	for rows.Next() {
		c, norm := &candidate{}, ""
		if err := rows.Scan(&c.id, &c.name, &norm); err != nil {
			return nil, err
		}
		found, norms = append(found, c), append(norms, norm)
	}
	return shortenedBy(text, found, norms), rows.Err()
}

// shortenedBy returns those of the candidates, whose keys are given in normal form,
// that have the letters of text in their order.
func shortenedBy(text string, found []*candidate, norms []string) []*candidate {
	matches := fuzzy.Find(text, norms)
	shortened := []*candidate{}
	for _, match := range matches[:min(len(matches), 20)] {
		c := found[match.Index]
		c.fit = .8 * shortening(match)
		c.score, c.why = c.fit, store.Abbreviation
		c.whole = composed(match)
		shortened = append(shortened, c)
	}
	return shortened
}

// shortening says how well a fuzzy match abbreviates a key, 0 to 1: the share
// of its letters that begin a word of the key or follow the letter before, and
// a little for how much of the key it spells.
func shortening(match fuzzy.Match) float64 {
	letters := float64(len(match.MatchedIndexes))
	return .9*float64(wellPlaced(match))/letters + .1*letters/float64(len(match.Str))
}

// wellPlaced counts the letters that begin a word of the key or follow the
// letter before.
func wellPlaced(match fuzzy.Match) int {
	good := 0
	for i, at := range match.MatchedIndexes {
		if beginsWord(match.Str, at) || i > 0 && match.MatchedIndexes[i-1]+1 == at {
			good++
		}
	}
	return good
}

// composed reports whether a fuzzy match is made of the beginnings of several
// words, as "homeaddr" is of "home address", and long enough to be no word of
// its own: "cart" is none of "car tires".
func composed(match fuzzy.Match) bool {
	const long = 6 // letters
	words := 0
	for _, at := range match.MatchedIndexes {
		if beginsWord(match.Str, at) {
			words++
		}
	}
	return words > 1 && len(match.MatchedIndexes) >= long && wellPlaced(match) == len(match.MatchedIndexes)
}

func beginsWord(key string, at int) bool { return at == 0 || key[at-1] == ' ' }

const (
	ahead  = .1  // fit by which the answer must lead all others that might be it
	likely = .28 // fit from which a hit is a candidate without any telling word
)

// confidence judges candidates sorted by score. What is old or seldom used is
// no less certain for that, so it looks at their fit. The best is the answer
// only when it has every word that says what is asked for: what has one of
// "favourite film" may well be the favourite pizza. How rare those words are,
// and so how many other memories there are, does not change that. One telling word
// is enough for a candidate: the rest of a question may be about why it is asked.
func confidence(found []*candidate) store.Confidence {
	if len(found) == 0 || !suits(found) && !slices.ContainsFunc(found, isTelling) {
		return store.None
	}
	best := found[0]
	rivals := slices.ContainsFunc(found[1:], func(c *candidate) bool { return c.whole && best.fit-c.fit < ahead })
	if !best.whole || rivals {
		return store.Unsure
	}
	return store.Sure
}

// suits reports whether the best of some candidates has much of the text.
func suits(found []*candidate) bool { return found[0].fit >= likely || found[0].whole }

func isTelling(c *candidate) bool { return c.telling }

// nearest returns up to three keys to point at when nothing answers: those of
// the best candidates, then those that look most like the text, however
// little.
func (m *Memories) nearest(ctx context.Context, q store.Query, found []*candidate) ([]string, error) {
	keys := []string{}
	for _, c := range found[:min(len(found), 3)] {
		keys = append(keys, c.name)
	}
	similar, err := m.alike(ctx, store.FirstRunes(q.Text, longestQuery), 0, 3)
	for _, key := range similar {
		if len(keys) < 3 && !slices.Contains(keys, key) {
			keys = append(keys, key)
		}
	}
	return keys, err
}
