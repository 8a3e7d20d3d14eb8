// Package pipeline builds a router from the bundles that the policy shows, the discovery tools
// and the steps of every call. New lists these steps in their order.
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
	Bundles        []bundles.Bundle // every installed bundle, enabled or not
	Policy         policy.Policy
	Log            *slog.Logger             // nil discards the log
	Timeout        time.Duration            // the time limit of one call; 0 means a minute
	Now            func() time.Time         // nil means time.Now
	SemanticSearch discovery.SemanticSearch // a second way to search; nil: search by words only

	Usage     *usage.Counter      // counts the calls of Router.Answer; nil counts nothing
	Approver  policy.Approver     // nil: calls that need a question get APPROVAL_REQUIRED
	Approvals *approval.Approvals // has the outcomes of pending calls; nil: no outcomes
	Contacts  policy.Contacts     // nil: nobody is known
	Limiter   policy.Limiter      // nil: no limits
	// FindPeople finds people by name, for arguments that name recipients. Nil finds nobody.
	FindPeople func(ctx context.Context, name string) (bundles.People, error)
	Adviser    entrypoint.Adviser // nil: errors stay unchanged
	Auditor    audit.Auditor      // nil: no audit log

	// CountCall is an outer step of each call, also of those that do not run. TimeCall is a step
	// around the work of a call, without the wait for the user. Nil does nothing.
	CountCall, TimeCall entrypoint.Middleware

	// Trace is a step around all work of bundles; nil does nothing.
	Trace entrypoint.Middleware

	// Problem returns why the bundle with this key cannot work now, with the remedy, or
	// "" if it can. KOTA calls it whenever it shows a bundle. Nil means that all bundles work.
	Problem func(key string) string

	// Pairs returns how often two tools were called soon after one another, for
	// descriptions. The tools of a pair are in alphabetical order. KOTA calls it once, for
	// the first description. Nil means no counts.
	Pairs func(context.Context) map[[2]string]int
}

// New returns a router for the bundles. It returns an error if two bundles have the same key,
// or if a key is reserved for the discovery tools.
// An enabled bundle cannot work if its schemas are invalid (see bundles.Bundle.MakeSchemas), or
// if it depends on a disabled or unknown bundle. KOTA then shows the bundle as unavailable, its
// calls return the reason, and the other bundles work.
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
		orUnchanged(o.CountCall),
		o.Usage.Count, // with the tokens of the call and of its answer
	}
	around := []entrypoint.Middleware{
		orUnchanged(o.Trace),
		entrypoint.FindPeople(o.FindPeople),
		entrypoint.JoinSession(o.Now),
		untrusted.Track(o.Policy.Taint),
		entrypoint.Advise(o.Adviser),
		o.Policy.HiddenTools(o.Bundles).Hide, // removes the names of hidden tools
		entrypoint.ReportErrors(o.Log),       // every failure, including a panic, gets a code
		entrypoint.Deadline(o.Timeout, o.Log),
	}
	call := []entrypoint.Middleware{
		entrypoint.Decode(found, o.Policy), // resolves the target of an entry point; checks and repairs the arguments
		audit.Record(o.Auditor),            // records calls that change something, and refused calls
		approval.Retry,                     // runs the call again if the user approved it while it ran
		o.Policy.Allow,
		entrypoint.RefreshSession,     // learns what other replicas know about the session
		o.Approvals.AnswerOutcome,     // answers a repeated call with its outcome
		o.Policy.SaveDrafts,           // for calls that may not send
		confirmer.Confirm,             // decides what may be sent, destroyed, changed and removed
		entrypoint.LogDuration(o.Log), // including the wait for a slot
		orUnchanged(o.TimeCall),
		slots.Run, // limits how many calls run at the same time
	}
	return entrypoint.New(entrypoint.Options{
		Bundles: installed, Broken: broken, Discovery: found, Log: o.Log, NoUndo: o.Policy.NoUndo(o.Bundles), Slots: slots,
		AnswerSteps: answer, SharedSteps: around, CallSteps: call,
	}), nil
}

func orUnchanged(step entrypoint.Middleware) entrypoint.Middleware {
	if step == nil {
		return entrypoint.Unchanged
	}
	return step
}
