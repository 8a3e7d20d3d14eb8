package discovery_test

import (
	"context"
	"encoding/json"
	"testing"

	"kota/bundles"
	"kota/entrypoint/discovery"
	"kota/entrypoint/pipeline"
	"kota/entrypoint/routertest"
	"kota/metadata"
)

func TestSearchPrefersNonDeletingActions(t *testing.T) {
	action := func(name string, effect metadata.Effect, phrase string) bundles.Action {
		return bundles.Bind(metadata.Action{Name: name, Effect: effect, Summary: "Do it to the papers.", Phrases: []string{phrase}},
			func(context.Context, routertest.ListIn) (struct{}, error) { return struct{}{}, nil })
	}
	papers := bundles.New(metadata.Bundle{Key: "papers", Name: "Papers", Description: "Papers on a desk", Category: metadata.Core, Tags: []string{"desk"}, Enabled: true},
		action("burn", metadata.Destroys, "the old papers into the fire"), action("file", metadata.Writes, "the old papers into the box"))
	r := routertest.New(t, pipeline.Options{Bundles: []bundles.Bundle{papers}})
	for query, want := range map[string]string{
		"old papers":              "papers_file",
		"old papers for the fire": "papers_burn",
		"do it to the papers: lay the old papers into the fire": "papers_file", // whose score is 0.72 of that of papers_burn
		"throw the old papers into the fire":                    "papers_burn",
		"burn":                                                  "papers_burn",
		"papers_burn":                                           "papers_burn",
	} {
		text, err := routertest.Call(t, r, "kota_discover_bundles", `{"query": "`+query+`"}`)
		if err != nil {
			t.Fatal(err)
		}
		var got discovery.Findings
		if err := json.Unmarshal([]byte(text), &got); err != nil {
			t.Fatal(err)
		}
		if len(got.Actions) == 0 || got.Actions[0].Tool != want {
			t.Errorf("%q: %+v, want %s first", query, got.Actions, want)
		}
	}
}
