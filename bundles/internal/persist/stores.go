package persist

import (
	"context"
	"encoding/json"
	"time"

	"kota/store"
)

// An OutboxStore keeps what one bundle must send exactly once.
type OutboxStore interface {
	LetterReader
	Take(ctx context.Context, want store.Letter, since time.Time, hold time.Duration) (store.Letter, bool, error)
	Hold(ctx context.Context, id string, hold time.Duration) (store.Letter, error)
	Save(ctx context.Context, l *store.Letter, hold time.Duration) error
	Renew(ctx context.Context, l store.Letter, hold time.Duration) error
	Forget(ctx context.Context, l store.Letter) error
}

// A LetterReader reads what an OutboxStore keeps.
type LetterReader interface {
	Asked(ctx context.Context, want store.Letter, since time.Time) (store.Letter, error)
	Get(ctx context.Context, id string) (store.Letter, error)
	Raw(ctx context.Context, id string) ([]byte, error)
	List(ctx context.Context, limit int) ([]store.Letter, error)
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
