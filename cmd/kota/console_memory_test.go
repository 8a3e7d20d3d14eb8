package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"html"
	"mime/multipart"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"
)

// upload sends a form with a file.
func (v *consoleVisitor) upload(path, content string, fields map[string]string) (int, string) {
	v.t.Helper()
	_, page := v.get("import")
	token := formToken.FindStringSubmatch(page)
	if token == nil {
		v.t.Fatalf("the page has no form: %s", page)
	}
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	fields["form"] = cmp.Or(fields["form"], token[1])
	for name, value := range fields {
		if err := form.WriteField(name, value); err != nil {
			v.t.Fatal(err)
		}
	}
	file, err := form.CreateFormFile("file", "memories.json")
	if err != nil {
		v.t.Fatal(err)
	}
	if _, err := file.Write([]byte(content)); err != nil {
		v.t.Fatal(err)
	}
	if err := form.Close(); err != nil {
		v.t.Fatal(err)
	}
	response, err := v.Post(v.home+path, form.FormDataContentType(), &body)
	return read(v.t, response, err)
}

// jobText waits until the long work has ended and returns its page.
func (v *consoleVisitor) jobText() string {
	v.t.Helper()
	for {
		status, page := v.get("job")
		if status != http.StatusOK {
			v.t.Fatalf("the long work: %d %s", status, page)
		}
		if !strings.Contains(page, "<progress") {
			return html.UnescapeString(page)
		}
		select {
		case <-v.t.Context().Done():
			v.t.Fatal(v.t.Context().Err())
		case <-time.After(50 * time.Millisecond):
		}
	}
}

// visitHome starts a server of a home with the memory bundle alone, and signs in to its console.
func visitHome(t *testing.T) (home string, v *consoleVisitor) {
	t.Helper()
	home = t.TempDir()
	w := startHTTPServer(t, home)
	return home, visitConsole(t, remoteLink(t, home, strings.TrimSuffix(w.url, "/mcp")))
}

func decodeJSON(t *testing.T, text string, into any) {
	t.Helper()
	if err := json.Unmarshal([]byte(text), into); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
}

func includesAll(t *testing.T, what, page string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(page, part) {
			t.Errorf("%s lacks %q: %s", what, part, page)
		}
	}
}

// What is exported is imported again; a file with mistakes changes nothing; work can be cancelled.
func TestTheConsoleImportsAndExports(t *testing.T) {
	t.Parallel()
	home, v := visitHome(t)
	runKota(t, home, nil, 0, "call", "memory_set", "key=tea", "value=green <b>", "tags:=[\"x\"]")
	runKota(t, home, nil, 0, "call", "memory_set", "key=pin", "value=4711", "secret:=true")
	response, err := v.Get(v.home + "export/jsonl")
	status, exported := read(t, response, err)
	if status != http.StatusOK || !strings.Contains(exported, `"green \u003cb\u003e"`) || strings.Contains(exported, "4711") || !strings.HasPrefix(response.Header.Get("Content-Disposition"), "attachment") {
		t.Fatalf("the export: %d %v %s", status, response.Header, exported)
	}
	if status, page := v.get("export/exe"); status != http.StatusNotFound {
		t.Errorf("an unknown format: %d %s", status, page)
	}

	for name, c := range map[string]struct {
		content string
		fields  map[string]string
		status  int
		says    string
	}{
		"an empty file":         {"", map[string]string{"act": "import"}, 422, "the file is empty"},
		"an unknown rule":       {exported, map[string]string{"act": "import", "rule": "burn"}, 422, "skip, replace, append"},
		"another form's token":  {exported, map[string]string{"act": "import", "form": "x"}, 403, "earlier session"},
		"more than 32 MB":       {strings.Repeat("x", 33<<20), map[string]string{"act": "import"}, 413, "larger than 32 MB"},
		"something else":        {"\x00\xffPNG", map[string]string{"act": "import"}, 200, "line 1"},
		"a mistake in one line": {exported + `{"key": 7}` + "\n", map[string]string{"act": "import"}, 200, "line 2"},
	} {
		status, page := v.upload("import", c.content, c.fields)
		if status == http.StatusOK {
			page = v.jobText()
		}
		if status != c.status || !strings.Contains(page, c.says) {
			t.Errorf("%s: %d %s", name, status, page)
		}
	}
	if status, page := v.post("import", url.Values{"act": {"import"}}); status != http.StatusUnprocessableEntity || !strings.Contains(page, "no file") {
		t.Errorf("no file: %d %s", status, page)
	}
	if status, _ := v.post("import", url.Values{"act": {strings.Repeat("x", 3<<20)}}); status != http.StatusRequestEntityTooLarge {
		t.Errorf("a form of 3 MB: %d", status)
	}

	runKota(t, home, nil, 0, "call", "memory_set", "key=tea", "value=black")
	v.upload("import", exported+`{"key": "new", "value": 1}`+"\n", map[string]string{"act": "try", "rule": "replace"})
	includesAll(t, "the try", v.jobText(), "would create 1, change 1 and leave out 0", "Nothing was written")
	v.upload("import", exported+`{"key": "new", "value": 1}`+"\n", map[string]string{"act": "import", "rule": "replace"})
	includesAll(t, "the import", v.jobText(), "1 created, 1 changed, 0 left as they were")
	if out := runKota(t, home, nil, 0, "call", "memory_get", "query=tea"); !strings.Contains(out, `green \u003cb\u003e`) {
		t.Errorf("after the import: %s", out)
	}
	if log := runKota(t, home, nil, 0, "audit", "list", "--json"); !strings.Contains(log, `"kota memory import"`) || !strings.Contains(log, `"console"`) {
		t.Errorf("the audit log: %s", log)
	}

	v.post("job", url.Values{"act": {"reindex"}})
	includesAll(t, "the index", v.jobText(), "The search index is new.")
	if _, page := v.get("memory?q=green"); !strings.Contains(page, "tea") {
		t.Errorf("a search after that: %s", page)
	}
}

func TestLongWorkIsCancelled(t *testing.T) {
	t.Parallel()
	home, v := visitHome(t)
	if status, page := v.get("job"); status != http.StatusNotFound || !strings.Contains(page, "no long work") {
		t.Errorf("without work: %d %s", status, page)
	}
	const many = 60_000
	var file strings.Builder
	for i := range many {
		fmt.Fprintf(&file, `{"key": "key %d", "value": "value %d"}`+"\n", i, i)
	}
	status, page := v.upload("import", file.String(), map[string]string{"act": "import"})
	if status != http.StatusOK || !strings.Contains(page, "<progress") || !strings.Contains(page, `http-equiv="refresh"`) || !strings.Contains(page, `hx-trigger="every 1s"`) {
		t.Fatalf("the progress: %d %s", status, page)
	}
	if status, page := v.upload("import", `{"key": "x", "value": 1}`, map[string]string{"act": "import"}); status != http.StatusConflict || !strings.Contains(page, "Importing memories") {
		t.Errorf("other work at the same time: %d %s", status, page)
	}
	v.post("job", url.Values{"act": {"cancel"}})
	includesAll(t, "the cancelled work", v.jobText(), "You cancelled it")
	var stored struct{ Memories int }
	decodeJSON(t, runKota(t, home, nil, 0, "memory", "stats"), &stored)
	if stored.Memories >= many || stored.Memories%200 != 0 {
		t.Errorf("%d memories were imported", stored.Memories)
	}
	v.post("job", url.Values{"act": {"cancel"}}) // once more does nothing
	includesAll(t, "the cancelled work", v.jobText(), "You cancelled it")
}

// A person corrects, lets expire, merges, undoes and brings back memories.
func TestTheConsoleKeepsMemoriesInOrder(t *testing.T) {
	t.Parallel()
	home, v := visitHome(t)
	call := func(tool string, args ...string) string {
		return runKota(t, home, nil, 0, append([]string{"call", tool}, args...)...)
	}
	act := func(path string, fields url.Values) string {
		t.Helper()
		status, page := v.post(path, fields)
		if status != http.StatusOK {
			t.Fatalf("%s %v: %d %s", path, fields, status, page)
		}
		return html.UnescapeString(page)
	}
	call("memory_set", "key=tea of anna", "value=green, no sugar", "source=mail of Anna", "expires_at=2099-01-02", "tags:=[\"tea\"]")

	// A correction keeps where the text came from, and when it expires.
	page := act("memory/tea%20of%20anna", url.Values{"act": {"save"}, "version": {"1"}, "value": {"green, much sugar"}, "tags": {"tea"}})
	includesAll(t, "the corrected memory", page, "from others", "mail of Anna", "expires 2 January 2099", "<del>no </del>", "<ins>much </ins>")
	if _, page := v.get("memory?source=anna"); !strings.Contains(page, "tea of anna") {
		t.Errorf("by source: %s", page)
	}
	if _, page := v.get("memory?source=bob"); strings.Contains(page, "tea of anna") || !strings.Contains(page, "There is no such memory") {
		t.Errorf("by another source: %s", page)
	}
	if page := act("memory/tea%20of%20anna", url.Values{"act": {"keep"}}); strings.Contains(page, "expires 2 January") {
		t.Errorf("kept for good: %s", page)
	}
	includesAll(t, "with a date", act("memory/tea%20of%20anna", url.Values{"act": {"expire"}, "expires": {"2098-03-04"}}), "expires 4 March 2098")
	for _, date := range []string{"", "2001-01-01", "soon"} {
		if status, page := v.post("memory/tea%20of%20anna", url.Values{"act": {"expire"}, "expires": {date}}); status != http.StatusUnprocessableEntity {
			t.Errorf("expiry %q: %d %s", date, status, page)
		}
	}

	// Two memories that say the same become one, and undoing it brings both back.
	call("memory_set", "key=anna tea", "value=green, much sugar\nin the morning", "tags:=[\"drinks\"]")
	for _, key := range []string{"pin of the bank", "bank pin"} {
		call("memory_set", "key="+key, "value=4711", "secret:=true")
	}
	_, page = v.get("duplicates")
	if strings.Contains(page, "bank") {
		t.Errorf("the duplicates have secrets: %s", page)
	}
	includesAll(t, "the duplicates", page, "anna tea", "tea of anna", "duplicates?one=")
	_, page = v.get("duplicates?one=anna%20tea&other=tea%20of%20anna")
	includesAll(t, "the merge", page, "in the morning</textarea>", "<del>")
	versions := regexp.MustCompile(`name="versions" value="([^"]+)"`).FindStringSubmatch(page)
	if versions == nil {
		t.Fatal(page)
	}
	merge := url.Values{"one": {"anna tea"}, "other": {"tea of anna"}, "versions": versions[1:], "keep": {"one"}, "value": {"green, much sugar\r\nin the morning"}}
	stale := url.Values{"one": {"anna tea"}, "other": {"tea of anna"}, "versions": {"1 1"}, "keep": {"one"}, "value": {"x"}}
	if status, page := v.post("duplicates", stale); status != http.StatusConflict {
		t.Errorf("an old page: %d %s", status, page)
	}
	page = act("duplicates", merge)
	includesAll(t, "the merged memory", page, "#tea", "#drinks", "from others", "Done.")
	if out := call("memory_list"); strings.Contains(out, "tea of anna") {
		t.Errorf("after the merge: %s", out)
	}
	undo := regexp.MustCompile(`name="undo_id" value="([^"]+)"`).FindStringSubmatch(page)
	if undo == nil {
		t.Fatal(page)
	}
	act("undo", url.Values{"undo_id": undo[1:], "next": {"memory"}})
	if out := call("memory_get", "query=anna tea"); strings.Contains(out, "from") && strings.Contains(out, "mail of Anna") {
		t.Errorf("after the undo: %s", out)
	}
	if out := call("memory_get", "query=tea of anna"); !strings.Contains(out, "much sugar") {
		t.Errorf("after the undo: %s", out)
	}

	// What was forgotten is brought back.
	act("memory/anna%20tea", url.Values{"act": {"forget"}})
	_, page = v.get("memory/anna%20tea")
	includesAll(t, "the forgotten memory", page, "Bring it back", "in the morning")
	includesAll(t, "brought back", act("memory/anna%20tea", url.Values{"act": {"restore"}}), "in the morning", "Correct it")
	if status, _ := v.get("memory/never%20there"); status != http.StatusNotFound {
		t.Errorf("a memory that never was: %d", status)
	}
}

// The page of an undo shows what would change.
func TestTheConsolePreviewsAnUndo(t *testing.T) {
	t.Parallel()
	home, v := visitHome(t)
	undoOf := func(tool string, args ...string) string {
		t.Helper()
		var done struct {
			Undo string `json:"undo_id"`
		}
		decodeJSON(t, runKota(t, home, nil, 0, append([]string{"call", tool}, args...)...), &done)
		return done.Undo
	}
	created := undoOf("memory_set", "key=theme", "value=dark")
	preview := func(undo string) string {
		t.Helper()
		status, page := v.get("undo/" + url.PathEscape(undo))
		if status != http.StatusOK {
			t.Fatalf("%s: %d %s", undo, status, page)
		}
		return page
	}
	includesAll(t, "a creation", preview(created), "This goes away", "dark")
	changed := undoOf("memory_set", "key=theme", "value=light")
	includesAll(t, "a change", preview(changed), "This changes", "<del>light</del>", "<ins>dark</ins>")
	deleted := undoOf("memory_delete", "key=theme")
	includesAll(t, "a deletion", preview(deleted), "This comes back", "light")
	logged := undoOf("daily_log", "text=Called Bob")
	includesAll(t, "an entry", preview(logged), "This goes away", "Called Bob")
	secret := undoOf("memory_set", "key=pin", "value=4711", "secret:=true")
	if page := preview(secret); strings.Contains(page, "4711") {
		t.Errorf("the preview shows a secret: %s", page)
	}
}

// No page of the console changes what a model reads.
func TestTheConsoleCostsNoToken(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	w := startHTTPServer(t, home)
	list := func() string {
		t.Helper()
		body, headers := modernRequest("tools/list", object{})
		answer := w.ask(http.MethodPost, body, headers)
		if answer.status != http.StatusOK || !strings.Contains(answer.body, "memory_set") {
			t.Fatalf("%d %s", answer.status, answer.body)
		}
		return answer.body
	}
	before := list()
	v := visitConsole(t, remoteLink(t, home, strings.TrimSuffix(w.url, "/mcp")))
	for _, path := range []string{"", "approvals", "memory", "duplicates", "import", "diary", "sent", "use", "try"} {
		if status, page := v.get(path); status != http.StatusOK || strings.Contains(before, v.home) {
			t.Errorf("%q: %d %s", path, status, page)
		}
	}
	if status, page := v.post("remember", url.Values{"key": {"tea"}, "value": {"green"}}); status != http.StatusOK {
		t.Errorf("a change: %d %s", status, page)
	}
	if after := list(); after != before {
		t.Errorf("the listing changed from %s to %s", before, after)
	}
	if out := runKota(t, home, nil, 0, "tokens"); !strings.Contains(out, "The pages of `kota console` cost no token") {
		t.Errorf("kota tokens: %s", out)
	}
	if out := runKota(t, home, nil, 0, "stats", "--json"); !strings.Contains(out, `"actions":[]`) {
		t.Errorf("the console's own calls were counted: %s", out)
	}
}
