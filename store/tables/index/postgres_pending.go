package index

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"kota/store/search"
)

// maxPending and maxPendingText limit the rows that a search reads itself, and their texts together
// in bytes. If there are more, it indexes them first.
const (
	maxPending     = 64
	maxPendingText = 64 << 10
)

// errManyPending says that a search has to index rows first.
var errManyPending = errors.New("many rows are not indexed yet")

// pendingRows are the rows that are not indexed yet. A search adds them to what the index has, with
// the same results as if they were indexed: to index them would take a write, and other writes would
// wait for it.
type pendingRows struct {
	rows   map[int64]pendingRow
	counts map[string]int // changes of the number of documents of each term
	docs   int            // change of the number of documents
}

// A pendingRow is a row as the index will have it.
type pendingRow struct {
	entry   search.IndexedDocument
	columns map[vocabularyTerm]uint8
}

// readPending reads the rows that are not indexed, and their entries in the index.
func (x blocksSource) readPending(ctx context.Context) error {
	rows, err := x.db.Read(ctx).QueryFixed(x.ix.sql(`
		SELECT d.id IS NOT NULL, coalesce(d.key, ''), coalesce(d.labels, ''), coalesce(d.body, ''), coalesce(d.initials, ''), one.*
		FROM (SELECT `+x.ix.Columns+` FROM {} WHERE owner = ?1 AND stale = 1 ORDER BY id LIMIT ?3) AS one
		LEFT JOIN docs d ON d.owner = ?1 AND d.kind = ?2 AND d.id = one.id`), x.owner(), x.ix.kinds().text, maxPending+1)
	if err != nil {
		return err
	}
	defer rows.Close()
	*x.pending = pendingRows{rows: map[int64]pendingRow{}, counts: map[string]int{}}
	length := 0
	for rows.Next() {
		old, indexed := search.IndexedDocument{}, false
		d, err := x.ix.Load(prefixScanner{rows, []any{&indexed, &old.Key, &old.Labels, &old.Body, &old.Initials}})
		if err != nil {
			return err
		}
		if length += len(d.Text); length > maxPendingText || len(x.pending.rows) == maxPending {
			return errManyPending
		}
		x.pending.add(x.ix, d, old, indexed)
	}
	return rows.Err()
}

// add adds a row that has the entry old in the index if indexed is true.
func (p *pendingRows) add(ix Index, d search.Document, old search.IndexedDocument, indexed bool) {
	entry := d.Index()
	entry.Owner = ""
	p.rows[d.ID] = pendingRow{entry, ix.columnsOfTerms(entry)}
	for term := range entry.Terms() {
		p.counts[term]++
	}
	for term := range old.Terms() {
		p.counts[term]--
	}
	if !indexed {
		p.docs++
	}
}

// entry returns the entry of a row, if it is pending.
func (p *pendingRows) entry(id int64) (search.IndexedDocument, bool) {
	if p == nil {
		return search.IndexedDocument{}, false
	}
	row, exists := p.rows[id]
	return row.entry, exists
}

func (p *pendingRows) isEmpty() bool { return p == nil || len(p.rows) == 0 }

// addStems adds the terms with one of the stems to those that the index has.
func (p *pendingRows) addStems(indexed []search.Term, stems []string) []search.Term {
	wanted := map[string]bool{}
	for _, stem := range stems {
		wanted[stem] = true
	}
	all := slices.IndexFunc(indexed, func(t search.Term) bool { return t.Text == "" })
	if all >= 0 {
		indexed[all].Docs += p.docs
	} else if wanted[""] {
		indexed = append(indexed, search.Term{Docs: p.docs})
	}
	return p.addTerms(indexed, func(term string) bool { return wanted[search.Stem(term)] })
}

// addTerms adds the terms that match to those that the index has, and removes those that no document
// has any more.
func (p *pendingRows) addTerms(indexed []search.Term, match func(string) bool) []search.Term {
	known := map[string]bool{}
	found := make([]search.Term, 0, len(indexed))
	for _, t := range indexed {
		known[t.Text] = true
		if t.Docs += p.counts[t.Text]; t.Docs > 0 || t.Text == "" {
			found = append(found, t)
		}
	}
	for _, term := range slices.Sorted(maps.Keys(p.counts)) {
		if docs := p.counts[term]; docs > 0 && !known[term] && match(term) {
			found = append(found, search.Term{Text: term, Docs: docs})
		}
	}
	return found
}

// addSimilar adds terms to the answers of queries.
func (p *pendingRows) addSimilar(queries []search.SimilarQuery, found []search.SimilarTerms) {
	if p.isEmpty() {
		return
	}
	for i, q := range queries {
		found[i].Spelled = p.addTerms(found[i].Spelled, func(term string) bool {
			return slices.ContainsFunc(q.Spelled, func(s search.Spelling) bool { return hasSpelling(term, s) })
		})
		found[i].Containing = p.addTerms(found[i].Containing, func(term string) bool {
			return len(q.Trigrams) > 0 && !slices.ContainsFunc(q.Trigrams, func(gram string) bool { return !strings.Contains(term, gram) })
		})
		found[i].Parts = p.addTerms(found[i].Parts, func(term string) bool { return slices.Contains(q.Parts, term) })
	}
}

func hasSpelling(term string, s search.Spelling) bool {
	if s.Backward {
		term = search.Reverse(term)
	}
	return strings.HasPrefix(term, s.Prefix) && utf8.RuneCountInString(term) == s.Size
}

// limit returns how many ids of the index are needed for an answer of limit ids.
func (p *pendingRows) limit(limit int) int {
	if p.isEmpty() || limit < 0 {
		return limit
	}
	return limit + len(p.rows)
}

// addPostings adds the rows that match a query to the ids of the index, which are in descending order.
func (p *pendingRows) addPostings(ids []int64, x blocksSource, q search.PostingsQuery, labels []string, columns uint8) []int64 {
	if p.isEmpty() {
		return ids
	}
	ids = slices.DeleteFunc(ids, func(id int64) bool { _, isPending := p.rows[id]; return isPending })
	for id, row := range p.rows {
		has := func(in search.Column, columns uint8) func(string) bool {
			return func(word string) bool { return row.columns[x.termOf(in, word)]&columns != 0 }
		}
		if slices.ContainsFunc(q.Words, has(q.Column, columns)) && !slices.ContainsFunc(labels, not(has(search.Anywhere, inLabelsColumn))) {
			ids = append(ids, id)
		}
	}
	slices.SortFunc(ids, func(a, b int64) int { return cmp.Compare(b, a) })
	if q.Limit >= 0 {
		ids = ids[:min(len(ids), q.Limit)]
	}
	return ids
}

func not(match func(string) bool) func(string) bool {
	return func(word string) bool { return !match(word) }
}
