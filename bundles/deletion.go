package bundles

import (
	"context"
	"crypto/sha256"
	"encoding/json"

	"kota/metadata"
)

// A Deletion is what is about to be destroyed for good: that, and nothing else.
type Deletion struct {
	What  string // for people, in a few words: "3 memories"
	Lines []Line // what the user is shown of it beside the arguments, in order

	// All names each of them, also those that the lines leave out: the user agrees
	// to just these.
	All []string
}

// Digest tells it from all else that could be destroyed.
func (d Deletion) Digest() [sha256.Size]byte {
	text, err := json.Marshal([]any{d.What, d.Lines, d.All})
	if err != nil {
		panic(err) // texts alone
	}
	return sha256.Sum256(text)
}

// A Destroyer input is one whose handler asks ConfirmDestroy about just what it
// destroys. Of any other call that destroys the user is asked before anything is
// known but its arguments.
type Destroyer interface{ ConfirmsItself() }

// ConfirmDestroy asks whether that may be destroyed. A handler asks when all of it is
// known, and destroys just that or nothing. It returns nil when it may, and else
// the error to answer; where nobody decides nothing may.
func ConfirmDestroy(ctx context.Context, doomed Deletion) error {
	may := EnvOf(ctx).Destroying
	if may == nil {
		return metadata.Errorf(metadata.Internal, "something was to be destroyed where nobody decides whether it may")
	}
	return may(ctx, doomed)
}
