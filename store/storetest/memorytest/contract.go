// Package memorytest holds what every store promises of memories, of searching them
// and of taking changes back. Start with [Run].
package memorytest

import (
	"encoding/json"
	"fmt"
	"testing"

	"kota/store/storetest"
)

// Run checks it.
func Run(t *testing.T, fresh func(testing.TB) storetest.Opener) {
	storetest.RunAll(t, fresh, map[string]storetest.Contract{
		"memories": memoriesContract, "versions": versionsContract, "secrets": secretsContract, "recall": recallContract,
	})
}

func text(s string) json.RawMessage { return json.RawMessage(fmt.Sprintf("%q", s)) }
