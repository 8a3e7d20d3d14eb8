package search

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The golden set is from smart-mcp-proxy/mcpproxy-go: 47 questions about 45 real tools, with
// graded answers. The published Recall@5 of similar projects is 0.649 to 0.734.
func TestSearchQualityOnGoldenSet(t *testing.T) {
	folder := os.Getenv("KOTA_RETRIEVAL")
	if folder == "" {
		t.Skip("KOTA_RETRIEVAL names no folder with golden_tools.json and golden_queries.json")
	}
	entries := readCatalogue(t, filepath.Join(folder, "golden_tools.json"))
	questions := readGolden(t, filepath.Join(folder, "golden_queries.json"))

	got := measure(searchRanking(entries), entries, questions)
	var table strings.Builder
	line := func(name, rest string) { table.WriteString("\n" + name + strings.Repeat(" ", 14-len(name)) + rest) }
	line("", figuresHead)
	line("engine", got.String())
	line("plain BM25", measure(plainBM25(entries), entries, questions).String())
	line("substring", measure(substring(entries), entries, questions).String())
	t.Log(table.String())

	if got.recall5 < 0.80 {
		t.Errorf("Recall@5 is %.3f, want at least 0.80", got.recall5)
	}
	if got.exact < 1 {
		t.Errorf("exact-name hit@1 is %.3f, want 1", got.exact)
	}
	if got.typo < 0.95 {
		t.Errorf("one-typo hit@1 is %.3f, want at least 0.95", got.typo)
	}
}

// readGolden treats answers with a grade of 1 or more as relevant.
func readGolden(t *testing.T, file string) []question {
	t.Helper()
	var golden struct {
		Queries []struct {
			Query  string `json:"query"`
			Labels []struct {
				Tool      string `json:"tool_id"`
				Relevance int    `json:"relevance"`
			} `json:"labels"`
		} `json:"queries"`
	}
	readJSON(t, file, &golden)
	var questions []question
	for _, q := range golden.Queries {
		a := question{Query: q.Query}
		for _, l := range q.Labels {
			if l.Relevance >= 1 {
				a.Relevant = append(a.Relevant, l.Tool)
			}
		}
		questions = append(questions, a)
	}
	return questions
}
