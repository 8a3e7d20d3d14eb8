package bundles

import "context"

// A Draftable input can be carried out short of reaching anybody: the mail it
// would send becomes a draft. Where the user lets nothing be sent, the draft is
// what runs instead.
type Draftable[In any] interface {
	// AsDraft returns the input of the call that saves a draft. Its Effect must
	// be at most Writes; Bind holds it to that.
	AsDraft() In
}

// sendingKey is the context's key of who decides whether a call may reach people.
type sendingKey struct{}

// WithSending returns ctx for a call of which may decides whether it reaches
// other people after all.
func WithSending(ctx context.Context, may func(ctx context.Context, people []string) error) context.Context {
	return context.WithValue(ctx, sendingKey{}, may)
}

// MaySend asks whether the call in ctx may reach these people, for a handler
// that learns only while it runs whom it reaches: an event that is to be changed
// has guests. It is asked before anything is changed. It returns nil when it
// may, as does every call that was let through as one that sends, and else the
// *metadata.Error to answer. Without people there is nothing to ask.
func MaySend(ctx context.Context, people []string) error {
	may, ok := ctx.Value(sendingKey{}).(func(context.Context, []string) error)
	if !ok || len(people) == 0 {
		return nil
	}
	return may(ctx, people)
}

// scopesKey is the context's key of the scopes that the call needs.
type scopesKey struct{}

// WithScopes returns ctx for a call of an action that needs these OAuth scopes.
func WithScopes(ctx context.Context, scopes []string) context.Context {
	if len(scopes) == 0 {
		return ctx
	}
	return context.WithValue(ctx, scopesKey{}, scopes)
}

// ScopesOf returns the OAuth scopes that the call in ctx needs, so that whoever
// opens an account for it can say which are missing before anything is asked
// of the network.
func ScopesOf(ctx context.Context) []string {
	scopes, _ := ctx.Value(scopesKey{}).([]string)
	return scopes
}
