// Package persist gives bundles access to KOTA's database: the outbox, the undo
// records, names, and flows of several steps. It gives the store's errors the
// form that callers of tools need. It does not decide how long records are
// valid. store.UndoTTL says how long an undo is possible, and each bundle says
// how long it recognises a repeated call.
package persist

import (
	"context"
	"encoding/json"
	"errors"
	"net/url"
	"strconv"
	"time"

	"kota/metadata"
	"kota/store"
)

// Explain returns an error of the store with the code and the hint that callers
// need. It returns nil and other errors unchanged: errors of Google already
// have a code, and the router classifies the rest.
func Explain(err error) error {
	cursor := (*store.CursorError)(nil)
	switch {
	case err == nil:
		return nil
	case errors.Is(err, store.ErrOutcomeUnknown):
		return &metadata.Error{Code: metadata.OutcomeUnknown, Message: err.Error(), Hint: "Check whether it took effect before you repeat it.", Cause: err}
	case errors.As(err, &cursor):
		e := metadata.Invalid([]metadata.Problem{{Path: "cursor", Expected: "next_cursor of an earlier answer", Got: strconv.Quote(metadata.Shorten(cursor.Cursor))}})
		e.Cause = err
		return e.WithHint("Repeat the call without cursor to begin again.")
	case errors.Is(err, store.ErrNotFound):
		return &metadata.Error{Code: metadata.NotFound, Message: err.Error(), Hint: "Take the id from an earlier answer.", Cause: err}
	case errors.Is(err, store.ErrInvalid):
		return &metadata.Error{Code: metadata.ValidationError, Message: err.Error(), Hint: "Fix that argument and repeat the call.", Cause: err}
	case errors.Is(err, store.ErrBusy):
		return &metadata.Error{Code: metadata.Unavailable, Message: "another program has locked KOTA's database: nothing was changed", Hint: "Repeat the call.", Retryable: true, Cause: err}
	case errors.Is(err, store.ErrUnreachable):
		return &metadata.Error{Code: metadata.Unavailable, Message: err.Error(), Hint: "Nothing was changed. Repeat the call in a minute.", Retryable: true, Cause: err}
	case errors.Is(err, store.ErrReplaced):
		return &metadata.Error{Code: metadata.Unavailable, Message: store.ErrReplaced.Error(), Hint: "The user must restart KOTA, or its client.", Cause: err}
	case errors.Is(err, store.ErrOlder):
		return &metadata.Error{Code: metadata.Unavailable, Message: err.Error(), Hint: "The user can bring it up to date: run `kota doctor --profile full`.", Cause: err}
	case errors.Is(err, store.ErrCorrupt):
		return &metadata.Error{Code: metadata.Unavailable, Message: err.Error(), Hint: "Nothing was overwritten. Run `kota doctor`; `kota restore FILE` restores a backup, and copies from before upgrades are in the same folder.", Cause: err}
	case errors.Is(err, store.ErrReadOnly), errors.Is(err, store.ErrFull), errors.Is(err, store.ErrIO),
		errors.Is(err, store.ErrNewer), errors.Is(err, store.ErrMoved), errors.Is(err, store.ErrForeign), errors.Is(err, store.ErrClosed), errors.Is(err, store.ErrNoRights), errors.Is(err, store.ErrUnusable):
		return &metadata.Error{Code: metadata.Unavailable, Message: err.Error(), Hint: "Nothing was changed. Run `kota doctor`.", Cause: err}
	}
	return err
}

// Reason returns the part of an error that people read: the message of a
// *metadata.Error, or otherwise its text without the address of a request. It
// returns "" for nil.
func Reason(err error) string {
	e, request := (*metadata.Error)(nil), (*url.Error)(nil)
	switch {
	case err == nil:
		return ""
	case errors.As(err, &e):
		return e.Message
	case errors.As(err, &request): // its message begins with the address of the request
		return request.Err.Error()
	}
	return err.Error()
}

// OutboxStore stores what one bundle must not send twice.
type OutboxStore interface {
	OutboxReader
	ClaimOrCreate(ctx context.Context, want store.OutboxItem, since time.Time, lease time.Duration) (store.OutboxItem, bool, error)
	Acquire(ctx context.Context, id string, lease time.Duration) (store.OutboxItem, error)
	Save(ctx context.Context, item *store.OutboxItem, lease time.Duration) error
	ExtendLease(ctx context.Context, item store.OutboxItem, lease time.Duration) error
	Forget(ctx context.Context, item store.OutboxItem) error
}

// OutboxReader reads the content of an OutboxStore.
type OutboxReader interface {
	Find(ctx context.Context, want store.OutboxItem, since time.Time) (store.OutboxItem, error)
	Get(ctx context.Context, id string) (store.OutboxItem, error)
	Raw(ctx context.Context, id string) ([]byte, error)
	List(ctx context.Context, limit int) ([]store.OutboxItem, error)
}

// UndoStore stores the undo records of the changes that one bundle made outside
// of KOTA.
type UndoStore interface {
	Save(ctx context.Context, change store.UndoRecord) (string, error)
	Amend(ctx context.Context, id, title string, before json.RawMessage) error
	Drop(ctx context.Context, id string) error
	Claim(ctx context.Context, id string) (*store.UndoRecord, error)
	Done(ctx context.Context, id string) error
	Release(ctx context.Context, id string) error
	Recent(ctx context.Context, limit int) ([]store.UndoRecord, error)
	OfKind(ctx context.Context, kind string, limit int) ([]store.UndoRecord, error)
}

// NameStore stores the names that may be untrusted content, of things in an
// account.
type NameStore interface {
	Record(ctx context.Context, account, kind string, names []string) error
	Recorded(ctx context.Context, account, kind string) (map[string]bool, error)
}

// StageStore stores flows of several steps.
type StageStore interface {
	Open(ctx context.Context, flow, stage string, state json.RawMessage) (*store.Stage, error)
	Get(ctx context.Context, handle string) (*store.Stage, error)
	Save(ctx context.Context, handle, stage string, state json.RawMessage, version int64) (*store.Stage, error)
	Finish(ctx context.Context, handle, stage string, state json.RawMessage, version int64) (*store.Stage, error)
	Pending(ctx context.Context, flow string) ([]*store.Stage, error)
}
