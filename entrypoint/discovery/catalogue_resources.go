package discovery

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"kota/bundles"
	"kota/entrypoint"
	"kota/metadata"
	"kota/metadata/docs"
)

// resources returns the catalogue as MCP resources.
func (c *Catalogue) resources() []bundles.Resource {
	return []bundles.Resource{
		{
			URI: "kota://bundles", Name: "bundles", Title: "Enabled bundles", MIME: "application/json",
			Description: "Every enabled bundle with its tags and number of actions.",
			Read: func(ctx context.Context, _ string) (string, error) {
				return c.readJSON(ctx, "discover_bundles", discoverIn{})
			},
		},
		{
			URI: "kota://bundles/{key}", Name: "bundle", Title: "A bundle", MIME: "application/json",
			Description: "One bundle in full: actions, schemas, examples.",
			Complete:    func(_ context.Context, typed string) ([]string, error) { return withPrefix(typed, c.keys()), nil },
			Read: func(ctx context.Context, key string) (string, error) {
				return c.readJSON(ctx, "describe_bundle", describeIn{Bundle: key, IncludeExamples: true})
			},
		},
		{
			URI: "kota://context", Name: "context", Title: "What KOTA can do", MIME: "text/markdown",
			Description: fmt.Sprintf("What KOTA can do, in about %d tokens at most.", contextBudget),
			Read: func(context.Context, string) (string, error) {
				return docs.Context(c.EnabledBundles(), contextBudget), nil
			},
		},
		{
			URI: "kota://context/{budget}", Name: "context within a budget", Title: "What KOTA can do, within a number of tokens", MIME: "text/markdown",
			Description: "What KOTA can do, in about this many tokens, but with at least a line per bundle; 0: everything.",
			Complete: func(_ context.Context, typed string) ([]string, error) {
				return withPrefix(typed, []string{"0", "1000", "4000", "16000"}), nil
			},
			Read: func(_ context.Context, budget string) (string, error) {
				tokens, err := strconv.Atoi(budget)
				if err != nil || tokens < 0 {
					return "", metadata.Errorf(metadata.ValidationError, "the budget %q is not a number of tokens", metadata.Shorten(budget)).
						WithHint("Read kota://context/4000 for a limit of 4000 tokens, or kota://context/0 for everything.")
				}
				return docs.Context(c.EnabledBundles(), tokens), nil
			},
		},
	}
}

// contextBudget is the maximum number of tokens of kota://context. It is enough for the
// signatures of all built-in actions.
const contextBudget = 4000

// readJSON returns the answer of the discovery tool with this action name, as JSON.
func (c *Catalogue) readJSON(ctx context.Context, action string, in any) (string, error) {
	args, err := json.Marshal(in)
	if err != nil {
		return "", err
	}
	tool, _ := entrypoint.Enabled([]bundles.Bundle{c.kota}, entrypoint.ToolsKey, action)
	call, err := tool.Prepare(args)
	if err != nil {
		return "", err
	}
	out, err := call.Do(ctx)
	if err != nil {
		return "", err
	}
	text, err := metadata.Plain(out)
	return string(text), err
}

// withPrefix returns the values that start with the typed text. It ignores case.
func withPrefix(typed string, values []string) []string {
	return slices.DeleteFunc(slices.Clone(values), func(value string) bool {
		return len(value) < len(typed) || !strings.EqualFold(value[:len(typed)], typed)
	})
}
