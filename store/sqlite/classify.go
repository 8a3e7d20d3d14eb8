package sqlite

import (
	"errors"
	"fmt"
	"strings"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"kota/store"
)

// Classify wraps an error of SQLite with the sentinel for its cause. It returns an error
// without such a sentinel unchanged.
func Classify(err error) error {
	if err == nil {
		return nil
	}
	failure := (*sqlite.Error)(nil)
	if !errors.As(err, &failure) {
		return err
	}
	cause := error(nil)
	switch code := failure.Code(); code & 0xff { // the low byte is the primary code
	case sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM:
		cause = store.ErrReadOnly
		if code == sqlite3.SQLITE_READONLY_DBMOVED {
			cause = store.ErrReplaced
		}
	case sqlite3.SQLITE_FULL:
		cause = store.ErrFull
	case sqlite3.SQLITE_IOERR:
		cause = store.ErrIO
	case sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_PROTOCOL:
		cause = store.ErrBusy
	case sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB:
		cause = store.ErrCorrupt
	case sqlite3.SQLITE_TOOBIG:
		cause = store.ErrInvalid
	default:
		return err
	}
	if errors.Is(err, cause) {
		return err
	}
	switch cause {
	case store.ErrIO, store.ErrInvalid, store.ErrReplaced: // the details matter
		return fmt.Errorf("%w: %w", cause, err)
	}
	return &classifiedError{cause: cause, err: err, text: strings.TrimSuffix(err.Error(), failure.Error()) + cause.Error()}
}

// A classifiedError wraps a cause and the error of SQLite. Its text names the cause in place
// of the text of SQLite.
type classifiedError struct {
	cause, err error
	text       string
}

func (e *classifiedError) Error() string { return e.text }

func (e *classifiedError) Unwrap() []error { return []error{e.cause, e.err} }
