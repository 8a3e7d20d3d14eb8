// Package engine is what a database gives to the packages of store/tables: transactions, reads,
// and hooks into the commit. Package sqlite implements it for one file, and package postgres
// for a database server.
//
// All databases accept the same SQL where they can. A statement is then a plain string. Its
// placeholders are ?, or ?1, ?2 and so on; one statement does not mix the two forms. Where the
// texts differ, the statement is a Stmt with one text per database.
//
// Every row with user data has an owner. Every statement names the owner, also where an id alone
// would find the row, because ids are only unique among the rows of one owner.
//
// Errors of a DB, a Reader and a Tx match the sentinels of package store, such as store.ErrBusy.
package engine

import (
	"context"
	"log/slog"
	"reflect"
	"time"

	"kota/store"
)

// A DB is an open database, or the part of it that belongs to one person. It is safe for
// concurrent use.
type DB interface {
	// Dialect returns the SQL dialect of the database.
	Dialect() Dialect
	// Read returns a Reader for work in ctx.
	Read(ctx context.Context) Reader

	// Write runs one write in a transaction. It returns after the write was committed for good, or
	// after it was rolled back. The transaction may contain writes of others; a failing write does
	// not affect the others. While a write runs, no other write of the same owner runs: run may
	// read, decide, and then write.
	//
	// If another write of the transaction fails, run may run again. It must therefore be
	// repeatable, and reset its results each time. It must not use ctx or wait for anything. If
	// ctx ends before run starts, Write returns the error of ctx and does not call run.
	Write(ctx context.Context, run func(Tx) error) error

	// WriteUnaudited is Write for data that is not a change by the call in ctx, such as counts,
	// approvals and cached mail. No BeforeCommit of a Hook sees it.
	WriteUnaudited(ctx context.Context, run func(Tx) error) error

	// Erase removes rows, and then their text from the storage, as far as the database can. remove
	// returns the keys of the removed rows.
	Erase(ctx context.Context, remove func(Tx) ([]string, error)) (store.EraseResult, error)
	// CleanErased removes the text of rows that are already removed. It reports a failure in the
	// result and not as an error. After a failure, idle work tries again.
	CleanErased(ctx context.Context, erased store.EraseResult) store.EraseResult
	// CleaningDue reports whether text of an erased row may still be in the storage. removeErr is
	// the error of removing rows. If removeErr says that the key does not exist, CleaningDue
	// ignores it while cleaning is due. It returns any other removeErr, also if the key exists in a
	// different spelling.
	CleaningDue(ctx context.Context, removeErr error) (bool, error)

	// Owner returns the value of the column owner in the rows of a person.
	Owner(name string) any
	// Now returns the time of the database's clock.
	Now() time.Time
	// Log returns the logger for problems that no caller sees.
	Log() *slog.Logger
	// Sealer returns the Sealer for secrets, or nil if secrets are neither stored nor read.
	Sealer() store.Sealer
	// FileBytes returns the size of the files that contain the data, or 0 if it is unknown.
	FileBytes() int64
	// Background returns the context for background work. It ends when the database is closed.
	Background() context.Context
	// RunRecovered runs background work and returns its error. It returns a panic as an error with
	// the name of the work, and logs it without the value, which may quote a memory.
	RunRecovered(name string, work func() error) error
	// Extend returns the value for key that belongs to this DB. The first call creates the value
	// with create, and registers the Hook that create returns. Use Extension.
	Extend(key reflect.Type, create func() (any, Hook)) any
}

// A Hook lets a package with tables of its own take part in the work of a DB. Nil functions are
// not called.
type Hook struct {
	// BeforeCommit may write more rows in a transaction. changes has the context of each write
	// in the transaction that may have changed rows of this DB. Writes by WriteUnaudited are left
	// out. An error rolls back the whole transaction. A DB calls BeforeCommit and AfterCommit of
	// one transaction after the other, never of two at a time.
	BeforeCommit func(t Tx, changes []context.Context) error
	// AfterCommit receives the result of the commit. It is also called if a BeforeCommit failed. If
	// the error matches store.ErrOutcomeUnknown, the transaction may be committed. It has ended
	// before the next transaction calls BeforeCommit.
	AfterCommit func(err error)
	// OnIdle does work that can wait until there are no writes. It is called again if it fails.
	OnIdle func(context.Context) error
	// Close writes pending data before the DB is closed. It stops when the context ends.
	Close func(context.Context)
}

// Extension returns the value of type T that belongs to db. T is a type of the calling package.
// The first call creates the value with create, and registers the Hook that create returns.
func Extension[T any](db DB, create func() (*T, Hook)) *T {
	return db.Extend(reflect.TypeFor[T](), func() (any, Hook) { return create() }).(*T)
}
