package entrypoint

import "kota/metadata"

// Traits returns those of a call of the tool, and looks into a call of an entry
// point for the action that it is to run.
func (r *Router) Traits(tool, bundle, action string) (reads, remote, known bool) {
	called, known := r.tools[tool]
	if isEntryPoint(tool) {
		reads = called.Effect == metadata.Reads
		called, known = Enabled(r.installed, bundle, action)
	}
	return reads || known && called.Effect == metadata.Reads, usesAccount(called.Action), known
}
