package policy_test

import (
	"context"
	"strings"
	"testing"

	"kota/bundles"
	"kota/entrypoint"
	"kota/entrypoint/pipeline"
	"kota/entrypoint/policy"
	"kota/entrypoint/routertest"
	"kota/metadata"
)

type bookIn struct {
	Book string `json:"book"`
}

type bookOut struct {
	Note    any          `json:"note"` // any JSON value
	UndoID  string       `json:"undo_id,omitempty"`
	Changes []bookChange `json:"changes"`
}

type bookChange struct {
	Book   string `json:"book"`
	UndoID string `json:"undo_id"`
}

type undoIn struct {
	UndoID string `json:"undo_id,omitempty"`
}

func booksBundle() bundles.Bundle {
	return bundles.New(metadata.Bundle{Key: "books", Name: "Books", Description: "Books", Category: metadata.Core, Tags: []string{"books"}, Enabled: true},
		bundles.Bind(metadata.Action{Name: "put", Effect: metadata.Writes, Summary: "Put a book into the list.", Description: "books_undo removes it."},
			func(context.Context, bookIn) (bookOut, error) {
				return bookOut{Note: map[string]any{"undo_id": "the reader's own"}, UndoID: "u1", Changes: []bookChange{{"Dune", "u0"}}}, nil
			}),
		bundles.Bind(metadata.Action{Name: "undo", Effect: metadata.Writes, Undoes: true, Summary: "Put back what a change found."},
			func(context.Context, undoIn) (struct{}, error) { return struct{}{}, nil }))
}

func TestUndoIDIsOmittedWithoutUndoAction(t *testing.T) {
	const put = `{"book": "Emma"}`
	for _, hidden := range []bool{false, true} {
		rules := policy.Policy{}
		if hidden {
			rules = policy.Policy{Profile: "mine", Without: []string{"books_undo"}}
		}
		r := routertest.New(t, pipeline.Options{Bundles: []bundles.Bundle{booksBundle()}, Policy: rules})
		_, answer, err := r.Answer(t.Context(), &entrypoint.Call{Channel: entrypoint.ByName, Tool: "kota_entry_point", Args: []byte(`{"bundle": "books", "action": "put", "args": ` + put + `}`)})
		if err != nil {
			t.Fatal(err)
		}
		want := `{"note":{"undo_id":"the reader's own"},"undo_id":"u1","changes":[{"book":"Dune","undo_id":"u0"}]}`
		if hidden {
			want = `{"note":{"undo_id":"the reader's own"},"changes":[{"book":"Dune"}]}`
		}
		if string(answer) != want {
			t.Errorf("hidden %t:\ngot  %s\nwant %s", hidden, answer, want)
		}
		for _, detail := range []string{"schema", "spec", "brief"} {
			text, err := routertest.Call(t, r, "kota_describe_bundle", `{"bundle": "books", "actions": ["put"], "detail": "`+detail+`"}`)
			if err != nil {
				t.Fatal(err)
			}
			if says := strings.Contains(text, "undo"); says != (!hidden && detail != "brief") {
				t.Errorf("hidden %t, %s: speaks of undoing: %t\n%s", hidden, detail, says, text)
			}
		}
	}
}
