package storetest

import (
	"context"
	"encoding/json"
	"time"

	"kota/store"
)

// Control has the stores for the state of calls: flows, usage, undo records, limits, approvals,
// the outbox and names from untrusted content.
type Control interface {
	Stages(tenant string) Stages
	Usage(tenant string) Usage
	Undos(tenant, bundle string) UndoRecords
	// BundleOf returns the bundle of an undo record of that tenant.
	BundleOf(ctx context.Context, tenant, id string) (string, error)
	Limits(tenant string) Limits
	Approvals(tenant string) Approvals
	Outbox(tenant, bundle string) Outbox
	Names(tenant string) Names
}

// Stages stores flows with several steps.
type Stages interface {
	Open(ctx context.Context, flow, stage string, state json.RawMessage) (*store.Stage, error)
	Get(ctx context.Context, handle string) (*store.Stage, error)
	Save(ctx context.Context, handle, stage string, state json.RawMessage, version int64) (*store.Stage, error)
	Finish(ctx context.Context, handle, stage string, state json.RawMessage, version int64) (*store.Stage, error)
	Cancel(ctx context.Context, handle string) error
	Pending(ctx context.Context, flow string) ([]*store.Stage, error)
}

// Usage counts calls.
type Usage interface {
	Add(ctx context.Context, day string, used []store.UsageCount, pairs []store.ToolPair) error
	Between(ctx context.Context, from, before string) ([]store.UsageCount, error)
	Pairs(ctx context.Context) ([]store.ToolPair, error)
	Clear(ctx context.Context) error
}

// UndoRecords stores changes outside of KOTA that can be undone.
type UndoRecords interface {
	Save(ctx context.Context, change store.UndoRecord) (id string, err error)
	Amend(ctx context.Context, id, title string, before json.RawMessage) error
	Drop(ctx context.Context, id string) error
	Claim(ctx context.Context, id string) (*store.UndoRecord, error)
	Release(ctx context.Context, id string) error
	Done(ctx context.Context, id string) error
	Recent(ctx context.Context, limit int) ([]store.UndoRecord, error)
	OfKind(ctx context.Context, kind string, limit int) ([]store.UndoRecord, error)
}

// Limits counts and limits the calls of a kind in a period of time.
type Limits interface {
	Allow(ctx context.Context, kind string, n int, limits []store.Limit) error
	Refund(ctx context.Context, kind string) error
}

// Approvals stores approvals with and without an outcome, and used nonces.
type Approvals interface {
	ApprovalQueue
	ApprovalOutcomes
	ConsumeNonce(ctx context.Context, nonce string, expires time.Time) error
}

// An ApprovalQueue holds the calls that the user must still approve.
type ApprovalQueue interface {
	Enqueue(ctx context.Context, want store.Approval) (store.Approval, error)
	Get(ctx context.Context, id string) (store.Approval, error)
	Replaced(ctx context.Context, id string) (store.Approval, error)
	Pending(ctx context.Context) ([]store.Approval, error)
	Consume(ctx context.Context, id, kind string, limits []store.Limit) error
	Release(ctx context.Context, id string) (store.Approval, error)
}

// ApprovalOutcomes stores and returns the outcomes of calls that the user approved or rejected.
type ApprovalOutcomes interface {
	SetOutcome(ctx context.Context, id string, status store.ApprovalStatus, outcome json.RawMessage) error
	SetEditedOutcome(ctx context.Context, id string, status store.ApprovalStatus, outcome, shown json.RawMessage) error
	Reject(ctx context.Context, id string) error
	Fail(ctx context.Context, id string, failure json.RawMessage) error
	TakeOutcome(ctx context.Context, call string) (store.Approval, error)
}

// Outbox stores items that must be sent at most once.
type Outbox interface {
	OutboxItems
	ClaimOrCreate(ctx context.Context, want store.OutboxItem, since time.Time, hold time.Duration) (store.OutboxItem, bool, error)
	Acquire(ctx context.Context, id string, hold time.Duration) (store.OutboxItem, error)
	ExtendLease(ctx context.Context, item store.OutboxItem, hold time.Duration) error
	Save(ctx context.Context, item *store.OutboxItem, hold time.Duration) error
	Forget(ctx context.Context, item store.OutboxItem) error
}

// OutboxItems reads the items of an outbox.
type OutboxItems interface {
	Find(ctx context.Context, want store.OutboxItem, since time.Time) (store.OutboxItem, error)
	Get(ctx context.Context, id string) (store.OutboxItem, error)
	Raw(ctx context.Context, id string) ([]byte, error)
	List(ctx context.Context, limit int) ([]store.OutboxItem, error)
}

// Names stores names of objects that come from untrusted content.
type Names interface {
	Record(ctx context.Context, account, kind string, names []string) error
	Recorded(ctx context.Context, account, kind string) (map[string]bool, error)
}
