package bundles

import (
	"context"
	"crypto/sha256"
	"encoding/json"

	"kota/metadata"
)

// A Deletion describes exactly what is about to be deleted permanently.
type Deletion struct {
	What  string // for people, in a few words: "3 memories"
	Lines []Line // what the user is shown in addition to the arguments, in order

	// All names each item, also those that Lines omits. The user agrees to exactly these.
	All []string
}

// Digest identifies the deletion. Different deletions have different digests.
func (d Deletion) Digest() [sha256.Size]byte {
	text, err := json.Marshal([]any{d.What, d.Lines, d.All})
	if err != nil {
		panic(err) // only strings
	}
	return sha256.Sum256(text)
}

// A SelfConfirmer marks an input whose handler calls ConfirmDestroy with exactly what it
// destroys. For other destructive calls, the user is asked before the handler runs and
// sees only the arguments.
type SelfConfirmer interface{ ConfirmsItself() }

// ConfirmDestroy asks whether the deletion is allowed. A handler asks once it knows every
// item, and then destroys exactly these items or nothing. ConfirmDestroy returns nil if
// the deletion is allowed, and otherwise the error to return. If no decision function is
// set, it refuses.
func ConfirmDestroy(ctx context.Context, deletion Deletion) error {
	confirm := EnvOf(ctx).ConfirmDestroy
	if confirm == nil {
		return metadata.Errorf(metadata.Internal, "the deletion cannot be confirmed, because no confirmation function is set: nothing was deleted")
	}
	return confirm(ctx, deletion)
}
