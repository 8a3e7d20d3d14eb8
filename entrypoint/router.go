// Package entrypoint is how actions are reached: one Router that carries out every
// call, whichever channel it came by, with the same steps. It has what all steps
// share (Call, Session, Request) and the steps that need nothing of the outside;
// those of policy, approval, audit, usage and untrusted are packages below, and know
// this one alone. Package pipeline lists the steps in their order: start there, then
// read handle.go.
package entrypoint

import (
	"log/slog"
	"maps"

	"kota/bundles"
	"kota/metadata"
)

// Options is what a Router is made of.
type Options struct {
	Bundles   []bundles.Bundle // those that exist under the policy, on or off, with their visible actions
	Discovery Discovery
	Log       *slog.Logger
	Slots     *Slots            // in which calls run
	Broken    map[string]string // why, by the keys of the bundles that are on and cannot work
	NoUndo    map[string]bool   // the keys of the bundles whose changes nothing offered undoes

	Answer []Middleware // the steps around a call and its rendered answer
	Around []Middleware // the steps of all that bundles do: calls, and the texts of resources and prompts
	Call   []Middleware // the further steps of calls
}

// A Router carries out every call: same validation, same policy, same answer. It is
// safe for concurrent use and its catalogue never changes.
type Router struct {
	Discovery
	log       *slog.Logger
	slots     *Slots
	session   Session          // of the calls that come with none of their own
	installed []bundles.Bundle // visible ones, on or off, in catalogue order
	tools     map[string]bundles.Action
	noUndo    map[string]bool   // the keys of the bundles whose changes nothing offered undoes
	broken    map[string]string // why, by the keys of the bundles that are on and cannot work
	kota      bundles.Bundle    // the discovery tools

	around     []Middleware
	handleCall Handler
	answer     Handler
}

// New returns a router over the bundles.
func New(o Options) *Router {
	r := &Router{
		Discovery: o.Discovery, log: o.Log, slots: o.Slots, installed: o.Bundles, tools: map[string]bundles.Action{},
		noUndo: o.NoUndo, broken: o.Broken, kota: o.Discovery.Tools(),
		around: o.Around, handleCall: chain(o.Around, chain(o.Call, run)),
	}
	r.answer = chain(o.Answer, r.callAndRender)
	for _, b := range append([]bundles.Bundle{r.kota}, r.installed...) {
		for _, a := range b.Actions {
			if b.Enabled {
				r.tools[a.Tool] = a
			}
		}
	}
	return r
}

// Action returns the description of the tool that is on under that name, the
// kota tools included.
func (r *Router) Action(tool string) (metadata.Action, bool) {
	a, ok := r.tools[tool]
	return a.Action, ok
}

// Broken returns why the bundles that are on and cannot work cannot, by their
// keys.
func (r *Router) Broken() map[string]string { return maps.Clone(r.broken) }
