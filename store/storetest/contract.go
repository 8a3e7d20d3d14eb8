package storetest

import (
	"context"
	"encoding/json"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"kota/store"
)

// A Database is one process's connection to a database, which every store must
// answer alike.
type Database interface {
	Control
	Records
	Close() error
}

// Control is what calls need beside the data they are about.
type Control interface {
	Stages(tenant string) Stages
	Usage(tenant string) Usage
	Undos(tenant, bundle string) Undos
	Limits(tenant string) Limits
	Approvals(tenant string) Approvals
}

// Records are a tenant's data.
type Records interface {
	Mail(tenant, account string) Mail
}

// Stages keeps flows of several steps.
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
	Add(ctx context.Context, day string, used []store.Used, pairs []store.UsedPair) error
	Between(ctx context.Context, from, before string) ([]store.Used, error)
	Pairs(ctx context.Context) ([]store.UsedPair, error)
	Clear(ctx context.Context) error
}

// Undos keeps changes outside of KOTA that can be undone.
type Undos interface {
	Save(ctx context.Context, change store.Undo) (id string, err error)
	Amend(ctx context.Context, id, title string, before json.RawMessage) error
	Drop(ctx context.Context, id string) error
	Claim(ctx context.Context, id string) (*store.Undo, error)
	Release(ctx context.Context, id string) error
	Done(ctx context.Context, id string) error
	Recent(ctx context.Context, limit int) ([]store.Undo, error)
	OfKind(ctx context.Context, kind string, limit int) ([]store.Undo, error)
}

// Limits bounds how many calls of a kind are allowed in a stretch of time.
type Limits interface {
	Allow(ctx context.Context, kind string, n int, limits []store.Limit) error
	Refund(ctx context.Context, kind string) error
}

// Approvals keeps calls that wait for their user.
type Approvals interface {
	ApprovalQueue
	ApprovalOutcomes
	SpendConsent(ctx context.Context, nonce string, expires time.Time) error
}

// An ApprovalQueue holds what the user is still to agree to.
type ApprovalQueue interface {
	Park(ctx context.Context, want store.Approval) (store.Approval, error)
	Get(ctx context.Context, id string) (store.Approval, error)
	Waiting(ctx context.Context) ([]store.Approval, error)
	Spend(ctx context.Context, id, kind string, limits []store.Limit) error
	Release(ctx context.Context, id string) (store.Approval, error)
}

// ApprovalOutcomes tell what became of calls the user agreed to, or did not.
type ApprovalOutcomes interface {
	Settle(ctx context.Context, id string, status store.ApprovalStatus, outcome json.RawMessage) error
	Reject(ctx context.Context, id string) error
	Fail(ctx context.Context, id string, failure json.RawMessage) error
	Tell(ctx context.Context, call string) (store.Approval, error)
}

// Mail caches what lists show of the messages of one mailbox.
type Mail interface {
	History(ctx context.Context) (uint64, error)
	Heads(ctx context.Context, ids []string) (map[string]*store.MailHead, uint64, error)
	Update(ctx context.Context, u store.MailUpdate) error
	Forget(ctx context.Context) error
}

// An Opener opens the database of one test, again and again: each time as another
// process does. It closes what the test leaves open.
type Opener func(now func() time.Time) Database

// A contract is the promises of one interface by their names.
type contract map[string]func(*testing.T, Opener)

// Run checks what every store promises, each promise on a database of its own, which
// fresh makes.
func Run(t *testing.T, fresh func(testing.TB) Opener) {
	for of, promises := range map[string]contract{
		"stages": stagesContract, "usage": usageContract, "undo": undoContract, "limits": limitsContract,
		"approvals": approvalsContract, "mail": mailContract,
	} {
		for name, promise := range promises {
			t.Run(of+"/"+name, func(t *testing.T) { promise(t, fresh(t)) })
		}
	}
}

func withClock(open Opener) (Database, *clock) {
	c := newClock()
	return open(c.now), c
}

// A clock stands still until it is moved.
type clock struct{ at atomic.Pointer[time.Time] }

func newClock() *clock { return clockAt(time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)) }

func clockAt(at time.Time) *clock {
	c := &clock{}
	c.set(at)
	return c
}

func (c *clock) now() time.Time { return *c.at.Load() }

func (c *clock) set(at time.Time) { c.at.Store(&at) }

func text(s string) json.RawMessage { return json.RawMessage(fmt.Sprintf("%q", s)) }
