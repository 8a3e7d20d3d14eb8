package entrypoint

import (
	"github.com/mark3labs/mcp-go/server"

	"kota/metadata"
)

// A reach says of a call, as its tools/call says it, whether it only reads and
// whether it works on an account elsewhere, as far as that is known before its
// arguments are understood.
type reach func(e envelope) (reads, away, known bool)

// reachOf goes by the annotations of the tools that the server lists.
func reachOf(s *server.MCPServer) reach {
	says := func(hint *bool) bool { return hint != nil && *hint }
	return func(e envelope) (reads, away, known bool) {
		tool := s.GetTool(e.tool)
		if tool == nil {
			return false, false, false
		}
		return says(tool.Tool.Annotations.ReadOnlyHint), says(tool.Tool.Annotations.OpenWorldHint), true
	}
}

// reach goes by the actions, listed or not, and looks into a call of an entry
// point for the one that it is to run.
func (r *Router) reach(e envelope) (reads, away, known bool) {
	action, known := r.tools[e.tool]
	if isEntryPoint(e.tool) {
		reads = action.Effect == metadata.Reads
		action, known = Enabled(r.installed, e.bundle, e.action)
	}
	return reads || known && action.Effect == metadata.Reads, isAway(action.Action), known
}
