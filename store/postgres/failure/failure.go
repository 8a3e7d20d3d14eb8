// Package failure names what fails in PostgreSQL: causes of package store, with texts that contain no
// value of a row and no password.
package failure

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"kota/store"
)

// A databaseError is an error of the database in KOTA's words. It matches its cause and the error of the
// driver. Its text has no value of a row, no password and no connection string: PostgreSQL's Detail
// quotes rows, and its Message quotes arguments.
type databaseError struct {
	cause error // a sentinel of package store; nil for a mistake in KOTA's statements
	err   error // of the driver; nil if KOTA itself found the problem
	text  string
}

func (f *databaseError) Error() string { return f.text }

func (f *databaseError) Unwrap() []error {
	causes := []error{}
	for _, err := range []error{f.cause, f.err} {
		if err != nil {
			causes = append(causes, err)
		}
	}
	return causes
}

// Unavailable returns the text, what to do, and whether the same call may succeed later. The text is
// "" for a mistake in KOTA's statements, and where the cause says more. A change whose outcome is
// unknown must not be repeated unseen, and no repetition helps against a wrong password.
func (f *databaseError) Unavailable() (message, hint string, retryable bool) {
	switch f.cause {
	case nil, store.ErrInvalid, store.ErrNotFound, context.Canceled, context.DeadlineExceeded:
		return "", "", false
	case store.ErrOutcomeUnknown:
		return f.text, "Check whether it took effect before you repeat it.", false
	case store.ErrUnreachable, store.ErrBusy, store.ErrFull:
		return f.text, "Run `kota doctor`, or repeat the call in a minute.", true
	}
	return f.text, "Run `kota doctor`.", false
}

// OutcomeUnknown reports whether the change may have been stored.
func (f *databaseError) OutcomeUnknown() bool { return f.cause == store.ErrOutcomeUnknown }

// New returns the error of what KOTA itself found. It matches cause.
func New(cause error, format string, args ...any) error {
	return &databaseError{cause: cause, text: fmt.Sprintf(format, args...)}
}

// Wrap returns an error with a text of KOTA for an error of the driver. It matches both errors.
func Wrap(cause, err error, text string) error { return &databaseError{cause, err, text} }

// Is reports whether an error already has a text of this package.
func Is(err error) bool { return errors.As(err, new(*databaseError)) }

// Classify wraps an error of the driver, with a text that has no value of a row. It returns errors of
// other origin unchanged.
func Classify(err error) error {
	if err == nil || Is(err) {
		return err
	}
	if refused := (*pgconn.PgError)(nil); errors.As(err, &refused) {
		text, cause := explainCode(refused)
		return &databaseError{cause, err, text}
	}
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return OfContext(err)
	}
	if IsConnection(err) { // also while pgx prepares a statement of a batch
		return &databaseError{store.ErrUnreachable, err, store.ErrUnreachable.Error() + ": the connection ended"}
	}
	if unsent := (pgx.ErrPreprocessingBatch{}); errors.As(err, &unsent) { // its text quotes arguments
		return &databaseError{nil, err, "an argument has a type that its statement does not accept: " + unsent.SQL()}
	}
	return err
}

// OfContext returns the error of a context without the text of the driver around it.
func OfContext(err error) error {
	if errors.Is(err, context.Canceled) {
		return &databaseError{context.Canceled, err, "the call was cancelled while the database worked"}
	}
	return &databaseError{context.DeadlineExceeded, err, "the database did not answer in time"}
}

// IsConnection reports whether the connection failed, and not a statement.
func IsConnection(err error) bool {
	network, connect := net.Error(nil), (*pgconn.ConnectError)(nil)
	return errors.As(err, &connect) || errors.As(err, &network) || pgconn.Timeout(err) ||
		errors.Is(err, pgconn.ErrConnClosed) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) || errors.Is(err, net.ErrClosed)
}

// causes maps SQLSTATE codes, or the two letters of their class, to causes.
var causes = map[string]error{
	"53100": store.ErrFull,        // disk_full
	"53200": store.ErrBusy,        // out_of_memory
	"53300": store.ErrBusy,        // too_many_connections
	"53400": store.ErrFull,        // configuration_limit_exceeded, such as temp_file_limit
	"25006": store.ErrReadOnly,    // read_only_sql_transaction
	"55P03": store.ErrBusy,        // lock_not_available
	"40001": store.ErrBusy,        // serialization_failure
	"40P01": store.ErrBusy,        // deadlock_detected
	"57014": store.ErrBusy,        // query_canceled: statement_timeout
	"25P03": store.ErrBusy,        // idle_in_transaction_session_timeout
	"57P01": store.ErrUnreachable, // admin_shutdown
	"57P02": store.ErrUnreachable, // crash_shutdown
	"57P03": store.ErrUnreachable, // cannot_connect_now
	"57P04": store.ErrUnreachable, // database_dropped
	"08":    store.ErrUnreachable,
	"28":    store.ErrNoRights, // wrong password or pg_hba.conf
	"42501": store.ErrNoRights, // insufficient_privilege
	"58":    store.ErrIO,
	"XX001": store.ErrCorrupt, // data_corrupted
	"XX002": store.ErrCorrupt, // index_corrupted
	"22021": store.ErrInvalid, // character_not_in_repertoire
	"54":    store.ErrInvalid, // program_limit_exceeded, such as an index row that is too large
}

// ReadOnly is the text for a database that accepts no writes.
const ReadOnly = "the database accepts no writes, because it is a standby or read-only"

// meanings says what a cause means for PostgreSQL, where the text of the sentinel is not enough.
var meanings = map[string]string{
	"53100": "the disk of the database server is full",
	"53200": "the database server has no free memory",
	"53300": "the database server has no free connection: raise max_connections, or lower pool_max_conns in the database URL",
	"25006": ReadOnly,
	"55P03": "the database is busy: another transaction kept a lock for too long",
	"57014": "the database is busy: a statement took too long and was ended",
	"57P01": "the database cannot be reached: its server stops",
	"57P03": "the database cannot be reached: its server starts or stops",
	"42501": "KOTA's database role lacks rights",
	"54":    "a text is too long for the database",
}

// explainCode returns the text and the cause for an error of the server.
func explainCode(e *pgconn.PgError) (text string, cause error) {
	class := e.Code[:min(2, len(e.Code))]
	cause = causes[e.Code]
	if cause == nil {
		cause = causes[class]
	}
	text = meanings[e.Code]
	if text == "" {
		text = meanings[class]
	}
	if text == "" && cause != nil {
		text = cause.Error()
	}
	if text == "" {
		text = "the database refused a statement"
	}
	if class == "42" { // the message of a mistake in a statement names tables and columns, not values
		text += ": " + e.Message
	}
	details := []string{"SQLSTATE " + e.Code}
	if e.ConstraintName != "" {
		details = append(details, "constraint "+e.ConstraintName)
	}
	return text + " (" + strings.Join(details, ", ") + ")", cause
}
