// Package pipeline builds a router from the bundles that the policy shows, the tools that
// find them, and the steps of every call. New lists these steps in their order.
package pipeline

import (
	"context"
	"log/slog"
	"time"

	"kota/bundles"
	"kota/entrypoint"
	"kota/entrypoint/approval"
	"kota/entrypoint/audit"
	"kota/entrypoint/discovery"
	"kota/entrypoint/policy"
	"kota/entrypoint/untrusted"
	"kota/entrypoint/usage"
)

// Options configures a Router.
type Options struct {
	Bundles        []bundles.Bundle // every installed bundle; Enabled says which are on
	Policy         policy.Policy
	Log            *slog.Logger             // nil discards
	Timeout        time.Duration            // of one call; 0 means a minute
	Now            func() time.Time         // nil is time.Now
	SemanticSearch discovery.SemanticSearch // a second way to search; nil: search by words only

	Usage     *usage.Counter      // counts the calls of Router.Answer; nil counts nothing
	Approver  policy.Approver     // nil: calls that need a question get APPROVAL_REQUIRED
	Approvals *approval.Approvals // has the outcomes of pending calls; nil: no outcomes
	Contacts  policy.Contacts     // nil: nobody is known
	Limiter   policy.Limiter      // nil: no limits
	Adviser   entrypoint.Adviser  // nil changes nothing
	Auditor   audit.Auditor       // nil records nothing

	// Problem returns what keeps the bundle with that key from working now, with the
	// remedy, or "". It is called whenever a bundle is shown. Nil means no trouble.
	Problem func(key string) string

	// Pairs returns how often two tools were called soon after one another, for use in
	// descriptions. The tools of a pair are in alphabetical order. It is called once, for
	// the first description. Nil means no counts.
	Pairs func(context.Context) map[[2]string]int
}

// New returns a router over the bundles. It returns an error if two bundles share a key. An
// enabled bundle cannot work if it misdescribes itself (see bundles.Bundle.MakeSchemas), or
// if it depends on a bundle that is off or unknown. Such a bundle is shown as unavailable,
// its calls say why, and the others work.
func New(o Options) (*entrypoint.Router, error) {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if err := checkKeys(o.Bundles); err != nil {
		return nil, err
	}
	installed := o.Policy.Visible(o.Bundles)
	broken := markBroken(o.Log, installed, o.Bundles)
	found := discovery.New(discovery.Options{
		All: o.Bundles, Installed: installed, Broken: broken,
		Profile: o.Policy.Profile, Instructions: o.Policy.Instructions, Policy: o.Policy,
		SemanticSearch: o.SemanticSearch, Problem: o.Problem, Pairs: o.Pairs,
	})
	confirmer := &policy.Confirmer{Policy: o.Policy, Approver: o.Approver, Contacts: o.Contacts, Limiter: o.Limiter}
	slots := &entrypoint.Slots{}

	// The steps of a call in the order in which they run.
	answer := []entrypoint.Middleware{
		o.Usage.Count, // with the tokens of the call and of its answer
	}
	around := []entrypoint.Middleware{
		entrypoint.JoinSession(o.Now),
		untrusted.Track(o.Policy.Taint),
		entrypoint.Advise(o.Adviser),
		o.Policy.HiddenTools(o.Bundles).Hide, // removes the names of hidden tools
		entrypoint.ReportErrors(o.Log),       // every failure, including a panic, gets a code
		entrypoint.Deadline(o.Timeout, o.Log),
	}
	call := []entrypoint.Middleware{
		entrypoint.Decode(found, o.Policy), // resolves the target of an entry point; checks and repairs the arguments
		audit.Record(o.Auditor),            // calls that may change something, and refused ones
		approval.Retry,                     // after the user has approved the call while it ran
		o.Policy.Allow,
		o.Approvals.AnswerOutcome,     // of a call that waited for the user
		o.Policy.SaveDrafts,           // for calls that may not send
		confirmer.Confirm,             // decides what may be sent, destroyed, changed and removed
		entrypoint.LogDuration(o.Log), // including the wait for a slot
		slots.Run,                     // limits the calls at the same time
	}
	return entrypoint.New(entrypoint.Options{
		Bundles: installed, Broken: broken, Discovery: found, Log: o.Log, NoUndo: o.Policy.NoUndo(o.Bundles), Slots: slots,
		AnswerSteps: answer, SharedSteps: around, CallSteps: call,
	}), nil
}
