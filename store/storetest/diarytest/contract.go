// Package diarytest contains the contract of every store of a diary: entries, tasks and
// documents. Start with [Run].
package diarytest

import (
	"testing"

	"kota/store/storetest"
)

// Run checks the contract.
func Run(t *testing.T, newOpener func(testing.TB) storetest.Opener) {
	storetest.RunAll(t, newOpener, map[string]storetest.Contract{
		"diary": diaryContract, "documents": documentsContract, "tasks": tasksContract, "diary orders": ordersContract, "diary filters": filtersContract,
	})
}
