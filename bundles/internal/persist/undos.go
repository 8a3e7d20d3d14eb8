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

// Undos is the book of the changes that a bundle made outside of KOTA, each
// with what was there before it. A change can be undone once, for 30 days.
// Errors of its methods that a caller can act on are *metadata.Error.
type Undos struct {
	Store  func(context.Context) (UndoStore, error)
	Bundle string           // its key
	Tool   string           // that undoes and lists: "gmail_undo"
	Source string           // of the words that titles quote: untrusted.Mail
	Now    func() time.Time // its location is the user's zone
}

// Save keeps what was there before a change and returns the id that undoes it.
// It is called before the change is made: where nothing can be kept nothing may
// be changed, nor where there were too many changes. account is the key of the one
// that the change is made in; title is for people, such as "archive 12 messages";
// kind says how before, kept as JSON, is read again.
func (u Undos) Save(ctx context.Context, account, title, kind string, before any) (id string, err error) {
	return u.SaveMany(ctx, 1, account, title, kind, before)
}

// SaveMany is Save before a change of so many things, which count each; 0 is for
// what is made already.
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
		return "", fmt.Errorf("keep for undo: %w", err)
	}
	id, err = undos.Save(ctx, store.Undo{Account: account, Kind: kind, Title: title, Before: raw})
	return id, Explain(err)
}

// Amend corrects what was kept to what was changed in the end. The change has
// been made, so that Amend does its work though the call were cancelled.
func (u Undos) Amend(ctx context.Context, id, title string, before any) error {
	ctx = context.WithoutCancel(ctx)
	undos, err := u.open(ctx)
	if err != nil {
		return err
	}
	raw, err := json.Marshal(before)
	if err != nil {
		return fmt.Errorf("amend undo: %w", err)
	}
	return Explain(undos.Amend(ctx, id, title, raw))
}

// Drop forgets a change that certainly was not made, though the call were
// cancelled, and returns why it was not.
func (u Undos) Drop(ctx context.Context, id string, why error) error {
	ctx = context.WithoutCancel(ctx)
	undos, err := u.open(ctx)
	if err == nil {
		err = Explain(undos.Drop(ctx, id))
	}
	return errors.Join(why, err)
}

// Failed returns why a change failed. It drops one that was not made; one that
// may have been, whose error is OUTCOME_UNKNOWN, can still be undone.
func (u Undos) Failed(ctx context.Context, id string, why error) error {
	if metadata.CodeOf(why) == metadata.OutcomeUnknown {
		return why
	}
	return u.Drop(ctx, id, why)
}

// Unknown is the OUTCOME_UNKNOWN of a change that may have been made, in part or
// whole: its hint is to undo it, or to repeat the call. The message is that of the
// cause alone: an HTTP client adds the address of the request.
func (u Undos) Unknown(id string, why error) error {
	message := why.Error()
	if cause := (*metadata.Error)(nil); errors.As(why, &cause) {
		message = cause.Message
	}
	return &metadata.Error{
		Code: metadata.OutcomeUnknown, Message: message, Cause: why,
		Hint: fmt.Sprintf("%s {\"undo_id\": %q} puts back whatever was changed; the same call again changes what was not.", u.Tool, id),
	}
}

// Run undoes the change of that id by putBack, which no other call does at the
// same time for three minutes, and returns the change. It counts as undone when
// putBack reports that all is done; with an error, or when something is left,
// the same call may be repeated. Run answers NOT_FOUND for an unknown change,
// and CONFLICT for one that was undone or is being undone.
func (u Undos) Run(ctx context.Context, id string, putBack func(context.Context, *store.Undo) (done bool, err error)) (*store.Undo, error) {
	undos, err := u.open(ctx)
	if err != nil {
		return nil, err
	}
	change, err := undos.Claim(ctx, id)
	if err != nil {
		return nil, u.explain(err, id)
	}
	done, err := putBack(ctx, change)
	after := context.WithoutCancel(ctx)
	if err != nil || !done {
		return change, errors.Join(err, Explain(undos.Release(after, id)))
	}
	return change, Explain(undos.Done(after, id))
}

// An Undoable is a change as an answer lists it.
type Undoable struct {
	ID      string `json:"undo_id"`
	Title   string `json:"title"`
	Account string `json:"account"`
	At      string `json:"at"` // RFC 3339, in the user's zone

	Provenance *untrusted.Provenance `json:"provenance"`
}

// Recent returns the last ten changes that can still be undone, newest first.
func (u Undos) Recent(ctx context.Context) ([]Undoable, error) {
	const most = 10
	undos, err := u.open(ctx)
	if err != nil {
		return nil, err
	}
	kept, err := undos.Recent(ctx, most)
	if err != nil {
		return nil, Explain(err)
	}
	recent := make([]Undoable, 0, len(kept))
	for _, one := range kept {
		recent = append(recent, Undoable{ID: one.ID, Title: one.Title, Account: one.Account, At: u.when(one.Created), Provenance: u.Provenance(ctx)})
	}
	return recent, nil
}

// Provenance is that of the title of a change, which quotes what was changed.
func (u Undos) Provenance(ctx context.Context) *untrusted.Provenance {
	return untrusted.PartlyUntrusted(ctx, u.Source)
}

// Undoable returns the changes that can still be undone, newest first, at most
// that many.
func (u Undos) Undoable(ctx context.Context, limit int) ([]bundles.Undoable, error) {
	undos, err := u.open(ctx)
	if err != nil {
		return nil, err
	}
	kept, err := undos.Recent(ctx, limit)
	found := make([]bundles.Undoable, 0, len(kept))
	for _, one := range kept {
		found = append(found, bundles.Undoable{ID: one.ID, Bundle: u.Bundle, Title: one.Title, Account: one.Account, At: one.Created})
	}
	return found, Explain(err)
}

// OfKind returns the last hundred changes of a kind that can still be undone,
// newest first, with what was before them.
func (u Undos) OfKind(ctx context.Context, kind string) ([]store.Undo, error) {
	const most = 100
	undos, err := u.open(ctx)
	if err != nil {
		return nil, err
	}
	found, err := undos.OfKind(ctx, kind, most)
	return found, Explain(err)
}

func (u Undos) open(ctx context.Context) (UndoStore, error) {
	undos, err := u.Store(ctx)
	return undos, Explain(err)
}

func (u Undos) explain(err error, id string) error {
	undone := (*store.UndoneError)(nil)
	switch {
	case errors.Is(err, store.ErrNotFound):
		return &metadata.Error{
			Code: metadata.NotFound, Message: fmt.Sprintf("there is no change %q to undo", arguments.Brief(id)), Cause: err,
			Hint: "Changes can be undone for 30 days; " + u.Tool + " without undo_id lists the last ones.",
		}
	case errors.As(err, &undone):
		return &metadata.Error{Code: metadata.Conflict, Message: "it was undone at " + u.when(undone.At), Hint: "Nothing is left to do.", Cause: err}
	case errors.Is(err, store.ErrClaimed):
		return &metadata.Error{Code: metadata.Conflict, Message: store.ErrClaimed.Error(), Hint: "Wait for that call; repeat this one if it failed.", Retryable: true, Cause: err}
	}
	return Explain(err)
}

func (u Undos) when(t time.Time) string { return t.In(u.Now().Location()).Format(time.RFC3339) }
