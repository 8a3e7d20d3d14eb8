package discovery_test

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kota/entrypoint/discovery"
	"kota/entrypoint/pipeline"
	"kota/entrypoint/policy"
	"kota/entrypoint/routertest"
	"kota/metadata"
)

func TestOverviewQuestionReturnsIndex(t *testing.T) {
	r := routertest.New(t, pipeline.Options{Bundles: routertest.NotesAndLetters(), Policy: policy.Policy{Profile: "mine", Effects: []metadata.Effect{metadata.Reads, metadata.Writes}}})
	for args, want := range map[string]map[string]string{
		`{"query": "help"}`: {"notes": "add, list, shred, burst, wait", "letters": "add, list, shred, burst, wait"},
		`{"query": "What can you do?", "bundle": "notes"}`: {"notes": "add, list, shred, burst, wait"},
		`{"query": "list all tools", "effect": "writes"}`:  {"notes": "add", "letters": "add"},
		`{"query": "list"}`:                 nil, // a name
		`{"query": "help me write a note"}`: nil,
	} {
		text, err := routertest.Call(t, r, "kota_discover_bundles", args)
		if err != nil {
			t.Fatal(err)
		}
		var got discovery.Findings
		if err := json.Unmarshal([]byte(text), &got); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got.Index); diff != "" || (want == nil) != (len(got.Actions) > 0) {
			t.Errorf("%s: %s\n%s", args, diff, text)
		}
	}
}
