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

// sendingKey is the context's key of the Sending that decides for a call.
type sendingKey struct{}

// A Sending decides for one call whether it may reach other people.
type Sending struct {
	May   func(ctx context.Context, people []string) error // asks the user where that is the rule
	Would func(people []string) error                      // the same without asking anybody: nil where the user would be asked
}

// WithSending returns ctx for a call for which s decides.
func WithSending(ctx context.Context, s Sending) context.Context {
	return context.WithValue(ctx, sendingKey{}, s)
}

// MaySend asks whether the call in ctx may reach these people, for a handler
// that learns only while it runs whom it reaches: an event that is to be changed
// has guests. It is asked before anything is changed. It returns nil when it
// may, as does every call that was let through as one that sends, and else the
// *metadata.Error to answer. Without people there is nothing to ask.
func MaySend(ctx context.Context, people []string) error {
	s, ok := ctx.Value(sendingKey{}).(Sending)
	if !ok || len(people) == 0 {
		return nil
	}
	return s.May(ctx, people)
}

// WouldSend returns what MaySend would answer to a call like the one in ctx, so
// that a dry run can tell. Nobody is asked: it is nil where the user would be.
func WouldSend(ctx context.Context, people []string) error {
	s, ok := ctx.Value(sendingKey{}).(Sending)
	if !ok || len(people) == 0 {
		return nil
	}
	return s.Would(people)
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
