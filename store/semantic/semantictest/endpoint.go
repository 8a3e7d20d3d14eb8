// Package semantictest provides, for tests, an embeddings endpoint and files of static models.
// The endpoint is a real HTTP server on loopback. Its vectors count the words of a text. Synonyms
// count as the same word.
package semantictest

import (
	"cmp"
	"encoding/json"
	"hash/fnv"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode"
)

// An Endpoint serves OpenAI's embeddings API at URL.
type Endpoint struct {
	URL   string
	Key   string        // the required bearer token; "" requires none
	Delay time.Duration // before each answer

	synonyms map[string]string
	server   *httptest.Server

	mu       sync.Mutex
	size     int
	requests int
	texts    []string
	instead  http.HandlerFunc
	refused  string
}

// Serve starts an endpoint that closes when the test ends. Each key of synonyms means the
// same as its value.
func Serve(tb testing.TB, synonyms map[string]string) *Endpoint {
	tb.Helper()
	e := Start(synonyms)
	tb.Cleanup(e.Close)
	return e
}

// Start starts an endpoint. Its caller must close it.
func Start(synonyms map[string]string) *Endpoint {
	e := &Endpoint{size: 512, synonyms: synonyms}
	e.server = httptest.NewServer(http.HandlerFunc(e.answer))
	e.URL = e.server.URL + "/v1"
	return e
}

// Close stops the endpoint. From then on nothing answers at URL.
func (e *Endpoint) Close() {
	e.server.CloseClientConnections()
	e.server.Close()
}

// Requests returns the number of requests.
func (e *Endpoint) Requests() int {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.requests
}

// Texts returns the texts that were sent since the last call of Texts.
func (e *Endpoint) Texts() []string {
	e.mu.Lock()
	defer e.mu.Unlock()
	sent := e.texts
	e.texts = nil
	return sent
}

// Answer passes all later requests to h. If h is nil, the endpoint answers them itself again.
func (e *Endpoint) Answer(h http.HandlerFunc) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.instead = h
}

// RefuseTextsWith makes the endpoint answer 400 to every request with a text that
// contains the word.
func (e *Endpoint) RefuseTextsWith(word string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.refused = word
}

// Resize changes the size of later vectors, as if the model had changed.
func (e *Endpoint) Resize(size int) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.size = size
}

func (e *Endpoint) answer(w http.ResponseWriter, r *http.Request) {
	var request struct {
		Model string   `json:"model"`
		Input []string `json:"input"`
	}
	err := json.NewDecoder(r.Body).Decode(&request)
	e.mu.Lock()
	e.requests++
	e.texts = append(e.texts, request.Input...)
	instead, size, refused := e.instead, e.size, e.refused
	e.mu.Unlock()
	time.Sleep(e.Delay)
	switch {
	case instead != nil:
		instead(w, r)
	case e.Key != "" && r.Header.Get("Authorization") != "Bearer "+e.Key:
		http.Error(w, "wrong key: "+r.Header.Get("Authorization"), http.StatusUnauthorized)
	case r.Method != http.MethodPost || r.URL.Path != "/v1/embeddings" || request.Model == "":
		http.NotFound(w, r)
	case err != nil || len(request.Input) == 0 || refused != "" && strings.Contains(strings.Join(request.Input, " "), refused):
		http.Error(w, "no input", http.StatusBadRequest)
	default:
		e.embeddings(w, request.Input, size)
	}
}

func (e *Endpoint) embeddings(w http.ResponseWriter, texts []string, size int) {
	type one struct {
		Object    string    `json:"object"`
		Index     int       `json:"index"`
		Embedding []float64 `json:"embedding"`
	}
	data := []one{}
	for i := len(texts) - 1; i >= 0; i-- { // the contract does not define the order
		data = append(data, one{"embedding", i, e.vector(texts[i], size)})
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(map[string]any{"object": "list", "data": data}) // an error means that the client has disconnected
}

// checkedSynonyms are the words of equal meaning that every model must know.
var checkedSynonyms = map[string]string{
	"automobile": "car", "physician": "doctor", "buy": "purchase", "cash": "money", "infant": "baby", "movie": "film",
	"sea": "ocean", "attorney": "lawyer", "vacation": "holiday", "ill": "sick", "couch": "sofa", "dinner": "meal",
}

// vector counts the words of a text that have four or more letters, and "car". It ignores an s at
// the end of a word. The letters of a word determine its dimension.
func (e *Endpoint) vector(text string, size int) []float64 {
	v := make([]float64, size)
	v[0] = .1 // the vector of a text without counted words must not be zero
	for _, word := range strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		word = strings.TrimSuffix(word, "s")
		word = cmp.Or(e.synonyms[word], checkedSynonyms[word], word)
		if len(word) < 4 && word != "car" {
			continue
		}
		h := fnv.New32a()
		h.Write([]byte(word))
		v[h.Sum32()%uint32(size)]++
	}
	return v
}
