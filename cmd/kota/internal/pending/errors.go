package pending

import (
	"errors"

	"kota/cmd/kota/internal/app"
	"kota/metadata"
	"kota/store"
)

// ExplainError explains an error about a call that does not exist or is not
// pending. It returns other errors, and nil, unchanged.
func ExplainError(a *app.App, err error, id string) error {
	notPending := (*store.NotPendingError)(nil)
	switch {
	case errors.Is(err, store.ErrNotFound):
		return UnknownError(id)
	case errors.As(err, &notPending):
		return NotPendingError(a, notPending.Approval)
	}
	return err
}

// NotPendingError returns the error for a call that is no longer pending.
func NotPendingError(a *app.App, call store.Approval) *metadata.Error {
	at := call.Updated.In(a.Zone()).Format("2006-01-02 15:04 MST")
	switch call.Status {
	case store.ApprovalRunning:
		return metadata.Errorf(metadata.Conflict, "%s was approved at %s, and is running now", call.ID, at)
	case store.ApprovalLost:
		return app.UnknownOutcome(call, a.Zone())
	case store.ApprovalFailed:
		return metadata.Errorf(metadata.Conflict, "%s was approved, but failed at %s", call.ID, at).
			WithHint("Your assistant gets the reason when it repeats the call.")
	case store.ApprovalRejected:
		return metadata.Errorf(metadata.Conflict, "%s was rejected at %s", call.ID, at)
	case store.ApprovalChanged:
		return metadata.Errorf(metadata.Conflict, "the effect of %s has changed since it was shown: it is now pending as %s", call.ID, call.ReplacedBy).
			WithHint("`kota approve %s` shows it.", call.ReplacedBy)
	}
	return metadata.Errorf(metadata.Conflict, "%s was approved and done at %s", call.ID, at).
		WithHint("Your assistant gets the outcome when it repeats the call.")
}

// UnknownError returns the error for an id that no call has.
func UnknownError(id string) error {
	return metadata.Errorf(metadata.NotFound, "no call is pending as %q", id).
		WithHint("`kota pending` lists the pending calls; they expire after three days.")
}
