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
