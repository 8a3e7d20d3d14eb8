package discovery_test

import (
	"encoding/json"
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

// explained returns the explanation of an answer as "tool: offered", and the tools that the same
// answer shows.
func explained(t *testing.T, r *entrypoint.Router, args string) (rows, shown []string) {
	t.Helper()
	out, err := r.Call(t.Context(), "kota_discover_bundles", json.RawMessage(args))
	if err != nil {
		t.Fatalf("%s: %v", args, err)
	}
	d := out.(discovery.Findings)
	for _, e := range d.Explained {
		rows = append(rows, e.Tool+": "+e.Offered)
	}
	return rows, tools(d)
}

func TestExplanationHasTheActionsOfTheAnswer(t *testing.T) {
	_, notes := routertest.NewNotes("notes")
	_, attic := routertest.NewNotes("attic")
	attic.Enabled = false
	installed := []bundles.Bundle{notes, attic}
	readOnly := policy.Policy{Profile: "quiet", Effects: []metadata.Effect{metadata.Reads}, Explain: func([]policy.Filter) string { return "use another profile" }}
	for name, c := range map[string]struct {
		policy policy.Policy
		args   string
		want   []string // among the rows
	}{
		"a bundle that is off":      {policy.Policy{}, `{"query": "attic: jot something down"}`, []string{"attic_add: off", "notes_add: yes"}},
		"a hidden action":           {readOnly, `{"query": "jot something down, and list"}`, []string{"notes_add: hidden", "notes_list: yes"}},
		"with bundles that are off": {policy.Policy{}, `{"query": "attic: jot something down", "enabled_only": false}`, []string{"attic_add: yes", "notes_add: yes"}},
		"a filter":                  {policy.Policy{}, `{"query": "jot something down", "effect": "reads"}`, nil},
		"one action":                {policy.Policy{}, `{"query": "attic: jot something down", "limit": 1}`, []string{"attic_add: off", "notes_add: yes"}},
		"a name":                    {policy.Policy{}, `{"query": "notes_list", "limit": 2}`, []string{"notes_list: yes"}},
	} {
		t.Run(name, func(t *testing.T) {
			r := routertest.New(t, pipeline.Options{Bundles: installed, Policy: c.policy})
			rows, shown := explained(t, r, c.args)
			offered := []string{}
			for _, row := range rows {
				if tool, ok := strings.CutSuffix(row, ": yes"); ok {
					offered = append(offered, tool)
				}
			}
			if !slices.Equal(offered, shown) {
				t.Errorf("the answer shows %v, the explanation offers %v", shown, offered)
			}
			for _, want := range c.want {
				if !slices.Contains(rows, want) {
					t.Errorf("the rows are %q, want %q among them", rows, want)
				}
			}
		})
	}
}

func TestExplanationOfAMissHasItsBestHits(t *testing.T) {
	_, notes := routertest.NewNotes("notes")
	_, attic := routertest.NewNotes("attic")
	attic.Enabled = false
	r := routertest.New(t, pipeline.Options{Bundles: []bundles.Bundle{notes, attic}})
	rows, shown := explained(t, r, `{"query": "attic_add", "bundle": "attic", "limit": 2}`)
	if len(shown) > 0 || len(rows) == 0 || len(rows) > 2 || rows[0] != "attic_add: off" {
		t.Errorf("the rows are %q, the answer shows %v", rows, shown)
	}
	if rows, _ := explained(t, r, `{"query": "select:notes_add"}`); rows != nil {
		t.Errorf("a selection is explained by %q, although nothing was searched", rows)
	}
}
