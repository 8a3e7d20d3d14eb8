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

// A Scope limits a search to some rows of the table.
type Scope struct {
	Where string // SQL condition on the table's columns
	Args  []any  // one for each ? in Where
}

// Match returns the documents in the scope that contain words of text, scored, in no particular
// order. It also returns how many documents it could not search.
func (ix Index) Match(ctx context.Context, db engine.DB, text string, in Scope, labels []string) ([]*search.Candidate, int, error) {
	fresh, unindexed, err := ix.indexFirst(ctx, db, in)
	if err != nil {
		return nil, 0, err
	}
	found, err := search.Find(ctx, ix.Within(db, in), text, labels, fresh, db.Now())
	return found, unindexed, err
}

// A scopedIndex is an index limited to the rows of a scope. It implements search.Source.
type scopedIndex struct {
	db engine.DB
	ix Index
	in Scope
}

// Within returns the index limited to the rows of a scope.
func (ix Index) Within(db engine.DB, in Scope) scopedIndex { return scopedIndex{db, ix, in} }

// Stems returns the terms with one of these stems.
func (x scopedIndex) Stems(ctx context.Context, stems []string) ([]search.Term, error) {
	return x.terms(ctx, "SELECT term, docs FROM {}_terms WHERE stem IN (SELECT value FROM json_each(?))", engine.JSONArray(stems))
}

// Spelled returns terms with size letters that start with prefix. If backward is true, the
// reversed terms start with prefix.
func (x scopedIndex) Spelled(ctx context.Context, size int, prefix string, backward bool, limit int) ([]search.Term, error) {
	column := "term"
	if backward {
		column = "back"
	}
	return x.terms(ctx, "SELECT term, docs FROM {}_terms WHERE size = ? AND "+column+" >= ? AND "+column+" < ? ORDER BY "+column+" LIMIT ?", size, prefix, PrefixEnd(prefix), limit)
}

// Containing returns terms that contain all of the trigrams.
func (x scopedIndex) Containing(ctx context.Context, trigrams []string, limit int) ([]search.Term, error) {
	quoted := make([]string, len(trigrams))
	for i, gram := range trigrams {
		quoted[i] = quote(gram)
	}
	return x.terms(ctx, `
		SELECT t.term, t.docs FROM {}_grams CROSS JOIN {}_terms t ON t.id = {}_grams.rowid
		WHERE {}_grams MATCH ? ORDER BY {}_grams.rowid LIMIT ?`, strings.Join(quoted, " AND "), limit)
}

// Known returns the given terms that occur in documents.
func (x scopedIndex) Known(ctx context.Context, terms []string) ([]search.Term, error) {
	return x.terms(ctx, "SELECT term, docs FROM {}_terms WHERE term IN (SELECT value FROM json_each(?))", engine.JSONArray(terms))
}

// terms runs a query that selects terms and their numbers of documents.
func (x scopedIndex) terms(ctx context.Context, query string, args ...any) ([]search.Term, error) {
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

// Postings returns the ids of the newest documents that contain one of the words and all of the
// labels, newest first. The query returns the ids as one text, which is several times faster than
// rows.
func (x scopedIndex) Postings(ctx context.Context, in search.Column, words, labels []string, limit int) ([]int64, error) {
	rows, err := x.db.Read(ctx).QueryFixed(x.ix.sql(`SELECT coalesce(group_concat(rowid), '')
		FROM (SELECT rowid FROM {}_words WHERE {}_words MATCH ? ORDER BY rowid DESC LIMIT ?)`), match(in, words, labels), limit)
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

// PrefixEnd returns a text that sorts after every text with that prefix.
func PrefixEnd(prefix string) string { return prefix + "\U0010FFFF" }

// quote returns term as one FTS5 string.
func quote(term string) string { return `"` + strings.ReplaceAll(term, `"`, `""`) + `"` }

// Documents reads the documents with those ids that are in the scope, in the order of ids, at
// most limit.
func (x scopedIndex) Documents(ctx context.Context, ids []int64, limit int) ([]*search.Candidate, error) {
	// The ids come from a subquery with its own column name, because the columns of json_each
	// have the same names as columns in the scope.
	query := x.ix.sql("SELECT {}.id, " + x.ix.Meta + `, d.key, d.labels, d.body, d.initials
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
func (x scopedIndex) Texts(ctx context.Context, ids []int64, limit int) (map[int64]string, error) {
	rows, err := x.db.Read(ctx).Query(x.ix.sql("SELECT "+x.ix.Columns+` FROM (SELECT key AS place, value AS wanted FROM json_each(?))
		CROSS JOIN {} ON {}.id = wanted ORDER BY place`), engine.JSONArray(ids))
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	texts := make(map[int64]string, len(ids))
	for rows.Next() {
		d, err := x.ix.Load(rows)
		if err != nil {
			return nil, err
		}
		if limit -= len(d.Text); limit < 0 {
			break
		}
		texts[d.ID] = d.Text
	}
	return texts, rows.Err()
}
