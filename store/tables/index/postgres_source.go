package index

import (
	"context"
	"maps"
	"slices"
	"time"

	"kota/store/engine"
	"kota/store/search"
)

// A blocksSource searches an index in PostgreSQL, limited to the rows of a scope. A question costs a
// trip to the server, so each method asks all its questions at once.
type blocksSource struct {
	db      engine.DB
	ix      Index
	in      Scope
	pending *pendingRows // read by Stems, which a search calls first; nil: only what is indexed
}

func (x blocksSource) owner() any { return x.db.Owner("") }

// Stems returns the terms with one of these stems. The number of documents is that of the empty
// term. Stems also looks for rows that are not indexed. This saves a trip to the server, because
// there are mostly none.
func (x blocksSource) Stems(ctx context.Context, stems []string) ([]search.Term, error) {
	found, stale, err := x.readStems(ctx, stems)
	if err != nil || x.pending == nil || len(stale) == 0 {
		return found, err
	}
	if len(stale) > maxPending {
		return nil, errManyPending
	}
	if err := x.readPending(ctx); err != nil {
		return nil, err
	}
	slices.Sort(stale)
	if !slices.Equal(stale, slices.Sorted(maps.Keys(x.pending.rows))) { // some were indexed, or written, in between
		if found, _, err = x.readStems(ctx, stems); err != nil {
			return nil, err
		}
	}
	return x.pending.addStems(found, stems), nil
}

// readStems reads the terms with one of these stems. It also reads the ids of rows that are not
// indexed, in order, at most one more than maxPending.
func (x blocksSource) readStems(ctx context.Context, stems []string) (found []search.Term, stale []int64, err error) {
	rows, err := x.db.Read(ctx).QueryFixed(x.ix.sql(`
		SELECT term, docs, 0 FROM terms WHERE owner = ?1 AND kind = ?2 AND stem = ANY (?3::text[])
		UNION ALL SELECT '', docs, 0 FROM indexes WHERE owner = ?1 AND kind = ?2 AND '' = ANY (?3::text[])
		UNION ALL (SELECT '', 0, id FROM {} WHERE owner = ?1 AND stale = 1 ORDER BY id LIMIT ?4)`),
		x.owner(), x.ix.kinds().text, engine.List[string](stems), maxPending+1)
	if err != nil {
		return nil, nil, err
	}
	defer rows.Close()
	for rows.Next() {
		a, id := search.Term{}, int64(0)
		if err := rows.Scan(&a.Text, &a.Docs, &id); err != nil {
			return nil, nil, err
		}
		if id != 0 {
			stale = append(stale, id)
		} else {
			found = append(found, a)
		}
	}
	return found, stale, rows.Err()
}

// The lookups of selectSimilar, in the first column of its rows.
const (
	bySpellingStart = 1 + iota // terms with a start, whose number is in the second column
	bySpellingEnd              // terms with an end, whose number is in the second column
	byTerm                     // given terms
	byTrigram                  // a block of a trigram, which is in the second column
)

// selectSimilar asks all lookups of all words.
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
		a, lookup, place, number, list := search.Term{}, 0, int64(0), int64(0), []byte(nil)
		if err := rows.Scan(&lookup, &place, &a.Text, &a.Docs, &number, &list); err != nil {
			return nil, err
		}
		switch lookup {
		case bySpellingStart:
			at := &found[starts.words[place]].Spelled
			*at = append(*at, a)
		case bySpellingEnd:
			at := &found[ends.words[place]].Spelled
			*at = append(*at, a)
		case byTerm:
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
	if err := x.addContaining(ctx, queries, lists, limit, found); err != nil {
		return nil, err
	}
	x.pending.addSimilar(queries, found)
	return found, nil
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
	query := x.ix.sql("SELECT d.id IS NOT NULL, coalesce(d.key, ''), coalesce(d.labels, ''), coalesce(d.body, ''), coalesce(d.initials, ''), one.* FROM (SELECT {}.id, " +
		x.ix.Meta.Postgres + ` FROM {} WHERE owner = ? AND id = ANY (?) AND ` + x.in.Where + `) AS one
		LEFT JOIN docs d ON d.owner = ? AND d.kind = ? AND d.id = one.id`)
	args := append([]any{x.owner(), engine.List[int64](ids)}, x.in.Args...)
	rows, err := x.db.Read(ctx).Query(query, append(args, x.owner(), x.ix.kinds().text)...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	byID := make(map[int64]*search.Candidate, len(ids))
	for rows.Next() {
		c, updated, indexed := &search.Candidate{}, int64(0), false
		err := rows.Scan(&indexed, &c.Indexed.Key, &c.Indexed.Labels, &c.Indexed.Body, &c.Indexed.Initials,
			&c.ID, &c.Name, &updated, &c.Importance, &c.Pinned, &c.Uses)
		if err != nil {
			return nil, err
		}
		c.Updated = time.UnixMilli(updated)
		if entry, isPending := x.pending.entry(c.ID); isPending {
			c.Indexed, indexed = entry, true
		}
		if indexed {
			byID[c.ID] = c
		}
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
