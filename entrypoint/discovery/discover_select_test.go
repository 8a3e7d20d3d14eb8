package discovery_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"kota/bundles"
	"kota/entrypoint/discovery"
	"kota/entrypoint/pipeline"
	"kota/entrypoint/policy"
	"kota/entrypoint/routertest"
	"kota/metadata"
)

func TestSelectShowsNamedActionsInOrder(t *testing.T) {
	r := notesAndAttic(t)
	for query, want := range map[string][]string{
		"select:notes_post,notes_add":              {"notes_post", "notes_add"},
		"select:Notes.Post, NOTES_ADD ,notes.post": {"notes_post", "notes_add"},
		"SELECT: notes_list notesAdd":              {"notes_list", "notes_add"},
		"select:post":                              {"notes_post"},
	} {
		d := discover(t, r, fmt.Sprintf(`{"query": %q, "bundle": "notes", "limit": 1}`, query))
		if got := tools(d); !slices.Equal(got, want) || len(d.Missing) > 0 || d.NextCursor != "" {
			t.Errorf("%s: got %v, missing %v, want %v", query, got, d.Missing, want)
		}
		for _, a := range d.Actions {
			if a.Signature == "" || strings.Contains(a.Signature, metadata.Elided) {
				t.Errorf("%s: the signature of %s is %q", query, a.Tool, a.Signature)
			}
		}
	}
}

func TestSelectOfAnyNumberKeepsSignatures(t *testing.T) {
	type longIn struct {
		Text   string `json:"text" doc:"what to print"`
		Format string `json:"format,omitempty" enum:"a_format_with_a_very_long_name,another_format_with_a_very_long_name,a_third_format_with_a_very_long_name"`
		Paper  string `json:"paper,omitempty" enum:"a_paper_with_a_very_long_name,another_paper_with_a_very_long_name,a_third_paper_with_a_very_long_name"`
		Ink    string `json:"ink,omitempty" enum:"an_ink_with_a_long_name,another_ink_with_a_long_name,a_third_ink_with_a_long_name"`
	}
	names := []string{"print", "copy", "bind", "fold"}
	var actions []bundles.Action
	for _, name := range names {
		actions = append(actions, bundles.Bind(metadata.Action{Name: name, Effect: metadata.Writes, Summary: "Make a book of many pages with care, and then another with as much care."},
			func(context.Context, longIn) (struct{}, error) { return struct{}{}, nil }))
	}
	press := bundles.New(metadata.Bundle{Key: "press", Name: "Press", Description: "A press for books", Category: metadata.Core, Tags: []string{"books"}, Enabled: true}, actions...)
	r := routertest.New(t, pipeline.Options{Bundles: []bundles.Bundle{press}})
	for n := 1; n <= len(names); n++ {
		d := discover(t, r, fmt.Sprintf(`{"query": "select:%s"}`, strings.Join(names[:n], ",")))
		if len(d.Actions) != n {
			t.Fatalf("%d names: got %v", n, tools(d))
		}
		for _, a := range d.Actions {
			if a.Summary == "" || a.Signature == "" {
				t.Errorf("%d names: got %+v, want its summary and signature", n, a)
			}
		}
	}
}

func TestSelectListsMissingNames(t *testing.T) {
	d := discover(t, notesAndAttic(t), `{"query": "select:notes_lst,notes_add,attic_list,list,nowhere_near,add", "enabled_only": false, "effect": "writes"}`)
	if got := tools(d); !slices.Equal(got, []string{"notes_add"}) {
		t.Errorf("got %v, want what there is", got)
	}
	want := []discovery.MissingAction{
		{Name: "notes_lst", Reason: "there is no such action; the nearest is notes_list"},
		{Name: "attic_list", Reason: "the filters exclude it"},
		{Name: "list", Reason: "the filters exclude it"},
		{Name: "nowhere_near", Reason: "there is no such action"},
		{Name: "add", Reason: "the name is ambiguous: it may be attic_add, notes_add"},
	}
	if !slices.Equal(d.Missing, want) {
		t.Errorf("got %v, want %v", d.Missing, want)
	}
	for _, query := range []string{"select:attic_list", "select:", "select:nowhere_near"} {
		d := discover(t, notesAndAttic(t), fmt.Sprintf(`{"query": %q}`, query))
		if len(d.Actions) > 0 || d.Index["notes"] == "" {
			t.Errorf("%s: got %+v, want the index", query, d)
		}
	}
}

func TestSelectSaysThatProfileForbids(t *testing.T) {
	_, b := routertest.NewNotes("notes")
	r := routertest.New(t, pipeline.Options{Bundles: []bundles.Bundle{b}, Policy: policy.Policy{Profile: "read-only", Effects: []metadata.Effect{metadata.Reads}}})
	d := discover(t, r, `{"query": "select:notes_list,notes_add"}`)
	if !slices.Equal(tools(d), []string{"notes_list"}) || len(d.Missing) != 1 || !strings.Contains(d.Missing[0].Reason, "WRITES_DISABLED") {
		t.Errorf("got %v, missing %v", tools(d), d.Missing)
	}
}
