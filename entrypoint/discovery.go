package entrypoint

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"kota/bundles"
	"kota/metadata"
)

// A Discovery knows what there is to call. It has the tools that find, describe and
// run actions, and it resolves names that no tool has.
type Discovery interface {
	// Tools returns the bundle of these tools, with its resources and prompts.
	Tools() bundles.Bundle
	// Find returns the action that a name stands for which no tool has. The
	// arguments decide where the name is misspelt.
	Find(name string, args json.RawMessage) (bundles.Action, error)
	// Target returns what a call of an entry point is to run. Input is the schema
	// of the entry point.
	Target(input *metadata.Schema, args json.RawMessage) (Target, error)
	// EnabledBundles returns the bundles that are on, as they are described.
	EnabledBundles() []metadata.Bundle
	// Listable returns the actions of these bundles: the first of each, then the
	// second of each, and so on.
	Listable() []metadata.Action
	// Instructions returns what a client may put before its model.
	Instructions() string
	// PriceTurn estimates what it costs to come upon an action.
	PriceTurn(context.Context) (TurnPrice, error)
}

// A Target is the call that an entry point is to run.
type Target struct {
	Action   bundles.Action
	Args     json.RawMessage
	Repaired []string // what was repaired of the request
}

// A TurnPrice is what it costs to come upon an action that is not listed, the
// call and its answer together, as a mean over all actions.
type TurnPrice struct {
	Find   int `json:"find_tokens"`    // by kota_discover_bundles
	ReadUp int `json:"read_up_tokens"` // by kota_describe_bundle, on level 2
}

// ToolsKey is the key of the bundle of the discovery tools. No other bundle may
// have it.
const ToolsKey = "kota"

// The tools that run the actions of others.
const (
	EntryPointTool = ToolsKey + "_entry_point"
	ReadTool       = ToolsKey + "_read"
)

// IsDiscoveryTool reports whether the tool is one of the four. The policy decides
// about what they run, not about them.
func IsDiscoveryTool(tool string) bool { return strings.HasPrefix(tool, ToolsKey+"_") }

// isEntryPoint reports whether the tool runs the actions of others.
func isEntryPoint(tool string) bool { return tool == EntryPointTool || tool == ReadTool }

// Enabled returns the action of a bundle that is on, by its name. The tool's name
// in place of the action's is understood, since models mix them up.
func Enabled(all []bundles.Bundle, bundle, action string) (bundles.Action, bool) {
	i := slices.IndexFunc(all, func(b bundles.Bundle) bool { return b.Key == bundle && b.Enabled })
	if i < 0 {
		return bundles.Action{}, false
	}
	for _, a := range all[i].Actions {
		if a.Name == action || a.Tool == action {
			return a, true
		}
	}
	return bundles.Action{}, false
}
