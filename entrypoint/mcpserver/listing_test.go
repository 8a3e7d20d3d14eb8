package mcpserver

import (
	"encoding/json"
	"slices"
	"testing"

	"kota/bundles"
	"kota/entrypoint"
	"kota/entrypoint/pipeline"
	"kota/entrypoint/policy"
	"kota/entrypoint/routertest"
	"kota/metadata"
)

// listedTools returns the names in the listing without the kota tools.
func listedTools(r *entrypoint.Router, o Options) []string {
	names := []string{}
	for _, a := range Listing(r, o) {
		if a.Tool[:5] != "kota_" {
			names = append(names, a.Tool)
		}
	}
	return names
}

// kotaTokens returns the tokens that the kota tools take from every budget.
func kotaTokens(r *entrypoint.Router) (tokens int) {
	for _, a := range Listing(r, Options{Expose: ExposeDiscovery}) {
		tokens += EstimateTool(a)
	}
	return tokens
}

func TestBudgetIsFilledByUsageThenCoreTools(t *testing.T) {
	_, inks := routertest.NewNotes("inks")
	_, pens := routertest.NewNotes("pens")
	r := routertest.New(t, pipeline.Options{Bundles: []bundles.Bundle{inks, pens}})
	tokens := func(tool string) int {
		action, ok := r.Action(tool)
		if !ok {
			t.Fatalf("there is no tool %s", tool)
		}
		return EstimateTool(action)
	}
	for _, c := range []struct {
		used, core, want []string
	}{
		{nil, nil, []string{"inks_add"}},
		{nil, nil, []string{"inks_add", "pens_add"}},
		{nil, nil, []string{"inks_add", "pens_add", "inks_list", "pens_list", "inks_shred"}},
		{nil, []string{"pens_post", "pens_add"}, []string{"pens_post", "pens_add", "inks_add", "inks_list"}},
		{[]string{"pens_wait", "inks_burst"}, []string{"inks_post", "inks_burst"}, []string{"pens_wait", "inks_burst", "inks_post", "inks_add"}},
		{[]string{"pens_wait", "inks_burst"}, []string{"inks_list", "inks_burst"}, []string{"pens_wait", "inks_burst"}},
		{[]string{"kota_read", "", "mics_add", "pens_list"}, nil, []string{"pens_list", "inks_add"}},
	} {
		budget := kotaTokens(r)
		for _, tool := range c.want {
			budget += tokens(tool)
		}
		o := Options{Expose: ExposeAuto, Used: c.used, CoreTools: c.core, Budget: budget}
		want := slices.Sorted(slices.Values(c.want))
		if got := listedTools(r, o); !slices.Equal(got, want) {
			t.Errorf("used %q, chosen %q: lists %q, want %q", c.used, c.core, got, want)
		}
		o.Budget--
		if got := listedTools(r, o); slices.Equal(got, want) {
			t.Errorf("used %q, chosen %q: lists %q for a token less too", c.used, c.core, got)
		}
	}
	if got := listedTools(r, Options{Expose: ExposeAuto, Budget: 1}); len(got) > 0 {
		t.Errorf("where the kota tools alone are too dear it lists %q", got)
	}
}

func TestListingOmitsHiddenTools(t *testing.T) {
	_, notes := routertest.NewNotes("notes")
	_, off := routertest.NewNotes("lamps")
	off.Enabled = false
	r := routertest.New(t, pipeline.Options{
		Bundles: []bundles.Bundle{notes, off},
		Policy:  policy.Policy{Profile: "read-only", Effects: []metadata.Effect{metadata.Reads}, Actions: []string{"notes_add", "notes_list", "lamps_list"}},
	})
	o := Options{Expose: ExposeAuto, Used: []string{"notes_add", "notes_wait", "lamps_list"}, CoreTools: []string{"notes_post"}, Budget: 100_000}
	if got := listedTools(r, o); !slices.Equal(got, []string{"notes_list"}) {
		t.Errorf("lists %q, want notes_list alone", got)
	}
}

// A price is the size of the tool's JSON in the listing, in tokens.
func TestEstimateMatchesListing(t *testing.T) {
	_, notes := routertest.NewNotes("notes")
	r := routertest.New(t, pipeline.Options{Bundles: []bundles.Bundle{notes}})
	o := Options{Expose: ExposeAll}
	estimate := 0
	for _, a := range Listing(r, o) {
		estimate += EstimateTool(a)
	}
	answer := New(r, o).HandleMessage(t.Context(), json.RawMessage(`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`))
	sent, err := json.Marshal(answer)
	if err != nil {
		t.Fatal(err)
	}
	if got := metadata.Tokens(sent); estimate > got || estimate < got*95/100 {
		t.Errorf("the prices add up to %d, and what is sent weighs %d", estimate, got)
	}
}
