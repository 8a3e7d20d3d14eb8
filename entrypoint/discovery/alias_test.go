package discovery_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"kota/bundles"
	"kota/entrypoint/pipeline"
	"kota/entrypoint/policy"
	"kota/entrypoint/routertest"
	"kota/metadata"
)

// postBundle returns a bundle whose actions read, write, delete and send. They have
// the names of other servers as aliases.
func postBundle(ran *[]string) bundles.Bundle {
	action := func(name string, effect metadata.Effect, aliases ...string) bundles.Action {
		return bundles.Bind(metadata.Action{Name: name, Effect: effect, Summary: "Do that with the post.", Aliases: aliases},
			func(context.Context, boxIn) (struct{}, error) { *ran = append(*ran, name); return struct{}{}, nil })
	}
	return bundles.New(metadata.Bundle{Key: "post", Name: "Post", Description: "Post", Category: metadata.Core, Tags: []string{"post"}, Enabled: true},
		action("get_letter", metadata.Reads, "read fetch: - letter mail"),
		action("find_letters", metadata.Reads, "search list: letters"),
		action("sort_letters", metadata.Writes, "archive: - letter (archive: true)", "order: letters"),
		action("send_letter", metadata.Sends, "write: letter"),
		action("delete_letter", metadata.Destroys, "burn: letter"))
}

func TestAliasesResolveOrSuggest(t *testing.T) {
	for name, c := range map[string]struct{ runs, suggests, hint string }{
		"read":           {runs: "get_letter"},
		"read_letter":    {runs: "get_letter"},
		"fetch_mail":     {runs: "get_letter"},
		"search_letters": {runs: "find_letters"},
		"listLetters":    {runs: "find_letters"},
		"order_letters":  {runs: "sort_letters"},
		"archive":        {suggests: "sort_letters", hint: "with archive: true"},
		"archive_letter": {suggests: "sort_letters", hint: "with archive: true"},
		"write_letter":   {suggests: "send_letter"},
		"burn_letter":    {suggests: "delete_letter"},
		"raed_letter":    {suggests: "get_letter"},
	} {
		for tool, args := range map[string]string{
			"post_" + name:     `{"key": "a"}`,
			"kota_entry_point": `{"bundle": "post", "action": "` + name + `", "args": {"key": "a"}}`,
		} {
			var ran []string
			r := routertest.New(t, pipeline.Options{Bundles: []bundles.Bundle{postBundle(&ran)}, Policy: policy.Policy{Send: policy.Allow, Destroy: policy.Allow}})
			_, err := routertest.Call(t, r, tool, args)
			switch {
			case c.runs != "":
				if err != nil || !slices.Equal(ran, []string{c.runs}) {
					t.Errorf("%s %s: %v, ran %v; want %s", tool, args, err, ran, c.runs)
				}
			case err == nil || len(ran) > 0 || err.Code != metadata.ToolNotFound:
				t.Errorf("%s %s: %v, ran %v; want a suggestion", tool, args, err, ran)
			case !strings.HasSuffix(err.Problems[0].Suggestion, c.suggests) || !strings.Contains(err.Hint, c.hint):
				t.Errorf("%s %s: suggests %q with %q, want %s and %q", tool, args, err.Problems[0].Suggestion, err.Hint, c.suggests, c.hint)
			}
		}
	}
}

func TestReadingNamesNeverSuggestSendsOrDeletions(t *testing.T) {
	for _, name := range []string{"read_letters", "get_leter", "show_letter", "raed_letter", "view", "open_letter", "list_letter", "read_and_send", "check_letter"} {
		for tool, args := range map[string]string{
			"post_" + name:          `{}`,
			"kota_entry_point":      `{"bundle": "post", "action": "` + name + `"}`,
			"kota_read":             `{"bundle": "post", "action": "` + name + `"}`,
			"kota_describe_bundle":  `{"bundle": "post", "actions": ["` + name + `"]}`,
			"kota_discover_bundles": `{"query": "select:post_` + name + `"}`,
		} {
			var ran []string
			r := routertest.New(t, pipeline.Options{Bundles: []bundles.Bundle{postBundle(&ran)}, Policy: policy.Policy{Send: policy.Allow, Destroy: policy.Allow}})
			got, err := routertest.Call(t, r, tool, args)
			said := got
			if err != nil {
				said = err.Hint
				for _, p := range err.Problems {
					said += " " + p.Suggestion
				}
			}
			if tool == "kota_discover_bundles" { // the index names every action
				said, _, _ = strings.Cut(said, `"index"`)
			}
			if strings.Contains(said, "send_letter") || strings.Contains(said, "delete_letter") {
				t.Errorf("%s %s: %s", tool, args, said)
			}
		}
	}
}
