package entrypoint

import (
	"context"
	"errors"
	"io/fs"

	"modernc.org/sqlite"
	lib "modernc.org/sqlite/lib"

	"kota/bundles"
	"kota/metadata"
)

// Classify gives every failure the code that tells the caller what to do. In this package,
// only Classify knows the errors of other packages. An unknown error becomes INTERNAL with
// a constant text, because its own text may quote anything. Classify cleans the texts
// of all other errors, because these texts may quote titles and names.
func Classify(err error) *metadata.Error { return bundles.CleanError(coded(err)) }

func coded(err error) *metadata.Error {
	if named := (*metadata.Error)(nil); errors.As(err, &named) {
		return named
	}
	if db := (*sqlite.Error)(nil); errors.As(err, &db) {
		return classifySQLite(db, err)
	}
	if server := (databaseServerError)(nil); errors.As(err, &server) {
		if message, hint, retryable := server.Unavailable(); message != "" {
			code := metadata.Unavailable
			if server.OutcomeUnknown() {
				code = metadata.OutcomeUnknown
			}
			return &metadata.Error{Code: code, Message: message, Hint: hint, Retryable: retryable, Cause: err}
		}
	}
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return &metadata.Error{Code: metadata.Unavailable, Message: "the call took too long and was stopped", Hint: "Ask for less, or repeat it later.", Retryable: true, Cause: err}
	case errors.Is(err, context.Canceled):
		return &metadata.Error{Code: metadata.Unavailable, Message: "the call was cancelled", Retryable: true, Cause: err}
	}
	if file := (*fs.PathError)(nil); errors.As(err, &file) {
		if errors.Is(err, fs.ErrPermission) {
			return &metadata.Error{Code: metadata.Unavailable, Message: "the system does not let KOTA use " + file.Path, Hint: "The user can change that: `kota doctor` says how.", Cause: err}
		}
		return &metadata.Error{Code: metadata.Unavailable, Message: "KOTA could not use one of its files: " + file.Error(), Hint: "Check KOTA_HOME, then run `kota doctor`.", Cause: err}
	}
	return &metadata.Error{Code: metadata.Internal, Message: "an internal error occurred; KOTA's log has the cause", Hint: "Run `kota doctor`.", Cause: err}
}

// A databaseServerError is an error of a database server.
type databaseServerError interface {
	error
	// Unavailable returns the text for the caller. It returns "" if the error is a mistake of KOTA,
	// whose text is for the log only.
	Unavailable() (message, hint string, retryable bool)
	// OutcomeUnknown reports whether the change may have been stored. Any other error means that
	// nothing was changed.
	OutcomeUnknown() bool
}

// classifySQLite reads the primary result code, https://sqlite.org/rescode.html.
func classifySQLite(db *sqlite.Error, err error) *metadata.Error {
	unavailable := func(message, hint string, retryable bool) *metadata.Error {
		return &metadata.Error{Code: metadata.Unavailable, Message: message, Hint: hint, Retryable: retryable, Cause: err}
	}
	switch db.Code() & 0xff {
	case lib.SQLITE_FULL:
		return unavailable("the disk is full; nothing was written", "Free some space and repeat the call; reading still works.", true)
	case lib.SQLITE_READONLY:
		return unavailable("the database file is read-only; nothing was written", "Make kota.db and its folder writable; reading still works.", false)
	case lib.SQLITE_BUSY, lib.SQLITE_LOCKED:
		return unavailable("another program has locked the database; nothing was written", "Repeat the call.", true)
	case lib.SQLITE_IOERR, lib.SQLITE_CANTOPEN:
		return unavailable("the database file could not be read or written", "Check the disk, then run `kota doctor`.", true)
	case lib.SQLITE_CORRUPT, lib.SQLITE_NOTADB:
		return unavailable("the database file is damaged; nothing was overwritten", "Run `kota doctor`; copies from before upgrades are in the same folder as kota.db.", false)
	case lib.SQLITE_TOOBIG:
		return &metadata.Error{Code: metadata.TooLarge, Message: "the value is too large to store", Hint: "Split it into smaller values.", Cause: err}
	case lib.SQLITE_INTERRUPT:
		return unavailable("the call was interrupted", "Repeat the call.", true)
	}
	return &metadata.Error{Code: metadata.Internal, Message: "the database returned an error; KOTA's log has the cause", Hint: "Run `kota doctor`.", Cause: err}
}
