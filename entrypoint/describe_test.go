package entrypoint_test

import (
	"encoding/json"
	"strings"
	"testing"

	"kota/entrypoint"
	"kota/metadata"
)

func TestADescriptionTakesNamesAsTheOtherDoorsDo(t *testing.T) {
	r := router(t, entrypoint.Options{Bundles: stationery(), Policy: entrypoint.Policy{Profile: "mine", Effects: []metadata.Effect{metadata.Reads, metadata.Writes}}})
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
		`{"bundle": "notes", "actions": ["add", "post"]}`:            `notes_add; post: notes_post sends, and the profile "mine" does not allow that. The user can allow it in bundles.yaml with the line ` + "`profile: full`, or with a profile whose effects include \"sends\".",
		`{"bundle": "notes", "actions": ["list"], "detail": "spec"}`: "notes_list",
	} {
		var answer struct {
			Actions []struct {
				Tool string `json:"tool_name"`
			} `json:"actions"`
			Missing []entrypoint.Missing `json:"missing"`
		}
		text, err := call(t, r, "kota_describe_bundle", args)
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
			line += "; " + m.Name + ": " + m.Why
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
		if got, err := call(t, r, "kota_describe_bundle", args); err == nil || err.Code != code {
			t.Errorf("%s: got %s %+v, want %s", args, got, err, code)
		}
	}
}
