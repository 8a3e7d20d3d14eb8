// Package walltest contains the contract that no tenant reads or changes the rows of another. It
// calls every method of every store. Start with [Run].
package walltest

import (
	"testing"

	"kota/store/storetest"
)

// Run checks the contract.
func Run(t *testing.T, newOpener func(testing.TB) storetest.Opener) {
	storetest.RunAll(t, newOpener, map[string]storetest.Contract{"wall": {
		"a tenant reads and changes nothing of another": noCallCrossesTheWall,
		"a tenant without rows reads nothing":           newTenantsReadNothing,
		"the bundle of an undo record is its tenant's":  bundlesOfUndoRecordsAreSeparate,
		"secrets are counted by tenant":                 secretsAreCountedByTenant,
	}})
}
