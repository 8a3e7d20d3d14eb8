// Package entrypoint carries out every call with one Router. The Router takes the same
// steps for every channel.
//
// This package has what all steps share (Call, Session, Request) and the steps that need
// nothing outside it. The packages below it (policy, approval, audit, usage and
// untrusted) have the other steps. Package pipeline lists the steps in their order: start
// there, then read handle.go.
package entrypoint

import (
	"log/slog"
	"maps"

	"kota/bundles"
	"kota/metadata"
)

// Options configures a Router.
type Options struct {
	Bundles   []bundles.Bundle // the bundles that the policy does not hide, enabled or not, with their visible actions
	Discovery Discovery
	Log       *slog.Logger
	Slots     *Slots            // limits how many calls run at the same time
	Broken    map[string]string // why enabled bundles cannot work, by their keys
	NoUndo    map[string]bool   // by bundle key: whether the action that undoes the bundle's changes is hidden

	AnswerSteps []Middleware // the steps around a call and the rendering of its answer
	SharedSteps []Middleware // the steps around all work of bundles: calls, resources, prompts and completions
	CallSteps   []Middleware // further steps of calls, after SharedSteps
}

// A Router carries out every call with the same validation, policy and answer. It is
// safe for concurrent use. Its catalogue never changes.
type Router struct {
	Discovery
	log       *slog.Logger
	slots     *Slots
	session   Session          // shared by all calls without a session of their own
	installed []bundles.Bundle // the visible bundles, enabled or not, in catalogue order
	tools     map[string]bundles.Action
	noUndo    map[string]bool   // by bundle key: whether the action that undoes the bundle's changes is hidden
	broken    map[string]string // why enabled bundles cannot work, by their keys
	kota      bundles.Bundle    // the discovery tools

	sharedSteps []Middleware
	handleCall  Handler
	answer      Handler
}

// New returns a router over the bundles.
func New(o Options) *Router {
	r := &Router{
		Discovery: o.Discovery, log: o.Log, slots: o.Slots, installed: o.Bundles, tools: map[string]bundles.Action{},
		noUndo: o.NoUndo, broken: o.Broken, kota: o.Discovery.Tools(),
		sharedSteps: o.SharedSteps, handleCall: chain(o.SharedSteps, chain(o.CallSteps, run)),
	}
	r.answer = chain(o.AnswerSteps, r.callAndRender)
	for _, b := range append([]bundles.Bundle{r.kota}, r.installed...) {
		for _, a := range b.Actions {
			if b.Enabled {
				r.tools[a.Tool] = a
			}
		}
	}
	return r
}

// Action returns the description of the enabled tool with this name. The discovery
// tools count as enabled.
func (r *Router) Action(tool string) (metadata.Action, bool) {
	a, ok := r.tools[tool]
	return a.Action, ok
}

// Broken returns the reasons why enabled bundles cannot work, by their keys.
func (r *Router) Broken() map[string]string { return maps.Clone(r.broken) }
