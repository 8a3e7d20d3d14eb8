package persist

import (
	"context"
	"encoding/json"
	"fmt"

	"kota/bundles"
	"kota/bundles/internal/untrusted"
	"kota/metadata"
	"kota/store"
)

// UndoIn are the arguments of a bundle's undo action.
type UndoIn struct {
	ID        string `json:"undo_id,omitempty" doc:"of a change; without: list what can be undone" audit:"show"`
	Overwrite bool   `json:"overwrite,omitempty" doc:"also overwrite later changes, if the user wants that"`
}

// Effect returns the effect of this call: without an id it only lists.
func (in UndoIn) Effect() metadata.Effect {
	if in.ID == "" {
		return metadata.Reads
	}
	return metadata.Writes
}

// Undoer undoes one kind of change in an account of the bundle.
type Undoer[Account, Result any] struct {
	Scopes []string // the scopes that a call needs
	// Undo restores the values in before. It may be repeated after a failure.
	Undo func(ctx context.Context, a Account, r UndoAttempt, before json.RawMessage) (Result, error)
}

// UndoFunc makes the Undo of an Undoer from a function that takes the value that
// was given to Undos.Save.
func UndoFunc[Account, Before, Result any](undo func(context.Context, Account, UndoAttempt, Before) (Result, error)) func(context.Context, Account, UndoAttempt, json.RawMessage) (Result, error) {
	return func(ctx context.Context, a Account, r UndoAttempt, raw json.RawMessage) (Result, error) {
		var before Before
		if err := json.Unmarshal(raw, &before); err != nil {
			var none Result
			return none, fmt.Errorf("read the undo record: %w", err)
		}
		return undo(ctx, a, r, before)
	}
}

// UndoResult is the answer of an undo action: what was undone, or without an id
// what can be undone.
type UndoResult[Result any] struct {
	Title      string // the title of the change; "" without an id
	Provenance *untrusted.Provenance
	Result     Result
	Recent     []Undoable
	Note       string // says that Recent is empty, or is ""
}

// Undo undoes the change with the id in.ID. It uses the undoer for the kind of
// the change, in the account that open returns. If isDone reports false,
// something is left and the same call may be repeated. If in.ID is "", Undo
// lists the changes that can be undone, as Undos.Recent does. Other errors are
// those of Undos.Run, of open and of the undoer, and UNAVAILABLE for an unknown
// kind.
func Undo[Account, Result any](ctx context.Context, u Undos, in UndoIn, kinds map[string]Undoer[Account, Result],
	open func(context.Context, string) (Account, error), isDone func(Result) bool) (UndoResult[Result], error) {
	if in.ID == "" {
		recent, err := u.Recent(ctx)
		out := UndoResult[Result]{Recent: recent}
		if len(recent) == 0 {
			out.Note = "there is nothing to undo"
		}
		return out, err
	}
	out := UndoResult[Result]{Provenance: u.Provenance(ctx)} // errors may also quote what was changed
	change, err := u.Run(ctx, in.ID, func(ctx context.Context, change *store.UndoRecord) (_ bool, err error) {
		by, known := kinds[change.Kind]
		if !known {
			return false, metadata.Errorf(metadata.Unavailable, "a newer version of KOTA made this change, so this version cannot undo it").WithHint("Update KOTA.")
		}
		ctx = bundles.WithScopes(ctx, by.Scopes)
		account, err := open(ctx, change.Account)
		if err != nil {
			return false, err
		}
		out.Result, err = by.Undo(ctx, account, UndoAttempt{ID: in.ID, Tool: u.Tool, Overwrite: in.Overwrite}, change.Before)
		return err == nil && isDone(out.Result), err
	})
	if err != nil {
		return UndoResult[Result]{}, err
	}
	out.Title = change.Title
	return out, nil
}
