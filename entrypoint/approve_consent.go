package entrypoint

import (
	"context"

	"kota/metadata"
)

// A FormReply is the user's answer to a question, which comes back with the call
// that is made again: see InputRequired.
type FormReply struct {
	State  string      // what came with the question
	Answer *FormAnswer // nil where there is none
}

// An ApprovalByID is a call that waited and is carried out because the user has
// named its id. Whatever the gates allow by now, nothing but what was shown happens.
type ApprovalByID struct {
	How    string                      // that it was: "approve a_k3v9q2m7xw"
	Digest string                      // of what was shown under the id
	Spend  func(context.Context) error // makes use of the consent and counts it by the limits; an error to all but the first

	// Changed is told what the call would do by now, when that is something else,
	// and the id under which that waits.
	Changed func(now Shown, id string)
}

func (n *ApprovalByID) use(ctx context.Context, a *Approvals, asked Request, digest string) error {
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
