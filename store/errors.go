package store

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// Causes that a caller of the store can test for with errors.Is.
var (
	ErrNotFound = errors.New("not found")                                                                                                  // no such row, or it is deleted or expired
	ErrInvalid  = errors.New("invalid")                                                                                                    // the store cannot keep an argument, such as an empty key or broken JSON
	ErrReadOnly = errors.New("the database is read-only")                                                                                  // its file or folder is not writable, or it was opened for reading only
	ErrFull     = errors.New("the disk is full")                                                                                           // or a quota is exhausted
	ErrIO       = errors.New("the disk failed")                                                                                            // the operating system refused to read or write
	ErrBusy     = errors.New("the database is busy")                                                                                       // another process kept it locked for too long
	ErrCorrupt  = errors.New("the database file is damaged")                                                                               // or is not a database
	ErrForeign  = errors.New("the file belongs to another program")                                                                        // a SQLite file, but not one of KOTA
	ErrNewer    = errors.New("the database is from a newer version of KOTA")                                                               // a newer version of KOTA has changed its tables
	ErrOlder    = errors.New("the database is from an older version of KOTA and cannot be updated, because it is opened for reading only") // opened with Options.ReadOnly
	ErrClosed   = errors.New("the database is closed")                                                                                     // Close was called
	ErrTooLate  = errors.New("too late")                                                                                                   // the time for it has passed, by the clock of the database
	ErrConflict = errors.New("conflict")                                                                                                   // the stored state is not the one that the caller expected
	// ErrTooLarge says that a value has, or would have, more than MaxValue bytes. A *SizeError of
	// the diary matches ErrTooLarge as well. Both match ErrInvalid too.
	ErrTooLarge = fmt.Errorf("%w: a value has at most %d bytes of JSON", ErrInvalid, MaxValue)
	// ErrReplaced says that the open file is no longer the one at its path. Writes to it would be
	// lost.
	ErrReplaced = errors.New("the database file was moved or replaced while KOTA was running; restart KOTA")
	// ErrMoved says that the data of a person is now in another database.
	ErrMoved = errors.New("the data was moved to another database")
	// ErrUnreachable says that a database server does not answer, stops, or ended the connection.
	ErrUnreachable = errors.New("the database cannot be reached")
	// ErrOutcomeUnknown says that a change may have been stored or not: the connection to a database
	// server failed during the commit, and the server could not be asked.
	ErrOutcomeUnknown = errors.New("it is unknown whether the change was stored")
	// ErrUnusable says that KOTA can never use a database server or a database as it is, such as one
	// that is missing, or a person's part of it that was removed.
	ErrUnusable = errors.New("the database cannot be used")
	// ErrNoRights says that a database server refused the password, or that a role lacks a right.
	ErrNoRights = errors.New("the database role lacks rights")
)

// A CursorError says that a cursor is not from an earlier answer to the same question. It matches
// ErrInvalid.
type CursorError struct{ Cursor string }

func (e *CursorError) Error() string {
	return fmt.Sprintf("invalid cursor %q: give next_cursor of an earlier answer to the same question", e.Cursor)
}

// Is reports whether target is ErrInvalid.
func (e *CursorError) Is(target error) bool { return target == ErrInvalid }

// A NotFoundError says that no row has this key or id. It matches ErrNotFound with errors.Is.
type NotFoundError struct {
	Key            string
	OtherSpellings []string // existing keys that differ only in spelling: one if the caller must use that spelling, several if Key is ambiguous
}

// Error lists the other spellings.
func (e *NotFoundError) Error() string {
	if len(e.OtherSpellings) == 0 {
		return ErrNotFound.Error()
	}
	quoted := make([]string, len(e.OtherSpellings))
	for i, key := range e.OtherSpellings {
		quoted[i] = strconv.Quote(key)
	}
	return ErrNotFound.Error() + ": saved as " + strings.Join(quoted, " or ")
}

// Is reports whether target is ErrNotFound.
func (e *NotFoundError) Is(target error) bool { return target == ErrNotFound }

// A ConflictError says that a memory is not as the caller expected. Current is the memory as it
// is now, or nil if it does not exist. It matches ErrConflict with errors.Is.
type ConflictError struct {
	Key     string
	Current *Memory
}

// Error names the key and its current version.
func (e *ConflictError) Error() string {
	if e.Current == nil {
		return fmt.Sprintf("conflict: %q does not exist", e.Key)
	}
	return fmt.Sprintf("conflict: %q exists as version %d", e.Key, e.Current.Version)
}

// Is reports whether target is ErrConflict.
func (e *ConflictError) Is(target error) bool { return target == ErrConflict }

// A ChangedError says that a row changed since the caller read it. It matches ErrConflict with
// errors.Is.
type ChangedError struct {
	ID      string // as the caller names it
	Version int64  // the current version; 0: the row does not exist
}

// Error names the current version.
func (e *ChangedError) Error() string {
	if e.Version == 0 {
		return fmt.Sprintf("conflict: %s does not exist", e.ID)
	}
	return fmt.Sprintf("conflict: %s is at version %d", e.ID, e.Version)
}

// Is reports whether target is ErrConflict.
func (e *ChangedError) Is(target error) bool { return target == ErrConflict }
