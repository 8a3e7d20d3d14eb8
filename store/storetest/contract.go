package storetest

import (
	"encoding/json"
	"fmt"
	"sync/atomic"
	"testing"
	"time"
)

// An Opener opens the database of one test. Each call opens the same database, as another process
// would. The database encrypts secrets with Sealer. It is closed when the test ends, if the test
// leaves it open.
type Opener func(now func() time.Time) Database

// A Contract maps names to tests. Every store must pass them.
type Contract map[string]func(*testing.T, Opener)

// Run checks the contracts of Control, and of the mail cache.
func Run(t *testing.T, newOpener func(testing.TB) Opener) {
	RunAll(t, newOpener, map[string]Contract{
		"stages": stagesContract, "usage": usageContract, "undo": undoContract, "limits": limitsContract,
		"approvals": approvalsContract, "mail": mailContract, "outbox": outboxContract, "names": namesContract, "contacts": contactsContract,
	})
}

// RunAll runs contracts. Each test has its own database: newOpener creates it.
func RunAll(t *testing.T, newOpener func(testing.TB) Opener, contracts map[string]Contract) {
	for group, contract := range contracts {
		for name, test := range contract {
			t.Run(group+"/"+name, func(t *testing.T) {
				t.Parallel()
				test(t, newOpener(t))
			})
		}
	}
}

// A Clock does not advance until it is set.
type Clock struct{ at atomic.Pointer[time.Time] }

// NewClock returns a clock set to a Saturday morning.
func NewClock() *Clock { return ClockAt(time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)) }

// ClockAt returns a clock set to that time.
func ClockAt(at time.Time) *Clock {
	c := &Clock{}
	c.Set(at)
	return c
}

// Now returns the time of the clock.
func (c *Clock) Now() time.Time { return *c.at.Load() }

// Set sets the clock.
func (c *Clock) Set(at time.Time) { c.at.Store(&at) }

// WithClock opens a database with a clock that the test can set.
func WithClock(open Opener) (Database, *Clock) {
	c := NewClock()
	return open(c.Now), c
}

// JSONText returns a text as JSON.
func JSONText(s string) json.RawMessage { return json.RawMessage(fmt.Sprintf("%q", s)) }
