package postgres

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"kota/store"
	"kota/store/engine"
	"kota/store/faulttest"
	"kota/store/search"
	"kota/store/sqlite"
	"kota/store/sqlite/sqlitetest"
	"kota/store/tables/index"
	"kota/store/tables/memory"
)

// indexWords are words whose parts, stems and spellings overlap.
var indexWords = strings.Fields(`apple apples apply pineapple applesauce ärger aerger Äpfel c++ c# C++20 " ' a@b.com - & § 漢字 漢字学 学校 が 🎂 🎉 AND OR NOT
	home_address homeAddress address addresses adress x y running runs run runner krankenversicherung versicherung versicherungen kranken haus haustür
	ß straße Σίσυφος σας ΣΑΣ İstanbul ısparta ﬁne ｆｕｌｌ e\u0301cole école ﷺ नमस्ते 1234 12 iPhone15 \uf8ff a\uf8ffb d'l' l'école`)

func someWords(r *rand.Rand, most int) string {
	some := make([]string, 1+r.IntN(most))
	for i := range some {
		some[i] = indexWords[r.IntN(len(indexWords))]
		if r.IntN(8) == 0 {
			some[i] += indexWords[r.IntN(len(indexWords))]
		}
	}
	return strings.Join(some, " ")
}

// indexPair is the index of memories in both databases, with the same rows.
type indexPair struct {
	ix            index.Index
	dbs           [2]engine.DB
	ids           []int64
	lastID, moved int64
}

func newIndexPair(t *testing.T) *indexPair {
	t.Helper()
	file, err := sqlite.Open(t.Context(), sqlitetest.Path(t), sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { file.Close() })
	h := newHousehold(t, 1)
	return &indexPair{ix: memory.Indexes()[0], dbs: [2]engine.DB{file, h.people[0]}}
}

// write runs a write in both databases.
func (p *indexPair) write(t *testing.T, run func(t engine.Tx, owner any) error) {
	t.Helper()
	for _, db := range p.dbs {
		if err := db.Write(t.Context(), func(tx engine.Tx) error { return run(tx, db.Owner("ann")) }); err != nil {
			t.Fatal(err)
		}
	}
}

// insert adds a memory, after gap numbers that no memory has. PostgreSQL's numbers have none, so the
// statement gives the id.
func (p *indexPair) insert(t *testing.T, key, value string, tags ...string) {
	t.Helper()
	p.lastID++
	id := p.lastID + p.moved
	p.ids = append(p.ids, id)
	p.write(t, func(tx engine.Tx, owner any) error {
		return tx.Exec(`INSERT INTO memories (id, owner, key, norm, value, category, tags, source, importance, pinned, created, updated, version, stale)
			VALUES (?, ?, ?, ?, ?, 'notes', ?, '', 1, ?, 1, ?, 1, 1)`,
			id, owner, fmt.Sprint(key, " ", id), fmt.Sprint(id), string(store.EncodeJSON(value)), engine.JSONArray(tags), id%3 == 0, 1000*id)
	})
}

func (p *indexPair) change(t *testing.T, id int64, value string) {
	t.Helper()
	p.write(t, func(tx engine.Tx, owner any) error {
		return tx.Exec("UPDATE memories SET value = ?, stale = 1 WHERE id = ? AND owner = ?", string(store.EncodeJSON(value)), id, owner)
	})
}

func (p *indexPair) remove(t *testing.T, ids ...int64) {
	t.Helper()
	p.ids = slices.DeleteFunc(p.ids, func(id int64) bool { return slices.Contains(ids, id) })
	p.write(t, func(tx engine.Tx, owner any) error {
		if err := p.ix.Remove(tx, owner, ids); err != nil {
			return err
		}
		for _, id := range ids {
			if err := tx.Exec("DELETE FROM memories WHERE id = ? AND owner = ?", id, owner); err != nil {
				return err
			}
		}
		return nil
	})
}

func (p *indexPair) index(t *testing.T) {
	t.Helper()
	for _, db := range p.dbs {
		for stale := 1; stale > 0; { // in equal batches, so that new terms get their numbers in the same order
			err := index.IndexBatch(t.Context(), db, p.ix)
			if err == nil {
				stale, err = index.CountStale(t.Context(), db, p.ix)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
	}
}

func (p *indexPair) check(t *testing.T) {
	t.Helper()
	for i, db := range p.dbs {
		if err := index.Check(t.Context(), db, p.ix); err != nil {
			t.Errorf("database %d: %v", i, err)
		}
	}
}

// sources returns the searchable documents of both databases.
func (p *indexPair) sources() [2]search.Source {
	sources := [2]search.Source{}
	for i, db := range p.dbs {
		sources[i] = p.ix.Within(db, index.Scope{Where: "owner = ? AND deleted IS NULL", Args: []any{db.Owner("ann")}})
	}
	return sources
}

// both fails the test unless a question has the same answer in both databases.
func both[T any](t *testing.T, p *indexPair, name string, ask func(search.Source) (T, error)) T {
	t.Helper()
	answers := [2]T{}
	for i, source := range p.sources() {
		answer, err := ask(source)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		answers[i] = answer
	}
	if !reflect.DeepEqual(answers[0], answers[1]) {
		lines := [2][]string{}
		for i, answer := range answers {
			lines[i] = strings.Split(strings.ReplaceAll(fmt.Sprintf("%+v", answer), "} ", "}\n"), "\n")
		}
		t.Errorf("%s: (-SQLite +PostgreSQL)\n%s", name, gocmp.Diff(lines[0], lines[1]))
	}
	return answers[0]
}

// compare asks both databases the same random questions.
func (p *indexPair) compare(t *testing.T, r *rand.Rand) {
	t.Helper()
	ctx := t.Context()
	terms := search.Terms(someWords(r, 8))
	stems := []string{""}
	for _, term := range terms {
		stems = append(stems, search.Stem(term))
	}
	byText := func(a, b search.Term) int { return cmp.Compare(a.Text, b.Text) }
	both(t, p, fmt.Sprintf("stems %q", stems), func(x search.Source) ([]search.Term, error) {
		found, err := x.Stems(ctx, stems)
		slices.SortFunc(found, byText)
		return found, err
	})
	limit := []int{1, 3, 4000}[r.IntN(3)]
	queries := []search.SimilarQuery{}
	for _, term := range terms {
		letters := []rune(term)
		q := search.SimilarQuery{Parts: []string{term, term + "s", "haus"}}
		for i := range letters {
			start := string(letters[:i])
			q.Spelled = append(q.Spelled, search.Spelling{Size: len(letters), Prefix: start}, search.Spelling{Size: len(letters), Prefix: search.Reverse(string(letters[i:])), Backward: true})
			if i+3 <= len(letters) {
				q.Trigrams = append(q.Trigrams, string(letters[i:i+3]))
			}
		}
		q.Trigrams = q.Trigrams[:r.IntN(len(q.Trigrams)+1)]
		queries = append(queries, q)
	}
	both(t, p, fmt.Sprintf("similar %v", queries), func(x search.Source) ([]search.SimilarTerms, error) {
		found, err := x.Similar(ctx, queries, limit)
		for i := range found {
			found[i].Spelled = append([]search.Term{}, found[i].Spelled...)
			found[i].Containing = append([]search.Term{}, found[i].Containing...)
			found[i].Parts = append([]search.Term{}, found[i].Parts...)
			slices.SortFunc(found[i].Spelled, byText)
			slices.SortFunc(found[i].Parts, byText)
		}
		return found, err
	})
	asked := []search.PostingsQuery{}
	for range 4 {
		words := search.Terms(someWords(r, 4))
		if len(words) > 0 {
			asked = append(asked, search.PostingsQuery{Column: search.Column(r.IntN(2)), Words: words, Docs: r.IntN(10_000), Limit: []int{1, 5, 100_000}[r.IntN(3)]})
		}
	}
	asked = append(asked, search.PostingsQuery{Column: search.Initials, Words: []string{"ad", "hs", "xy"}[r.IntN(3):], Limit: 2000})
	labels := [][]string{nil, {"notes"}, {"notes", "apple"}, {"nothing"}}[r.IntN(4)]
	ids := []int64{}
	both(t, p, fmt.Sprintf("postings %v with %q", asked, labels), func(x search.Source) ([][]int64, error) {
		found := [][]int64{}
		read := x.Postings(ctx, labels, asked)
		for i := range asked {
			some, err := read(i)
			if err != nil {
				return nil, err
			}
			found, ids = append(found, some), append(ids, some...)
		}
		return found, nil
	})
	ids = append(ids, 1<<40, 0)
	slices.Sort(ids)
	ids = slices.Compact(ids)
	r.Shuffle(len(ids), func(i, j int) { ids[i], ids[j] = ids[j], ids[i] })
	both(t, p, "documents", func(x search.Source) ([]search.Candidate, error) {
		found, err := x.Documents(ctx, ids, 7)
		return values(found), err
	})
	both(t, p, "texts", func(x search.Source) (map[int64]string, error) { return x.Texts(ctx, ids, 200) })
	text := someWords(r, 4)
	now := p.dbs[0].Now()
	both(t, p, fmt.Sprintf("find %q", text), func(x search.Source) ([]string, error) {
		found, err := search.Find(ctx, x, text, nil, nil, now)
		search.SortByScore(found)
		scored := []string{}
		for _, c := range found {
			scored = append(scored, fmt.Sprint(c.ID, c.Score, c.Relevance, c.MatchKind, c.Matched))
		}
		return append(scored, string(search.ConfidenceOf(found))), err
	})
}

func values[T any](pointers []*T) []T {
	all := make([]T, len(pointers))
	for i, p := range pointers {
		all[i] = *p
	}
	return all
}

func TestIndexAnswersAsInSQLite(t *testing.T) {
	t.Parallel()
	for seed := range uint64(faulttest.Sample(t, 1, 3)) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			p, r := newIndexPair(t), rand.New(rand.NewPCG(seed, 9))
			for range 6 {
				for range 20 + r.IntN(60) {
					switch n := r.IntN(10); {
					case n < 7 || len(p.ids) == 0:
						p.moved += int64(r.IntN(2) * r.IntN(700)) // so that the rows are in several blocks
						p.insert(t, someWords(r, 3), someWords(r, 12), strings.Fields(someWords(r, 2))...)
					case n < 9:
						p.change(t, p.ids[r.IntN(len(p.ids))], someWords(r, 12))
					default:
						p.remove(t, p.ids[r.IntN(len(p.ids))])
					}
				}
				p.index(t)
				p.check(t)
				for range 15 {
					p.compare(t, r)
				}
				if t.Failed() {
					return
				}
			}
			p.remove(t, slices.Clone(p.ids)...)
			p.check(t)
			left := 0
			if err := p.dbs[1].Read(t.Context()).Row("SELECT (SELECT count(*) FROM terms) + (SELECT count(*) FROM blocks) + (SELECT count(*) FROM docs) + (SELECT sum(docs) FROM indexes)").Scan(&left); err != nil || left != 0 {
				t.Errorf("%d rows of the index are left without memories (%v)", left, err)
			}
		})
	}
}

func TestRebuildRepairsWhatCheckFinds(t *testing.T) {
	t.Parallel()
	p := newIndexPair(t)
	for i := range 5 {
		p.insert(t, "key", fmt.Sprint("apple tree ", i))
	}
	p.index(t)
	db := p.dbs[1]
	for name, damage := range map[string]string{
		"a document is missing":      "DELETE FROM docs WHERE id = 2",
		"a document is outdated":     "UPDATE docs SET body = 'plum' WHERE id = 2",
		"a memory was changed":       `UPDATE memories SET value = '"pear"' WHERE id = 2`,
		"a term is counted wrong":    "UPDATE terms SET docs = docs + 1 WHERE term = 'apple'",
		"a term is missing":          "DELETE FROM terms WHERE term = 'apple'",
		"initials are missing":       "DELETE FROM terms WHERE kind = 'M'",
		"documents are counted":      "UPDATE indexes SET docs = 7",
		"a list is missing":          "DELETE FROM blocks WHERE kind = 'm' AND term = (SELECT id FROM terms WHERE term = 'apple')",
		"a list lacks a row":         `UPDATE blocks SET list = '\x0014', n = 1 WHERE kind = 'm' AND term = (SELECT id FROM terms WHERE term = 'apple')`,
		"a list is no list":          `UPDATE blocks SET list = '\x001400' WHERE kind = 'm'`,
		"a list has no rows":         `INSERT INTO blocks (owner, kind, term, block, n, list) SELECT owner, kind, 99999, 0, 0, '' FROM indexes`,
		"the lists are empty":        "DELETE FROM blocks WHERE kind = 'm'",
		"the trigrams are empty":     "DELETE FROM blocks WHERE kind = 'x'",
		"the documents are all gone": "DELETE FROM docs",
	} {
		if err := db.Write(t.Context(), func(tx engine.Tx) error { return tx.Exec(damage) }); err != nil {
			t.Fatal(err)
		}
		if err := index.Check(t.Context(), db, p.ix); !errors.Is(err, store.ErrCorrupt) {
			t.Errorf("%s: check says %v", name, err)
		}
		progress := [2]int{}
		if err := index.Rebuild(t.Context(), db, func(done, total int) { progress = [2]int{done, total} }, p.ix); err != nil || progress != [2]int{5, 5} {
			t.Fatalf("%s: rebuilt %v: %v", name, progress, err)
		}
		if err := index.Check(t.Context(), db, p.ix); err != nil {
			t.Errorf("%s: after a rebuild: %v", name, err)
		}
	}
}

// TestIndexBelongsToOnePerson checks that nobody sees how rare the words of others are.
func TestIndexBelongsToOnePerson(t *testing.T) {
	t.Parallel()
	h := newHousehold(t, 2)
	ix := memory.Indexes()[0]
	for i, db := range h.people {
		word := []string{"apple", "pear"}[i]
		err := db.Write(t.Context(), func(tx engine.Tx) error {
			return tx.Exec(`INSERT INTO memories (id, owner, key, norm, value, category, tags, source, importance, pinned, created, updated, version, stale)
				VALUES (1, ?, ?, ?, ?, '', '[]', '', 1, 0, 1, 1, 1, 1)`, db.Owner(""), word, word, string(store.EncodeJSON(word)))
		})
		if err == nil {
			err = ix.IndexAll(t.Context(), db)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	for i, db := range h.people {
		found, err := ix.Within(db, index.Scope{Where: "true"}).Stems(context.Background(), []string{"appl", "pear", ""})
		slices.SortFunc(found, func(a, b search.Term) int { return cmp.Compare(a.Text, b.Text) })
		want := []search.Term{{Docs: 1}, {Text: []string{"apple", "pear"}[i], Docs: 1}}
		if err != nil || !reflect.DeepEqual(found, want) {
			t.Errorf("person %d sees %v: %v", i, found, err)
		}
	}
}
