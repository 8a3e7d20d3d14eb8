package discovery_test

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"kota/bundles"
	"kota/entrypoint"
	"kota/entrypoint/pipeline"
	"kota/entrypoint/policy"
	"kota/entrypoint/routertest"
	"kota/metadata"
)

// usedWith describes an action of the notes bundle and returns its used_with list.
func usedWith(t *testing.T, r *entrypoint.Router, action string) []string {
	t.Helper()
	text, failed := routertest.Call(t, r, "kota_describe_bundle", `{"bundle": "notes", "actions": ["`+action+`"]}`)
	if failed != nil {
		t.Fatal(failed)
	}
	var about struct {
		Actions []struct {
			UsedWith []string `json:"used_with"`
		}
	}
	if err := json.Unmarshal([]byte(text), &about); err != nil {
		t.Fatal(err)
	}
	return about.Actions[0].UsedWith
}

func TestDescribeNamesToolsOftenUsedTogether(t *testing.T) {
	for name, c := range map[string]struct {
		pairs map[[2]string]int
		want  []string // for notes_list
	}{
		"nothing counted":         {nil, nil},
		"too seldom":              {map[[2]string]int{{"notes_add", "notes_list"}: 4}, nil},
		"either one first":        {map[[2]string]int{{"notes_add", "notes_list"}: 5, {"notes_list", "notes_post"}: 6}, []string{"notes_post", "notes_add"}},
		"of equal ones by name":   {map[[2]string]int{{"notes_list", "notes_post"}: 9, {"notes_add", "notes_list"}: 9}, []string{"notes_add", "notes_post"}},
		"one among very many":     {map[[2]string]int{{"notes_add", "notes_list"}: 100, {"notes_list", "notes_post"}: 24}, []string{"notes_add"}},
		"at most three":           {map[[2]string]int{{"notes_add", "notes_list"}: 9, {"notes_list", "notes_post"}: 8, {"notes_list", "notes_shred"}: 8, {"notes_list", "notes_wait"}: 7}, []string{"notes_add", "notes_post", "notes_shred"}},
		"pairs of others":         {map[[2]string]int{{"notes_add", "notes_post"}: 50}, nil},
		"what does not exist":     {map[[2]string]int{{"mics_add", "notes_list"}: 50}, nil},
		"what is hidden":          {map[[2]string]int{{"notes_burst", "notes_list"}: 50, {"notes_add", "notes_list"}: 5}, []string{"notes_add"}},
		"what is off":             {map[[2]string]int{{"lamps_add", "notes_list"}: 50}, nil},
		"what may not be run now": {map[[2]string]int{{"notes_list", "notes_post"}: 50}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			_, notes := routertest.NewNotes("notes")
			_, off := routertest.NewNotes("lamps")
			off.Enabled = false
			rules := policy.Policy{Actions: []string{"notes_add", "notes_list", "notes_post", "notes_shred", "notes_wait", "lamps_add"}}
			if name == "what may not be run now" {
				rules.Effects = []metadata.Effect{metadata.Reads}
			}
			r := routertest.New(t, pipeline.Options{
				Bundles: []bundles.Bundle{notes, off}, Policy: rules,
				Pairs: func(context.Context) map[[2]string]int { return c.pairs },
			})
			if got := usedWith(t, r, "list"); !slices.Equal(got, c.want) {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

func TestUsedWithIsReadOnce(t *testing.T) {
	_, notes := routertest.NewNotes("notes")
	asked := 0
	r := routertest.New(t, pipeline.Options{Bundles: []bundles.Bundle{notes}, Pairs: func(context.Context) map[[2]string]int {
		asked++
		return map[[2]string]int{{"notes_add", "notes_list"}: 10 * asked}
	}})
	first, _ := routertest.Call(t, r, "kota_describe_bundle", `{"bundle": "notes"}`)
	again, _ := routertest.Call(t, r, "kota_describe_bundle", `{"bundle": "notes"}`)
	if first != again || asked != 1 || !strings.Contains(first, `"used_with":["notes_list"]`) {
		t.Errorf("asked %d times, described as\n%s\n%s", asked, first, again)
	}
	for _, b := range r.EnabledBundles() {
		for _, a := range b.Actions {
			if a.UsedWith != nil {
				t.Errorf("the catalogue itself says that %s is used with %q", a.Tool, a.UsedWith)
			}
		}
	}
}

func TestCancelledCallerDoesNotCacheEmptyUsedWith(t *testing.T) {
	_, notes := routertest.NewNotes("notes")
	r := routertest.New(t, pipeline.Options{Bundles: []bundles.Bundle{notes}, Pairs: func(ctx context.Context) map[[2]string]int {
		if ctx.Err() != nil {
			return nil
		}
		return map[[2]string]int{{"notes_add", "notes_list"}: 10}
	}})
	left, leave := context.WithCancel(t.Context())
	leave()
	_, _ = r.Call(left, "kota_describe_bundle", json.RawMessage(`{"bundle": "notes"}`))
	if got := usedWith(t, r, "list"); !slices.Equal(got, []string{"notes_add"}) {
		t.Errorf("the next caller gets %q", got)
	}
}
