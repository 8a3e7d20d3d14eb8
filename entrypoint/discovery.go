package entrypoint

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"kota/bundles"
	"kota/metadata"
)

// A Discovery knows what can be called. It has the tools that find, describe and run
// actions, and it resolves inexact names.
type Discovery interface {
	// Tools returns the bundle of these tools, with its resources and prompts.
	Tools() bundles.Bundle
	// Find returns the action that an inexact name stands for. If the name is
	// misspelt, the arguments must fit the action.
	Find(name string, args json.RawMessage) (bundles.Action, error)
	// Target returns the action and arguments that a call of an entry point asks for.
	// The input is the schema of the entry point.
	Target(input *metadata.Schema, args json.RawMessage) (Target, error)
	// EnabledBundles returns the descriptions of the enabled bundles.
	EnabledBundles() []metadata.Bundle
	// Listable returns the actions of the enabled bundles: the first action of each
	// bundle, then the second of each, and so on.
	Listable() []metadata.Action
	// Instructions returns the text that a client may show its model.
	Instructions() string
	// EstimateCost estimates the tokens that it takes to find and describe an action.
	EstimateCost(context.Context) (DiscoveryCost, error)
}

// A Target is the call that an entry point asks for.
type Target struct {
	Action   bundles.Action
	Args     json.RawMessage
	Repaired []string // what was repaired in the request
}

// A DiscoveryCost has the tokens for finding an action that is not listed, and for getting its
// description. Each number counts the call and its answer. It is the mean over all enabled
// actions.
type DiscoveryCost struct {
	Find     int `json:"find_tokens"`    // by kota_discover_bundles
	Describe int `json:"read_up_tokens"` // by kota_describe_bundle, on level 2
}

// ToolsKey is the key of the bundle of the discovery tools. No other bundle may
// use it.
const ToolsKey = "kota"

// The tools that run actions of other bundles.
const (
	EntryPointTool = ToolsKey + "_entry_point"
	ReadTool       = ToolsKey + "_read"
)

// IsDiscoveryTool reports whether the tool is one of the four discovery tools. The
// policy does not restrict these tools, only the actions that they run.
func IsDiscoveryTool(tool string) bool { return strings.HasPrefix(tool, ToolsKey+"_") }

// isEntryPoint reports whether the tool runs actions of other bundles.
func isEntryPoint(tool string) bool { return tool == EntryPointTool || tool == ReadTool }

// Enabled returns the action of this name in the bundle with this key. It returns false if
// the bundle is not enabled or has no such action. It also accepts the tool's name, since
// models mix up the two names.
func Enabled(installed []bundles.Bundle, bundle, action string) (bundles.Action, bool) {
	i := slices.IndexFunc(installed, func(b bundles.Bundle) bool { return b.Key == bundle && b.Enabled })
	if i < 0 {
		return bundles.Action{}, false
	}
	for _, a := range installed[i].Actions {
		if a.Name == action || a.Tool == action {
			return a, true
		}
	}
	return bundles.Action{}, false
}
