package mcpserver

import (
	"strings"

	"kota/entrypoint"
	"kota/metadata"
)

// A ToolCost is the cost of a tool for a model that reads it, in tokens as metadata.Tokens
// estimates them.
type ToolCost struct {
	Tool   string `json:"tool_name"`
	Bundle string `json:"bundle"`
	Listed int    `json:"listed_tokens"`  // in tools/list, with its schema
	Brief  int    `json:"level_1_tokens"` // see metadata.Action.Brief
	Spec   int    `json:"level_2_tokens"` // see metadata.Action.Spec
}

// ToolCosts returns the costs of the listed tools, in the order of the listing.
func ToolCosts(r *entrypoint.Router, o Options) []ToolCost {
	var costs []ToolCost
	for _, a := range Listing(r, o) {
		bundle, _, _ := strings.Cut(a.Tool, "_")
		costs = append(costs, ToolCost{
			Tool: a.Tool, Bundle: bundle,
			Listed: EstimateTool(a), Brief: metadata.Tokens(a.Brief()), Spec: metadata.Tokens(a.Spec()),
		})
	}
	return costs
}

// EstimateListing estimates the tokens of tools/list with these options.
func EstimateListing(r *entrypoint.Router, o Options) int {
	tokens := 0
	for _, a := range Listing(r, o) {
		tokens += EstimateTool(a)
	}
	return tokens
}
