package search

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// A foreignKind is a kind of work on the tools of other servers.
type foreignKind struct {
	name       string
	catalogues []string // the files with its tools
	queries    string   // the file with its queries
	min, max   int      // how many tools its queries need
	floor      float64  // the share of the needed tools that must be among the first five, in the held set
}

var foreignKinds = []foreignKind{
	{"well described tools", []string{"well"}, "well", 1, 9, 0.73},
	{"vague names, one need", []string{"vague"}, "vague", 1, 1, 0.12},
	{"vague names, several needs", []string{"vague"}, "vague", 2, 9, 0.25},
	{"near-alike tools", []string{"alike"}, "alike", 1, 9, 0.84},
	{"whole tasks", []string{"well", "vague", "tasks"}, "tasks", 1, 9, 0.48},
}

// The tools and queries in tune may be read while the search is improved. Those in held, by
// another writer, may not. Each line of a .tools file is "name | description | parameter: text;
// …", and each line of a .queries file is "query => tool, tool".
func TestSearchQualityOnForeignCatalogues(t *testing.T) {
	table := strings.Builder{}
	for _, set := range []string{"tune", "held"} {
		for _, k := range foreignKinds {
			entries, questions := readForeign(t, filepath.Join("testdata", "foreign", set), k)
			got, plain := measureQuestions(searchRanking(entries), entries, questions), measureQuestions(plainBM25(entries), entries, questions)
			fmt.Fprintf(&table, "\n%s  %-27s %4d tools %4d queries   R@5 %.3f  first %.3f   plain BM25 %.3f %.3f",
				set, k.name, len(entries), len(questions), got.recall5, got.hit1, plain.recall5, plain.hit1)
			if set == "held" && got.recall5 < k.floor {
				t.Errorf("%s: Recall@5 is %.3f, want at least %.3f", k.name, got.recall5, k.floor)
			}
		}
	}
	t.Log(table.String())
}

// readForeign reads the tools of a kind, and those of its queries that need min to max tools.
func readForeign(t *testing.T, folder string, k foreignKind) ([]Entry, []question) {
	t.Helper()
	var entries []Entry
	known := map[string]bool{}
	for _, catalogue := range k.catalogues {
		for line := range strings.Lines(readText(t, filepath.Join(folder, catalogue+".tools"))) {
			parts := strings.Split(strings.TrimSpace(line), " | ")
			e, err := foreignEntry(parts)
			if err != nil {
				t.Fatalf("%s: %q: %v", catalogue, line, err)
			}
			entries, known[e.Tool] = append(entries, e), true
		}
	}
	var questions []question
	for line := range strings.Lines(readText(t, filepath.Join(folder, k.queries+".queries"))) {
		query, tools, _ := strings.Cut(strings.TrimSpace(line), " => ")
		relevant := strings.Split(tools, ", ")
		if i := slices.IndexFunc(relevant, func(tool string) bool { return !known[tool] }); i >= 0 {
			t.Fatalf("%q needs %q, which is not in the catalogue", query, relevant[i])
		}
		if len(relevant) >= k.min && len(relevant) <= k.max {
			questions = append(questions, question{query, relevant})
		}
	}
	return entries, questions
}

// foreignEntry returns the entry of a tool, as ParseCatalogue would.
func foreignEntry(parts []string) (Entry, error) {
	properties := map[string]any{}
	if len(parts) > 2 {
		for _, p := range strings.Split(parts[2], "; ") {
			name, text, _ := strings.Cut(p, ": ")
			properties[name] = map[string]string{"description": text}
		}
	}
	definition := map[string]any{"name": parts[0], "inputSchema": map[string]any{"properties": properties}}
	if len(parts) > 1 {
		definition["description"] = parts[1]
	}
	entries, _, _, err := ParseCatalogue(mustJSON([]any{definition}))
	if err != nil {
		return Entry{}, err
	}
	return entries[0], nil
}

func readText(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func mustJSON(v any) []byte {
	raw, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return raw
}
