package mailbox

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"strconv"

	"kota/bundles/internal/persist"
	"kota/bundles/internal/untrusted"
	"kota/metadata"
)

// An UndoResult is the result of an undo.
type UndoResult struct {
	Messages int       // the number of messages whose labels were restored
	Note     string    // for the reader, such as what was not restored; may be ""
	Failed   []Failure // the messages that a repeated call can still restore
}

// A Failure is an error that affects some of the messages of a call.
type Failure struct {
	IDs     []string      `json:"ids"`
	Code    metadata.Code `json:"error"`
	Message string        `json:"message"`
}

// Undos returns the undo records of the bundle.
func (all *Mailboxes) Undos() persist.Undos {
	return persist.Undos{Store: all.Stores.Undos, Bundle: BundleKey, Tool: "gmail_undo", Source: untrusted.Mail, Now: all.Now}
}

// ReplaceUndoID replaces an object's id in the undo records of these kinds, after the
// object was created again with a new id. If a record cannot be changed, its undo will not
// find the object.
func (m *Mailbox) ReplaceUndoID(ctx context.Context, oldID, newID string, kinds ...string) {
	oldJSON, newJSON := []byte(strconv.Quote(oldID)), []byte(strconv.Quote(newID)) // with quotes, they match only whole JSON strings
	for _, kind := range kinds {
		changes, err := m.Undos().OfKind(ctx, kind)
		if err != nil {
			return
		}
		for _, change := range changes {
			if change.Account == m.Account.Key() && bytes.Contains(change.Before, oldJSON) {
				_ = m.Undos().Amend(ctx, change.ID, change.Title, json.RawMessage(bytes.ReplaceAll(change.Before, oldJSON, newJSON)))
			}
		}
	}
}

// PartialError returns the error of a change that failed with cause, and updates its undo
// record. If a part was done, before becomes the content of the record, which then covers
// only that part. If nothing was done, the record is deleted. If Google did not say whether
// it carried out the last step, the record still covers the whole change.
func (m *Mailbox) PartialError(ctx context.Context, undo, title string, cause error, changedSome bool, before any) error {
	switch {
	case metadata.CodeOf(cause) == metadata.OutcomeUnknown:
		return m.Undos().Unknown(undo, cause)
	case !changedSome:
		return m.Undos().Drop(ctx, undo, cause)
	}
	if err := m.Undos().Amend(ctx, undo, title, before); err != nil {
		return err
	}
	e := metadata.Errorf(metadata.CodeOf(cause), "only a part was done: %s", PublicMessage(cause))
	e.Cause = cause
	return e.WithHint("gmail_undo {\"undo_id\": %q} undoes that part; the same call again does the rest.", undo)
}

// PublicMessage returns the part of an error that a caller may read: its message if the
// error has a code, and otherwise a general text.
func PublicMessage(err error) string {
	if e := (*metadata.Error)(nil); errors.As(err, &e) {
		return e.Message
	}
	return "something went wrong inside KOTA"
}
