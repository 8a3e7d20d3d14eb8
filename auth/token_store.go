package auth

import (
	"context"
	"time"
)

// A tokenStore stores the accounts: a folder, or a part of a database that servers share.
type tokenStore interface {
	// prepare returns an error if nothing can be stored safely.
	prepare() error
	names() ([]string, error)
	// read returns an account and its version. Its errors include fs.ErrNotExist and *CorruptError.
	read(name string) (record, version, error)
	// version returns the version without reading the account. It may fail; then the caller uses read.
	version(name string) (version, error)
	// write stores an account. If before is not nil and another server has replaced that version, it
	// returns errReplaced unless the new record is the later one. The caller holds the lock.
	write(r record, before version) (version, error)
	// setAside renames an account that cannot be used, and returns where it is.
	setAside(name string, now time.Time) (string, error)
	remove(name string) error

	// lock waits, as long as ctx allows, until nobody else may change the account.
	lock(ctx context.Context, name string) (unlock func(), err error)
	removeLock(name string)

	// defaultName returns the name of the chosen default account, and whether a default was chosen.
	// The name is "" if it is not valid.
	defaultName() (name string, set bool, err error)
	setDefault(name string) error
	removeDefault() error
}

// A version identifies a stored state of an account.
type version interface{ equals(version) bool }
