package index

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"unicode/utf8"

	"kota/store/engine"
	"kota/store/search"
)

// A blockChange collects changes of documents, and then applies them to terms and blocks. So each
// term and each block is written once.
type blockChange struct {
	ix             Index
	owner          any
	docs, lastTerm int64
	counts         map[vocabularyTerm]int64           // changes of terms.docs
	columns        map[vocabularyTerm]map[int64]uint8 // by document
	terms          map[vocabularyTerm]storedTerm      // the known ones
	blocks         map[blockKey]block                 // all that change
	changed        map[blockKey][]change              // what changes in them
}

// A storedTerm is a row of terms.
type storedTerm struct{ id, docs int64 }

// A blockKey identifies a row of blocks.
type blockKey struct {
	kind   string
	term   int64
	number int64
}

func compareKeys(a, b blockKey) int {
	return cmp.Or(cmp.Compare(a.kind, b.kind), cmp.Compare(a.term, b.term), cmp.Compare(a.number, b.number))
}

// A change sets the columns of a row in a block.
type change struct {
	place   uint16
	columns uint8
}

func newBlockChange(ix Index, owner any, stored storedDocs) *blockChange {
	return &blockChange{ix: ix, owner: owner, docs: stored.docs, lastTerm: stored.lastTerm,
		counts: map[vocabularyTerm]int64{}, columns: map[vocabularyTerm]map[int64]uint8{}, changed: map[blockKey][]change{}}
}

// replace replaces the terms of a document.
func (c *blockChange) replace(id int64, old, new map[vocabularyTerm]uint8) {
	set := func(term vocabularyTerm, columns uint8, by int64) {
		if c.columns[term] == nil {
			c.columns[term] = map[int64]uint8{}
		}
		c.columns[term][id] = columns
		c.counts[term] += by
	}
	for term, columns := range new {
		switch before := old[term]; {
		case before == 0:
			set(term, columns, 1)
		case before != columns:
			set(term, columns, 0)
		}
	}
	for term := range old {
		if new[term] == 0 {
			set(term, 0, -1)
		}
	}
}

// apply writes the changes.
func (c *blockChange) apply(t engine.Tx) error {
	if err := c.readTerms(t); err != nil {
		return err
	}
	if err := c.writeTerms(t); err != nil {
		return err
	}
	if err := c.readBlocks(t); err != nil {
		return err
	}
	if err := c.writeBlocks(t); err != nil {
		return err
	}
	return t.Exec("UPDATE indexes SET docs = ?, last_term = ? WHERE owner = ? AND kind = ?", c.docs, c.lastTerm, c.owner, c.ix.kinds().text)
}

// sortedTerms returns the changed terms in order, so that equal changes give equal numbers.
func (c *blockChange) sortedTerms() []vocabularyTerm {
	return slices.SortedFunc(maps.Keys(c.columns), func(a, b vocabularyTerm) int {
		return cmp.Or(cmp.Compare(a.kind, b.kind), cmp.Compare(a.term, b.term))
	})
}

// readTerms reads the rows of the changed terms.
func (c *blockChange) readTerms(t engine.Tx) error {
	k := c.ix.kinds()
	lists := map[string]engine.List[string]{k.text: {}, k.initials: {}}
	for _, term := range c.sortedTerms() {
		lists[term.kind] = append(lists[term.kind], term.term)
	}
	rows, err := t.QueryFixed(`
		SELECT kind, term, id, docs FROM terms WHERE owner = ?1 AND kind = ?2 AND term = ANY (?3)
		UNION ALL SELECT kind, term, id, docs FROM terms WHERE owner = ?1 AND kind = ?4 AND term = ANY (?5)`,
		c.owner, k.text, lists[k.text], k.initials, lists[k.initials])
	if err != nil {
		return err
	}
	defer rows.Close()
	c.terms = make(map[vocabularyTerm]storedTerm, len(c.columns))
	for rows.Next() {
		term, known := vocabularyTerm{}, storedTerm{}
		if err := rows.Scan(&term.kind, &term.term, &known.id, &known.docs); err != nil {
			return err
		}
		c.terms[term] = known
	}
	return rows.Err()
}

// writeTerms writes the rows of the changed terms, and plans the changes of blocks.
func (c *blockChange) writeTerms(t engine.Tx) error {
	new, updated, removed := termRows{}, termRows{}, termRows{}
	for _, term := range c.sortedTerms() {
		known, exists := c.terms[term]
		by := c.counts[term]
		switch {
		case !exists:
			c.lastTerm++
			known = storedTerm{id: c.lastTerm}
			new.add(term, known.id, by)
			c.changeGrams(term, known.id, 1)
		case known.docs+by <= 0:
			removed.add(term, known.id, by)
			c.changeGrams(term, known.id, 0)
		case by != 0:
			updated.add(term, known.id, by)
		}
		for id, columns := range c.columns[term] {
			number, place := blockOf(id)
			key := blockKey{c.ix.kinds().text, known.id, number}
			c.changed[key] = append(c.changed[key], change{place, columns})
		}
	}
	return c.writeTermRows(t, new, updated, removed)
}

// changeGrams plans that the trigrams of a term get or lose it.
func (c *blockChange) changeGrams(term vocabularyTerm, id int64, columns uint8) {
	if term.kind != c.ix.kinds().text {
		return
	}
	number, place := blockOf(id)
	for _, gram := range gramsOf(term.term) {
		key := blockKey{c.ix.kinds().grams, gram, number}
		c.changed[key] = append(c.changed[key], change{place, columns})
	}
}

// gramsOf returns the trigrams of a term, each once. A letter takes 21 bits.
func gramsOf(term string) []int64 {
	letters := []rune(term)
	grams := []int64{}
	for i := 2; i < len(letters); i++ {
		grams = append(grams, gram(letters[i-2:]))
	}
	slices.Sort(grams)
	return slices.Compact(grams)
}

// gram returns the number of the trigram of the first three letters.
func gram(letters []rune) int64 {
	return int64(letters[0])<<42 | int64(letters[1])<<21 | int64(letters[2])
}

// termRows are rows of terms, as one list for each column.
type termRows struct {
	kinds, terms, back, stems []string
	ids, sizes, docs          engine.List[int64]
}

func (r *termRows) add(term vocabularyTerm, id, docs int64) {
	r.kinds, r.terms, r.back = append(r.kinds, term.kind), append(r.terms, term.term), append(r.back, search.Reverse(term.term))
	r.ids, r.sizes, r.docs = append(r.ids, id), append(r.sizes, int64(utf8.RuneCountInString(term.term))), append(r.docs, docs)
	r.stems = append(r.stems, search.Stem(term.term))
}

// vocabulary returns the kinds of all terms. Statements name them, and the ids, a second time: the
// planner then never reads all terms of a person.
func (c *blockChange) vocabulary() engine.List[string] {
	return engine.List[string]{c.ix.kinds().text, c.ix.kinds().initials}
}

func (c *blockChange) writeTermRows(t engine.Tx, new, updated, removed termRows) error {
	if len(new.ids) > 0 {
		if err := t.Exec(`
			INSERT INTO terms (owner, kind, id, term, back, size, stem, docs)
			SELECT ?1::bigint, kind, id, term, back, size, stem, docs
			FROM unnest(?2::text[], ?3::bigint[], ?4::text[], ?5::text[], ?6::bigint[], ?7::text[], ?8::bigint[]) AS new (kind, id, term, back, size, stem, docs)`,
			c.owner, new.kinds, new.ids, new.terms, new.back, new.sizes, new.stems, new.docs); err != nil {
			return err
		}
	}
	if len(updated.ids) > 0 {
		if err := t.Exec(`
			UPDATE terms SET docs = terms.docs + changed.by FROM unnest(?2::text[], ?3::bigint[], ?4::bigint[]) AS changed (kind, id, by)
			WHERE terms.owner = ?1 AND terms.kind = changed.kind AND terms.id = changed.id AND terms.id = ANY (?3::bigint[]) AND terms.kind = ANY (?5::text[])`,
			c.owner, updated.kinds, updated.ids, updated.docs, c.vocabulary()); err != nil {
			return err
		}
	}
	if len(removed.ids) == 0 {
		return nil
	}
	return t.Exec(`
		DELETE FROM terms USING unnest(?2::text[], ?3::bigint[]) AS removed (kind, id)
		WHERE terms.owner = ?1 AND terms.kind = removed.kind AND terms.id = removed.id AND terms.id = ANY (?3::bigint[]) AND terms.kind = ANY (?4::text[])`,
		c.owner, removed.kinds, removed.ids, c.vocabulary())
}

// readBlocks reads the blocks that change. The inner query with a limit keeps PostgreSQL from reading
// all blocks.
func (c *blockChange) readBlocks(t engine.Tx) error {
	keys := blockRows{}
	for key := range c.changed {
		keys.add(key, nil)
	}
	rows, err := t.QueryFixed(`
		SELECT wanted.kind, wanted.term, wanted.block, stored.list
		FROM unnest(?2::text[], ?3::bigint[], ?4::bigint[]) AS wanted (kind, term, block)
		CROSS JOIN LATERAL (SELECT list FROM blocks WHERE owner = ?1 AND kind = wanted.kind AND term = wanted.term AND block = wanted.block::int LIMIT 1) AS stored`,
		c.owner, keys.kinds, keys.terms, keys.numbers)
	if err != nil {
		return err
	}
	defer rows.Close()
	c.blocks = make(map[blockKey]block, len(c.changed))
	for rows.Next() {
		key, list := blockKey{}, []byte(nil)
		if err := rows.Scan(&key.kind, &key.term, &key.number, &list); err != nil {
			return err
		}
		if err := block(list).check(); err != nil {
			return fmt.Errorf("index of %s: %w", c.ix.Table, err)
		}
		c.blocks[key] = list
	}
	return rows.Err()
}

// blockRows are rows of blocks, as one list for each column.
type blockRows struct {
	kinds                  []string
	terms, numbers, counts engine.List[int64]
	lists                  [][]byte
}

func (r *blockRows) add(key blockKey, list block) {
	r.kinds, r.terms, r.numbers = append(r.kinds, key.kind), append(r.terms, key.term), append(r.numbers, key.number)
	r.counts, r.lists = append(r.counts, int64(list.count())), append(r.lists, list)
}

// writeBlocks writes the blocks that change, in the order of their keys.
func (c *blockChange) writeBlocks(t engine.Tx) error {
	written, removed := blockRows{}, blockRows{}
	for _, key := range slices.SortedFunc(maps.Keys(c.changed), compareKeys) {
		list := c.blocks[key]
		for _, one := range c.changed[key] {
			list = list.with(one.place, one.columns)
		}
		if len(list) > 0 {
			written.add(key, list)
		} else if _, exists := c.blocks[key]; exists {
			removed.add(key, nil)
		}
	}
	if len(written.kinds) > 0 {
		if err := t.Exec(`
			INSERT INTO blocks (owner, kind, term, block, n, list)
			SELECT ?1::bigint, kind, term, block, n, list
			FROM unnest(?2::text[], ?3::bigint[], ?4::bigint[], ?5::bigint[], ?6::bytea[]) AS new (kind, term, block, n, list)
			ON CONFLICT (owner, kind, term, block) DO UPDATE SET n = excluded.n, list = excluded.list`,
			c.owner, written.kinds, written.terms, written.numbers, written.counts, written.lists); err != nil {
			return err
		}
	}
	if len(removed.kinds) == 0 {
		return nil
	}
	return t.Exec(`
		DELETE FROM blocks USING unnest(?2::text[], ?3::bigint[], ?4::bigint[]) AS removed (kind, term, block)
		WHERE blocks.owner = ?1 AND blocks.kind = removed.kind AND blocks.term = removed.term AND blocks.block = removed.block::int
		AND blocks.term = ANY (?3::bigint[]) AND blocks.kind = ANY (?5::text[])`,
		c.owner, removed.kinds, removed.terms, removed.numbers, engine.List[string]{c.ix.kinds().text, c.ix.kinds().grams})
}
