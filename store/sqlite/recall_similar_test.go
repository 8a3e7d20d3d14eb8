package sqlite_test

import (
	"bytes"
	"context"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"kota/store"
	"kota/store/semantic"
	"kota/store/semantic/semantictest"
	"kota/store/sqlite"
	"kota/store/sqlite/memory"
)

// A semanticDB is a database whose memories can be searched by meaning.
type semanticDB struct {
	t        *testing.T
	endpoint *semantictest.Endpoint
	db       *sqlite.DB
	m        *memory.Store
	space    *semantic.Space
}

func newSemanticDB(t *testing.T, db *sqlite.DB) *semanticDB {
	t.Helper()
	e := semantictest.Serve(t, map[string]string{"limousine": "car", "healer": "doctor"})
	return reopenSemantic(t, db, e)
}

// reopenSemantic returns another client for the same database, like another process.
func reopenSemantic(t *testing.T, db *sqlite.DB, e *semantictest.Endpoint) *semanticDB {
	c := semantic.New(semantic.Options{Endpoint: e.URL, Model: "bag"})
	t.Cleanup(c.Close)
	m := memory.New(db, "ann")
	space := semantic.NewSpace(c, semantic.NewThreshold(memory.NewTextVectors(db)), func(context.Context) (semantic.Source, error) { return m.Vectors(), nil })
	return &semanticDB{t, e, db, m, space}
}

func (w *semanticDB) ask(q store.RecallQuery) store.RecallResult {
	w.t.Helper()
	q.Similar = func(ctx context.Context) []semantic.Match {
		near, err := w.space.Search(ctx, q.Text)
		if err != nil {
			w.t.Errorf("near %q: %v", q.Text, err)
		}
		return near
	}
	return recall(w.t, w.m, q)
}

// vectors returns the stored vectors by memory id.
func (w *semanticDB) vectors() map[int64]semantic.Vector {
	w.t.Helper()
	kept := map[int64]semantic.Vector{}
	if err := w.m.Vectors().Vectors(w.t.Context(), "bag", 512, func(id int64, v semantic.Vector) { kept[id] = v }); err != nil {
		w.t.Fatal(err)
	}
	return kept
}

func setSome(t *testing.T, m *memory.Store) {
	t.Helper()
	private := "private"
	for _, e := range []store.Entry{
		{Key: "car insurance", Value: jsonText("with Helvetia"), Category: &private},
		{Key: "doctor", Value: jsonText("Emma Frei, Seestrasse 4")},
		{Key: "bread", Value: jsonText("the bakery at the corner")},
		{Key: "garage", Value: jsonText("the car is washed there")},
	} {
		set(t, m, e)
	}
}

func TestRecallByMeaningNeverHasHighConfidence(t *testing.T) {
	w := newSemanticDB(t, open(t))
	setSome(t, w.m)
	for query, want := range map[string]string{"limousine": "garage, car insurance", "healer": "doctor", "the healer of my limousine": "doctor, garage, car insurance"} {
		if got := recall(t, w.m, store.RecallQuery{Text: query}); got.Confidence != store.ConfidenceNone {
			t.Errorf("%q has words of %q, so this test checks nothing", query, hits(got))
		}
		got := w.ask(store.RecallQuery{Text: query})
		if strings.Join(hits(got), ", ") != want || got.Confidence != store.ConfidenceLow || got.Hits[0].MatchKind != store.MatchMeaning || len(got.Nearest) != 0 {
			t.Errorf("%q: found %q, %s, %+v", query, hits(got), got.Confidence, got.Hits)
		}
	}
	if got := w.ask(store.RecallQuery{Text: "football results"}); got.Confidence != store.ConfidenceNone || len(got.Hits) != 0 {
		t.Errorf("a query without a match: %q, %s", hits(got), got.Confidence)
	}
}

func TestMeaningRanksBeforeOneWordOfMany(t *testing.T) {
	w := newSemanticDB(t, open(t))
	setSome(t, w.m)
	const query = "healer healer corner invoice surgery"
	if got := recall(t, w.m, store.RecallQuery{Text: query}); got.Confidence != store.ConfidenceLow || !slices.Equal(hits(got), []string{"bread"}) {
		t.Errorf("by words: %s confidence in %q", got.Confidence, hits(got))
	}
	if got := w.ask(store.RecallQuery{Text: query}); got.Confidence != store.ConfidenceLow || !slices.Equal(hits(got), []string{"doctor", "bread"}) {
		t.Errorf("by meaning: %s confidence in %q", got.Confidence, hits(got))
	}
}

func TestRecallByMeaningAppliesTheFilter(t *testing.T) {
	w := newSemanticDB(t, open(t))
	setSome(t, w.m)
	set(t, memory.New(w.db, "bob"), store.Entry{Key: "bob's car", Value: jsonText("a red one")})
	got := w.ask(store.RecallQuery{Text: "limousine", Filter: store.Filter{Category: "private"}})
	if !slices.Equal(hits(got), []string{"car insurance"}) {
		t.Errorf("found %q", hits(got))
	}
	if part := w.ask(store.RecallQuery{Text: "limousine", Limit: 1}); len(part.Hits) != 1 || part.Next == "" {
		t.Errorf("the first part: %q, next %q", hits(part), part.Next)
	} else if rest := w.ask(store.RecallQuery{Text: "limousine", Limit: 1, Cursor: part.Next}); !slices.Equal(hits(rest), []string{"car insurance"}) || rest.Next != "" {
		t.Errorf("the second part: %q", hits(rest))
	}
}

func TestHighConfidenceMatchByWordsStaysFirst(t *testing.T) {
	w := newSemanticDB(t, open(t))
	setSome(t, w.m)
	set(t, w.m, store.Entry{Key: "limousine club", Value: jsonText("member 77")})
	for _, query := range []string{"limousine club", "the club"} {
		got := w.ask(store.RecallQuery{Text: query})
		if got.Confidence != store.ConfidenceHigh || got.Hits[0].Memory.Key != "limousine club" {
			t.Errorf("%q: found %q, %s", query, hits(got), got.Confidence)
		}
	}
	asked := w.endpoint.Requests()
	if got := w.ask(store.RecallQuery{Text: "the club", Limit: 1}); got.Confidence != store.ConfidenceHigh || w.endpoint.Requests() != asked {
		t.Errorf("a result with high confidence: %s, asked the endpoint: %v", got.Confidence, w.endpoint.Requests() != asked)
	}
}

func TestVectorLeavesTheFileWithItsText(t *testing.T) {
	path := filepath.Join(t.TempDir(), "kota.db")
	db := openAt(t, path, sqlite.Options{})
	w := newSemanticDB(t, db)
	setSome(t, w.m)
	w.ask(store.RecallQuery{Text: "limousine"})
	vectors := map[string][]byte{}
	for _, key := range []string{"garage", "doctor", "bread"} {
		found, err := w.m.Get(t.Context(), key)
		if err != nil {
			t.Fatal(err)
		}
		vectors[key] = w.vectors()[found.ID].Bytes()
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	for key, vector := range vectors {
		if !bytes.Contains(read(t, path), vector) {
			t.Fatalf("the vector of %s is not in the file", key)
		}
	}

	w = reopenSemantic(t, openAt(t, path, sqlite.Options{}), w.endpoint)
	if _, err := w.m.Delete(t.Context(), store.Target{Key: "garage"}, false); err != nil {
		t.Fatal(err)
	}
	set(t, w.m, store.Entry{Key: "doctor", Value: jsonText("none")})
	if _, err := w.m.Erase(t.Context(), store.Target{Key: "bread"}, false); err != nil {
		t.Fatal(err)
	}
	if err := w.db.Close(); err != nil {
		t.Fatal(err)
	}
	for key, vector := range vectors {
		if bytes.Contains(read(t, path), vector) {
			t.Errorf("the vector of %s is still in the file", key)
		}
	}
}

func TestAnotherProcessRequestsNoVectorAgain(t *testing.T) {
	now := newClock()
	db := openAt(t, filepath.Join(t.TempDir(), "kota.db"), sqlite.Options{Now: now.now})
	w := newSemanticDB(t, db)
	setSome(t, w.m)
	set(t, w.m, store.Entry{Key: "parking", Value: jsonText("the car stands there"), Expires: now.now().Add(time.Hour)})
	w.ask(store.RecallQuery{Text: "limousine"})
	w.endpoint.Texts()
	w = reopenSemantic(t, db, w.endpoint)
	if got := w.ask(store.RecallQuery{Text: "limousine"}); len(got.Hits) != 3 || !slices.Equal(w.endpoint.Texts(), []string{"limousine"}) {
		t.Errorf("found %q and sent more than the query", hits(got))
	}
	set(t, w.m, store.Entry{Key: "bread", Value: jsonText("in the car")})
	now.set(now.now().Add(2 * time.Hour))
	if got := w.ask(store.RecallQuery{Text: "limousine"}); len(got.Hits) != 3 || slices.Contains(hits(got), "parking") {
		t.Errorf("after a change and an expiry: found %q", hits(got))
	}
	if sent := w.endpoint.Texts(); !slices.Equal(sent, []string{"limousine", "bread: in the car"}) {
		t.Errorf("sent %q", sent)
	}
}

func TestMemoryDeletedWhileItsVectorIsMadeGetsNone(t *testing.T) {
	db := open(t)
	m := memory.New(db, "ann")
	setSome(t, m)
	items, err := m.Vectors().Missing(t.Context(), "bag", 2, -1, 10)
	if err != nil || len(items) != 4 {
		t.Fatalf("missing: %v, %v", items, err)
	}
	if _, err := m.Delete(t.Context(), store.Target{Key: "doctor"}, false); err != nil {
		t.Fatal(err)
	}
	set(t, m, store.Entry{Key: "bread", Value: jsonText("changed")})
	v := semantic.Vector{1, 0}
	if err := m.Vectors().Keep(t.Context(), "bag", items, []semantic.Vector{v, v, v, v}); err != nil {
		t.Fatal(err)
	}
	kept := 0
	err = m.Vectors().Vectors(t.Context(), "bag", 2, func(int64, semantic.Vector) { kept++ })
	if err != nil || kept != 2 {
		t.Errorf("%d vectors were kept, %v", kept, err)
	}
}

func TestVectorCacheChangesNoByteOfTheFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "kota.db")
	db := openAt(t, path, sqlite.Options{})
	w := newSemanticDB(t, db)
	setSome(t, w.m)
	source := new(semantic.VectorCache).Wrap(w.m.Vectors())
	c := semantic.New(semantic.Options{Endpoint: w.endpoint.URL, Model: "bag"})
	defer c.Close()
	w.space = semantic.NewSpace(c, semantic.NewThreshold(nil), func(context.Context) (semantic.Source, error) { return source, nil })
	for range 2 {
		if got := w.ask(store.RecallQuery{Text: "limousine"}); !slices.Equal(hits(got), []string{"garage", "car insurance"}) {
			t.Errorf("found %q", hits(got))
		}
	}
	set(t, w.m, store.Entry{Key: "garage", Value: jsonText("closed")})
	if got := w.ask(store.RecallQuery{Text: "limousine"}); !slices.Equal(hits(got), []string{"car insurance"}) {
		t.Errorf("after a change: found %q", hits(got))
	}
	if n := len(w.vectors()); n != 0 {
		t.Errorf("%d vectors are in the file", n)
	}
}

func TestTextVectorsIgnoreOtherModels(t *testing.T) {
	vectors := memory.NewTextVectors(open(t))
	keep := func(model string, v semantic.Vector) {
		t.Helper()
		if err := vectors.Save(t.Context(), model, map[string]semantic.Vector{"hash": v}); err != nil {
			t.Fatal(err)
		}
	}
	keep("old", semantic.Vector{1, 0})
	keep("new", semantic.Vector{0, 1})
	for model, want := range map[string]semantic.Vector{"old": nil, "new": {0, 1}} {
		if got, err := vectors.Load(t.Context(), model, []string{"hash", "other"}); err != nil || !slices.Equal(got["hash"], want) {
			t.Errorf("%s: got %v, %v, want %v", model, got, err, want)
		}
	}
}
