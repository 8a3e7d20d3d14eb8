package sqlite

import (
	"cmp"
	"container/heap"
	"context"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A scope narrows a search to some rows of the table.
type scope struct {
	where  string   // SQL over the table's columns
	args   []any    // one for each ? of it
	labels []string // terms that the category or tags must have: they narrow it quickly
}

const (
	// enough candidates are scored, whatever the number of documents.
	enough = 150
	// mostPostings bounds the documents that are looked at to choose them.
	mostPostings = 400_000
	// hardly is the share of the least candidate's worth below which the words
	// that are left cannot bring in many others.
	hardly = 0.5
)

// A posting is a document and what it is worth as a candidate so far.
type posting struct {
	id    int64
	worth float64
}

// candidates returns the documents in the scope that are worth most by the
// weights of the wants they have, at most enough. bm25() of FTS5 would visit
// every document with any of the words, and read each; here the rarest words
// go first and only ids are looked at. Words so common that their documents
// exceed mostPostings take no part in the choice, only in the score; if
// there are no others, the newest documents stand for all.
func (db *DB) candidates(ctx context.Context, ix index, wants []want, in scope) ([]*candidate, error) {
	narrow := ""
	for _, label := range in.labels {
		narrow += " AND labels : " + quote(label)
	}
	worth := []posting{}
	left := mostPostings
	answered := rarestFirst(wants)
	for i, w := range answered {
		docs := w.allDocs()
		if docs > left && len(worth) > 0 || settled(worth, answered[i:]) {
			break
		}
		anywhere, err := db.postings(ctx, ix, "{key labels body} : "+w.match()+narrow, left)
		if err != nil {
			return nil, err
		}
		worth = add(worth, anywhere, w.weight*inBody)
		left -= docs
		if docs <= enough {
			continue // all of them are candidates anyway
		}
		inKeys, err := db.postings(ctx, ix, "key : "+w.match()+narrow, mostPostings)
		if err != nil {
			return nil, err
		}
		worth = add(worth, inKeys, w.weight*(inKey-inBody))
	}
	return db.worthiest(ctx, ix, worth, in)
}

// settled reports whether the words that are left weigh so little that they
// could hardly change which documents are worth most.
func settled(worth []posting, left []want) bool {
	if len(worth) < enough {
		return false
	}
	rest := 0.0
	for _, w := range left {
		rest += w.weight
	}
	best := top(worth, enough)
	return rest < hardly*best[len(best)-1].worth
}

// rarestFirst returns the wants that have an answer.
func rarestFirst(wants []want) []want {
	answered := []want{}
	for _, w := range wants {
		if len(w.terms) > 0 {
			answered = append(answered, w)
		}
	}
	slices.SortStableFunc(answered, func(a, b want) int { return cmp.Compare(a.allDocs(), b.allDocs()) })
	return answered
}

// postings returns the ids of the newest documents that match, in their
// order. They come as one text, which is several times faster than as rows.
func (db *DB) postings(ctx context.Context, ix index, match string, limit int) ([]int64, error) {
	stmt, err := db.stmt(ctx, ix.sql(`SELECT coalesce(group_concat(rowid), '')
		FROM (SELECT rowid FROM {}_words WHERE {}_words MATCH ? ORDER BY rowid DESC LIMIT ?)`))
	if err != nil {
		return nil, err
	}
	text := ""
	if err := stmt.QueryRowContext(ctx, match, limit).Scan(&text); err != nil {
		return nil, err
	}
	ids := make([]int64, 0, strings.Count(text, ",")+1)
	for number := range strings.SplitSeq(text, ",") {
		if id, err := strconv.ParseInt(number, 10, 64); err == nil {
			ids = append(ids, id)
		}
	}
	return ids, nil
}

// add merges ids into postings; both are in descending order.
func add(to []posting, ids []int64, worth float64) []posting {
	merged := make([]posting, 0, len(to)+len(ids))
	for _, id := range ids {
		for len(to) > 0 && to[0].id > id {
			merged, to = append(merged, to[0]), to[1:]
		}
		if len(to) > 0 && to[0].id == id {
			merged, to = append(merged, posting{id, to[0].worth + worth}), to[1:]
			continue
		}
		merged = append(merged, posting{id, worth})
	}
	return append(merged, to...)
}

// worthiest reads the best documents that are in the scope, at most enough.
func (db *DB) worthiest(ctx context.Context, ix index, worth []posting, in scope) ([]*candidate, error) {
	found := []*candidate{}
	for tried, size := 0, 4*enough; tried < len(worth) && len(found) < enough; size *= 4 {
		best := top(worth, tried+size)
		some, err := db.read(ctx, ix, idsOf(best[tried:]), in, enough-len(found))
		if err != nil {
			return nil, err
		}
		found = append(found, some...)
		tried = len(best)
	}
	return found, nil
}

// top returns the n postings that are worth most, the best first
// and the newest first among equals.
func top(worth []posting, n int) []posting {
	best := worst{}
	for _, p := range worth {
		switch {
		case len(best) < n:
			heap.Push(&best, p)
		case best[0].less(p):
			best[0] = p
			heap.Fix(&best, 0)
		}
	}
	sorted := make([]posting, len(best))
	for i := len(sorted) - 1; i >= 0; i-- {
		sorted[i] = heap.Pop(&best).(posting)
	}
	return sorted
}

func idsOf(postings []posting) []int64 {
	ids := make([]int64, len(postings))
	for i, p := range postings {
		ids[i] = p.id
	}
	return ids
}

func (p posting) less(o posting) bool {
	return p.worth < o.worth || p.worth == o.worth && p.id < o.id
}

// worst is a heap with the posting worth least on top.
type worst []posting

func (w worst) Len() int           { return len(w) }
func (w worst) Less(i, j int) bool { return w[i].less(w[j]) }
func (w worst) Swap(i, j int)      { w[i], w[j] = w[j], w[i] }
func (w *worst) Push(p any)        { *w = append(*w, p.(posting)) }
func (w *worst) Pop() any {
	last := (*w)[len(*w)-1]
	*w = (*w)[:len(*w)-1]
	return last
}

// read loads the first of the documents with those ids that are in the scope,
// at most limit.
func (db *DB) read(ctx context.Context, ix index, ids []int64, in scope, limit int) ([]*candidate, error) {
	// The ids go through a table of their own name, for the columns of
	// json_each are called as those of the scope.
	query := ix.sql("SELECT {}.id, " + ix.meta + `, d.key, d.labels, d.body, d.initials
		FROM (SELECT value AS wanted FROM json_each(?)) CROSS JOIN {} ON {}.id = wanted CROSS JOIN {}_docs d ON d.id = wanted AND d.owner = {}.owner
		WHERE {}.id IN (SELECT id FROM {} WHERE id = wanted AND ` + in.where + ") LIMIT ?")
	args := append(append([]any{list(ids)}, in.args...), limit)
	rows, err := db.readPool().QueryContext(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	found := make([]*candidate, 0, min(limit, len(ids)))
	for rows.Next() {
		c, updated := &candidate{}, int64(0)
		err := rows.Scan(&c.id, &c.name, &updated, &c.importance, &c.pinned, &c.uses,
			&c.entry.key, &c.entry.labels, &c.entry.body, &c.entry.initials)
		if err != nil {
			return nil, err
		}
		c.updated = time.UnixMilli(updated)
		found = append(found, c)
	}
	return found, rows.Err()
}

// allDocs bounds the documents that answer the want.
func (w want) allDocs() int {
	sum := 0
	for _, t := range w.terms {
		sum += t.docs
	}
	return sum
}

// match is the want as an FTS5 expression. Every term is a quoted string, so
// nothing in it is syntax.
func (w want) match() string {
	quoted := make([]string, len(w.terms))
	for i, t := range w.terms {
		quoted[i] = quote(t.term)
	}
	return "(" + strings.Join(quoted, " OR ") + ")"
}
