package bundles

import "context"

// WithoutHiddenTools returns text without the sentences that name a tool hidden from the
// caller. The result is "" if no sentence remains. Bundles pass advice in answers through
// this function, but nothing that the user wrote. The router applies it to the hints of
// errors.
func WithoutHiddenTools(ctx context.Context, text string) string {
	if filter := EnvOf(ctx).WithoutHiddenTools; filter != nil {
		return filter(text)
	}
	return text
}

// Offered reports whether the caller is offered the tool. Only then may an answer recommend
// it.
func Offered(ctx context.Context, tool string) bool { return WithoutHiddenTools(ctx, tool) != "" }
