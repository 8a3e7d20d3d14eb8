package index

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"

	"kota/store/engine"
	"kota/store/search"
)

// firstDocs limits the lists that are read before any of them is needed, by about how many rows they
// have. A question with rare words needs no more. Each further trip reads four times as many.
const firstDocs = 8192

// Postings reads the lists of the first queries together, and further lists when they are needed. So
// it mostly skips the long lists of common words.
func (x blocksSource) Postings(ctx context.Context, labels []string, queries []search.PostingsQuery) func(int) ([]int64, error) {
	p := &postingsReader{source: x, labels: labels, queries: queries, most: firstDocs, lists: map[vocabularyTerm]map[int64]block{}}
	return func(position int) ([]int64, error) { return p.answer(ctx, position) }
}

// A postingsReader answers the queries of one search.
type postingsReader struct {
	source  blocksSource
	labels  []string
	queries []search.PostingsQuery
	read    int // queries whose lists are read
	most    int // rows of the next lists that are read together
	lists   map[vocabularyTerm]map[int64]block
}

func (p *postingsReader) answer(ctx context.Context, position int) ([]int64, error) {
	if position >= p.read {
		if err := p.readUpTo(ctx, position); err != nil {
			return nil, err
		}
	}
	q, columns := p.queries[position], inText
	switch q.Column {
	case search.Keys:
		columns = inKeyColumn
	case search.Initials:
		columns = inInitialsColumn
	}
	numbers := map[int64]bool{}
	for _, word := range q.Words {
		for number := range p.lists[p.source.termOf(q.Column, word)] {
			numbers[number] = true
		}
	}
	ids, limit := []int64{}, p.source.pending.limit(q.Limit)
	for _, number := range slices.SortedFunc(maps.Keys(numbers), func(a, b int64) int { return cmp.Compare(b, a) }) {
		rows := rowSet{}
		for _, word := range q.Words {
			rows.add(p.lists[p.source.termOf(q.Column, word)][number], columns)
		}
		for _, label := range p.labels {
			labelled := rowSet{}
			labelled.add(p.lists[p.source.termOf(search.Anywhere, label)][number], inLabelsColumn)
			rows.keep(&labelled)
		}
		if ids = rows.appendDescending(ids, number, limit); len(ids) == limit {
			break
		}
	}
	return p.source.pending.addPostings(ids, p.source, q, p.labels, columns), nil
}

// termOf returns the row of terms for a word in a column.
func (x blocksSource) termOf(in search.Column, word string) vocabularyTerm {
	if in == search.Initials {
		return vocabularyTerm{x.ix.kinds().initials, word}
	}
	return vocabularyTerm{x.ix.kinds().text, word}
}

// readUpTo reads the lists of the queries up to a position, and of those after it that have few rows.
func (p *postingsReader) readUpTo(ctx context.Context, position int) error {
	wanted := map[vocabularyTerm]bool{}
	if p.read == 0 {
		for _, label := range p.labels {
			wanted[p.source.termOf(search.Anywhere, label)] = true
		}
	}
	docs := 0
	for ; p.read < len(p.queries); p.read++ {
		q, added := p.queries[p.read], 0
		for _, word := range q.Words {
			if term := p.source.termOf(q.Column, word); p.lists[term] == nil && !wanted[term] {
				added = q.Docs
			}
		}
		if p.read > position && docs+added > p.most {
			break
		}
		docs += added
		for _, word := range q.Words {
			if term := p.source.termOf(q.Column, word); p.lists[term] == nil {
				wanted[term] = true
			}
		}
	}
	p.most *= 4
	return p.source.readLists(ctx, wanted, p.lists)
}

// readLists reads the blocks of terms into lists. The inner query, which OFFSET keeps apart, lets
// PostgreSQL read only the blocks of these terms, whatever it believes about the table.
func (x blocksSource) readLists(ctx context.Context, wanted map[vocabularyTerm]bool, lists map[vocabularyTerm]map[int64]block) error {
	k := x.ix.kinds()
	names := map[string]engine.List[string]{k.text: {}, k.initials: {}}
	for term := range wanted {
		names[term.kind] = append(names[term.kind], term.term)
		lists[term] = map[int64]block{}
	}
	if len(wanted) == 0 {
		return nil
	}
	rows, err := x.db.Read(ctx).QueryFixed(`
		SELECT wanted.kind, wanted.term, found.block, found.list
		FROM (SELECT kind, term, id FROM terms WHERE owner = ?1 AND kind = ?2 AND term = ANY (?3::text[])
			UNION ALL SELECT kind, term, id FROM terms WHERE owner = ?1 AND kind = ?4 AND term = ANY (?5::text[])) AS wanted
		CROSS JOIN LATERAL (SELECT block, list FROM blocks WHERE owner = ?1 AND kind = ?2 AND term = wanted.id OFFSET 0) AS found`,
		x.owner(), k.text, names[k.text], k.initials, names[k.initials])
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		term, number, list := vocabularyTerm{}, int64(0), []byte(nil)
		if err := rows.Scan(&term.kind, &term.term, &number, &list); err != nil {
			return err
		}
		if err := addBlock(lists, term, number, list); err != nil {
			return fmt.Errorf("index of %s: %w", x.ix.Table, err)
		}
	}
	return rows.Err()
}
