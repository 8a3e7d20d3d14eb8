package discovery_test

import (
	"encoding/json"
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

func TestDescribeAcceptsInexactNames(t *testing.T) {
	r := routertest.New(t, pipeline.Options{Bundles: routertest.NotesAndLetters(), Policy: policy.Policy{Profile: "mine", Effects: []metadata.Effect{metadata.Reads, metadata.Writes}}})
	for args, want := range map[string]string{
		`{"bundle": "notes.add"}`:                                    "notes_add",
		`{"bundle": "mcp__kota__notes_add"}`:                         "notes_add",
		`{"bundle": "Notes", "actions": ["Add", "notes_list"]}`:      "notes_add notes_list",
		`{"bundle": "notes", "actions": ["add", "notes_add"]}`:       "notes_add",
		`{"key": "notes", "actions": "list, add"}`:                   "notes_list notes_add",
		`{"tool_name": "letters_list"}`:                              "letters_list",
		`{"actions": ["letters_list"]}`:                              "letters_list",
		`{"actions": "nope,notes.list,notes_add"}`:                   "notes_list notes_add; nope: there is no such action",
		`{"bundle": "notes", "actions": ["lits", "add"]}`:            "notes_add; lits: there is no such action; the nearest is list",
		`{"bundle": "notes", "actions": ["add", "letters_add"]}`:     "notes_add; letters_add: it is an action of letters",
		`{"bundle": "notes", "actions": ["add", "post"]}`:            `notes_add; post: notes_post sends, which the profile "mine" does not allow. The user can allow it in bundles.yaml with the line ` + "`profile: full`, or with a profile whose effects include \"sends\".",
		`{"bundle": "notes", "actions": ["list"], "detail": "spec"}`: "notes_list",
	} {
		var answer struct {
			Actions []struct {
				Tool string `json:"tool_name"`
			} `json:"actions"`
			Missing []discovery.MissingAction `json:"missing"`
		}
		text, err := routertest.Call(t, r, "kota_describe_bundle", args)
		if err != nil {
			t.Errorf("%s: %+v", args, err)
			continue
		}
		if err := json.Unmarshal([]byte(text), &answer); err != nil {
			t.Fatal(err)
		}
		got := []string{}
		for _, a := range answer.Actions {
			got = append(got, a.Tool)
		}
		line := strings.Join(got, " ")
		for _, m := range answer.Missing {
			line += "; " + m.Name + ": " + m.Reason
		}
		if line != want {
			t.Errorf("%s:\ngot  %s\nwant %s", args, line, want)
		}
	}
	for args, code := range map[string]metadata.Code{
		`{}`:                       metadata.ValidationError,
		`{"actions": ["nope"]}`:    metadata.ValidationError,
		`{"actions": [1]}`:         metadata.ValidationError,
		`{"bundle": "notes_post"}`: metadata.WritesDisabled,
		`{"bundle": "notes", "actions": ["nope", "post"]}`: metadata.WritesDisabled,
	} {
		if got, err := routertest.Call(t, r, "kota_describe_bundle", args); err == nil || err.Code != code {
			t.Errorf("%s: got %s %+v, want %s", args, got, err, code)
		}
	}
}

func TestDescribeReportsRepairs(t *testing.T) {
	r := routertest.New(t, pipeline.Options{Bundles: routertest.NotesAndLetters()})
	for args, want := range map[string]string{
		`{"bundle": "notes", "actions": ["add", "notes_list"]}`: "",
		`{"bundle": "Notes"}`:                                   "bundle read as notes",
		`{"bundle": "notes.add"}`:                               "bundle read as notes; actions read as add",
		`{"bundle": "notes", "actions": ["notes.add", "List"]}`: "another spelling read as add; another spelling read as list",
		`{"bundle": "notes", "detail": "full"}`:                 "detail read as schema",
		`{"bundle": "notes", "detail": "signatures"}`:           "detail read as spec",
		`{"bundle": "notes", "detail": "names"}`:                "detail read as brief",
		`{"actions": ["letters_list"]}`:                         "bundle read as letters",
	} {
		call := &entrypoint.Call{Tool: "kota_describe_bundle", Args: json.RawMessage(args)}
		if _, _, err := r.Answer(t.Context(), call); err != nil {
			t.Errorf("%s: %v", args, err)
		}
		if got := strings.Join(call.Repairs, "; "); got != want {
			t.Errorf("%s: said %q, want %q", args, got, want)
		}
	}
}

func TestDetailLevelsHaveAliases(t *testing.T) {
	r := routertest.New(t, pipeline.Options{Bundles: routertest.NotesAndLetters()})
	for word, own := range map[string]string{"brief": "names", "spec": "full", "schema": "full"} {
		got, _ := routertest.Call(t, r, "kota_discover_bundles", `{"query": "write a note", "detail": "`+word+`"}`)
		want, err := routertest.Call(t, r, "kota_discover_bundles", `{"query": "write a note", "detail": "`+own+`"}`)
		if err != nil || got != want {
			t.Errorf("%s is not %s: %+v\n%s\n%s", word, own, err, got, want)
		}
	}
	for word, own := range map[string]string{"names": "brief", "signatures": "spec", "full": "schema"} {
		got, _ := routertest.Call(t, r, "kota_describe_bundle", `{"bundle": "notes", "detail": "`+word+`"}`)
		want, err := routertest.Call(t, r, "kota_describe_bundle", `{"bundle": "notes", "detail": "`+own+`"}`)
		if err != nil || got != want {
			t.Errorf("%s is not %s: %+v\n%s\n%s", word, own, err, got, want)
		}
	}
}

func TestDescribeNamesBundleOfOtherAction(t *testing.T) {
	r := routertest.New(t, pipeline.Options{Bundles: routertest.NotesAndLetters()})
	_, err := routertest.Call(t, r, "kota_describe_bundle", `{"bundle": "notes", "actions": ["letters_add", "nope"]}`)
	if err == nil || err.Code != metadata.NotFound || len(err.Problems) != 2 || !strings.HasPrefix(err.Hint, "letters_add is an action of letters. Its actions include ") {
		t.Errorf("%+v", err)
	}
}

func TestDescribeOfActionsIsNarrow(t *testing.T) {
	_, b := routertest.NewNotes("notes")
	b.Actions[0].Examples = append(b.Actions[0].Examples, b.Actions[0].Examples...)
	b.Bundle.Actions[0].Examples = b.Actions[0].Examples
	b.Workflows = []metadata.Workflow{{Title: "Write and read", Scenario: "A note", Steps: []metadata.Step{{Tool: "notes_add", Args: map[string]any{"text": "x"}}, {Tool: "notes_list", Args: map[string]any{}}}}}
	r := routertest.New(t, pipeline.Options{Bundles: []bundles.Bundle{b}})
	for args, want := range map[string]struct{ output, workflows, examples int }{
		`{"bundle": "notes", "actions": ["add"]}`:                                                   {0, 0, 1},
		`{"bundle": "notes.add"}`:                                                                   {0, 0, 1},
		`{"bundle": "notes", "actions": ["add"], "include": ["output"]}`:                            {1, 0, 1},
		`{"bundle": "notes", "actions": ["add"], "include": ["workflows"]}`:                         {0, 1, 1},
		`{"bundle": "notes", "actions": ["add"], "include": ["examples"]}`:                          {0, 0, 2},
		`{"bundle": "notes", "actions": ["add"], "include": ["output"], "include_examples": false}`: {1, 0, 0},
		`{"bundle": "notes"}`: {6, 1, 2},
	} {
		text, e := routertest.Call(t, r, "kota_describe_bundle", args)
		if e != nil {
			t.Fatalf("%s: %v", args, e)
		}
		var got metadata.Bundle
		if err := json.Unmarshal([]byte(text), &got); err != nil {
			t.Fatal(err)
		}
		outputs := strings.Count(text, `"outputSchema":`)
		if outputs != want.output || len(got.Workflows) != want.workflows || len(got.Actions[0].Examples) != want.examples || got.Actions[0].Input == nil {
			t.Errorf("%s: %d output schemas, %d workflows, %d examples; want %+v: %s", args, outputs, len(got.Workflows), len(got.Actions[0].Examples), want, text)
		}
	}
}
