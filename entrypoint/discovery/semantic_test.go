package discovery_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"kota/bundles"
	"kota/entrypoint"
	"kota/entrypoint/discovery"
	"kota/entrypoint/pipeline"
	"kota/entrypoint/policy"
	"kota/entrypoint/routertest"
	"kota/metadata"
)

// matchWords returns a search that finds the actions whose text has one of these words, in
// their order, whatever the query is.
func matchWords(words ...string) discovery.SemanticSearch {
	return func(_ context.Context, _ string, among []string) (similar []int, note string) {
		for _, word := range words {
			for i, text := range among {
				if strings.Contains(text, word) {
					similar = append(similar, i)
				}
			}
		}
		return similar, ""
	}
}

func routerWithSemantic(t *testing.T, semantic discovery.SemanticSearch, rules policy.Policy) *entrypoint.Router {
	t.Helper()
	_, on := routertest.NewNotes("notes")
	_, off := routertest.NewNotes("attic")
	off.Enabled = false
	return routertest.New(t, pipeline.Options{Bundles: []bundles.Bundle{on, off}, SemanticSearch: semantic, Policy: rules})
}

func TestSemanticSearchFindsActionsWithoutCommonWords(t *testing.T) {
	const query = `{"query": "qwertz"`
	r := routerWithSemantic(t, matchWords("notes list", "notes add", "attic"), policy.Policy{})
	for args, want := range map[string][]string{
		query + `}`:                     {"notes_list", "notes_add"},
		query + `, "effect": "writes"}`: {"notes_add"},
		query + `, "limit": 1}`:         {"notes_list"},
	} {
		if got := tools(discover(t, r, args)); !slices.Equal(got, want) {
			t.Errorf("%s: found %q, want %q", args, got, want)
		}
	}
	if d := discover(t, routerWithSemantic(t, matchWords("no such text"), policy.Policy{}), query+`}`); len(d.Actions) != 0 || len(d.Index) == 0 {
		t.Errorf("nothing means it: found %q", tools(d))
	}
}

func TestSemanticSearchShowsNoHiddenAction(t *testing.T) {
	r := routerWithSemantic(t, matchWords("notes list", "notes add", "notes shred"), policy.Policy{Profile: "read-only", Effects: []metadata.Effect{metadata.Reads}})
	if got := tools(discover(t, r, `{"query": "qwertz"}`)); !slices.Equal(got, []string{"notes_list"}) {
		t.Errorf("found %q", got)
	}
}

func TestExactNamesSkipSemanticSearch(t *testing.T) {
	r := routerWithSemantic(t, func(context.Context, string, []string) ([]int, string) {
		t.Error("the query left the process")
		return nil, ""
	}, policy.Policy{})
	for _, args := range []string{`{}`, `{"query": "notes_add"}`, `{"query": "notes.add"}`, `{"query": "select:notes_add"}`} {
		if got := tools(discover(t, r, args)); args != `{}` && got[0] != "notes_add" {
			t.Errorf("%s: found %q", args, got)
		}
	}
}

func TestSemanticNoteIsInEveryAnswer(t *testing.T) {
	r := routerWithSemantic(t, func(context.Context, string, []string) ([]int, string) { return nil, "semantic search is off" }, policy.Policy{})
	for _, query := range []string{"write a note", "qwertz"} {
		if d := discover(t, r, `{"query": "`+query+`"}`); d.Note != "semantic search is off" {
			t.Errorf("%q: note %q", query, d.Note)
		}
	}
}

func TestEstimateCostSkipsSemanticSearch(t *testing.T) {
	r := routerWithSemantic(t, func(_ context.Context, query string, _ []string) ([]int, string) {
		t.Errorf("asked what %q means", query)
		return nil, ""
	}, policy.Policy{})
	if price, err := r.EstimateCost(t.Context()); err != nil || price.Find == 0 || price.Describe == 0 {
		t.Errorf("got %+v with %v", price, err)
	}
}
