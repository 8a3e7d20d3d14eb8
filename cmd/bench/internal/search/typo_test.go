package search

import (
	"math/rand/v2"
	"strings"
	"testing"

	"kota/cmd/bench/internal/report"
)

func TestTypoDiffersAndKeepsFirstLetter(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for range 2000 {
		for _, word := range []string{"aaa", "book", "filesystem:read_file"} {
			wrong := typo(word, r)
			if wrong == word || wrong[0] != word[0] || len(wrong) < len(word)-1 || len(wrong) > len(word)+1 {
				t.Fatalf("typo of %q is %q", word, wrong)
			}
		}
	}
}

func TestTableListsMissedTargets(t *testing.T) {
	var got report.Table
	got.Add("calls", []report.Row{report.Verdict("p50", "≤ 2", false, "%.1f", 2.5), report.Info("binary", "18 MB")})
	for _, line := range []string{
		"| p50 | ≤ 2 | 2.5 | MISSED | `-only calls` |\n",
		"| binary | – | 18 MB | – | `-only calls` |\n",
	} {
		if !strings.Contains(got.String(), line) {
			t.Errorf("no %q in\n%s", line, got)
		}
	}
}
