package discovery_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"kota/bundles"
	"kota/entrypoint/pipeline"
	"kota/entrypoint/policy"
	"kota/entrypoint/routertest"
	"kota/metadata"
)

type boxIn struct {
	Key   string `json:"key"`
	Value string `json:"value,omitempty"`
}

// boxBundle returns a bundle whose actions have names that differ by one letter and take the
// same arguments.
func boxBundle(ran *[]string) bundles.Bundle {
	action := func(name string, effect metadata.Effect) bundles.Action {
		return bundles.Bind(metadata.Action{Name: name, Effect: effect, Summary: "Do that to the box."},
			func(context.Context, boxIn) (struct{}, error) { *ran = append(*ran, name); return struct{}{}, nil })
	}
	return bundles.New(metadata.Bundle{Key: "box", Name: "Box", Description: "A box", Category: metadata.Core, Tags: []string{"box"}, Enabled: true},
		action("get", metadata.Reads), action("set", metadata.Writes), action("seal", metadata.Writes), action("sell", metadata.Sends), action("peel", metadata.Reads))
}

func TestMisspeltReadNeverWrites(t *testing.T) {
	for _, c := range []struct {
		name, args string
		want       string // what runs; "" means TOOL_NOT_FOUND
		suggestion string
	}{
		{"get", `{"key": "a"}`, "", "set"}, // hidden, and one letter away from set
		{"gett", `{"key": "a"}`, "", ""},
		{"sset", `{"key": "a", "value": "b"}`, "set", ""},
		{"sset", `{"KEY": "a"}`, "set", ""}, // the arguments are repaired too
		{"sset", `{"nothing": "a"}`, "", "set"},
		{"sael", `{"key": "a"}`, "seal", ""},
		{"selll", `{"key": "a"}`, "", "sell"}, // sends
		{"pel", `{"key": "a"}`, "peel", ""},
		{"pel", `{"nothing": 1}`, "", "peel"},
	} {
		for tool, args := range map[string]string{
			"box_" + c.name:    c.args,
			"kota_entry_point": fmt.Sprintf(`{"bundle": "box", "action": %q, "args": %s}`, c.name, c.args),
			"kota_read":        fmt.Sprintf(`{"bundle": "box", "name": %q, "args": %s}`, c.name, c.args),
		} {
			var ran []string
			r := routertest.New(t, pipeline.Options{Bundles: []bundles.Bundle{boxBundle(&ran)}, Policy: policy.Policy{Profile: "mine", Without: []string{"box_get"}, Send: policy.Allow}})
			_, err := routertest.Call(t, r, tool, args)
			switch {
			case c.want != "" && tool == "kota_read" && c.want != "peel":
				if err == nil || err.Code != metadata.Refused || len(ran) > 0 {
					t.Errorf("%s %s: %+v, ran %v; want a refusal", tool, args, err, ran)
				}
			case c.want != "":
				if err != nil || !slices.Equal(ran, []string{c.want}) {
					t.Errorf("%s %s: %+v, ran %v; want %s", tool, args, err, ran, c.want)
				}
			case err == nil || err.Code != metadata.ToolNotFound || len(ran) > 0:
				t.Errorf("%s %s: %+v, ran %v; want %s", tool, args, err, ran, metadata.ToolNotFound)
			case !strings.HasSuffix(err.Problems[0].Suggestion, c.suggestion):
				t.Errorf("%s %s: the suggestion is %q, want %q", tool, args, err.Problems[0].Suggestion, c.suggestion)
			}
		}
	}
}

func TestHintsListOnlyOfferedActions(t *testing.T) {
	var ran []string
	r := routertest.New(t, pipeline.Options{Bundles: []bundles.Bundle{boxBundle(&ran)}, Policy: policy.Policy{Profile: "read-only", Effects: []metadata.Effect{metadata.Reads}}})
	for _, args := range []string{`{"bundle": "box", "action": "nonsense"}`, `{"bundle": "box", "action": "sell_all"}`, `{"action": "box_sel"}`} {
		_, err := routertest.Call(t, r, "kota_entry_point", args)
		_, read := routertest.Call(t, r, "kota_read", args)
		if err == nil || err.Code != metadata.ToolNotFound {
			t.Fatalf("%s: %+v", args, err)
		}
		if fmt.Sprintf("%+v", err) != fmt.Sprintf("%+v", read) {
			t.Errorf("%s: kota_read answers %+v, kota_entry_point %+v", args, read, err)
		}
		for _, forbidden := range []string{"set", "seal", "sell,", "sell."} {
			if strings.Contains(err.Hint, forbidden) {
				t.Errorf("%s: the hint names %s: %s", args, forbidden, err.Hint)
			}
		}
	}
	t.Run("and say when there is nothing", func(t *testing.T) {
		none := routertest.New(t, pipeline.Options{})
		for tool, args := range map[string]string{"kota_entry_point": `{"bundle": "box", "action": "get"}`, "kota_describe_bundle": `{"bundle": "box"}`} {
			if _, err := routertest.Call(t, none, tool, args); err == nil || !strings.Contains(err.Hint, "No bundle can be used") {
				t.Errorf("%s: %+v", tool, err)
			}
		}
	})
}
