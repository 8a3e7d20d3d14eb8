// Package writertest contains the contract of how every database commits writes, calls hooks and
// reports changes. Start with [Run].
package writertest

import (
	"runtime"
	"sync"
	"testing"

	"kota/store/storetest"
)

// Run checks the contract.
func Run(t *testing.T, newOpener func(testing.TB) storetest.Opener) {
	storetest.RunAll(t, newOpener, map[string]storetest.Contract{
		"writer": writerContract, "hooks": hooksContract, "watch": watchContract,
	})
}

// insert returns a write that adds a name.
func insert(name string) func(storetest.Tx) error {
	return func(tx storetest.Tx) error { return tx.Insert(name) }
}

// writeBatch queues writes in order while no write runs, and returns their errors.
func writeBatch(t testing.TB, db storetest.Database, writes ...func(storetest.Tx) error) []error {
	t.Helper()
	failures := make([]error, len(writes))
	release := db.HoldWrites()
	var all sync.WaitGroup
	for i, run := range writes {
		all.Go(func() { failures[i] = db.Write(t.Context(), run) })
		waitForQueue(db, i+1)
	}
	release()
	all.Wait()
	return failures
}

// waitForQueue returns when n writes are queued.
func waitForQueue(db storetest.Database, n int) {
	for db.QueuedWrites() < n {
		runtime.Gosched()
	}
}
