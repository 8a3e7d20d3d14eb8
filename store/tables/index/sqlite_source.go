package index

import (
	"cmp"
	"context"
	"strconv"
	"strings"
	"time"

	"kota/store/engine"
	"kota/store/search"
)

// A wordsSource searches the FTS5 tables of an index in SQLite, limited to the rows of a scope. A
// question costs little there, so each one is a query.
type wordsSource struct {
	db engine.DB
	ix Index
	in Scope
}

// Stems returns the terms with one of these stems.
func (x wordsSource) Stems(ctx context.Context, stems []string) ([]search.Term, error) {
	return x.terms(ctx, "SELECT term, docs FROM {}_terms WHERE stem IN (SELECT value FROM json_each(?))", engine.JSONArray(stems))
}

// Similar asks one lookup after the other.
func (x wordsSource) Similar(ctx context.Context, queries []search.SimilarQuery, limit int) ([]search.SimilarTerms, error) {
	found := make([]search.SimilarTerms, len(queries))
	for i, q := range queries {
		for _, s := range q.Spelled {
			terms, err := x.spelled(ctx, s, limit)
			if err != nil {
				return nil, err
			}
			found[i].Spelled = append(found[i].Spelled, terms...)
		}
		err := error(nil)
		if len(q.Trigrams) > 0 {
			if found[i].Containing, err = x.containing(ctx, q.Trigrams, limit); err != nil {
				return nil, err
			}
		}
		if len(q.Parts) > 0 {
			if found[i].Parts, err = x.known(ctx, q.Parts); err != nil {
				return nil, err
			}
		}
	}
	return found, nil
}

func (x wordsSource) spelled(ctx context.Context, s search.Spelling, limit int) ([]search.Term, error) {
	column := "term"
	if s.Backward {
		column = "back"
	}
	return x.terms(ctx, "SELECT term, docs FROM {}_terms WHERE size = ? AND "+column+" >= ? AND "+column+" < ? ORDER BY "+column+" LIMIT ?", s.Size, s.Prefix, PrefixEnd(s.Prefix), limit)
}

// containing returns terms that contain all of the trigrams.
func (x wordsSource) containing(ctx context.Context, trigrams []string, limit int) ([]search.Term, error) {
	quoted := make([]string, len(trigrams))
	for i, gram := range trigrams {
		quoted[i] = quote(gram)
	}
	return x.terms(ctx, `
		SELECT t.term, t.docs FROM {}_grams CROSS JOIN {}_terms t ON t.id = {}_grams.rowid
		WHERE {}_grams MATCH ? ORDER BY {}_grams.rowid LIMIT ?`, strings.Join(quoted, " AND "), limit)
}

// known returns the given terms that occur in documents.
func (x wordsSource) known(ctx context.Context, terms []string) ([]search.Term, error) {
	return x.terms(ctx, "SELECT term, docs FROM {}_terms WHERE term IN (SELECT value FROM json_each(?))", engine.JSONArray(terms))
}

// terms runs a query that selects terms and their numbers of documents.
func (x wordsSource) terms(ctx context.Context, query string, args ...any) ([]search.Term, error) {
	rows, err := x.db.Read(ctx).QueryFixed(x.ix.sql(query), args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	found := []search.Term{}
	for rows.Next() {
		a := search.Term{}
		if err := rows.Scan(&a.Text, &a.Docs); err != nil {
			return nil, err
		}
		found = append(found, a)
	}
	return found, rows.Err()
}

// Postings runs a query when its answer is wanted.
func (x wordsSource) Postings(ctx context.Context, labels []string, queries []search.PostingsQuery) func(int) ([]int64, error) {
	return func(position int) ([]int64, error) { return x.postings(ctx, labels, queries[position]) }
}

// postings returns the ids of the newest documents that match q and have all of the labels, newest
// first. The query returns the ids as one text, which is several times faster than rows.
func (x wordsSource) postings(ctx context.Context, labels []string, q search.PostingsQuery) ([]int64, error) {
	rows, err := x.db.Read(ctx).QueryFixed(x.ix.sql(`SELECT coalesce(group_concat(rowid), '')
		FROM (SELECT rowid FROM {}_words WHERE {}_words MATCH ? ORDER BY rowid DESC LIMIT ?)`), match(q.Column, q.Words, labels), q.Limit)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	text := ""
	if rows.Next() {
		err = rows.Scan(&text)
	}
	if err = cmp.Or(err, rows.Err()); err != nil {
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

// columnsOf maps a Column to the columns of the index.
var columnsOf = map[search.Column]string{search.Anywhere: "{key labels body}", search.Keys: "key", search.Initials: "initials"}

// match returns the condition on a document as an FTS5 expression. It quotes every term, so that
// no term is read as syntax.
func match(in search.Column, words, labels []string) string {
	quoted := make([]string, len(words))
	for i, word := range words {
		quoted[i] = quote(word)
	}
	text := columnsOf[in] + " : (" + strings.Join(quoted, " OR ") + ")"
	for _, label := range labels {
		text += " AND labels : " + quote(label)
	}
	return text
}

// quote returns term as one FTS5 string.
func quote(term string) string { return `"` + strings.ReplaceAll(term, `"`, `""`) + `"` }

// Documents reads the documents with those ids that are in the scope, in the order of ids, at
// most limit.
func (x wordsSource) Documents(ctx context.Context, ids []int64, limit int) ([]*search.Candidate, error) {
	// The ids come from a subquery with its own column name, because the columns of json_each
	// have the same names as columns in the scope.
	query := x.ix.sql("SELECT {}.id, " + x.ix.Meta.SQLite + `, d.key, d.labels, d.body, d.initials
		FROM (SELECT value AS wanted FROM json_each(?)) CROSS JOIN {} ON {}.id = wanted CROSS JOIN {}_docs d ON d.id = wanted AND d.owner = {}.owner
		WHERE {}.id IN (SELECT id FROM {} WHERE id = wanted AND ` + x.in.Where + ") LIMIT ?")
	args := append(append([]any{engine.JSONArray(ids)}, x.in.Args...), limit)
	rows, err := x.db.Read(ctx).Query(query, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	found := make([]*search.Candidate, 0, min(limit, len(ids)))
	for rows.Next() {
		c, updated := &search.Candidate{}, int64(0)
		err := rows.Scan(&c.ID, &c.Name, &updated, &c.Importance, &c.Pinned, &c.Uses,
			&c.Indexed.Key, &c.Indexed.Labels, &c.Indexed.Body, &c.Indexed.Initials)
		if err != nil {
			return nil, err
		}
		c.Updated = time.UnixMilli(updated)
		found = append(found, c)
	}
	return found, rows.Err()
}

// Texts returns the texts of the documents with these ids, by id. It omits the last ones if all
// together are longer than limit bytes.
func (x wordsSource) Texts(ctx context.Context, ids []int64, limit int) (map[int64]string, error) {
	rows, err := x.db.Read(ctx).Query(x.ix.sql("SELECT "+x.ix.Columns+` FROM (SELECT key AS place, value AS wanted FROM json_each(?))
		CROSS JOIN {} ON {}.id = wanted ORDER BY place`), engine.JSONArray(ids))
	if err != nil {
		return nil, err
	}
	return x.ix.texts(rows, limit)
}
