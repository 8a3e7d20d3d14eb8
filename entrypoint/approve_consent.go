package entrypoint

import (
	"context"
	"slices"

	"kota/metadata"
)

// consents are what the user has agreed to of the call whose context has them.
type consents struct {
	digests []string     // what was agreed to while the call waited
	byID    *NamedByUser // `kota approve` carries the call out
	state   string       // what a client of 2026-07-28 was given with the question
	answer  *FormAnswer  // to it; nil where there is none
}

type consentsKey struct{}

func consentsOf(ctx context.Context) consents {
	given, _ := ctx.Value(consentsKey{}).(consents)
	return given
}

// to reports whether the user has agreed to what has the digest.
func (c consents) to(digest string) bool { return slices.Contains(c.digests, digest) }

func withConsent(ctx context.Context, digest string) context.Context {
	given := consentsOf(ctx)
	given.digests = append(slices.Clip(given.digests), digest)
	return context.WithValue(ctx, consentsKey{}, given)
}

// WithAnswer returns ctx for a call with which a client brought back the user's
// answer to the question of that state: see InputRequired. Without a state it is
// an ordinary call.
func WithAnswer(ctx context.Context, state string, answer *FormAnswer) context.Context {
	if state == "" {
		return ctx
	}
	return context.WithValue(ctx, consentsKey{}, consents{state: state, answer: answer})
}

// A NamedByUser is a call that waited and is carried out because the user has
// named its id.
type NamedByUser struct {
	How    string                      // that it was: "approve a_k3v9q2m7xw"
	Digest string                      // of what was shown under the id
	Spend  func(context.Context) error // makes use of the consent and counts it by the limits; an error to all but the first

	// Changed is told what the call would do by now, when that is something else,
	// and the id under which that waits.
	Changed func(now Shown, id string)
}

// WithApproval returns ctx for a call that the user has approved. Whatever the
// gates allow by now, nothing but what was shown happens.
func WithApproval(ctx context.Context, named NamedByUser) context.Context {
	return context.WithValue(ctx, consentsKey{}, consents{byID: &named})
}

// approving reports whether the call in ctx is carried out by `kota approve`.
func approving(ctx context.Context) bool { return consentsOf(ctx).byID != nil }

func (n *NamedByUser) use(ctx context.Context, a *Approvals, asked Request, digest string) error {
	if digest == n.Digest {
		NoteApproval(ctx, n.How)
		return n.Spend(ctx)
	}
	id, err := a.Rows.Park(ctx, asked.waiting(ctx, a.Owner, digest))
	if err != nil {
		return err
	}
	n.Changed(asked.Show(), id)
	e := metadata.Errorf(metadata.Conflict, "this would do something else by now than what was shown: nothing was done, and it waits as %s", id).
		WithHint("Read it, then run `kota approve %s`.", id)
	e.Approval = id
	return e
}
