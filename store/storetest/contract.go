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
	Stages(tenant string) Stages
	Usage(tenant string) Usage
	Close() error
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

// An Opener opens the database of one test, again and again: each time as another
// process does. It closes what the test leaves open.
type Opener func(now func() time.Time) Database

// Run checks what every store promises, each promise on a database of its own, which
// fresh makes.
func Run(t *testing.T, fresh func(testing.TB) Opener) {
	for name, promise := range map[string]func(*testing.T, Opener){
		"stages/one of two that go on at once is refused":      oneOfTwoGoesOn,
		"stages/a flow goes on after a restart":                flowsOutlastARestart,
		"stages/a flow ends a day after its last step":         flowsEndAfterADay,
		"stages/a finished flow takes nothing more":            finishedFlowsStay,
		"stages/flows are listed the last saved first":         flowsAreListed,
		"stages/a flow is its tenant's alone":                  flowsAreTheTenantsAlone,
		"stages/a state is JSON of bounded size":               statesAreBounded,
		"usage/adds up by tool, door and outcome":              usageAddsUp,
		"usage/is added whole or not at all":                   usageIsAtomic,
		"usage/is forgotten after four hundred days":           usageIsForgotten,
		"usage/only the most frequent pairs are kept":          pairsAreBounded,
		"usage/cleared usage is gone and that of others stays": usageIsCleared,
	} {
		t.Run(name, func(t *testing.T) { promise(t, fresh(t)) })
	}
}

// A clock stands still until it is moved.
type clock struct{ at atomic.Pointer[time.Time] }

func newClock() *clock {
	c := &clock{}
	c.set(time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC))
	return c
}

func (c *clock) now() time.Time { return *c.at.Load() }

func (c *clock) set(at time.Time) { c.at.Store(&at) }

func text(s string) json.RawMessage { return json.RawMessage(fmt.Sprintf("%q", s)) }
