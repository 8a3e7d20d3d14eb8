package main

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"text/tabwriter"

	"kota/cmd/kota/internal/app"
)

// The maximum cost of the two levels of disclosure, in o200k tokens.
const (
	maxBriefTokens = 30
	maxSpecTokens  = 200
)

func TestEveryActionFitsBothDisclosureLevels(t *testing.T) {
	a := &app.App{Env: os.Getenv}
	count := tokenCounter(t)
	var table strings.Builder
	w := tabwriter.NewWriter(&table, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "tool\tlevel 1\tlevel 2")
	for _, b := range a.Bundles() {
		for _, action := range b.Actions {
			brief, spec := action.Brief(), action.Spec()
			n1, n2 := count(brief), count(spec)
			fmt.Fprintf(w, "%s\t%d\t%d\n", action.Tool, n1, n2)
			if n1 > maxBriefTokens {
				t.Errorf("%s: level 1 has %d tokens, want at most %d:\n%s", action.Tool, n1, maxBriefTokens, brief)
			}
			if n2 > maxSpecTokens {
				t.Errorf("%s: level 2 has %d tokens, want at most %d:\n%s", action.Tool, n2, maxSpecTokens, spec)
			}
		}
	}
	w.Flush()
	t.Logf("o200k tokens\n%s", table.String())
}
