package gmail

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

// A putBack is what an undo did.
type putBack struct {
	Messages int       // whose labels are as they were before
	Note     string    // what is not as before, and why
	Failed   []failure // what can be tried again
}

// A failure is what went wrong with some of the messages of a call.
type failure struct {
	IDs     []string      `json:"ids"`
	Code    metadata.Code `json:"error"`
	Message string        `json:"message"`
}

// undos is the book of the bundle's changes.
func (all *mailboxes) undos() persist.Undos {
	return persist.Undos{DB: all.DB, Owner: owner, Bundle: bundleKey, Tool: "gmail_undo", Source: untrusted.Mail, Now: all.Now}
}

// reissued makes the changes that can still be undone speak of a new id, after
// what had the old one was made again. One that cannot be amended finds its thing
// gone when it is undone.
func (m *mailbox) reissued(ctx context.Context, old, id string, kinds ...string) {
	was, is := []byte(strconv.Quote(old)), []byte(strconv.Quote(id)) // in JSON no text within a text looks so
	for _, kind := range kinds {
		changes, err := m.undos().OfKind(ctx, kind)
		if err != nil {
			return
		}
		for _, change := range changes {
			if change.Account == m.account.Key() && bytes.Contains(change.Before, was) {
				_ = m.undos().Amend(ctx, change.ID, change.Title, json.RawMessage(bytes.ReplaceAll(change.Before, was, is)))
			}
		}
	}
}

// stopped is the error of a change that came only so far: what was done can be
// undone. Where Google did not say whether it carried out the last step, all
// of it can be.
func (m *mailbox) stopped(ctx context.Context, undo, title string, why error, some bool, before any) error {
	switch {
	case metadata.CodeOf(why) == metadata.OutcomeUnknown:
		return m.undos().Unknown(undo, why)
	case !some:
		return m.undos().Drop(ctx, undo, why)
	}
	if err := m.undos().Amend(ctx, undo, title, before); err != nil {
		return err
	}
	e := metadata.Errorf(metadata.CodeOf(why), "only a part was done: %s", said(why))
	e.Cause = why
	return e.WithHint("gmail_undo {\"undo_id\": %q} takes back that part; the same call again does the rest.", undo)
}

// said is what may be told of an error: only what was named for callers.
func said(err error) string {
	if e := (*metadata.Error)(nil); errors.As(err, &e) {
		return e.Message
	}
	return "something went wrong inside KOTA"
}
