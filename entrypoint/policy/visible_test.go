package policy_test

import (
	"fmt"
	"strings"
	"testing"

	"kota/entrypoint/pipeline"
	"kota/entrypoint/policy"
	"kota/entrypoint/routertest"
	"kota/metadata"
)

func TestActionMustPassEveryFilterOfProfile(t *testing.T) {
	for name, c := range map[string]struct {
		policy policy.Policy
		want   []string // among add and list
	}{
		"no limit":                {policy.Policy{}, []string{"notes_add", "notes_list", "letters_add", "letters_list"}},
		"a bundle":                {policy.Policy{Bundles: []string{"letters"}}, []string{"letters_add", "letters_list"}},
		"a tag of a bundle":       {policy.Policy{Tags: []string{"wax", "clay"}}, []string{"letters_add", "letters_list"}},
		"a tag of an action":      {policy.Policy{Tags: []string{"ink"}}, []string{"notes_add"}},
		"tags are of any case":    {policy.Policy{Tags: []string{"WAX"}}, []string{"letters_add", "letters_list"}},
		"an action":               {policy.Policy{Actions: []string{"notes_add"}}, []string{"notes_add"}},
		"all of a bundle":         {policy.Policy{Actions: []string{"notes_*", "letters_list"}}, []string{"notes_add", "notes_list", "letters_list"}},
		"without one":             {policy.Policy{Without: []string{"notes_add"}}, []string{"notes_list", "letters_add", "letters_list"}},
		"without all of a bundle": {policy.Policy{Without: []string{"notes_*"}}, []string{"letters_add", "letters_list"}},
		"limits meet":             {policy.Policy{Bundles: []string{"notes"}, Tags: []string{"paper"}, Actions: []string{"notes_*", "letters_*"}, Without: []string{"notes_list"}}, []string{"notes_add"}},
		"nothing is within both":  {policy.Policy{Bundles: []string{"notes"}, Tags: []string{"wax"}}, nil},
		"a name is no prefix":     {policy.Policy{Actions: []string{"note_*", "notes_ad"}}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			r := routertest.New(t, pipeline.Options{Bundles: routertest.NotesAndLetters(), Policy: c.policy})
			for _, tool := range []string{"notes_add", "notes_list", "letters_add", "letters_list"} {
				want := strings.Contains(fmt.Sprint(c.want), tool)
				_, known := r.Action(tool)
				_, err := routertest.Call(t, r, tool, `{"text": "x"}`)
				answered := err == nil || err.Code != metadata.ToolNotFound
				if known != want || answered != want {
					t.Errorf("%s: known %v, answered %v, want %v", tool, known, answered, want)
				}
			}
		})
	}
}

func TestHiddenActionsAreExplainedOnRequest(t *testing.T) {
	asked := []struct {
		tool, args, names string
		code              metadata.Code
	}{
		{"letters_list", `{}`, "letters_list", metadata.ToolNotFound},
		{"letters_lisst", `{}`, "letters_list", metadata.ToolNotFound},
		{"letters.list", `{}`, "letters_list", metadata.ToolNotFound},
		{"kota_entry_point", `{"bundle": "letters", "action": "list"}`, "letters_list", metadata.ToolNotFound},
		{"kota_entry_point", `{"bundle": "leters", "action": "list"}`, "letters_list", metadata.ToolNotFound},
		{"kota_entry_point", `{"bundle": "letters", "action": "burn"}`, "letters", metadata.ToolNotFound},
		{"kota_read", `{"bundle": "notes", "action": "list"}`, "notes_list", metadata.ToolNotFound},
		{"kota_read", `{"bundle": "notes", "action": "lisst"}`, "notes_list", metadata.ToolNotFound},
		{"kota_describe_bundle", `{"bundle": "letters.ad"}`, "letters_add", metadata.NotFound},
		{"kota_entry_point", `{"bundle": "notes", "action": "notes_list"}`, "notes notes_list", metadata.ToolNotFound},
		{"kota_describe_bundle", `{"bundle": "letters"}`, "letters", metadata.NotFound},
		{"kota_describe_bundle", `{"bundle": "letters_add"}`, "letters_add", metadata.NotFound},
		{"kota_describe_bundle", `{"bundle": "notes", "actions": ["nope", "list"]}`, "notes list", metadata.NotFound},
	}
	rules := policy.Policy{Profile: "mine", Bundles: []string{"notes"}, Without: []string{"notes_list"}}
	silent := routertest.New(t, pipeline.Options{Bundles: routertest.NotesAndLetters(), Policy: rules})
	rules.Explain = func(limits []policy.Filter) string { return fmt.Sprint("line of ", limits) }
	open := routertest.New(t, pipeline.Options{Bundles: routertest.NotesAndLetters(), Policy: rules})
	for _, q := range asked {
		limit := "bundles"
		if strings.HasPrefix(q.names, "notes") {
			limit = "without"
		}
		_, err := routertest.Call(t, open, q.tool, q.args)
		want := fmt.Sprintf(`the profile "mine" hides %s`, q.names)
		if err == nil || err.Code != q.code || err.Message != want || err.Hint != "The user can make it available: line of ["+limit+"]." {
			t.Errorf("%s %s: got %+v, want %s %s", q.tool, q.args, err, q.code, want)
		}
		_, err = routertest.Call(t, silent, q.tool, q.args)
		if err == nil || err.Code != q.code || strings.Contains(err.Message+err.Hint, "mine") {
			t.Errorf("%s %s: got %+v, want %s as if it never was", q.tool, q.args, err, q.code)
		}
	}
	rules.Without = []string{"letters_add", "notes_list"}
	both := routertest.New(t, pipeline.Options{Bundles: routertest.NotesAndLetters(), Policy: rules})
	if _, err := routertest.Call(t, both, "letters_add", `{}`); err == nil || err.Hint != "The user can make it available: line of [bundles without]." {
		t.Errorf("hidden twice: got %+v, want both lines", err)
	}
	for args, want := range map[string]string{
		`{"query": "list the notes"}`:      `"hidden":"2 results hidden by profile mine"`,
		`{"query": "select:letters_list"}`: `"why":"the profile \"mine\" hides letters_list. The user can make it available: line of [bundles]."`,
	} {
		if got, _ := routertest.Call(t, open, "kota_discover_bundles", args); !strings.Contains(got, want) {
			t.Errorf("%s: got %s, want %s", args, got, want)
		}
		if got, _ := routertest.Call(t, silent, "kota_discover_bundles", args); strings.Contains(got, "mine") {
			t.Errorf("%s: got %s, want nothing of what is hidden", args, got)
		}
	}
	for args, code := range map[string]metadata.Code{`{"bundle": "", "action": ""}`: metadata.ToolNotFound, `{"bundle": "notes", "action": ""}`: metadata.ToolNotFound} {
		if _, err := routertest.Call(t, open, "kota_entry_point", args); err == nil || err.Code != code || strings.Contains(err.Message, "mine") {
			t.Errorf("%s: got %+v, want %s", args, err, code)
		}
	}
}

func TestInstructionsNameOnlyOfferedTools(t *testing.T) {
	all := routertest.NotesAndLetters()
	all[0].Instructions = "Notes are on paper. Write them with notes_add. Read them with notes_list."
	for name, c := range map[string]struct {
		policy policy.Policy
		want   string
	}{
		"everything": {policy.Policy{}, " Notes are on paper. Write them with notes_add. Read them with notes_list."},
		"hidden":     {policy.Policy{Without: []string{"notes_list"}}, " Notes are on paper. Write them with notes_add."},
		"withheld":   {policy.Policy{Effects: []metadata.Effect{metadata.Reads}}, " Notes are on paper. Read them with notes_list. Nothing can be changed here; only calls that read are allowed."},
		"a role":     {policy.Policy{Bundles: []string{"letters"}, Instructions: "You are the postman."}, " You are the postman."},
	} {
		got := routertest.New(t, pipeline.Options{Bundles: all, Policy: c.policy}).Instructions()
		if !strings.HasSuffix(got, "(kota_read for reads)."+c.want) {
			t.Errorf("%s: got %q, want %q at its end", name, got, c.want)
		}
	}
}

func TestBrowseHasProfileInstructions(t *testing.T) {
	r := routertest.New(t, pipeline.Options{Bundles: routertest.NotesAndLetters(), Policy: policy.Policy{Instructions: "You are the postman."}})
	for args, want := range map[string]bool{`{}`: true, `{"query": "list"}`: false, `{"query": "zzzz"}`: false} {
		got, _ := routertest.Call(t, r, "kota_discover_bundles", args)
		if strings.Contains(got, `"instructions":"You are the postman."`) != want {
			t.Errorf("%s: got %s, want the role in it: %v", args, got, want)
		}
	}
}

func TestBundleOmitsHiddenRelationshipsAndWorkflows(t *testing.T) {
	all := routertest.NotesAndLetters()
	all[0].Relationships = []metadata.Relationship{{Type: metadata.RelatedTo, Bundle: "letters", Description: "sealed"}}
	all[0].Workflows = []metadata.Workflow{
		{Title: "Copy", Scenario: "From one to the other", Steps: []metadata.Step{{Tool: "notes_list"}, {Tool: "letters_add"}}},
		{Title: "Look", Scenario: "At all", Steps: []metadata.Step{{Tool: "kota_read"}, {Tool: "notes_list"}}},
	}
	describe := func(rules policy.Policy) string {
		got, err := routertest.Call(t, routertest.New(t, pipeline.Options{Bundles: all, Policy: rules}), "kota_describe_bundle", `{"bundle": "notes"}`)
		if err != nil {
			t.Fatal(err)
		}
		return got
	}
	if got := describe(policy.Policy{}); !strings.Contains(got, "letters_add") || !strings.Contains(got, "sealed") {
		t.Errorf("got %s, want the other bundle and the workflow with it", got)
	}
	if got := describe(policy.Policy{Without: []string{"letters_*"}}); strings.Contains(got, "letters") || !strings.Contains(got, `"Look"`) || !strings.Contains(got, `"relationships":[]`) {
		t.Errorf("got %s, want nothing of the other bundle", got)
	}
	if got := describe(policy.Policy{Effects: []metadata.Effect{metadata.Reads}}); strings.Contains(got, `"Copy"`) || !strings.Contains(got, `"Look"`) {
		t.Errorf("got %s, want only the workflow that can be done", got)
	}
}
