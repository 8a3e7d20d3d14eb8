package semantic_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"kota/store/semantic"
	"kota/store/semantic/semantictest"
)

var synonyms = map[string]string{"automobile": "car", "physician": "doctor"}

var catalogue = []string{"repair the car", "call the doctor", "water the plants", "buy bread and cheese"}

// A ramStore is a VectorStore in RAM. Several clients may share it.
type ramStore struct {
	mu      sync.Mutex
	vectors map[string]semantic.Vector
}

func (s *ramStore) Load(context.Context, string, []string) (map[string]semantic.Vector, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return maps.Clone(s.vectors), nil
}

func (s *ramStore) Save(_ context.Context, _ string, vectors map[string]semantic.Vector) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	maps.Copy(s.vectors, vectors)
	return nil
}

func newRAMStore() *ramStore { return &ramStore{vectors: map[string]semantic.Vector{}} }

func client(t *testing.T, e *semantictest.Endpoint) *semantic.Client {
	t.Helper()
	c := semantic.New(semantic.Options{Endpoint: e.URL, Model: "bag", Key: e.Key})
	t.Cleanup(c.Close)
	return c
}

// space returns a space of texts with its own cache, as one process has.
func space(c *semantic.Client, s semantic.VectorStore, texts ...string) *semantic.Space {
	source := semantic.NewTexts(texts, s)
	return semantic.NewSpace(c, semantic.NewThreshold(s), func(context.Context) (semantic.Source, error) { return source, nil })
}

func idsOf(near []semantic.Match) []int64 {
	found := []int64{}
	for _, n := range near {
		found = append(found, n.ID)
	}
	return found
}

func TestSearchFindsTextsByMeaning(t *testing.T) {
	s := space(client(t, semantictest.Serve(t, synonyms)), nil, catalogue...)
	for query, want := range map[string][]int64{
		"automobile":                  {0},
		"my physician":                {1},
		"the automobile of my doctor": {0, 1}, // equally similar, so ordered by id
		"football results":            {},
	} {
		near, err := s.Search(t.Context(), query)
		if err != nil || !slices.Equal(idsOf(near), want) {
			t.Errorf("%q: found %v, %v, want %v", query, near, err, want)
		}
	}
}

func TestOnlyChangedTextsAreRequestedAgain(t *testing.T) {
	e, vectors := semantictest.Serve(t, synonyms), newRAMStore()
	ask := func(texts ...string) []string {
		t.Helper()
		if _, err := space(client(t, e), vectors, texts...).Search(t.Context(), "automobile"); err != nil {
			t.Fatal(err)
		}
		return e.Texts()
	}
	if first := ask(catalogue...); len(first) < len(catalogue)+2 {
		t.Errorf("first sent only %q", first)
	}
	if again := ask(catalogue...); !slices.Equal(again, []string{"automobile"}) {
		t.Errorf("another process sent %q", again)
	}
	changed := append(slices.Clone(catalogue[:3]), "buy ham")
	if then := ask(changed...); !slices.Equal(then, []string{"automobile", "buy ham"}) {
		t.Errorf("after a change %q was sent", then)
	}
	e.Resize(100)
	if resized := ask(catalogue...); len(resized) < len(catalogue)+2 {
		t.Errorf("after a change of the vector size only %q was sent", resized)
	}
}

func TestEndpointFailureIsAnErrorWithoutASecondRequest(t *testing.T) {
	elsewhere := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("a redirect was followed") }))
	defer elsewhere.Close()
	says := func(text string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, text) }
	}
	for name, c := range map[string]struct {
		answer http.HandlerFunc
		want   string
	}{
		"500": {func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(500) }, "HTTP 500"},
		"429": {func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(429) }, "HTTP 429"},
		"a redirect": {func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, elsewhere.URL, http.StatusTemporaryRedirect)
		}, "HTTP 307"},
		"HTML":                       {says("<html>sign in</html>"), "text that is not JSON with embeddings"},
		"nothing":                    {says(""), "text that is not JSON with embeddings"},
		"no vector":                  {says(`{"data": []}`), "0 vectors for 1 texts"},
		"an index of no text":        {says(`{"data": [{"index": 3, "embedding": [1, 2]}]}`), "not sent"},
		"zeros":                      {says(`{"data": [{"index": 0, "embedding": [0, 0]}]}`), "an unusable vector"},
		"an empty vector":            {says(`{"data": [{"index": 0, "embedding": []}]}`), "an unusable vector"},
		"a vector that is too long":  {says(`{"data": [{"index": 0, "embedding": [1` + strings.Repeat(",1", 20_000) + `]}]}`), "an unusable vector"},
		"a text instead of a vector": {says(`{"data": [{"index": 0, "embedding": "AAAA"}]}`), "text that is not JSON with embeddings"},
		"a huge response":            {says(strings.Repeat(" ", 9<<20)), "more than 8 MiB"},
		"half a response": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "100")
			_, _ = io.WriteString(w, `{"data"`)
		}, "an incomplete answer"},
		"a closed connection": {func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }, "does not answer"},
	} {
		t.Run(name, func(t *testing.T) {
			e := semantictest.Serve(t, nil)
			e.Answer(c.answer)
			s := space(client(t, e), nil, catalogue...)
			for range 3 {
				near, err := s.Search(t.Context(), "automobile")
				failure := (*semantic.Error)(nil)
				if !errors.As(err, &failure) || !strings.Contains(err.Error(), c.want) || near != nil {
					t.Errorf("got %v, %v, want %q", near, err, c.want)
				}
			}
			if n := e.Requests(); n != 1 {
				t.Errorf("%d requests", n)
			}
		})
	}
}

func TestRecoveredEndpointIsUsedAfterAMinute(t *testing.T) {
	e := semantictest.Serve(t, synonyms)
	now := time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)
	c := semantic.New(semantic.Options{Endpoint: e.URL, Model: "bag", Now: func() time.Time { return now }})
	defer c.Close()
	s := space(c, nil, catalogue...)
	e.Answer(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(503) })
	if _, err := s.Search(t.Context(), "automobile"); err == nil {
		t.Error("no error")
	}
	e.Answer(nil)
	now = now.Add(59 * time.Second)
	if _, err := s.Search(t.Context(), "automobile"); err == nil || e.Requests() != 1 {
		t.Errorf("within one minute: %v, %d requests", err, e.Requests())
	}
	now = now.Add(time.Second)
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := s.Search(cancelled, "automobile"); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled first search: %v", err)
	}
	if near, err := s.Search(t.Context(), "automobile"); err != nil || len(near) != 1 {
		t.Errorf("after one minute: %v, %v", near, err)
	}
}

func TestCancelledSearchDoesNotBlockTheEndpoint(t *testing.T) {
	e := semantictest.Serve(t, synonyms)
	s := space(client(t, e), nil, catalogue...)
	ctx, cancel := context.WithCancel(t.Context())
	e.Answer(func(_ http.ResponseWriter, r *http.Request) { cancel(); <-r.Context().Done() })
	if _, err := s.Search(ctx, "automobile"); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	e.Answer(nil)
	if near, err := s.Search(t.Context(), "automobile"); err != nil || len(near) != 1 {
		t.Errorf("the next search: %v, %v", near, err)
	}
}

func TestCancelledCallDoesNotEndThePauseOfAnother(t *testing.T) {
	e := semantictest.Serve(t, nil)
	c := client(t, e)
	started, ended := make(chan struct{}), make(chan struct{})
	e.Answer(func(_ http.ResponseWriter, r *http.Request) { close(started); <-r.Context().Done() })
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		defer close(ended)
		if _, err := c.Query(ctx, "automobile"); !errors.Is(err, context.Canceled) {
			t.Errorf("the cancelled call: %v", err)
		}
	}()
	<-started
	e.Answer(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(503) })
	if _, err := c.Query(t.Context(), "automobile"); err == nil {
		t.Error("no error")
	}
	cancel()
	<-ended
	if _, err := c.Query(t.Context(), "automobile"); err == nil || e.Requests() != 2 {
		t.Errorf("in the pause: %v, %d requests", err, e.Requests())
	}
}

func TestSilentEndpointTimesOutOnce(t *testing.T) {
	e := semantictest.Serve(t, nil)
	e.Answer(func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
	s := space(client(t, e), nil, catalogue...)
	for range 5 {
		if _, err := s.Search(t.Context(), "automobile"); err == nil || !strings.Contains(err.Error(), "did not answer within 1.5s") {
			t.Errorf("got %v", err)
		}
	}
	if n := e.Requests(); n != 1 {
		t.Errorf("%d requests", n)
	}
}

func TestRefusedTextDoesNotBlockOtherTexts(t *testing.T) {
	e := semantictest.Serve(t, synonyms)
	e.RefuseTextsWith("poison")
	texts := append(slices.Clone(catalogue), "poison")
	for i := range 30 {
		texts = append(texts, fmt.Sprintf("filler of number%d", i))
	}
	texts = append(texts, "wash the car")
	s := space(client(t, e), nil, texts...)
	for range 2 {
		e.Texts()
		near, err := s.Search(t.Context(), "automobile")
		if err != nil || !slices.Equal(idsOf(near), []int64{0, int64(len(texts) - 1)}) {
			t.Errorf("found %v, %v", near, err)
		}
	}
	if sent := e.Texts(); !slices.Equal(sent, []string{"automobile"}) {
		t.Errorf("the second search sent %q", sent)
	}
}

func TestModelThatCannotSeparateAnswersIsNotUsed(t *testing.T) {
	e := semantictest.Serve(t, nil)
	e.Resize(1)
	near, err := space(client(t, e), nil, catalogue...).Search(t.Context(), "automobile")
	if err == nil || !strings.Contains(err.Error(), "as similar to wrong answers") || len(near) != 0 {
		t.Errorf("found %v, %v", near, err)
	}
}

func TestKeyIsSentOnlyToTheEndpointAndIsInNoError(t *testing.T) {
	const canary = "sk-canary-7f3a"
	e := semantictest.Serve(t, synonyms)
	e.Key = canary
	if near, err := space(client(t, e), nil, catalogue...).Search(t.Context(), "automobile"); err != nil || len(near) != 1 {
		t.Errorf("with the key: %v, %v", near, err)
	}
	e.Key = "another"
	c := semantic.New(semantic.Options{Endpoint: e.URL, Model: "bag", Key: canary})
	defer c.Close()
	_, err := semantic.Check(t.Context(), c)
	if err == nil || strings.Contains(fmt.Sprintf("%v %+v %#v", err, err, err), canary) {
		t.Errorf("got %#v", err)
	}
}

func TestNoRequestBeforeTheFirstSearch(t *testing.T) {
	e := semantictest.Serve(t, nil)
	space(client(t, e), newRAMStore(), catalogue...)
	if n := e.Requests(); n != 0 {
		t.Errorf("%d requests", n)
	}
}

func TestManySearchesAtOnceRequestEachTextOnce(t *testing.T) {
	e := semantictest.Serve(t, synonyms)
	s := space(client(t, e), nil, catalogue...)
	var searches sync.WaitGroup
	for range 20 {
		searches.Go(func() {
			if near, err := s.Search(t.Context(), "automobile"); err != nil || len(near) != 1 {
				t.Errorf("found %v, %v", near, err)
			}
		})
	}
	searches.Wait()
	sent := map[string]int{}
	for _, text := range e.Texts() {
		sent[text]++
	}
	for text, times := range sent {
		if times > 1 && text != "automobile" {
			t.Errorf("%q was sent %d times", text, times)
		}
	}
}

func TestVectorBytesRoundTrip(t *testing.T) {
	v := semantic.Vector{.6, -.8, 0}
	if got := semantic.FromBytes(v.Bytes()); !slices.Equal(got, v) || got.Cosine(v) < .9999 {
		t.Errorf("got %v", got)
	}
}

func TestCheckReturnsTheSimilarities(t *testing.T) {
	m, err := semantic.Check(t.Context(), client(t, semantictest.Serve(t, nil)))
	if err != nil || m.Size != 512 || m.Related <= m.Minimum || m.Minimum <= m.Unrelated {
		t.Errorf("got %+v, %v", m, err)
	}
}

func TestVectorCacheRequestsNoItemsBeyondItsLimit(t *testing.T) {
	texts := make([]string, 4100)
	for i := range texts {
		texts[i] = fmt.Sprintf("%d %d", i/100, i%100)
	}
	texts[0], texts[4099] = "repair the car", "wash the car"
	e, unwritten := semantictest.Serve(t, synonyms), semantic.VectorCache{}
	e.Resize(32)
	s := semantic.NewSpace(client(t, e), semantic.NewThreshold(nil), func(context.Context) (semantic.Source, error) {
		return unwritten.Wrap(semantic.NewTexts(texts, nil)), nil
	})
	near, err := s.Search(t.Context(), "automobile")
	for errors.Is(err, semantic.ErrPreparing) {
		near, err = s.Search(t.Context(), "automobile")
	}
	e.Texts()
	again, errAgain := s.Search(t.Context(), "automobile")
	if err != nil || errAgain != nil || !slices.Equal(idsOf(near), []int64{0}) || !slices.Equal(idsOf(again), []int64{0}) {
		t.Errorf("found %v, %v, then %v, %v", near, err, again, errAgain)
	}
	if sent := e.Texts(); !slices.Equal(sent, []string{"automobile"}) {
		t.Errorf("%d texts were sent again", len(sent))
	}
}

func TestVectorCacheHasRoomAgainAfterItemsAreGone(t *testing.T) {
	texts := make([]string, 4000)
	for i := range texts {
		texts[i] = fmt.Sprintf("%d %d", i/100, i%100)
	}
	e, unwritten := semantictest.Serve(t, synonyms), semantic.VectorCache{}
	e.Resize(32)
	s := semantic.NewSpace(client(t, e), semantic.NewThreshold(nil), func(context.Context) (semantic.Source, error) {
		return unwritten.Wrap(semantic.NewTexts(texts, nil)), nil
	})
	search := func() []int64 {
		near, err := s.Search(t.Context(), "automobile")
		for errors.Is(err, semantic.ErrPreparing) {
			near, err = s.Search(t.Context(), "automobile")
		}
		if err != nil {
			t.Fatal(err)
		}
		return idsOf(near)
	}
	search()
	texts = []string{"repair the car"} // also a new text of an item that has a vector
	search()
	if got := search(); !slices.Equal(got, []int64{0}) {
		t.Errorf("found %v", got)
	}
}

// A countingSource counts the items that were read from it.
type countingSource struct {
	semantic.Source
	read int
}

func (s *countingSource) Missing(ctx context.Context, model string, size int, after int64, limit int) ([]semantic.Item, error) {
	items, err := s.Source.Missing(ctx, model, size, after, limit)
	s.read += len(items)
	return items, err
}

func TestVectorCacheReadsNoItemsBeyondItsLastVector(t *testing.T) {
	texts := make([]string, 5000)
	counting := &countingSource{Source: semantic.NewTexts(texts, nil)}
	source := new(semantic.VectorCache).Wrap(counting)
	if err := source.Keep(t.Context(), "bag", []semantic.Item{{ID: 7}}, []semantic.Vector{{1, 0}}); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		found := []int64{}
		err := source.Vectors(t.Context(), "bag", 2, func(id int64, _ semantic.Vector) { found = append(found, id) })
		if err != nil || !slices.Equal(found, []int64{7}) {
			t.Errorf("found %v, %v", found, err)
		}
	}
	if counting.read > 1000 { // a page of 500 for each search
		t.Errorf("%d items were read", counting.read)
	}
}

func TestTextIsSentWithThePrefixAndLimitOfTheModel(t *testing.T) {
	for model, want := range map[string][2]string{
		"bag":                   {"automobile", strings.Repeat("é", 1500)},
		"nomic-embed-text:v1.5": {"search_query: automobile", "search_document: " + strings.Repeat("é", 1500)},
	} {
		e := semantictest.Serve(t, nil)
		c := semantic.New(semantic.Options{Endpoint: e.URL, Model: model, Key: e.Key})
		defer c.Close()
		if _, err := space(c, nil, strings.Repeat("é", 1501)).Search(t.Context(), "automobile"); err != nil {
			t.Fatal(err)
		}
		if sent := e.Texts(); sent[0] != want[0] || !slices.Contains(sent, want[1]) {
			t.Errorf("%s is sent %q", model, sent)
		}
	}
}
