// Package pipeline puts a router together: the bundles that the policy shows, the
// tools that find them, and what every call passes.
package pipeline

import (
	"context"
	"log/slog"
	"time"

	"kota/bundles"
	"kota/entrypoint"
	"kota/entrypoint/discovery"
	"kota/metadata"
)

// Options is what a Router is made of.
type Options struct {
	Bundles []bundles.Bundle // every bundle there is; Enabled says which are on
	Policy  entrypoint.Policy
	Log     *slog.Logger       // nil discards
	Timeout time.Duration      // of one call; 0 means a minute
	Ledger  *entrypoint.Ledger // counts what comes by Answer; nil counts nothing
	Meaning discovery.Meaning  // a second way to search; nil: by words alone

	// Trouble returns what keeps the bundle of that key from working now, with the
	// remedy; "" when nothing does. It is asked whenever a bundle is shown. Nil
	// knows of none.
	Trouble func(key string) string

	// Pairs returns how often tools were called soon after one another, which
	// descriptions make use of. It is asked once, when something is first
	// described. Nil knows of none.
	Pairs func(context.Context) map[entrypoint.Pair]int

	// Approve asks the user whether what a Request describes may happen. It
	// returns nil for yes, else the error to answer: nothing was done then. Nil
	// asks nobody, and what would have to be asked answers APPROVAL_REQUIRED.
	Approve func(context.Context, entrypoint.Request) error

	// Told returns what became of a call that waited for the user, before it is
	// done again: see Approvals. Nil knows of none.
	Told func(context.Context, entrypoint.Request) (*entrypoint.Settled, error)

	// Known reports whether the user wrote to that address, in the form of
	// ParseRecipient, before a time. Nil knows nobody.
	Known func(ctx context.Context, address string, before time.Time) bool

	// Now is the clock that says when conversations begin; nil is time.Now.
	Now func() time.Time

	// Limit counts what a call is about to do and lets it through, or returns the
	// error to answer: there were too many. A send or a destruction counts as one,
	// n says how many things a change is of that can be undone. It is asked last,
	// when all others have agreed. Nil lets all through.
	Limit func(ctx context.Context, effect metadata.Effect, n int) error

	// Changes calls changed whenever what resources show may have changed, until ctx
	// is done. It is called while somebody has subscribed to any. Nil: nobody can.
	Changes func(ctx context.Context, changed func())

	// Advice returns a message or a hint as whom the router serves should read it.
	// It may be given what it has returned. Nil changes nothing.
	Advice func(string) string

	// Audit records what calls change, and which were not let through. Nil records
	// nothing.
	Audit entrypoint.Audit
}

// New returns a router over the bundles. It returns an error when two bundles
// share a key. An enabled one that cannot work, since it depends on one that is
// off or unknown or misdescribes itself (see bundles.Bundle.MakeSchemas), is shown as
// unavailable, and its calls say why; the others work.
func New(o Options) (*entrypoint.Router, error) {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if err := checkKeys(o.Bundles); err != nil {
		return nil, err
	}
	installed := o.Policy.Visible(o.Bundles)
	broken := markBroken(o.Log, installed, o.Bundles)
	return entrypoint.New(entrypoint.Options{
		Bundles: installed, Broken: broken,
		Discovery: discovery.New(discovery.Options{
			All: o.Bundles, Installed: installed, Broken: broken,
			Profile: o.Policy.Profile, Instructions: o.Policy.Instructions, Policy: o.Policy,
			Meaning: o.Meaning, Trouble: o.Trouble, Pairs: o.Pairs,
		}),
		Policy: o.Policy, Log: o.Log, Timeout: o.Timeout, Ledger: o.Ledger, Hidden: o.Policy.Hush(o.Bundles), NoUndo: o.Policy.NoUndo(o.Bundles),
		Approve: o.Approve, Told: o.Told, Known: o.Known, Now: o.Now, Limit: o.Limit, Changes: o.Changes, Advice: o.Advice, Audit: o.Audit,
	}), nil
}
