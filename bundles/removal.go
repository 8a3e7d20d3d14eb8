package bundles

import "context"

// A Removal describes a move to a place where the user would not look: mail to the trash,
// to spam or out of the inbox.
type Removal struct {
	Items    []string // the names that MarkShown gets for these mails; nil if the removal concerns future mail
	Count    int      // how many mails it moves
	Describe func() (Deletion, error)
}

// A RemovalPolicy decides about the removals of a call and records which items were shown.
type RemovalPolicy struct {
	Confirm   func(context.Context, Removal) error
	MarkShown func(item string)
}

// ConfirmRemoval asks whether the removal is allowed. A handler asks before it moves
// anything. ConfirmRemoval returns nil if the removal is allowed, and otherwise the error
// to return. Without a decision function it is allowed, because it can be undone.
func ConfirmRemoval(ctx context.Context, removal Removal) error {
	if r := EnvOf(ctx).RemovalPolicy; r.Confirm != nil {
		return r.Confirm(ctx, removal)
	}
	return nil
}

// MarkShown records that the answer of the call in ctx shows an item of the user.
func MarkShown(ctx context.Context, item string) {
	if r := EnvOf(ctx).RemovalPolicy; r.MarkShown != nil {
		r.MarkShown(item)
	}
}
