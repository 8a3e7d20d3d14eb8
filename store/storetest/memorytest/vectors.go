package memorytest

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"kota/store"
	"kota/store/semantic"
	"kota/store/semantic/semantictest"
	"kota/store/storetest"
)

var vectorsContract = storetest.Contract{
	"a match by meaning never has high confidence":       meaningNeverHasHighConfidence,
	"meaning ranks before one word of many":              meaningRanksBeforeOneWordOfMany,
	"a search by meaning applies the filter":             meaningAppliesTheFilter,
	"a match by words with high confidence stays first":  highConfidenceStaysFirst,
	"another process requests no vector again":           vectorsAreKeptForOtherProcesses,
	"a memory changed while its vector is made has none": changedMemoriesGetNoVector,
	"a change, deletion or erasure removes the vector":   changesRemoveVectors,
	"secrets are not sent to an endpoint":                secretsNeedNoVector,
	"memories without a vector are listed in parts":      missingVectorsAreListedInParts,
	"vectors have a model and a size":                    vectorsHaveAModelAndASize,
	"a vector cache stores nothing":                      cachedVectorsAreNotStored,
	"vectors of texts ignore other models":               textVectorsIgnoreOtherModels,
	"vectors of texts are kept for other processes":      textVectorsAreKept,
}

// A semanticDB is a database whose memories can be searched by meaning.
type semanticDB struct {
	t        *testing.T
	endpoint *semantictest.Endpoint
	db       storetest.Database
	m        storetest.Memories
	space    *semantic.Space
}

func newSemanticDB(t *testing.T, db storetest.Database) *semanticDB {
	t.Helper()
	e := semantictest.Serve(t, map[string]string{"limousine": "car", "healer": "doctor"})
	return reopenSemantic(t, db, e)
}

// reopenSemantic returns another client for the same database, like another process.
func reopenSemantic(t *testing.T, db storetest.Database, e *semantictest.Endpoint) *semanticDB {
	c := semantic.New(semantic.Options{Endpoint: e.URL, Model: "bag"})
	t.Cleanup(c.Close)
	m := db.Memories("ann")
	space := semantic.NewSpace(c, semantic.NewThreshold(db.TextVectors("ann")), func(context.Context) (semantic.Source, error) { return db.MemoryVectors("ann"), nil })
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
	if err := w.db.MemoryVectors("ann").Vectors(w.t.Context(), "bag", 512, func(id int64, v semantic.Vector) { kept[id] = v }); err != nil {
		w.t.Fatal(err)
	}
	return kept
}

func setSome(t *testing.T, m storetest.Memories) {
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

func meaningNeverHasHighConfidence(t *testing.T, open storetest.Opener) {
	w := newSemanticDB(t, open(time.Now))
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

func meaningRanksBeforeOneWordOfMany(t *testing.T, open storetest.Opener) {
	w := newSemanticDB(t, open(time.Now))
	setSome(t, w.m)
	const query = "healer healer corner invoice surgery"
	if got := recall(t, w.m, store.RecallQuery{Text: query}); got.Confidence != store.ConfidenceLow || !slices.Equal(hits(got), []string{"bread"}) {
		t.Errorf("by words: %s confidence in %q", got.Confidence, hits(got))
	}
	if got := w.ask(store.RecallQuery{Text: query}); got.Confidence != store.ConfidenceLow || !slices.Equal(hits(got), []string{"doctor", "bread"}) {
		t.Errorf("by meaning: %s confidence in %q", got.Confidence, hits(got))
	}
}

func meaningAppliesTheFilter(t *testing.T, open storetest.Opener) {
	w := newSemanticDB(t, open(time.Now))
	setSome(t, w.m)
	set(t, w.db.Memories("bob"), store.Entry{Key: "bob's car", Value: jsonText("a red one")})
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

func highConfidenceStaysFirst(t *testing.T, open storetest.Opener) {
	w := newSemanticDB(t, open(time.Now))
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

func vectorsAreKeptForOtherProcesses(t *testing.T, open storetest.Opener) {
	db, now := storetest.WithClock(open)
	w := newSemanticDB(t, db)
	setSome(t, w.m)
	set(t, w.m, store.Entry{Key: "parking", Value: jsonText("the car stands there"), Expires: now.Now().Add(time.Hour)})
	w.ask(store.RecallQuery{Text: "limousine"})
	w.endpoint.Texts()
	w = reopenSemantic(t, open(now.Now), w.endpoint)
	if got := w.ask(store.RecallQuery{Text: "limousine"}); len(got.Hits) != 3 || !slices.Equal(w.endpoint.Texts(), []string{"limousine"}) {
		t.Errorf("found %q and sent more than the query", hits(got))
	}
	set(t, w.m, store.Entry{Key: "bread", Value: jsonText("in the car")})
	now.Set(now.Now().Add(2 * time.Hour))
	if got := w.ask(store.RecallQuery{Text: "limousine"}); len(got.Hits) != 3 || slices.Contains(hits(got), "parking") {
		t.Errorf("after a change and an expiry: found %q", hits(got))
	}
	if sent := w.endpoint.Texts(); !slices.Equal(sent, []string{"limousine", "bread: in the car"}) {
		t.Errorf("sent %q", sent)
	}
}

func changedMemoriesGetNoVector(t *testing.T, open storetest.Opener) {
	db := open(time.Now)
	m := db.Memories("ann")
	setSome(t, m)
	items, err := db.MemoryVectors("ann").Missing(t.Context(), "bag", 2, -1, 10)
	if err != nil || len(items) != 4 {
		t.Fatalf("missing: %v, %v", items, err)
	}
	if _, err := m.Delete(t.Context(), store.Target{Key: "doctor"}, false); err != nil {
		t.Fatal(err)
	}
	set(t, m, store.Entry{Key: "bread", Value: jsonText("changed")})
	v := semantic.Vector{1, 0}
	if err := db.MemoryVectors("ann").Keep(t.Context(), "bag", items, []semantic.Vector{v, v, v, v}); err != nil {
		t.Fatal(err)
	}
	kept := 0
	err = db.MemoryVectors("ann").Vectors(t.Context(), "bag", 2, func(int64, semantic.Vector) { kept++ })
	if err != nil || kept != 2 {
		t.Errorf("%d vectors were kept, %v", kept, err)
	}
}

func cachedVectorsAreNotStored(t *testing.T, open storetest.Opener) {
	w := newSemanticDB(t, open(time.Now))
	setSome(t, w.m)
	source := new(semantic.VectorCache).Wrap(w.db.MemoryVectors("ann"))
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
		t.Errorf("%d vectors are stored", n)
	}
}

func textVectorsIgnoreOtherModels(t *testing.T, open storetest.Opener) {
	vectors := open(time.Now).TextVectors("ann")
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

// vectorKeys returns the keys of the memories of ann that have a vector of two numbers.
func vectorKeys(t *testing.T, db storetest.Database) []string {
	t.Helper()
	byID, keys := map[int64]string{}, []string{}
	for _, m := range list(t, db.Memories("ann")) {
		byID[m.ID] = m.Key
	}
	err := db.MemoryVectors("ann").Vectors(t.Context(), "bag", 2, func(id int64, v semantic.Vector) {
		if !slices.Equal(v, semantic.Vector{1, 0}) {
			t.Errorf("%s has the vector %v", byID[id], v)
		}
		keys = append(keys, byID[id])
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(keys)
	return keys
}

func list(t *testing.T, m storetest.Memories) []*store.Memory {
	t.Helper()
	listed, next, err := m.List(t.Context(), store.Filter{}, store.Page{Limit: 100})
	if err != nil || next != "" {
		t.Fatal(next, err)
	}
	return listed
}

// keepVectors stores the same vector of two numbers for all memories of ann without one.
func keepVectors(t *testing.T, db storetest.Database) {
	t.Helper()
	items, err := db.MemoryVectors("ann").Missing(t.Context(), "bag", 2, -1, 100)
	if err != nil {
		t.Fatal(err)
	}
	if err := db.MemoryVectors("ann").Keep(t.Context(), "bag", items, slices.Repeat([]semantic.Vector{{1, 0}}, len(items))); err != nil {
		t.Fatal(err)
	}
}

func changesRemoveVectors(t *testing.T, open storetest.Opener) {
	db := open(time.Now)
	m := db.Memories("ann")
	setSome(t, m)
	set(t, m, store.Entry{Key: "stays", Value: jsonText("x")})
	set(t, db.Memories("bob"), store.Entry{Key: "bob's", Value: jsonText("x")})
	keepVectors(t, db)
	if got, want := vectorKeys(t, db), []string{"bread", "car insurance", "doctor", "garage", "stays"}; !slices.Equal(got, want) {
		t.Fatalf("at first: %q", got)
	}
	set(t, m, store.Entry{Key: "bread", Value: jsonText("changed")})
	deleted, err := m.Delete(t.Context(), store.Target{Key: "doctor"}, false)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := m.Erase(t.Context(), store.Target{Key: "garage"}, false); err != nil {
		t.Fatal(err)
	}
	edit(t, m, store.Edit{Key: "car insurance", RenameTo: "insurance"})
	if got := vectorKeys(t, db); !slices.Equal(got, []string{"stays"}) {
		t.Errorf("after the changes: %q", got)
	}
	if _, err := m.Restore(t.Context(), deleted.Undo); err != nil {
		t.Fatal(err)
	}
	if got := vectorKeys(t, db); !slices.Equal(got, []string{"stays"}) {
		t.Errorf("after a restore: %q", got)
	}
}

func secretsNeedNoVector(t *testing.T, open storetest.Opener) {
	db := open(time.Now)
	m := db.Memories("ann")
	set(t, m, store.Entry{Key: "wifi", Value: jsonText("plain")})
	keepVectors(t, db)
	edit(t, m, store.Edit{Key: "wifi", Secret: new(true)})
	setSecret(t, m, "pin", "1234")
	if missing, err := db.MemoryVectors("ann").Missing(t.Context(), "bag", 2, -1, 9); err != nil || len(missing) != 0 {
		t.Errorf("an embedding is made of %+v, %v", missing, err)
	}
	if got := vectorKeys(t, db); len(got) != 0 {
		t.Errorf("secrets with a vector: %q", got)
	}
}

func missingVectorsAreListedInParts(t *testing.T, open storetest.Opener) {
	db, now := storetest.WithClock(open)
	m := db.Memories("ann")
	private := "private"
	set(t, m, store.Entry{Key: "userName", Value: []byte(`{"first":"Ann","last":["Frei"]}`), Category: &private, Tags: []string{"me", "name"}})
	set(t, db.Memories("bob"), store.Entry{Key: "bob's", Value: jsonText("x")})
	set(t, m, store.Entry{Key: "expires", Value: jsonText("x"), Expires: now.Now().Add(time.Minute)})
	set(t, m, store.Entry{Key: "last", Value: jsonText("y")})
	now.Set(now.Now().Add(time.Minute))
	texts, after := []string{}, int64(-1)
	for range 3 {
		items, err := db.MemoryVectors("ann").Missing(t.Context(), "bag", 2, after, 1)
		if err != nil || len(items) > 1 {
			t.Fatal(items, err)
		}
		for _, one := range items {
			texts, after = append(texts, one.Text), one.ID
		}
	}
	if want := []string{"user name private me name: first: Ann, last: Frei", "last: y"}; !slices.Equal(texts, want) {
		t.Errorf("got %q, want %q", texts, want)
	}
}

func vectorsHaveAModelAndASize(t *testing.T, open storetest.Opener) {
	db := open(time.Now)
	set(t, db.Memories("ann"), store.Entry{Key: "k", Value: jsonText("x")})
	keepVectors(t, db)
	source := db.MemoryVectors("ann")
	for _, tt := range []struct {
		model string
		size  int
		has   int
	}{{"bag", 2, 1}, {"bag", 3, 0}, {"other", 2, 0}} {
		n := 0
		if err := source.Vectors(t.Context(), tt.model, tt.size, func(int64, semantic.Vector) { n++ }); err != nil || n != tt.has {
			t.Errorf("%+v: %d vectors, %v", tt, n, err)
		}
		if missing, err := source.Missing(t.Context(), tt.model, tt.size, 0, 9); err != nil || len(missing) != 1-tt.has {
			t.Errorf("%+v: without a vector are %+v, %v", tt, missing, err)
		}
	}
	missing, err := source.Missing(t.Context(), "other", 2, 0, 9)
	if err != nil {
		t.Fatal(err)
	}
	if err := source.Keep(t.Context(), "other", missing, []semantic.Vector{{0, 1}}); err != nil {
		t.Fatal(err)
	}
	if got := vectorKeys(t, db); len(got) != 0 {
		t.Errorf("the vector of the earlier model stays: %q", got)
	}
}

func textVectorsAreKept(t *testing.T, open storetest.Opener) {
	stored := map[string]semantic.Vector{"a": {1, -0.5}, "b": {0.25, 3e-38}}
	if err := open(time.Now).TextVectors("ann").Save(t.Context(), "m", stored); err != nil {
		t.Fatal(err)
	}
	vectors := open(time.Now).TextVectors("ann")
	got, err := vectors.Load(t.Context(), "m", []string{"a", "b", "c"})
	if err != nil || len(got) != 2 || !slices.Equal(got["a"], stored["a"]) || !slices.Equal(got["b"], stored["b"]) {
		t.Errorf("got %v, %v", got, err)
	}
	if got, err := vectors.Load(t.Context(), "m", nil); err != nil || len(got) != 0 {
		t.Errorf("without hashes: %v, %v", got, err)
	}
}
