package docs

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kota/metadata"
)

// awkwardBundles are two bundles whose texts contain Markdown syntax, and whose optional texts are
// empty.
func awkwardBundles(t *testing.T) []metadata.Bundle {
	t.Helper()
	type in struct {
		Path   string   `json:"path" doc:"a <file> or | a pipe"`
		Quote  string   "json:\"quote,omitempty\" default:\"x|`\" doc:\"what stands around it\""
		Format string   `json:"format,omitempty" enum:"csv,tsv"`
		Colour []string `json:"colours,omitempty"`
	}
	input, err := metadata.Infer[in]()
	if err != nil {
		t.Fatal(err)
	}
	none, err := metadata.Infer[struct{}]()
	if err != nil {
		t.Fatal(err)
	}
	off := false
	return []metadata.Bundle{
		{
			Key: "files", Name: "Files <beta>", Description: "Reads `<raw>` files and <b>bold</b> ones", Category: metadata.Core, Tags: []string{"io", "text"}, Enabled: true,
			Relationships: []metadata.Relationship{
				{Type: metadata.DependsOn, Bundle: "disk", Description: "Files lie on disks"},
				{Type: metadata.RelatedTo, Bundle: "mail", Description: "Attachments are files!", Enabled: &off},
			},
			Actions: []metadata.Action{
				{
					Name: "read", Tool: "files_read", Summary: "Read a <file>.", Description: "Over\ntwo lines.", Effect: metadata.Reads,
					Input: input, Errors: []metadata.Code{metadata.NotFound, metadata.TooLarge},
					Examples: []metadata.Example{{Title: "A table", Args: map[string]any{"path": "a<b>&c|d"}, Answer: map[string]any{"text": "<x>|y"}}},
					Notes:    []string{"Files of <1 KB are read at once.", "So are `<tiny>` ones."},
				},
				{Name: "drop", Tool: "files_drop", Summary: "Drop all files.", Effect: metadata.Destroys, Input: none, Deprecated: "call files_read"},
			},
			Workflows: []metadata.Workflow{{Title: "Look", Scenario: "Somebody wants to look", Steps: []metadata.Step{
				{Tool: "files_read", Args: map[string]any{"path": "`"}}, {Tool: "files_drop", Args: map[string]any{}},
			}}},
		},
		{Key: "bare", Name: "Bare", Unavailable: "nobody is signed in: run `kota auth`"},
	}
}

func TestMarkdownEqualsGoldenFile(t *testing.T) {
	for name, detail := range map[string]Detail{"names": Names, "signatures": Signatures, "full": Full} {
		t.Run(name, func(t *testing.T) {
			got := Markdown(awkwardBundles(t), detail)
			want, err := os.ReadFile(filepath.Join("testdata", name+".md"))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(got, "\n")); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

func TestMarkdownIsDeterministic(t *testing.T) {
	for _, detail := range []Detail{Names, Signatures, Full} {
		want := Markdown(awkwardBundles(t), detail)
		for range 20 {
			if got := Markdown(awkwardBundles(t), detail); got != want {
				t.Fatalf("detail %d: two pages differ:\n%s", detail, cmp.Diff(want, got))
			}
		}
	}
}

func TestMarkdownWithoutBundlesIsEmpty(t *testing.T) {
	for _, detail := range []Detail{Names, Signatures, Full} {
		if got := Markdown(nil, detail); got != "" {
			t.Errorf("detail %d: got %q", detail, got)
		}
	}
}

func TestMarkdownHasNoEmptyBlocks(t *testing.T) {
	for _, detail := range []Detail{Names, Signatures, Full} {
		text := Markdown(awkwardBundles(t), detail)
		if strings.Contains(text, "\n\n\n") || strings.HasSuffix(text, "\n\n") || !strings.HasSuffix(text, "\n") {
			t.Errorf("detail %d: empty lines in a row or at the end:\n%q", detail, text)
		}
	}
}

// A table row with more or fewer cells than its head would hide an argument.
func TestMarkdownTablesHaveThreeCells(t *testing.T) {
	rows := 0
	for line := range strings.Lines(Markdown(awkwardBundles(t), Full)) {
		if !strings.HasPrefix(line, "|") {
			continue
		}
		rows++
		if bars := strings.Count(line, "|") - strings.Count(line, `\|`); bars != 4 {
			t.Errorf("%d bars in %q, want 4", bars, line)
		}
	}
	if rows != 6 {
		t.Errorf("%d rows, want a head, a rule and 4 arguments", rows)
	}
}

func TestMarkdownListsMoreValuesThanATypeCan(t *testing.T) {
	type in struct {
		Day string `json:"day,omitempty" enum:"1st,2nd,3rd,4th,5th,6th,7th,8th,9th" default:"9th" doc:"of the month"`
	}
	schema, err := metadata.Infer[in]()
	if err != nil {
		t.Fatal(err)
	}
	text := Markdown([]metadata.Bundle{{Key: "k", Name: "K", Actions: []metadata.Action{{Tool: "k_a", Input: schema}}}}, Full)
	if want := `of the month. One of 1st, 2nd, 3rd, 4th, 5th, 6th, 7th, 8th, 9th. Default "9th". |`; !strings.Contains(text, want) {
		t.Errorf("it does not say %s:\n%s", want, text)
	}
}

func TestCodeSpansHoldBackticks(t *testing.T) {
	for text, want := range map[string]string{
		"plain":  "`plain`",
		"a`b":    "`` a`b ``",
		"``":     "``` `` ```",
		"a\nb":   "`a b`",
		"<tag>|": "`<tag>|`",
	} {
		if got := code(text); got != want {
			t.Errorf("%q: got %s, want %s", text, got, want)
		}
	}
}

func TestProseEscapesAngleBrackets(t *testing.T) {
	for text, want := range map[string]string{
		"a <b> c":           `a \<b> c`,
		"in `<code>` it is": "in `<code>` it is",
		"one ` and <b>":     "one ` and \\<b>",
		" two\n\nlines\t":   "two lines",
		"":                  "",
	} {
		if got := prose(text); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

func TestSentencesEndWithOneFullStop(t *testing.T) {
	for text, want := range map[string]string{
		"": "", "So": "So.", "So.": "So.", "So?": "So?", "So!": "So!", "So…": "So…", "そう。": "そう。", "So\n": "So.", `"so"`: `"so".`,
	} {
		if got := sentence(text); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}
