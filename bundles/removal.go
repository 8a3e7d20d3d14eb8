package bundles

import "context"

// A Removal is what a call is about to move to where its user would not look for
// it: mail to the trash, to spam or out of the inbox.
type Removal struct {
	Items    []string // as MarkShown names them; nil where mail to come is meant
	Count    int      // how many mails it moves
	Describe func() (Deletion, error)
}

// A Remover decides about the removals of a call, and knows what was shown.
type Remover struct {
	Confirm func(context.Context, Removal) error
	Shown   func(item string)
}

// ConfirmRemoval asks whether that may be moved, before anything is. It returns
// nil when it may, and else the error to answer. Where nobody decides it may: it
// can be undone.
func ConfirmRemoval(ctx context.Context, removal Removal) error {
	if r := EnvOf(ctx).Removing; r.Confirm != nil {
		return r.Confirm(ctx, removal)
	}
	return nil
}

// MarkShown notes that the answer of the call in ctx shows an item of the user's.
func MarkShown(ctx context.Context, item string) {
	if r := EnvOf(ctx).Removing; r.Shown != nil {
		r.Shown(item)
	}
}
