package sqlite

import (
	"context"
	"encoding/json"
	"kota/store"
	"slices"
	"strings"
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

// labelsOf are the terms that the filter's category and tags surely have.
func labelsOf(q store.Query) []string {
	return terms(strings.Join(append(slices.Clone(q.Tags), q.Category), " "))
}

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
