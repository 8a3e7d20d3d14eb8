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

// A PutBack is what an undo did.
type PutBack struct {
	Messages int       // whose labels are as they were before
	Note     string    // what is not as before, and why
	Failed   []Failure // what can be tried again
}

// A Failure is what went wrong with some of the messages of a call.
type Failure struct {
	IDs     []string      `json:"ids"`
	Code    metadata.Code `json:"error"`
	Message string        `json:"message"`
}

// Undos is the book of the bundle's changes.
func (all *Mailboxes) Undos() persist.Undos {
	return persist.Undos{Store: all.Stores.Undos, Bundle: BundleKey, Tool: "gmail_undo", Source: untrusted.Mail, Now: all.Now}
}

// Reissued makes the changes that can still be undone speak of a new id, after
// what had the old one was made again. One that cannot be amended finds its thing
// gone when it is undone.
func (m *Mailbox) Reissued(ctx context.Context, old, id string, kinds ...string) {
	was, is := []byte(strconv.Quote(old)), []byte(strconv.Quote(id)) // in JSON no text within a text looks so
	for _, kind := range kinds {
		changes, err := m.Undos().OfKind(ctx, kind)
		if err != nil {
			return
		}
		for _, change := range changes {
			if change.Account == m.Account.Key() && bytes.Contains(change.Before, was) {
				_ = m.Undos().Amend(ctx, change.ID, change.Title, json.RawMessage(bytes.ReplaceAll(change.Before, was, is)))
			}
		}
	}
}

// Stopped is the error of a change that came only so far: what was done can be
// undone. Where Google did not say whether it carried out the last step, all
// of it can be.
func (m *Mailbox) Stopped(ctx context.Context, undo, title string, why error, some bool, before any) error {
	switch {
	case metadata.CodeOf(why) == metadata.OutcomeUnknown:
		return m.Undos().Unknown(undo, why)
	case !some:
		return m.Undos().Drop(ctx, undo, why)
	}
	if err := m.Undos().Amend(ctx, undo, title, before); err != nil {
		return err
	}
	e := metadata.Errorf(metadata.CodeOf(why), "only a part was done: %s", PublicMessage(why))
	e.Cause = why
	return e.WithHint("gmail_undo {\"undo_id\": %q} takes back that part; the same call again does the rest.", undo)
}

// PublicMessage returns what a caller may read of an error: its message if it has a
// code.
func PublicMessage(err error) string {
	if e := (*metadata.Error)(nil); errors.As(err, &e) {
		return e.Message
	}
	return "something went wrong inside KOTA"
}
