package entrypoint

import "kota/metadata"

// Traits classifies a call of the tool. For an entry point it looks up the action that the
// call is for. It reports whether the call only reads, whether it works on a remote account,
// and whether the tool or action is enabled.
func (r *Router) Traits(tool, bundle, action string) (reads, remote, known bool) {
	called, known := r.tools[tool]
	if isEntryPoint(tool) {
		reads = called.Effect == metadata.Reads
		called, known = Enabled(r.installed, bundle, action)
	}
	return reads || known && called.Effect == metadata.Reads, usesAccount(called.Action), known
}
