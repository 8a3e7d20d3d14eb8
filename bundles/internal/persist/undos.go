package persist

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"kota/bundles"
	"kota/bundles/internal/arguments"
	"kota/bundles/internal/untrusted"
	"kota/metadata"
	"kota/store"
)

// Undos are the undo records of the changes that a bundle made outside of KOTA,
// each with the values before the change. A change can be undone once, for 30
// days. Errors on which a caller can act are *metadata.Error.
type Undos struct {
	Store  func(context.Context) (UndoStore, error)
	Bundle string           // the key of the bundle
	Tool   string           // the tool that undoes and lists: "gmail_undo"
	Source string           // the source of text that titles quote, such as untrusted.Mail
	Now    func() time.Time // its location is the user's zone
}

// Save stores the values before a change and returns the id that undoes it.
// Call it before the change: if it fails, the change must not be made. It also
// fails if the call makes too many changes. account is the key of the account
// that is changed. title is for people, such as "archive 12 messages". before is
// stored as JSON, and kind says how to decode it.
func (u Undos) Save(ctx context.Context, account, title, kind string, before any) (id string, err error) {
	return u.SaveMany(ctx, 1, account, title, kind, before)
}

// SaveMany is Save for a change of n things, each of which counts as a change. n
// is 0 if the change was already made.
func (u Undos) SaveMany(ctx context.Context, n int, account, title, kind string, before any) (id string, err error) {
	if err := bundles.ConfirmChange(ctx, n); err != nil {
		return "", err
	}
	undos, err := u.open(ctx)
	if err != nil {
		return "", err
	}
	raw, err := json.Marshal(before)
	if err != nil {
		return "", fmt.Errorf("save undo record: %w", err)
	}
	id, err = undos.Save(ctx, store.UndoRecord{Account: account, Kind: kind, Title: title, Before: raw})
	return id, Explain(err)
}

// Amend corrects the record to what was really changed. Because the change has
// been made, Amend works even if the call was cancelled.
func (u Undos) Amend(ctx context.Context, id, title string, before any) error {
	ctx = context.WithoutCancel(ctx)
	undos, err := u.open(ctx)
	if err != nil {
		return err
	}
	raw, err := json.Marshal(before)
	if err != nil {
		return fmt.Errorf("update undo record: %w", err)
	}
	return Explain(undos.Amend(ctx, id, title, raw))
}

// Drop removes the record of a change that was certainly not made, even if the
// call was cancelled. cause says why the change was not made. Drop returns cause,
// joined with the error of the removal if that fails.
func (u Undos) Drop(ctx context.Context, id string, cause error) error {
	ctx = context.WithoutCancel(ctx)
	undos, err := u.open(ctx)
	if err == nil {
		err = Explain(undos.Drop(ctx, id))
	}
	return errors.Join(cause, err)
}

// Failed returns cause, the error of a change that failed. It drops the record
// of a change that was not made. A change that may have been made, with
// OUTCOME_UNKNOWN, can still be undone.
func (u Undos) Failed(ctx context.Context, id string, cause error) error {
	if metadata.CodeOf(cause) == metadata.OutcomeUnknown {
		return cause
	}
	return u.Drop(ctx, id, cause)
}

// Unknown returns the OUTCOME_UNKNOWN for a change that may have been made, in
// part or whole. The hint is to undo the change, or to repeat the call. If cause
// has a *metadata.Error, the message is that of this error, because the text of
// cause may also contain the address of the request.
func (u Undos) Unknown(id string, cause error) error {
	message := cause.Error()
	if coded := (*metadata.Error)(nil); errors.As(cause, &coded) {
		message = coded.Message
	}
	return &metadata.Error{
		Code: metadata.OutcomeUnknown, Message: message, Cause: cause,
		Hint: fmt.Sprintf("%s {\"undo_id\": %q} undoes the part that was changed; the same call again changes the rest.", u.Tool, id),
	}
}

// Run undoes the change with that id by calling restore, and returns the
// change. No other call can undo it until Run returns or three minutes have
// passed. The change counts as undone if restore reports true. After an error,
// or if something is left, the same call may be repeated. Run returns NOT_FOUND
// for a change that is unknown or older than 30 days, and CONFLICT for one that
// was undone or is being undone.
func (u Undos) Run(ctx context.Context, id string, restore func(context.Context, *store.UndoRecord) (done bool, err error)) (*store.UndoRecord, error) {
	undos, err := u.open(ctx)
	if err != nil {
		return nil, err
	}
	change, err := undos.Claim(ctx, id)
	if err != nil {
		return nil, u.explain(err, id)
	}
	done, err := restore(ctx, change)
	after := context.WithoutCancel(ctx)
	if err != nil || !done {
		return change, errors.Join(err, Explain(undos.Release(after, id)))
	}
	return change, Explain(undos.Done(after, id))
}

// Undoable is a change as an answer lists it.
type Undoable struct {
	ID      string `json:"undo_id"`
	Title   string `json:"title"`
	Account string `json:"account"`
	At      string `json:"at"` // RFC 3339, in the user's zone

	Provenance *untrusted.Provenance `json:"provenance"`
}

// Recent returns the last ten changes that can still be undone, newest first.
func (u Undos) Recent(ctx context.Context) ([]Undoable, error) {
	const limit = 10
	undos, err := u.open(ctx)
	if err != nil {
		return nil, err
	}
	records, err := undos.Recent(ctx, limit)
	if err != nil {
		return nil, Explain(err)
	}
	recent := make([]Undoable, 0, len(records))
	for _, record := range records {
		recent = append(recent, Undoable{ID: record.ID, Title: record.Title, Account: record.Account, At: u.when(record.Created), Provenance: u.Provenance(ctx)})
	}
	return recent, nil
}

// Provenance returns the provenance of the title of a change, which quotes what
// was changed.
func (u Undos) Provenance(ctx context.Context) *untrusted.Provenance {
	return untrusted.MarkPartly(ctx, u.Source)
}

// Undoable returns at most limit changes that can still be undone, newest
// first.
func (u Undos) Undoable(ctx context.Context, limit int) ([]bundles.Undoable, error) {
	undos, err := u.open(ctx)
	if err != nil {
		return nil, err
	}
	records, err := undos.Recent(ctx, limit)
	found := make([]bundles.Undoable, 0, len(records))
	for _, record := range records {
		found = append(found, bundles.Undoable{ID: record.ID, Bundle: u.Bundle, Title: record.Title, Account: record.Account, At: record.Created})
	}
	return found, Explain(err)
}

// OfKind returns the last hundred changes of a kind that can still be undone,
// newest first, with the values before them.
func (u Undos) OfKind(ctx context.Context, kind string) ([]store.UndoRecord, error) {
	const limit = 100
	undos, err := u.open(ctx)
	if err != nil {
		return nil, err
	}
	found, err := undos.OfKind(ctx, kind, limit)
	return found, Explain(err)
}

func (u Undos) open(ctx context.Context) (UndoStore, error) {
	undos, err := u.Store(ctx)
	return undos, Explain(err)
}

func (u Undos) explain(err error, id string) error {
	switch undone := (*store.UndoneError)(nil); {
	case errors.Is(err, store.ErrNotFound):
		return &metadata.Error{
			Code: metadata.NotFound, Message: fmt.Sprintf("there is no change %q to undo", arguments.Brief(id)), Cause: err,
			Hint: "Changes can be undone for 30 days; " + u.Tool + " without undo_id lists the last ones.",
		}
	case errors.As(err, &undone):
		return AlreadyUndone(err, undone.At.In(u.Now().Location()))
	case errors.Is(err, store.ErrClaimed):
		return &metadata.Error{Code: metadata.Conflict, Message: store.ErrClaimed.Error(), Hint: "Wait for that call; repeat this one if it failed.", Retryable: true, Cause: err}
	}
	return Explain(err)
}

// AlreadyUndone explains the error for a change that was undone at that time.
func AlreadyUndone(err error, at time.Time) error {
	return &metadata.Error{Code: metadata.Conflict, Message: "it was already undone, at " + at.Format(time.RFC3339), Hint: "There is nothing to do.", Cause: err}
}

func (u Undos) when(t time.Time) string { return t.In(u.Now().Location()).Format(time.RFC3339) }
