package bundles

import "context"

// WithoutHiddenTools returns the sentences of text that name no tool which the caller is
// not offered: "" when all do. Whatever an answer advises goes through it, and
// nothing that the user wrote: the hints of errors are held to it by the router.
func WithoutHiddenTools(ctx context.Context, text string) string {
	if say := EnvOf(ctx).Say; say != nil {
		return say(text)
	}
	return text
}

// Offered reports whether the caller is offered the tool, so that an answer may
// advise a call of it.
func Offered(ctx context.Context, tool string) bool { return WithoutHiddenTools(ctx, tool) != "" }
