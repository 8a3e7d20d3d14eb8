// Package memorytest contains the contract of every store of memories: storing, searching and
// undoing. Start with [Run].
package memorytest

import (
	"encoding/json"
	"fmt"
	"testing"

	"kota/store/storetest"
)

// Run checks the contract.
func Run(t *testing.T, newOpener func(testing.TB) storetest.Opener) {
	storetest.RunAll(t, newOpener, map[string]storetest.Contract{
		"memories": memoriesContract, "versions": versionsContract, "secrets": secretsContract, "recall": recallContract, "vectors": vectorsContract, "texts": textsContract, "orders": ordersContract, "filters": filtersContract,
	})
}

func jsonText(s string) json.RawMessage { return json.RawMessage(fmt.Sprintf("%q", s)) }
