package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"kota/cmd/kota/internal/config"
	"kota/store/semantic/semantictest"
)

// unknownWords are words that KOTA does not have, with their meaning to the
// endpoint.
var unknownWords = map[string]string{
	"gruntle": "restore", "plover": "undo", "xyzzyx": "deleted", "frobozz": "memory", "limousine": "car",
}

// restoreQuery asks for memory_restore with unknown words.
const restoreQuery = "gruntle plover xyzzyx frobozz"

// semanticHome is a KOTA home with search by meaning switched on.
type semanticHome struct {
	t        *testing.T
	home     string
	endpoint *semantictest.Endpoint
	env      map[string]string
	printed  strings.Builder // on both streams, by all runs
}

func newSemanticHome(t *testing.T) *semanticHome {
	t.Helper()
	d := &semanticHome{t: t, home: filepath.Join(t.TempDir(), "home"), endpoint: semantictest.Serve(t, unknownWords)}
	d.env = map[string]string{"KOTA_HOME": d.home}
	if err := os.Mkdir(d.home, 0o700); err != nil {
		t.Fatal(err)
	}
	d.configure("")
	return d
}

// configure writes bundles.yaml, with more in the mapping of embeddings and
// lines after it.
func (d *semanticHome) configure(more string, lines ...string) {
	d.t.Helper()
	text := fmt.Sprintf("search: {embeddings: {endpoint: %q, model: bag%s}}\n%s", d.endpoint.URL, more, strings.Join(lines, "\n"))
	if err := os.WriteFile(filepath.Join(d.home, "bundles.yaml"), []byte(text), 0o600); err != nil {
		d.t.Fatal(err)
	}
}

func (d *semanticHome) run(args ...string) (stdout string, status int) {
	d.t.Helper()
	return d.runWith("", args...)
}

func (d *semanticHome) runWith(stdin string, args ...string) (stdout string, status int) {
	d.t.Helper()
	var out, stderr strings.Builder
	err := run(d.t.Context(), args, func(name string) string { return d.env[name] }, strings.NewReader(stdin), &out, &stderr)
	status = reportError(err, &stderr)
	d.printed.WriteString(out.String() + stderr.String())
	if status != 0 {
		return out.String() + stderr.String(), status
	}
	return out.String(), status
}

// find returns the tools found for a query, in order, and the note.
func (d *semanticHome) find(query string) (tools []string, note string) {
	d.t.Helper()
	out, status := d.run("discover", "--json", query)
	var answer struct {
		Actions []struct {
			Tool string `json:"tool_name"`
		}
		Note string
	}
	if err := json.Unmarshal([]byte(out), &answer); err != nil || status != 0 {
		d.t.Fatalf("discover %q: status %d, %s", query, status, out)
	}
	for _, a := range answer.Actions {
		tools = append(tools, a.Tool)
	}
	return tools, answer.Note
}

type memoryAnswer struct {
	Confidence string
	Note       string
	Candidates []struct{ Key, Why string }
	Hits       []struct{ Key, Why string }
}

func (d *semanticHome) call(tool string, args ...string) memoryAnswer {
	d.t.Helper()
	out, status := d.run(append([]string{"call", tool}, args...)...)
	var answer memoryAnswer
	if err := json.Unmarshal([]byte(out), &answer); err != nil || status != 0 {
		d.t.Fatalf("%s %q: status %d, %s", tool, args, status, out)
	}
	return answer
}

func TestActionsAreFoundByMeaning(t *testing.T) {
	d := newSemanticHome(t)
	if tools, note := d.find(restoreQuery); note != "" || len(tools) == 0 || tools[0] != "memory_restore" {
		t.Errorf("found %q, note %q", tools, note)
	}
	if tools, note := d.find("qwertz uiop asdf"); note != "" || len(tools) != 0 {
		t.Errorf("what means nothing: %q, note %q", tools, note)
	}
	for _, query := range []string{"memory_set", "select:memory_get"} {
		d.endpoint.Texts()
		if tools, _ := d.find(query); tools[0] != strings.TrimPrefix(query, "select:") || len(d.endpoint.Texts()) != 0 {
			t.Errorf("%s: found %q, or something was sent", query, tools)
		}
	}
}

func TestNextProcessSendsOnlyTheQuery(t *testing.T) {
	d := newSemanticHome(t)
	first := 0
	for range 20 { // a search does not wait for all vectors: on a slow machine the next search continues
		d.find(restoreQuery)
		sent := d.endpoint.Texts()
		if slices.Equal(sent, []string{restoreQuery}) {
			break
		}
		first += len(sent)
	}
	if first < 50 {
		t.Errorf("at first %d texts were sent", first)
	}
	d.find(restoreQuery)
	if sent := d.endpoint.Texts(); !slices.Equal(sent, []string{restoreQuery}) {
		t.Errorf("then %d texts were sent", len(sent))
	}
}

func TestMemoriesAreFoundByMeaning(t *testing.T) {
	d := newSemanticHome(t)
	d.run("call", "memory_set", "key=garage", "value=the car is washed there")
	got := d.call("memory_get", "query=limousine")
	if got.Confidence != "low" || len(got.Candidates) != 1 || got.Candidates[0].Why != "meaning" || got.Note != "" {
		t.Errorf("memory_get: %+v", got)
	}
	if got := d.call("memory_search", "query=limousine"); len(got.Hits) != 1 || got.Hits[0].Key != "garage" {
		t.Errorf("memory_search: %+v", got)
	}
	d.endpoint.Texts()
	if got := d.call("memory_get", "query=garage"); got.Confidence != "high" || len(d.endpoint.Texts()) != 0 {
		t.Errorf("by key: %+v, or something was sent", got)
	}
	d.configure(", memories: false")
	if got := d.call("memory_get", "query=limousine"); got.Confidence != "none" || got.Note != "" || len(d.endpoint.Texts()) != 0 {
		t.Errorf("switched off: %+v, or something was sent", got)
	}
}

func TestNothingIsSentWithoutEndpoint(t *testing.T) {
	d := newSemanticHome(t)
	if err := os.WriteFile(filepath.Join(d.home, "bundles.yaml"), config.DefaultText, 0o600); err != nil {
		t.Fatal(err)
	}
	d.run("call", "memory_set", "key=garage", "value=the car is washed there")
	if tools, note := d.find(restoreQuery); len(tools) != 0 || note != "" {
		t.Errorf("found %q, note %q", tools, note)
	}
	if got := d.call("memory_get", "query=limousine"); got.Confidence != "none" || got.Note != "" {
		t.Errorf("memory_get: %+v", got)
	}
	if out, status := d.run("doctor"); status != 0 || strings.Contains(out, "meaning") || d.endpoint.Requests() != 0 {
		t.Errorf("doctor: status %d, %s; %d requests", status, out, d.endpoint.Requests())
	}
}

func TestSearchUsesWordsIfEndpointIsDown(t *testing.T) {
	d := newSemanticHome(t)
	d.run("call", "memory_set", "key=garage", "value=the car is washed there")
	wordsAlone, _ := d.find("undo a deletion")
	d.endpoint.Answer(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusBadGateway) })
	tools, note := d.find("undo a deletion")
	if len(tools) == 0 || !strings.HasPrefix(note, "search by meaning is off, only words were compared: http://127.0.0.1:") || !strings.HasSuffix(note, "answers HTTP 502; kota doctor says more") {
		t.Errorf("found %q (%q with it), note %q", tools, wordsAlone, note)
	}
	if tools, note := d.find(restoreQuery); len(tools) != 0 || note == "" {
		t.Errorf("a miss: %q, note %q", tools, note)
	}
	if got := d.call("memory_search", "query=car washed"); len(got.Hits) != 1 || got.Note == "" {
		t.Errorf("memory_search: %+v", got)
	}
	if out, _ := d.run("discover", "undo", "a", "deletion"); strings.Count(out, "search by meaning is off") != 1 {
		t.Errorf("for people: %s", out)
	}
}

func TestServerAsksDeadEndpointOnce(t *testing.T) {
	d := newSemanticHome(t)
	d.endpoint.Answer(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusBadGateway) })
	p := serveIn(t, d.home)
	for i := range 5 {
		id := fmt.Sprint("search ", i)
		p.send(toolCall(id, "kota_discover_bundles", object{"query": "undo a deletion"}))
		m, more := p.next()
		for more && m.ID != id {
			m, more = p.next()
		}
		if answer := string(m.call(t).StructuredContent); !strings.Contains(answer, "search by meaning is off") {
			t.Errorf("answer %d: %s", i, answer)
		}
	}
	if n := d.endpoint.Requests(); n != 1 {
		t.Errorf("%d requests", n)
	}
}

func TestDoctorTriesEndpoint(t *testing.T) {
	d := newSemanticHome(t)
	if out, status := d.run("doctor"); status != 0 || !strings.Contains(out, "bag at "+d.endpoint.URL+": 512 dimensions") {
		t.Errorf("status %d, %s", status, out)
	}
	for status, remedy := range map[int]string{401: "KOTA_EMBEDDINGS_KEY", 404: "ollama pull bag", 500: "Read the log"} {
		d.endpoint.Answer(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(status) })
		if out, exit := d.run("doctor"); exit != 1 || !strings.Contains(out, remedy) || !strings.Contains(out, fmt.Sprint("HTTP ", status)) {
			t.Errorf("%d: exit status %d, %s", status, exit, out)
		}
	}
	d.endpoint.Close()
	if out, status := d.run("doctor"); status != 1 || !strings.Contains(out, "does not answer") || !strings.Contains(out, "ollama serve") {
		t.Errorf("down: status %d, %s", status, out)
	}
}

func TestEndpointKeyIsNeverPrintedOrStored(t *testing.T) {
	const canary = "sk-canary-0b2f5d"
	d := newSemanticHome(t)
	d.configure("", "log: debug")
	d.env["KOTA_EMBEDDINGS_KEY"] = canary
	d.endpoint.Key = canary
	d.run("call", "memory_set", "key=garage", "value=the car is washed there")
	if tools, note := d.find(restoreQuery); len(tools) == 0 || note != "" {
		t.Errorf("with the key: %q, %q", tools, note)
	}
	d.run("doctor", "--json")
	d.endpoint.Key = "another"
	if _, note := d.find(restoreQuery); !strings.Contains(note, "HTTP 401") {
		t.Errorf("with a wrong key: %q", note)
	}
	d.run("call", "memory_search", "query=limousine")
	d.run("doctor")
	d.env["KOTA_EMBEDDINGS_KEY"] = canary + "\nX-Evil: 1"
	if out, status := d.run("doctor"); status != 2 {
		t.Errorf("a key of two lines: status %d, %s", status, out)
	}
	if strings.Contains(d.printed.String(), canary) {
		t.Error("the key was printed")
	}
	files, err := filepath.Glob(filepath.Join(d.home, "*"))
	if err != nil || len(files) < 2 {
		t.Fatalf("the files of the home: %q, %v", files, err)
	}
	for _, file := range files {
		if raw, err := os.ReadFile(file); err != nil || strings.Contains(string(raw), canary) {
			t.Errorf("%s has the key, or cannot be read: %v", file, err)
		}
	}
}

func TestReadOnlyProfileKeepsVectorsInMemory(t *testing.T) {
	d := newSemanticHome(t)
	d.run("call", "memory_set", "key=garage", "value=the car is washed there")
	d.configure(", memories: false")
	d.call("memory_search", "query=garage") // so that its words are indexed
	d.configure("", "profile: read-only")
	file := filepath.Join(d.home, "kota.db")
	before, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if tools, note := d.find("frobozz gruntle show stored memories"); note != "" || len(tools) == 0 {
			t.Errorf("found %q, note %q", tools, note)
		}
		if got := d.call("memory_search", "query=limousine"); len(got.Hits) != 1 || got.Note != "" {
			t.Errorf("memory_search: %+v", got)
		}
	}
	if after, err := os.ReadFile(file); err != nil || string(after) != string(before) {
		t.Errorf("the database was changed, %v", err)
	}
}
