package memory

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"unicode"

	"kota/store"
	"kota/store/engine"
	"kota/store/search"
	"kota/store/tables/index"
)

// memoryIndex makes memories searchable.
var memoryIndex = index.Index{
	Table:   "memories",
	Columns: "id, owner, key, category, tags, value",
	Meta:    engine.SameText("memories.key, updated, importance, pinned, uses"),
	Load: func(row engine.Scanner) (search.Document, error) {
		d, tags, value := search.Document{}, "", ""
		if err := row.Scan(&d.ID, &d.Owner, &d.Key, &d.Category, &tags, &value); err != nil {
			return search.Document{}, err
		}
		d.Text = search.PlainText(value)
		return d, json.Unmarshal([]byte(tags), &d.Tags)
	},
}

// Indexes returns the indexes of memories.
func Indexes() []index.Index { return []index.Index{memoryIndex} }

// find returns the candidates for the text of q, best first, and how many memories it could not
// search.
func (m *Store) find(ctx context.Context, q store.RecallQuery, x *index.Search, in index.Scope) ([]*search.Candidate, int, error) {
	found, unindexed, err := x.Match(ctx, q.Text, labelsOf(q))
	if err != nil {
		return nil, 0, err
	}
	shortened, err := m.findAbbreviated(ctx, q, x, in)
	if err != nil {
		return nil, 0, err
	}
	found = search.Merge(found, shortened)
	search.SortByScore(found)
	return found, unindexed, nil
}

// labelsOf returns the terms that the filter's category and tags require.
func labelsOf(q store.RecallQuery) []string {
	return search.Terms(strings.Join(append(slices.Clone(q.Tags), q.Category), " "))
}

// findAbbreviated finds memories whose key a short text without spaces may abbreviate. It finds
// keys whose words begin with the letters of the text, in order. It also compares the letters in
// their order ("grclst" for "grocery list") with up to 2,000 keys that start with the same
// letter.
func (m *Store) findAbbreviated(ctx context.Context, q store.RecallQuery, x search.Source, in index.Scope) ([]*search.Candidate, error) {
	text := search.Abbreviation(q.Text)
	if text == "" {
		return nil, nil
	}
	found, err := search.FindByInitials(ctx, x, text)
	if err != nil {
		return nil, err
	}
	shortened, err := m.keysWithLetters(ctx, text, in)
	return search.Merge(found, shortened), err
}

// keysWithLetters finds keys that contain the letters of text in their order.
func (m *Store) keysWithLetters(ctx context.Context, text string, in index.Scope) ([]*search.Candidate, error) {
	first := string([]rune(text)[:1])
	query := "SELECT id, key, norm FROM memories WHERE " + in.Where + " AND norm >= ? AND norm < ? ORDER BY norm, key, id LIMIT ?"
	rows, err := m.db.Read(ctx).Query(query, append(slices.Clone(in.Args), first, index.PrefixEnd(first), search.MaxAbbreviated)...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	found, norms := []*search.Candidate{}, []string{}
	for rows.Next() {
		c, norm := &search.Candidate{}, ""
		if err := rows.Scan(&c.ID, &c.Name, &norm); err != nil {
			return nil, err
		}
		found, norms = append(found, c), append(norms, norm)
	}
	return search.FindByLetters(text, found, norms), rows.Err()
}

// nearest returns up to three keys as hints if nothing matches. The keys of the best candidates
// come first. The keys most similar to the text follow, even if they are only slightly similar.
func (m *Store) nearest(ctx context.Context, q store.RecallQuery, found []*search.Candidate) ([]string, error) {
	keys := []string{}
	for _, c := range found[:min(len(found), 3)] {
		keys = append(keys, c.Name)
	}
	if strings.IndexFunc(q.Text, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) < 0 {
		return keys, nil // "?" is like no key
	}
	similar, err := m.similarKeys(ctx, store.FirstRunes(q.Text, search.MaxQuery), 0, 3)
	for _, key := range similar {
		if len(keys) < 3 && !slices.Contains(keys, key) {
			keys = append(keys, key)
		}
	}
	return keys, err
}
