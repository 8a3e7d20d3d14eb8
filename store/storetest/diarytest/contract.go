// Package diarytest holds what every store promises of a diary: entries, tasks and
// documents. Start with [Run].
package diarytest

import (
	"testing"

	"kota/store/storetest"
)

// Run checks it.
func Run(t *testing.T, fresh func(testing.TB) storetest.Opener) {
	storetest.RunAll(t, fresh, map[string]storetest.Contract{
		"diary": diaryContract, "documents": documentsContract, "tasks": tasksContract,
	})
}
