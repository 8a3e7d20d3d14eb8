package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"kota/store/faulttest"
)

// Files as strace names them.
const (
	walFile = "kota.db-wal"
	anyFile = "" // stdout is a pipe, and Google a socket: recognised by what is written
)

// serveTraced serves under strace, and returns the system calls.
func serveTraced(t *testing.T, d *testHome, lines string) []faulttest.TracedCall {
	t.Helper()
	path, err := exec.LookPath("kota")
	if err != nil {
		t.Fatal(err)
	}
	trace := filepath.Join(t.TempDir(), "trace")
	p := start(t, faulttest.Strace(t, exec.Command(path, "serve"), "-y", "-s", "65536", "-o", trace, "-e", "trace=write,pwrite64,fsync,fdatasync"), d.home)
	for _, answer := range p.callAll(lines) {
		if result := answer.call(t); result.IsError && !isPending(result) {
			t.Fatalf("%v: %s", answer.ID, result.text())
		}
	}
	p.end()
	text, err := os.ReadFile(trace)
	if err != nil {
		t.Fatal(err)
	}
	return faulttest.ParseTrace(string(text))
}

// kill -9 does not show whether a write survives a power cut: the kernel has it
// in any case. The order of the system calls does.
func TestNoWriteOfAnyKindIsAcknowledgedBeforeSynced(t *testing.T) {
	d := newHomeForWrites(t)
	const each = 5
	var lines strings.Builder
	for n := range each * len(kinds) {
		k := kinds[n%len(kinds)]
		lines.WriteString(k.lines(k.id(0, n)))
	}
	calls := serveTraced(t, d, lines.String())
	for n := range each * len(kinds) {
		id := kinds[n%len(kinds)].id(0, n)
		written, ok := faulttest.First(calls, "pwrite64", walFile, id, 0)
		if !ok {
			t.Errorf("%s was never written into the database", id)
			continue
		}
		output, ok := faulttest.First(calls, "write", anyFile, answerMark(id), 0)
		if !ok {
			t.Errorf("%s is not answered", id)
			continue
		}
		if !faulttest.SyncedBetween(calls, walFile, written.End, output.Start) {
			t.Errorf("%s was acknowledged before it was synced", id)
		}
	}
}

// answerMark returns what is in the answer to a call, as strace quotes it.
func answerMark(id string) string { return `\"id\":\"` + id + `\"` }

// The mail is on disk before the first request about it, and its outcome before
// the answer.
func TestMailIsSyncedBeforeSendingAndReporting(t *testing.T) {
	d := newSignedInHome(t)
	tool, args := mailCall("mail-1")
	calls := serveTraced(t, d, toolCall("mail-1", tool, args))
	intent, ok := faulttest.First(calls, "pwrite64", walFile, "mail-1", 0)
	if !ok {
		t.Fatal("the mail was never written into the database")
	}
	left, ok := faulttest.First(calls, "write", anyFile, "/drafts", 0)
	if !ok {
		t.Fatal("nothing was asked of Google")
	}
	if !faulttest.SyncedBetween(calls, walFile, intent.End, left.Start) {
		t.Error("the first request left before the mail was synced")
	}
	sent, ok := faulttest.First(calls, "write", anyFile, "/drafts/send", 0)
	if !ok {
		t.Fatal("nothing was sent")
	}
	outcome, ok := faulttest.First(calls, "pwrite64", walFile, "", sent.End)
	if !ok {
		t.Fatal("the outcome was never written")
	}
	output, ok := faulttest.First(calls, "write", anyFile, answerMark("mail-1"), 0)
	if !ok {
		t.Fatal("the call is not answered")
	}
	if !faulttest.SyncedBetween(calls, walFile, outcome.End, output.Start) {
		t.Error("the outcome was reported before it was synced")
	}
}
