package storetest

import (
	"context"
	"iter"
	"testing"
	"time"

	"kota/store"
)

// A Database is the connection of one process to a database, with everything that the contract
// checks. All implementations must behave the same.
type Database interface {
	Control
	Records
	Audit(tenant string) AuditLog
	Writer
	Properties() Properties
	Close() error
}

// Properties are what the engines of databases do differently.
type Properties struct {
	ErasesCompletely bool // EraseResult.Complete is true after an erasure
	NotesAuditEnd    bool // a file outside of the database has the last row of the audit log
}

// CheckNoted fails the test unless the report of an audit log says whether it can detect that rows
// were removed from the end.
func (p Properties) CheckNoted(t testing.TB, report store.AuditReport) {
	t.Helper()
	if (report.CheckpointProblem == "") != p.NotesAuditEnd {
		t.Errorf("the end of the log: %q", report.CheckpointProblem)
	}
}

// CheckErased fails the test unless the result of an erasure says what the engine can promise.
func (p Properties) CheckErased(t testing.TB, erased store.EraseResult) {
	t.Helper()
	if erased.Complete != p.ErasesCompletely || (erased.Reason == "") != p.ErasesCompletely {
		t.Errorf("erased completely: %t, %q; want %t", erased.Complete, erased.Reason, p.ErasesCompletely)
	}
}

// A Writer commits the writes of all stores. The contract writes names to a table of its own.
type Writer interface {
	Write(ctx context.Context, run func(Tx) error) error
	WriteUnaudited(ctx context.Context, run func(Tx) error) error
	// InsertedNames returns the committed names.
	InsertedNames(t testing.TB) map[string]bool
	// AddHook adds the hook of a package with tables of its own.
	AddHook(Hook)
	Watch(ctx context.Context) (Watch, error)
	// HoldWrites lets all writes wait until release is called. QueuedWrites counts them.
	HoldWrites() (release func())
	QueuedWrites() int
}

// A Tx gives one write or one hook access to the current transaction.
type Tx interface {
	// Insert adds a name. It fails if the name exists.
	Insert(name string) error
	Now() time.Time
	Changed() bool
	SetChanged(bool)
	HasQueuedWrites() bool
}

// A Hook takes part in the work of the database. Nil functions are not called.
type Hook struct {
	BeforeCommit func(t Tx, changes []context.Context) error
	AfterCommit  func(err error)
	OnIdle       func(context.Context) error
	Close        func(context.Context)
}

// A Watch detects the writes of all processes.
type Watch interface {
	// Wait returns nil once a write was committed since the last Wait or since Watch.
	Wait(ctx context.Context) error
	Close() error
}

// An AuditLog records calls that change something.
type AuditLog interface {
	// Begin starts the trail of a call. The writes of the call use the returned context.
	Begin(ctx context.Context, entry store.AuditEntry) (context.Context, Trail)
	WriteIntent(ctx context.Context) error
	Refuse(trail Trail, code string)
	Rows(ctx context.Context, f store.AuditFilter) iter.Seq2[store.AuditRow, error]
	Verify(ctx context.Context, noted ...store.NotedRow) (store.AuditReport, error)
	Prune(ctx context.Context, upTo store.AuditCheckpoint) error
	// Replace replaces all rows, as somebody with full access to the database could do.
	Replace(t testing.TB, rows []store.AuditRow)
	// Reject makes the database reject new rows of a tool.
	Reject(t testing.TB, tool string)
}

// A Trail connects the writes of one call.
type Trail interface {
	HasIntent() bool
	Replace(entry store.AuditEntry)
	Approve(how string)
	End(code string)
}
