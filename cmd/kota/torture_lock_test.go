package main

import (
	"context"
	"database/sql"
	"path/filepath"
	"strings"
	"testing"
)

// If another program locks the database for longer than a call waits, reads
// still succeed, and writes return an error.
func TestLockedDatabaseRefusesWritesAndServesReads(t *testing.T) {
	if sampleSize(0, 1) == 0 {
		t.Skip("it takes half a minute: run by `make torture`")
	}
	home := t.TempDir()
	storeMemories(t, home, 1)
	p := serveIn(t, home)
	p.ask(rememberLine("before"))
	db, err := sql.Open("sqlite", filepath.Join(home, "kota.db")+"?_busy_timeout=5000")
	mustSucceed(t, err)
	defer db.Close()
	other, err := db.Conn(context.Background())
	mustSucceed(t, err)
	_, err = other.ExecContext(t.Context(), "BEGIN EXCLUSIVE")
	mustSucceed(t, err)
	p.send(rememberLine("waits"))
	for i := range 3 {
		if found := p.ask(toolCall(i, "memory_get", object{"query": "k0"})); found.ID == "waits" || found.call(t).IsError {
			t.Errorf("reading answers %v", found)
		}
	}
	refused, more := p.next()
	if !more || refused.ID != "waits" {
		t.Fatalf("answered %v", refused)
	}
	if output := refused.call(t); !output.IsError || !strings.Contains(output.text(), `"UNAVAILABLE"`) || !strings.Contains(output.text(), "another program has locked") || !strings.Contains(output.text(), `"retryable":true`) {
		t.Errorf("the write answers %s", output.text())
	}
	_, err = other.ExecContext(t.Context(), "ROLLBACK")
	mustSucceed(t, err)
	if output := p.ask(rememberLine("after")).call(t); output.IsError {
		t.Errorf("after the lock it answers %s", output.text())
	}
	p.end()
	if found := storedKeys(t, home); found["waits"] || !found["after"] {
		t.Errorf("remembered %v", found)
	}
}
