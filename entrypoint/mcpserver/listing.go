package mcpserver

import (
	"slices"
	"strings"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"kota/entrypoint"
	"kota/metadata"
)

// An Expose says which tools tools/list shows. Every action can be called by
// its name and through the entry points, listed or not.
type Expose string

const (
	ExposeAll       Expose = "all"       // the kota tools and every enabled action
	ExposeCore      Expose = "core"      // the kota tools and those chosen
	ExposeDiscovery Expose = "discovery" // the kota tools alone
	ExposeAuto      Expose = "auto"      // the kota tools and the most used actions, within a budget
)

// Listing returns what tools/list shows under these options, sorted by tool
// name. It is the same for the same options, whatever was called meanwhile.
func Listing(r *entrypoint.Router, o Options) []metadata.Action {
	actions := r.DiscoveryTools()
	on := r.Listable()
	switch o.Expose {
	case ExposeDiscovery:
	case ExposeCore:
		actions = append(actions, slices.DeleteFunc(on, func(a metadata.Action) bool { return !slices.Contains(o.CoreTools, a.Tool) })...)
	case ExposeAuto:
		actions = withinBudget(actions, byUse(on, slices.Concat(o.Used, o.CoreTools)), o.Budget)
	default:
		actions = append(actions, on...)
	}
	slices.SortFunc(actions, func(a, b metadata.Action) int { return strings.Compare(a.Tool, b.Tool) })
	return actions
}

// byUse puts the actions of these tools first, in that order.
func byUse(actions []metadata.Action, first []string) []metadata.Action {
	rank := make(map[string]int, len(first))
	for i, tool := range slices.Backward(first) {
		rank[tool] = i
	}
	place := func(a metadata.Action) int {
		if i, used := rank[a.Tool]; used {
			return i
		}
		return len(first)
	}
	slices.SortStableFunc(actions, func(a, b metadata.Action) int { return place(a) - place(b) })
	return actions
}

// withinBudget adds those of more that still fit into the budget, in their order.
func withinBudget(actions, more []metadata.Action, budget int) []metadata.Action {
	for _, a := range actions {
		budget -= PriceTool(a)
	}
	for _, a := range more {
		if price := PriceTool(a); price <= budget {
			actions, budget = append(actions, a), budget-price
		}
	}
	return actions
}

// cached tells clients of 2026-07-28 how long they may keep a list, and that it
// is for one user: it follows the user's bundles.yaml, accounts and usage. It
// stays the same for as long as the process lives; the next one may show
// another, so they are to look again soon.
func cached() []server.ServerOption {
	const fresh = 5 * time.Minute
	options := []server.ServerOption{}
	for _, list := range []mcp.MCPMethod{mcp.MethodToolsList, mcp.MethodPromptsList, mcp.MethodResourcesList, mcp.MethodResourcesTemplatesList} {
		options = append(options, server.WithMethodCacheHints(list, fresh.Milliseconds(), mcp.CacheScopePrivate))
	}
	return options
}

// PriceTool estimates the tokens that the tool costs a model in tools/list, as
// metadata.Tokens does for its JSON there, with the comma after it.
func PriceTool(a metadata.Action) int {
	text, err := metadata.Plain(describeTool(a))
	if err != nil {
		panic("marshal " + a.Tool + ": " + err.Error())
	}
	return metadata.Tokens(append(text, ','))
}

// describeTool turns a description into what MCP lists. Output schemas are
// left to kota_describe_bundle: in a listing they cost a third of its tokens
// and no model reads them there.
func describeTool(a metadata.Action) mcp.Tool {
	schema, err := a.Input.MarshalJSON()
	if err != nil {
		panic("marshal schema of " + a.Tool + ": " + err.Error())
	}
	// mcp.NewTool with a raw schema makes tools/list hang.
	tool := mcp.NewToolWithRawSchema(a.Tool, a.Text(), schema)
	tool.Title = title(a)
	tool.Annotations = annotations(a)
	if entrypoint.IsDiscoveryTool(a.Tool) {
		tool.Meta = mcp.NewMetaFromMap(map[string]any{alwaysLoad: true})
	}
	return tool
}

// title is what clients show instead of the name: "Gmail: send message".
func title(a metadata.Action) string {
	bundle, action, _ := strings.Cut(a.Tool, "_")
	if bundle == entrypoint.ToolsKey {
		bundle = "KOTA"
	}
	return strings.ToUpper(bundle[:1]) + bundle[1:] + ": " + strings.ReplaceAll(action, "_", " ")
}

// alwaysLoad is the key by which Claude Code keeps a tool before its model
// where it defers those of servers behind a search of its own: what finds the
// others must not have to be found (colbymchenry/codegraph#1696).
const alwaysLoad = "anthropic/alwaysLoad"

// annotations translates an effect, with all four hints: some hosts take a tool
// without one for the worst. A call that reads may be repeated; another call may do
// its work twice. The world is open to what sends, and to
// what works on an account elsewhere: other people write what is read there.
// kota_read may run such an action.
func annotations(a metadata.Action) mcp.ToolAnnotation {
	yes, no := true, false
	hints := mcp.ToolAnnotation{ReadOnlyHint: &no, DestructiveHint: &no, IdempotentHint: &no, OpenWorldHint: &no}
	if a.Effect == metadata.Sends || len(a.Scopes) > 0 || a.Tool == entrypoint.ReadTool {
		hints.OpenWorldHint = &yes
	}
	switch a.Effect {
	case metadata.Reads:
		hints.ReadOnlyHint, hints.IdempotentHint = &yes, &yes
	case metadata.Writes:
	default:
		hints.DestructiveHint = &yes
	}
	return hints
}
