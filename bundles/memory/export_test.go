package memory_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"kota/bundles/memory"
	"kota/metadata"
	memorystore "kota/store/tables/memory"
)

func ignoreStep(int)          {}
func ignoreProgress(_, _ int) {}

func TestExportImportRoundTrip(t *testing.T) {
	for _, format := range []string{memory.JSON, memory.JSONL} {
		t.Run(format, func(t *testing.T) {
			c := newClock()
			from, fromDB := newBundle(t, c)
			for i := range 7 {
				call(t, from, "memory_set", toJSON(t, map[string]any{"key": fmt.Sprintf("key %d", i), "value": map[string]any{"n": i, "text": "<ü> \n"}, "tags": []string{"t"}, "category": "c", "importance": 2, "pinned": true, "source": "test", "expires_at": "2028-01-01"}))
			}
			call(t, from, "memory_set", `{"key": "bare", "value": null}`)
			call(t, from, "memory_set", `{"key": "deleted", "value": 1}`)
			call(t, from, "memory_delete", `{"key": "deleted"}`)
			var first, second bytes.Buffer
			n, err := memory.Export(t.Context(), memorystore.New(fromDB, "local"), &first, format, ignoreStep)
			if err != nil || n.Written != 8 {
				t.Fatalf("exported %+v, %v; want 8", n, err)
			}
			c.advance(30 * 24 * time.Hour)
			_, toDB := newBundle(t, c)
			done, err := memory.Import(t.Context(), memorystore.New(toDB, "local"), bytes.NewReader(first.Bytes()), memory.Skip, false, c.now(), ignoreProgress)
			if err != nil || done != (memory.ImportCounts{Read: 8, Created: 8}) {
				t.Fatalf("imported %+v, %v; want 8 created", done, err)
			}
			if _, err := memory.Export(t.Context(), memorystore.New(toDB, "local"), &second, format, ignoreStep); err != nil {
				t.Fatal(err)
			}
			if first.String() != second.String() {
				t.Errorf("exported\n%s\nand after import\n%s", first.String(), second.String())
			}
			if format == memory.JSON && !json.Valid(first.Bytes()) {
				t.Errorf("the export is no JSON: %s", first.String())
			}
		})
	}
}

func TestImportAppliesConflictRule(t *testing.T) {
	const file = `{"key": "list", "value": ["eggs"]}` + "\n" + `{"key": "new", "value": 1}` + "\n"
	for _, c := range []struct {
		rule string
		dry  bool
		want memory.ImportCounts
		list string
	}{
		{memory.Skip, false, memory.ImportCounts{Read: 2, Created: 1, Skipped: 1}, "[milk]"},
		{memory.Replace, false, memory.ImportCounts{Read: 2, Created: 1, Updated: 1}, "[eggs]"},
		{memory.Append, false, memory.ImportCounts{Read: 2, Created: 1, Updated: 1}, "[milk eggs]"},
		{memory.Replace, true, memory.ImportCounts{Read: 2, Created: 1, Updated: 1}, "[milk]"},
	} {
		clock := newClock()
		b, db := newBundle(t, clock)
		call(t, b, "memory_set", `{"key": "list", "value": ["milk"]}`)
		done, err := memory.Import(t.Context(), memorystore.New(db, "local"), strings.NewReader(file), c.rule, c.dry, clock.now(), ignoreProgress)
		if err != nil || done != c.want {
			t.Errorf("%s, dry run %v: got %+v, %v; want %+v", c.rule, c.dry, done, err, c.want)
		}
		if got := fmt.Sprint(value(t, call(t, b, "memory_get", `{"query": "list"}`))); got != c.list {
			t.Errorf("%s, dry run %v: the list is %s, want %s", c.rule, c.dry, got, c.list)
		}
		if _, answer := c.dry, call(t, b, "memory_get", `{"query": "new"}`); answer["found"] == c.dry {
			t.Errorf("%s, dry run %v: new is found: %v", c.rule, c.dry, answer["found"])
		}
	}
}

func TestConflictRuleAppliesToDuplicateKey(t *testing.T) {
	const file = `{"key": "a", "value": 1}` + "\n" + `{"key": "a", "value": 2}` + "\n"
	for rule, want := range map[string]memory.ImportCounts{
		memory.Skip:    {Read: 2, Created: 1, Skipped: 1},
		memory.Replace: {Read: 2, Created: 1, Updated: 1},
	} {
		c := newClock()
		_, db := newBundle(t, c)
		done, err := memory.Import(t.Context(), memorystore.New(db, "local"), strings.NewReader(file), rule, false, c.now(), ignoreProgress)
		if err != nil || done != want {
			t.Errorf("%s: got %+v, %v; want %+v", rule, done, err, want)
		}
	}
}

func TestImportOfServerMemoryGraph(t *testing.T) {
	const file = `{"type":"relation","from":"Anna","to":"Acme","relationType":"works at"}
{"type":"entity","name":"Anna","entityType":"person","observations":["likes tea","born in May"]}

{"type":"entity","name":"Acme","entityType":"company","observations":[]}
{"type":"relation","from":"Bob","to":"Anna","relationType":"knows"}
`
	c := newClock()
	b, db := newBundle(t, c)
	done, err := memory.Import(t.Context(), memorystore.New(db, "local"), strings.NewReader(file), memory.Skip, false, c.now(), ignoreProgress)
	if err != nil || done.Created != 3 {
		t.Fatalf("got %+v, %v; want 3 created", done, err)
	}
	for key, want := range map[string]string{
		"Anna": "map[observations:[likes tea born in May] relations:[map[to:Acme type:works at]]]",
		"Acme": "map[observations:[]]",
		"Bob":  "map[observations:[] relations:[map[to:Anna type:knows]]]",
	} {
		if got := fmt.Sprint(value(t, call(t, b, "memory_get", toJSON(t, map[string]any{"query": key})))); got != want {
			t.Errorf("%s is %s, want %s", key, got, want)
		}
	}
}

func TestImportRefusesFaultyFileAsAWhole(t *testing.T) {
	for name, c := range map[string]struct{ file, want string }{
		"a bad line":            {`{"key": "a", "value": 1}` + "\n{bad}\n", "line 2"},
		"an unknown field":      {`{"key": "a", "value": 1, "colour": 2}`, "colour"},
		"no value":              {`{"key": "a"}`, "value"},
		"a bad key":             {`{"key": "a\u0000", "value": 1}`, "control characters"},
		"a bad entity name":     {`{"type": "entity", "name": "a\u0000", "observations": []}`, "control characters"},
		"an importance of 7":    {`{"key": "a", "value": 1, "importance": 7}`, "importance must be a number from 0 to 3"},
		"a tag of two lines":    {`{"key": "a", "value": 1, "tags": ["x", "a\nb"]}`, "tags[1]"},
		"no text":               {"{\"key\": \"a\", \"value\": \"\xff\"}", "UTF-8"},
		"a later format":        {`{"kota": "memories", "format": 2, "memories": []}`, "format 2"},
		"a fault in the middle": {strings.Repeat(`{"key": "a", "value": 1}`+"\n", 700) + `{"key": "b"}`, "line 701"},
		"nothing but faults":    {strings.Repeat("{}\n", 700), "and 680 more"},
		"neither of ours":       {`{"hello": 1}`, "line 1"},
		"a cut document":        {`{"kota": "memories", "format": 1, "memories": [{"key": "a", "value": 1},`, "complete JSON"},
		"a document of another": {`{"kota": "memories", "memories": 7}`, "not an array"},
	} {
		t.Run(name, func(t *testing.T) {
			clock := newClock()
			b, db := newBundle(t, clock)
			_, err := memory.Import(t.Context(), memorystore.New(db, "local"), strings.NewReader(c.file), memory.Skip, false, clock.now(), ignoreProgress)
			if metadata.CodeOf(err) != metadata.ValidationError || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want %s with %q", err, metadata.ValidationError, c.want)
			}
			if kept := call(t, b, "memory_list", `{}`)["memories"].([]any); len(kept) > 0 {
				t.Errorf("kept %v", kept)
			}
		})
	}
}

func TestImportAcceptsAnyLayout(t *testing.T) {
	for _, file := range []string{
		"{\n  \"kota\": \"memories\",\n  \"memories\": [\n    {\"key\": \"a\",\n     \"value\": 1}\n  ]\n}\n",
		"\uFEFF" + `{"kota":"memories","format":1,"made":{"by":["x"]},"memories":[{"key":"a","value":1}]}`,
	} {
		c := newClock()
		_, db := newBundle(t, c)
		done, err := memory.Import(t.Context(), memorystore.New(db, "local"), strings.NewReader(file), memory.Skip, false, c.now(), ignoreProgress)
		if err != nil || done.Created != 1 {
			t.Errorf("%q: got %+v, %v; want 1 created", file, done, err)
		}
	}
}

func TestMarkdownExport(t *testing.T) {
	b, db := newBundle(t, newClock())
	call(t, b, "memory_set", `{"key": "note", "value": "two\nlines", "category": "c", "tags": ["t"]}`)
	var out bytes.Buffer
	if _, err := memory.Export(t.Context(), memorystore.New(db, "local"), &out, memory.Markdown, ignoreStep); err != nil {
		t.Fatal(err)
	}
	want := "# Memories\n\n## note\n\n> two\n> lines\n\nupdated 2026-11-21T09:00:00Z · category c · tags t\n"
	if out.String() != want {
		t.Errorf("got\n%q\nwant\n%q", out.String(), want)
	}
}
