// Package persist is how bundles keep things in KOTA's database: the errors of
// the store as the callers of tools need them, the outbox in its user's hands,
// and the book of what can be undone.
package persist

import (
	"context"
	"encoding/json"
	"errors"
	"net/url"
	"time"

	"kota/metadata"
	"kota/store"
)

// Explain gives the errors of the store the code and the next step that
// callers need. Others pass through, nil too: Google's have their code, foreign
// ones are for the router to classify.
func Explain(err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, store.ErrNotFound):
		return &metadata.Error{Code: metadata.NotFound, Message: err.Error(), Hint: "Take the id from an earlier answer.", Cause: err}
	case errors.Is(err, store.ErrInvalid):
		return &metadata.Error{Code: metadata.ValidationError, Message: err.Error(), Hint: "Mend that argument and repeat the call.", Cause: err}
	case errors.Is(err, store.ErrBusy):
		return &metadata.Error{Code: metadata.Unavailable, Message: "another program holds KOTA's database: nothing was changed", Hint: "Repeat the call.", Retryable: true, Cause: err}
	case errors.Is(err, store.ErrReplaced):
		return &metadata.Error{Code: metadata.Unavailable, Message: store.ErrReplaced.Error(), Hint: "The user has to start KOTA, or its client, again.", Cause: err}
	case errors.Is(err, store.ErrOlder):
		return &metadata.Error{Code: metadata.Unavailable, Message: err.Error(), Hint: "The user can bring it up to date: run `kota doctor --profile full`.", Cause: err}
	case errors.Is(err, store.ErrCorrupt):
		return &metadata.Error{Code: metadata.Unavailable, Message: err.Error(), Hint: "Nothing was overwritten. Run `kota doctor`; `kota restore FILE` goes back to a backup, and copies made before upgrades lie beside it.", Cause: err}
	case errors.Is(err, store.ErrReadOnly), errors.Is(err, store.ErrFull), errors.Is(err, store.ErrIO),
		errors.Is(err, store.ErrNewer), errors.Is(err, store.ErrForeign), errors.Is(err, store.ErrClosed):
		return &metadata.Error{Code: metadata.Unavailable, Message: err.Error(), Hint: "Nothing was changed. Run `kota doctor`.", Cause: err}
	}
	return err
}

// Reason returns what an error says to people, "" for nil: the message of one with
// a code, and no address that was asked.
func Reason(err error) string {
	e, request := (*metadata.Error)(nil), (*url.Error)(nil)
	switch {
	case err == nil:
		return ""
	case errors.As(err, &e):
		return e.Message
	case errors.As(err, &request): // which begins with the whole address
		return request.Err.Error()
	}
	return err.Error()
}

// An OutboxStore keeps what one bundle must send exactly once.
type OutboxStore interface {
	OutboxReader
	ClaimOrCreate(ctx context.Context, want store.OutboxItem, since time.Time, hold time.Duration) (store.OutboxItem, bool, error)
	Acquire(ctx context.Context, id string, hold time.Duration) (store.OutboxItem, error)
	Save(ctx context.Context, l *store.OutboxItem, hold time.Duration) error
	ExtendLease(ctx context.Context, l store.OutboxItem, hold time.Duration) error
	Forget(ctx context.Context, l store.OutboxItem) error
}

// A OutboxReader reads what an OutboxStore keeps.
type OutboxReader interface {
	Find(ctx context.Context, want store.OutboxItem, since time.Time) (store.OutboxItem, error)
	Get(ctx context.Context, id string) (store.OutboxItem, error)
	Raw(ctx context.Context, id string) ([]byte, error)
	List(ctx context.Context, limit int) ([]store.OutboxItem, error)
}

// An UndoStore keeps the changes that one bundle made outside of KOTA.
type UndoStore interface {
	Save(ctx context.Context, change store.Undo) (string, error)
	Amend(ctx context.Context, id, title string, before json.RawMessage) error
	Drop(ctx context.Context, id string) error
	Claim(ctx context.Context, id string) (*store.Undo, error)
	Done(ctx context.Context, id string) error
	Release(ctx context.Context, id string) error
	Recent(ctx context.Context, limit int) ([]store.Undo, error)
	OfKind(ctx context.Context, kind string, limit int) ([]store.Undo, error)
}

// A NameStore keeps the names of things of one kind in an account that were given
// after untrusted content had come into the conversation.
type NameStore interface {
	Note(ctx context.Context, account, kind string, names []string) error
	Noted(ctx context.Context, account, kind string) (map[string]bool, error)
}

// A StageStore keeps flows of several steps.
type StageStore interface {
	Open(ctx context.Context, flow, stage string, state json.RawMessage) (*store.Stage, error)
	Get(ctx context.Context, handle string) (*store.Stage, error)
	Save(ctx context.Context, handle, stage string, state json.RawMessage, version int64) (*store.Stage, error)
	Finish(ctx context.Context, handle, stage string, state json.RawMessage, version int64) (*store.Stage, error)
	Pending(ctx context.Context, flow string) ([]*store.Stage, error)
}
