// Package audittest contains the contract of every audit log: what is logged, what is refused, and
// which tampering is found. Start with [Run].
package audittest

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"kota/store"
	"kota/store/storetest"
)

// Run checks the contract.
func Run(t *testing.T, newOpener func(testing.TB) storetest.Opener) {
	storetest.RunAll(t, newOpener, map[string]storetest.Contract{
		"audit": auditContract, "refusals": refusalsContract, "tampering": tamperingContract,
	})
}

// memorySet is a call that changes a memory.
var memorySet = store.AuditEntry{Owner: "ann", Tool: "memory_set", Effect: "writes", Channel: "direct", Args: json.RawMessage(`{"pinned":true}`)}

// sendMessage is a call that sends a message.
var sendMessage = store.AuditEntry{Owner: "ann", Tool: "gmail_send_message", Effect: "sends", Channel: "direct", Args: json.RawMessage(`{}`)}

// set stores a memory of ann.
func set(ctx context.Context, db storetest.Database, key string) error {
	_, err := db.Memories("ann").Set(ctx, store.Entry{Key: key, Value: storetest.JSONText(key)})
	return err
}

// auditedSet stores memories like audited calls.
func auditedSet(t testing.TB, db storetest.Database, keys ...string) {
	t.Helper()
	for _, key := range keys {
		ctx, trail := db.Audit("ann").Begin(t.Context(), memorySet)
		if err := set(ctx, db, key); err != nil {
			t.Fatal(err)
		}
		trail.End(store.OK)
	}
}

func closeDatabase(t testing.TB, db storetest.Database) {
	t.Helper()
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
}

func auditRows(t testing.TB, db storetest.Database, f store.AuditFilter) []store.AuditRow {
	t.Helper()
	rows := []store.AuditRow{}
	for row, err := range db.Audit("ann").Rows(t.Context(), f) {
		if err != nil {
			t.Fatal(err)
		}
		rows = append(rows, row)
	}
	return rows
}

// phases returns the number, phase and code of each row of the log, on one line.
func phases(t testing.TB, db storetest.Database) string {
	t.Helper()
	words := []string{}
	for _, r := range auditRows(t, db, store.AuditFilter{}) {
		words = append(words, strings.TrimSpace(fmt.Sprintf("%d %s %s", r.Seq, r.Phase, r.Code)))
	}
	return strings.Join(words, ", ")
}

func verify(t testing.TB, db storetest.Database, noted ...store.AuditCheckpoint) store.AuditReport {
	t.Helper()
	var rows []store.NotedRow
	for _, one := range noted {
		rows = append(rows, store.NotedRow{Seq: one.Seq, HashPrefix: one.Hash.String()})
	}
	report, err := db.Audit("ann").Verify(t.Context(), rows...)
	if err != nil {
		t.Fatal(err)
	}
	return report
}

// findings returns the findings of a report as one text.
func findings(v store.AuditReport) string {
	all := []string{}
	for _, one := range v.Tampering {
		all = append(all, one.Finding)
	}
	return strings.Join(all, "; ")
}
