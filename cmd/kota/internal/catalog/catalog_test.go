package catalog

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// write writes files into a new folder and returns their paths, in order.
func write(t *testing.T, files ...[2]string) []string {
	t.Helper()
	dir, paths := t.TempDir(), []string{}
	for _, f := range files {
		path := filepath.Join(dir, f[0])
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(f[1]), 0o600); err != nil {
			t.Fatal(err)
		}
		paths = append(paths, path)
	}
	return paths
}

func TestUnreadableSchemaCostsOnlyItsArguments(t *testing.T) {
	deep := strings.Repeat(`{"properties":{"p":`, 3000) + `{}` + strings.Repeat(`}}`, 3000)
	files := write(t, [2]string{"tools.json", `[{"name":"deep","description":"Dig deep.","inputSchema":` + deep + `},
		{"name":"read","description":"Read a file.","inputSchema":{"type":"object","properties":{"path":{"type":"string"}}}}]`})
	for query, want := range map[string]action{
		"deep":      {Tool: "deep", Signature: "deep(p)", Note: "KOTA shows only the names of its arguments: expected at most 100 levels of nesting, got more"},
		"read file": {Tool: "read", Signature: "read(path:str)"},
	} {
		answer, err := Search(t.Context(), files, nil, query, 1)
		if err != nil || len(answer.Actions) != 1 {
			t.Fatalf("%s: %+v, %v", query, answer, err)
		}
		if got := answer.Actions[0]; got.Tool != want.Tool || got.Signature != want.Signature || got.Note != want.Note {
			t.Errorf("%s: got %+v, want %+v", query, got, want)
		}
	}
}

func TestServersMayHaveToolsOfOneName(t *testing.T) {
	issues, docs := `[{"name":"search","description":"Search issues."}]`, `[{"name":"search","description":"Search documents."}]`
	for _, c := range []struct {
		files [2]string
		want  [2]string // the servers of the two files; "" for a path
	}{
		{[2]string{"github.json", "notion.json"}, [2]string{"github", "notion"}},
		{[2]string{"a/tools.json", "b/tools.json"}, [2]string{"", ""}},
	} {
		files := write(t, [2]string{c.files[0], issues}, [2]string{c.files[1], docs})
		for i, query := range []string{"search issues", "search documents"} {
			answer, err := Search(t.Context(), files, nil, query, 5)
			if err != nil || len(answer.Actions) != 2 {
				t.Fatalf("%s: %+v, %v", query, answer, err)
			}
			want := c.want[i]
			if want == "" {
				want = files[i]
			}
			if got := answer.Actions[0]; got.Server != want || got.Tool != "search" {
				t.Errorf("%s: got %+v, want the server %s", query, got, want)
			}
		}
	}
}

func TestFilesThatCannotBeSearchedAreNamed(t *testing.T) {
	good := write(t, [2]string{"good.json", `[{"name":"a"}]`})[0]
	dotted := filepath.Dir(good) + "/./good.json"
	for want, files := range map[string][]string{
		"--catalog needs the name of a file, or - for stdin":  {good, ""},
		"--catalog names " + good + " twice":                  {good, good},
		"--catalog names " + dotted + " twice":                {good, dotted},
		"there is no file nowhere.json":                       {good, "nowhere.json"},
		"stdin: the file is empty; give MCP tool definitions": {"-"},
	} {
		_, err := Search(t.Context(), files, strings.NewReader(""), "a", 5)
		if err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: got %v, want %q", files, err, want)
		}
	}
}

func TestPrintShowsSummariesAndNotes(t *testing.T) {
	page := `{"tools":[{"name":"read\u001b","description":"Read a page.\nIt may be long."}],"nextCursor":"2"}`
	for query, want := range map[string]string{
		"read a page": "0.79  read\\x1b()\n      Read a page.\n\nstdin has a nextCursor: ",
		"xyzzy":       "None of 1 tool in stdin matches.\n\nstdin has a nextCursor: ",
	} {
		answer, err := Search(t.Context(), []string{"-"}, strings.NewReader(page), query, 5)
		if err != nil {
			t.Fatal(err)
		}
		var out strings.Builder
		answer.Print(&out)
		if got := out.String(); !strings.HasPrefix(got[strings.IndexByte(got, ' '):], want[strings.IndexByte(want, ' '):]) {
			t.Errorf("%s: got\n%s\nwant\n%s", query, got, want)
		}
	}
}
