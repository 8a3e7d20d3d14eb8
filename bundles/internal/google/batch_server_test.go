package google

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"mime"
	"mime/multipart"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"
)

// batchServer has a batch endpoint. answer returns the answer to a part, from
// its path and how often that path was requested before; status 0 means 200.
type batchServer struct {
	*scriptedServer
	mu       sync.Mutex
	parts    map[string]int // number of requests by path
	batches  []int          // sizes, in order of arrival
	now, max int            // batches in flight
	headers  []http.Header  // of the parts
}

type partAnswer struct {
	status  int
	body    string
	headers string
	id      string // replaces the right Content-ID; "-" means none
	missing bool
}

func serveBatches(t *testing.T, shuffle bool, answer func(path string, before int) partAnswer) *batchServer {
	b := &batchServer{parts: map[string]int{}}
	b.scriptedServer = serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.Method == "GET" {
			b.single(w, r, answer)
			return
		}
		b.batch(w, r, shuffle, answer)
	})
	return b
}

// ask counts a request for the path.
func (b *batchServer) ask(path string, answer func(string, int) partAnswer) partAnswer {
	b.mu.Lock()
	before := b.parts[path]
	b.parts[path]++
	b.mu.Unlock()
	a := answer(path, before)
	if a.status == 0 {
		a.status = 200
	}
	if a.body == "" {
		a.body = fmt.Sprintf(`{"path":%q}`, path)
	}
	return a
}

func (b *batchServer) single(w http.ResponseWriter, r *http.Request, answer func(string, int) partAnswer) {
	a := b.ask(r.URL.RequestURI(), answer)
	reply(a.status, a.body)(w, r)
}

func (b *batchServer) batch(w http.ResponseWriter, r *http.Request, shuffle bool, answer func(string, int) partAnswer) {
	b.mu.Lock()
	b.now++
	b.max = max(b.max, b.now)
	b.mu.Unlock()
	time.Sleep(5 * time.Millisecond) // a simulated round trip, so that requests overlap
	defer func() {
		b.mu.Lock()
		b.now--
		b.mu.Unlock()
	}()
	_, params, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
	in := multipart.NewReader(bytes.NewReader(bodyOf(r)), params["boundary"])
	var answers []string
	out := &bytes.Buffer{}
	writer := multipart.NewWriter(out)
	n := 0
	for {
		part, err := in.NextRawPart()
		if err != nil {
			break
		}
		text, _ := io.ReadAll(part)
		var verb, path string
		fmt.Sscanf(string(text), "%s %s", &verb, &path)
		n++
		b.mu.Lock()
		b.headers = append(b.headers, http.Header(part.Header))
		b.mu.Unlock()
		a := b.ask(path, answer)
		if a.missing {
			continue
		}
		id := "Content-ID: <response-" + strings.Trim(part.Header.Get("Content-ID"), "<>") + ">\r\n"
		if a.id != "" {
			id = "Content-ID: " + a.id + "\r\n"
		}
		if a.id == "-" {
			id = ""
		}
		answers = append(answers, fmt.Sprintf("Content-Type: application/http\r\n%s\r\nHTTP/1.1 %d Something\r\nContent-Type: application/json\r\n%s\r\n%s", id, a.status, a.headers, a.body))
	}
	b.mu.Lock()
	b.batches = append(b.batches, n)
	b.mu.Unlock()
	if shuffle {
		rand.Shuffle(len(answers), func(i, j int) { answers[i], answers[j] = answers[j], answers[i] })
	}
	w.Header().Set("Content-Type", "multipart/mixed; boundary="+writer.Boundary())
	for _, a := range answers {
		fmt.Fprintf(w, "--%s\r\n%s\r\n", writer.Boundary(), a)
	}
	fmt.Fprintf(w, "--%s--\r\n", writer.Boundary())
}

type bodyKey struct{}

func bodyOf(r *http.Request) []byte { return r.Context().Value(bodyKey{}).([]byte) }
