package htmltext

import (
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

// TestVectors runs the files in testdata/vectors. Each has an input, quoted as
// in Go, under the name of the function to test, and the expected result. Its
// comment says what the input tries.
func TestVectors(t *testing.T) {
	files, err := filepath.Glob("testdata/vectors/*.txtar")
	if err != nil || len(files) < 20 {
		t.Fatalf("%d vectors, %v", len(files), err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			vector, err := txtar.ParseFile(file)
			if err != nil || len(vector.Files) != 2 {
				t.Fatalf("%d parts, %v", len(vector.Files), err)
			}
			in, want := unquoted(t, vector.Files[0].Data), unquoted(t, vector.Files[1].Data)
			got := ""
			switch vector.Files[0].Name {
			case "text":
				got, _ = Text(in)
			case "line":
				got = Line(in)
			case "html":
				result := HTML([]byte(in), Options{})
				got = result.Markdown
				if _, hidden, ok := strings.Cut(string(vector.Comment), "hidden: "); ok && strings.TrimSpace(hidden) != strconv.Itoa(result.Hidden) {
					t.Errorf("%d characters were hidden, want %s", result.Hidden, hidden)
				}
			default:
				t.Fatalf("there is no %s", vector.Files[0].Name)
			}
			if got != want {
				t.Errorf("got %+q, want %+q", got, want)
			}
			checkClean(t, got)
		})
	}
}

func unquoted(t *testing.T, line []byte) string {
	t.Helper()
	text, err := strconv.Unquote(strings.TrimSpace(string(line)))
	if err != nil {
		t.Fatalf("%s: %v", line, err)
	}
	return text
}
