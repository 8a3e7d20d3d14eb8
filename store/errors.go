package store

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// What the caller of the store can be told. Every error of this package that
// stems from one of these causes answers to errors.Is.
var (
	ErrNotFound = errors.New("not found")                                                   // no such row, or it is deleted or expired
	ErrInvalid  = errors.New("invalid")                                                     // an argument the store cannot keep: empty key, broken JSON
	ErrReadOnly = errors.New("the database is read-only")                                   // its file or folder may not be written
	ErrFull     = errors.New("the disk is full")                                            // or a quota is
	ErrIO       = errors.New("the disk failed")                                             // the operating system refused to read or write
	ErrBusy     = errors.New("the database is busy")                                        // another process kept it locked for too long
	ErrCorrupt  = errors.New("the database file is damaged")                                // or is no database at all
	ErrForeign  = errors.New("the file belongs to another program")                         // a SQLite file, but none of KOTA's
	ErrNewer    = errors.New("the database is newer than this KOTA")                        // a later KOTA has changed its tables
	ErrOlder    = errors.New("the database is of an older KOTA, and nothing may change it") // opened with Options.ReadOnly
	ErrClosed   = errors.New("the database is closed")                                      // Close was called
	ErrConflict = errors.New("conflict")                                                    // a row is not at the version its writer believed
	// ErrTooLarge: a value has more than MaxValue bytes, or would have. It is ErrInvalid too.
	ErrTooLarge = fmt.Errorf("%w: a value has at most %d bytes of JSON", ErrInvalid, MaxValue)
	// ErrReplaced: the file that is open is no more the one at its path, so that what was written would be lost.
	ErrReplaced = errors.New("the database file was moved or replaced while KOTA was running: restart KOTA")
)

// A NotFoundError says that no memory is kept under a key. It answers to
// errors.Is(err, ErrNotFound).
type NotFoundError struct {
	Key  string
	Kept []string // keys that differ in spelling alone: one where it must be exact, several when any may be meant
}

// Error names the keys that may be meant.
func (e *NotFoundError) Error() string {
	if len(e.Kept) == 0 {
		return ErrNotFound.Error()
	}
	quoted := make([]string, len(e.Kept))
	for i, key := range e.Kept {
		quoted[i] = strconv.Quote(key)
	}
	return ErrNotFound.Error() + ": kept as " + strings.Join(quoted, " or ")
}

// Is reports whether target is ErrNotFound.
func (e *NotFoundError) Is(target error) bool { return target == ErrNotFound }

// A ConflictError says that a memory is not as its writer believed. Current
// is how it stands now; it is nil when the memory does not exist.
type ConflictError struct {
	Key     string
	Current *Memory
}

// Error names the key and the version that stands.
func (e *ConflictError) Error() string {
	if e.Current == nil {
		return fmt.Sprintf("conflict: %q does not exist", e.Key)
	}
	return fmt.Sprintf("conflict: %q exists as version %d", e.Key, e.Current.Version)
}

// A ChangedError says that a row was changed since its writer read it. It
// answers to errors.Is(err, ErrConflict).
type ChangedError struct {
	ID      string // as the caller names the row
	Version int64  // that stands now; 0: there is no such row
}

// Error names the version that stands.
func (e *ChangedError) Error() string {
	if e.Version == 0 {
		return fmt.Sprintf("conflict: %s does not exist", e.ID)
	}
	return fmt.Sprintf("conflict: %s is at version %d", e.ID, e.Version)
}

// Is reports whether target is ErrConflict.
func (e *ChangedError) Is(target error) bool { return target == ErrConflict }
