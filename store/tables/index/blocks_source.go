package index

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"kota/store/engine"
	"kota/store/search"
)

// A blocksSource searches an index in PostgreSQL, limited to the rows of a scope. A question costs a
// trip to the server, so each method asks all its questions at once.
type blocksSource struct {
	db           engine.DB
	ix           Index
	in           Scope
	refusesStale bool // Stems returns errStale if rows are not indexed yet
}

var errStale = errors.New("rows are not indexed yet")

func (x blocksSource) owner() any { return x.db.Owner("") }

// Stems returns the terms with one of these stems. The number of documents is that of the empty
// term.
func (x blocksSource) Stems(ctx context.Context, stems []string) ([]search.Term, error) {
	rows, err := x.db.Read(ctx).QueryFixed(x.ix.sql(`
		SELECT term, docs, false FROM terms WHERE owner = ?1 AND kind = ?2 AND stem = ANY (?3::text[])
		UNION ALL SELECT '', docs, false FROM indexes WHERE owner = ?1 AND kind = ?2 AND '' = ANY (?3::text[])
		UNION ALL SELECT '', 0, true WHERE EXISTS (SELECT 1 FROM {} WHERE owner = ?1 AND stale = 1)`),
		x.owner(), x.ix.kinds().text, engine.List[string](stems))
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	found := []search.Term{}
	for rows.Next() {
		a, stale := search.Term{}, false
		if err := rows.Scan(&a.Text, &a.Docs, &stale); err != nil {
			return nil, err
		}
		switch {
		case stale && x.refusesStale:
			return nil, errStale
		case !stale:
			found = append(found, a)
		}
	}
	return found, rows.Err()
}

// selectSimilar asks all lookups of all words: for terms with a start (1), terms with an end (2),
// given terms (3), and the lists of trigrams (4). place is the number of a start or an end, or the
// trigram of a list.
const selectSimilar = `
	SELECT 1, start.place - 1, found.term, found.docs, 0, NULL::bytea
	FROM unnest(?4::bigint[], ?5::text[], ?6::text[]) WITH ORDINALITY AS start (size, low, high, place)
	CROSS JOIN LATERAL (SELECT term, docs FROM terms WHERE owner = ?1 AND kind = ?2 AND size = start.size::int AND term >= start.low AND term < start.high
		ORDER BY term LIMIT ?3) AS found
	UNION ALL
	SELECT 2, ending.place - 1, found.term, found.docs, 0, NULL
	FROM unnest(?7::bigint[], ?8::text[], ?9::text[]) WITH ORDINALITY AS ending (size, low, high, place)
	CROSS JOIN LATERAL (SELECT term, docs FROM terms WHERE owner = ?1 AND kind = ?2 AND size = ending.size::int AND back >= ending.low AND back < ending.high
		ORDER BY back LIMIT ?3) AS found
	UNION ALL
	SELECT 3, 0, term, docs, 0, NULL FROM terms WHERE owner = ?1 AND kind = ?2 AND term = ANY (?10::text[])
	UNION ALL
	SELECT 4, term, '', 0, block, list FROM blocks WHERE owner = ?1 AND kind = ?11 AND term = ANY (?12::bigint[])`

// ranges are arguments of selectSimilar: the lookups of spellings in one direction.
type ranges struct {
	sizes     engine.List[int64]
	low, high []string
	words     []int // the positions of their queries
}

func (r *ranges) add(s search.Spelling, word int) {
	r.sizes, r.low, r.high = append(r.sizes, int64(s.Size)), append(r.low, s.Prefix), append(r.high, PrefixEnd(s.Prefix))
	r.words = append(r.words, word)
}

// Similar asks all lookups at once. Only the terms with certain trigrams need a second question.
func (x blocksSource) Similar(ctx context.Context, queries []search.SimilarQuery, limit int) ([]search.SimilarTerms, error) {
	starts, ends := ranges{}, ranges{}
	parts, grams := engine.List[string]{}, engine.List[int64]{}
	for i, q := range queries {
		for _, s := range q.Spelled {
			if s.Backward {
				ends.add(s, i)
			} else {
				starts.add(s, i)
			}
		}
		parts = append(parts, q.Parts...)
		grams = append(grams, gramNumbers(q.Trigrams)...)
	}
	rows, err := x.db.Read(ctx).QueryFixed(selectSimilar, x.owner(), x.ix.kinds().text, limit,
		starts.sizes, starts.low, starts.high, ends.sizes, ends.low, ends.high, parts, x.ix.kinds().grams, grams)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	found := make([]search.SimilarTerms, len(queries))
	known, lists := map[string]search.Term{}, map[int64]map[int64]block{}
	for rows.Next() {
		a, part, place, number, list := search.Term{}, 0, int64(0), int64(0), []byte(nil)
		if err := rows.Scan(&part, &place, &a.Text, &a.Docs, &number, &list); err != nil {
			return nil, err
		}
		switch part {
		case 1:
			at := &found[starts.words[place]].Spelled
			*at = append(*at, a)
		case 2:
			at := &found[ends.words[place]].Spelled
			*at = append(*at, a)
		case 3:
			known[a.Text] = a
		default:
			if err := addBlock(lists, place, number, list); err != nil {
				return nil, err
			}
		}
	}
	if err := rows.Err(); err != nil {
		return nil, err
	}
	for i, q := range queries {
		for _, part := range distinct(q.Parts) {
			if a, exists := known[part]; exists {
				found[i].Parts = append(found[i].Parts, a)
			}
		}
	}
	return found, x.addContaining(ctx, queries, lists, limit, found)
}

// distinct returns the texts, each once, in order.
func distinct(texts []string) []string { return slices.Compact(slices.Sorted(slices.Values(texts))) }

// addBlock adds a block to the lists of its term.
func addBlock[K comparable](lists map[K]map[int64]block, term K, number int64, list block) error {
	if err := list.check(); err != nil {
		return err
	}
	if lists[term] == nil {
		lists[term] = map[int64]block{}
	}
	lists[term][number] = list
	return nil
}

// gramNumbers returns the numbers of trigrams.
func gramNumbers(trigrams []string) []int64 {
	numbers := make([]int64, 0, len(trigrams))
	for _, text := range trigrams {
		numbers = append(numbers, gram([]rune(text)))
	}
	return numbers
}

// addContaining adds the terms that have all trigrams of a query.
func (x blocksSource) addContaining(ctx context.Context, queries []search.SimilarQuery, lists map[int64]map[int64]block, limit int, found []search.SimilarTerms) error {
	byQuery, all := make([][]int64, len(queries)), engine.List[int64]{}
	for i, q := range queries {
		if len(q.Trigrams) > 0 {
			byQuery[i] = withAll(lists, gramNumbers(q.Trigrams), limit)
			all = append(all, byQuery[i]...)
		}
	}
	if len(all) == 0 {
		return nil
	}
	rows, err := x.db.Read(ctx).QueryFixed("SELECT id, term, docs FROM terms WHERE owner = ? AND kind = ? AND id = ANY (?)", x.owner(), x.ix.kinds().text, all)
	if err != nil {
		return err
	}
	defer rows.Close()
	byID := make(map[int64]search.Term, len(all))
	for rows.Next() {
		a, id := search.Term{}, int64(0)
		if err := rows.Scan(&id, &a.Text, &a.Docs); err != nil {
			return err
		}
		byID[id] = a
	}
	for i, ids := range byQuery {
		for _, id := range ids {
			if a, exists := byID[id]; exists { // it may have been removed meanwhile
				found[i].Containing = append(found[i].Containing, a)
			}
		}
	}
	return rows.Err()
}

// withAll returns the numbers that all of the terms have, in order, at most limit.
func withAll(lists map[int64]map[int64]block, terms []int64, limit int) []int64 {
	ids := []int64{}
	for _, number := range slices.Sorted(maps.Keys(lists[terms[0]])) {
		common := rowSet{}
		for i, term := range terms {
			s := rowSet{}
			s.add(lists[term][number], allColumns)
			if i == 0 {
				common = s
			}
			common.keep(&s)
		}
		if ids = common.appendAscending(ids, number, limit); len(ids) == limit {
			break
		}
	}
	return ids
}

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
	ids := []int64{}
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
		if ids = rows.appendDescending(ids, number, q.Limit); len(ids) == q.Limit {
			break
		}
	}
	return ids, nil
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

// Documents reads the documents with those ids that are in the scope, in the order of ids, at most
// limit. Most ids are in the scope, so it first asks only for as many as it needs.
func (x blocksSource) Documents(ctx context.Context, ids []int64, limit int) ([]*search.Candidate, error) {
	found := make([]*search.Candidate, 0, min(limit, len(ids)))
	for part := limit; len(ids) > 0 && len(found) < limit; part *= 4 {
		some, err := x.documents(ctx, ids[:min(part, len(ids))])
		if err != nil {
			return nil, err
		}
		found = append(found, some[:min(len(some), limit-len(found))]...)
		ids = ids[min(part, len(ids)):]
	}
	return found, nil
}

// documents reads the documents with those ids that are in the scope, in the order of ids.
func (x blocksSource) documents(ctx context.Context, ids []int64) ([]*search.Candidate, error) {
	query := x.ix.sql("SELECT one.*, d.key, d.labels, d.body, d.initials FROM (SELECT {}.id, " + x.ix.Meta.Postgres + ` FROM {} WHERE owner = ? AND id = ANY (?) AND ` + x.in.Where + `) AS one
		JOIN docs d ON d.owner = ? AND d.kind = ? AND d.id = one.id`)
	args := append([]any{x.owner(), engine.List[int64](ids)}, x.in.Args...)
	rows, err := x.db.Read(ctx).Query(query, append(args, x.owner(), x.ix.kinds().text)...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	byID := make(map[int64]*search.Candidate, len(ids))
	for rows.Next() {
		c, updated := &search.Candidate{}, int64(0)
		err := rows.Scan(&c.ID, &c.Name, &updated, &c.Importance, &c.Pinned, &c.Uses,
			&c.Indexed.Key, &c.Indexed.Labels, &c.Indexed.Body, &c.Indexed.Initials)
		if err != nil {
			return nil, err
		}
		c.Updated = time.UnixMilli(updated)
		byID[c.ID] = c
	}
	found := make([]*search.Candidate, 0, len(byID))
	for _, id := range ids {
		if c := byID[id]; c != nil {
			found = append(found, c)
		}
	}
	return found, rows.Err()
}

// Texts returns the texts of the documents with these ids, by id. It omits the last ones if all
// together are longer than limit bytes.
func (x blocksSource) Texts(ctx context.Context, ids []int64, limit int) (map[int64]string, error) {
	rows, err := x.db.Read(ctx).Query(x.ix.sql("SELECT "+x.ix.Columns+" FROM {} JOIN unnest(?::bigint[]) WITH ORDINALITY AS wanted (number, place) ON number = id WHERE owner = ? ORDER BY place"),
		engine.List[int64](ids), x.owner())
	if err != nil {
		return nil, err
	}
	return x.ix.texts(rows, limit)
}
