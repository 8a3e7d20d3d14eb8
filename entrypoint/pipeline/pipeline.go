// Package pipeline puts a router together: the bundles that the policy shows, the
// tools that find them, and the steps of every call, which New lists in their order.
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

// Options is what a Router is made of.
type Options struct {
	Bundles []bundles.Bundle // every bundle there is; Enabled says which are on
	Policy  policy.Policy
	Log     *slog.Logger      // nil discards
	Timeout time.Duration     // of one call; 0 means a minute
	Now     func() time.Time  // nil is time.Now
	Meaning discovery.Meaning // a second way to search; nil: by words alone

	Usage     *usage.Counter      // counts what comes by Answer; nil counts nothing
	Approver  policy.Approver     // nil: what would have to be asked answers APPROVAL_REQUIRED
	Approvals *approval.Approvals // knows outcomes of calls that waited; nil knows of none
	Contacts  policy.Contacts     // nil knows nobody
	Limiter   policy.Limiter      // nil lets all through
	Adviser   entrypoint.Adviser  // nil changes nothing
	Auditor   audit.Auditor       // nil records nothing

	// Trouble returns what keeps the bundle of that key from working now, with the
	// remedy; "" when nothing does. It is asked whenever a bundle is shown. Nil
	// knows of none.
	Trouble func(key string) string

	// Pairs returns how often tools were called soon after one another, the first in
	// the alphabet first, which descriptions make use of. It is asked once, when
	// something is first described. Nil knows of none.
	Pairs func(context.Context) map[[2]string]int
}

// New returns a router over the bundles. It returns an error when two bundles
// share a key. An enabled one that cannot work, since it depends on one that is
// off or unknown or misdescribes itself (see bundles.Bundle.MakeSchemas), is shown as
// unavailable, and its calls say why; the others work.
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
		Meaning: o.Meaning, Trouble: o.Trouble, Pairs: o.Pairs,
	})
	confirmer := &policy.Confirmer{Policy: o.Policy, Approver: o.Approver, Contacts: o.Contacts, Limiter: o.Limiter}
	slots := &entrypoint.Slots{}

	// The steps of a call in the order in which they run.
	answer := []entrypoint.Middleware{
		o.Usage.Count, // with what it costs to ask and to answer
	}
	around := []entrypoint.Middleware{
		entrypoint.JoinSession(o.Now),
		untrusted.Track(o.Policy.Taint),
		entrypoint.Advise(o.Adviser),
		o.Policy.HiddenTools(o.Bundles).Hide, // from what calls say
		entrypoint.ReportErrors(o.Log),       // every failure, a panic included, gets a code
		entrypoint.Deadline(o.Timeout, o.Log),
	}
	call := []entrypoint.Middleware{
		entrypoint.Decode(found, o.Policy), // finds the target of an entry point; checks and repairs the arguments
		audit.Record(o.Auditor),            // what changes something, and what is not let through
		approval.Retry,                     // once the user has agreed while it waited
		o.Policy.Allow,
		o.Approvals.AnswerOutcome,     // of a call that waited for its user
		o.Policy.SaveDrafts,           // of what may not be sent
		confirmer.Confirm,             // what is sent, destroyed, changed and removed
		entrypoint.LogDuration(o.Log), // with the time that it waits for a slot
		slots.Run,                     // so many at the same time
	}
	return entrypoint.New(entrypoint.Options{
		Bundles: installed, Broken: broken, Discovery: found, Log: o.Log, NoUndo: o.Policy.NoUndo(o.Bundles), Slots: slots,
		Answer: answer, Around: around, Call: call,
	}), nil
}
