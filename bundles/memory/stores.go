package memory

import (
	"context"
	"encoding/json"
	"time"

	"kota/store"
)

// Memories are what the bundle needs of the store: the memories of its tenant.
type Memories interface {
	Reader
	Writer
}

// A Reader reads memories.
type Reader interface {
	Get(ctx context.Context, key string) (*store.Memory, error)
	GetAt(ctx context.Context, key string, at time.Time) (*store.Memory, error)
	List(ctx context.Context, f store.Filter, p store.Page) ([]*store.Memory, string, error)
	Recall(ctx context.Context, q store.Query) (store.Answer, error)
	History(ctx context.Context, key string, limit int) ([]store.Event, error)
	HistorySince(ctx context.Context, since time.Time, limit int) ([]store.Event, error)
	Categories(ctx context.Context) ([]store.Category, error)
	Reveal(found *store.Memory) (json.RawMessage, error)
}

// A Writer changes memories.
type Writer interface {
	Set(ctx context.Context, e store.Entry) (store.Written, error)
	SetMany(ctx context.Context, entries []store.Entry) ([]store.Written, error)
	Update(ctx context.Context, e store.Edit) (store.Written, error)
	Delete(ctx context.Context, target store.Target, dryRun bool) (store.Deleted, error)
	Erase(ctx context.Context, target store.Target, dryRun bool) (store.Erased, error)
	Restore(ctx context.Context, undo string) ([]store.Written, error)
	RestoreVersion(ctx context.Context, key string, version int64) (store.Written, error)
	Touch(ids ...int64)
}
