package postgres

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strconv"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"kota/store/postgres/convert"
	"kota/store/postgres/failure"
)

// A statement is a statement of a group.
type statement struct {
	text  string // with PostgreSQL's placeholders
	args  []any  // in the form that pgx encodes
	owner *Tx    // whose statement it is; nil for one of the group
	into  *convert.Result
}

// A trip is a list of statements that go to the server together. Statements of tenants get into it
// only by add, which sets the tenant first.
type trip struct {
	batch      pgx.Batch
	statements []*statement
	tenant     int64
}

// control adds a statement that has no tenant, such as BEGIN.
func (t *trip) control(text string, args ...any) {
	t.queue(&statement{text: text, args: args})
}

// add adds a statement of a tenant.
func (t *trip) add(tenant int64, s *statement) {
	if t.tenant != tenant {
		t.control(selectTenant, strconv.FormatInt(tenant, 10))
		t.tenant = tenant
	}
	t.queue(s)
}

func (t *trip) queue(s *statement) {
	t.batch.Queue(s.text, s.args...)
	t.statements = append(t.statements, s)
}

// A tripError is why a trip failed.
type tripError struct {
	err      error
	failed   *statement // which the server refused; nil if that is not known
	unsent   bool       // the last statement was not sent to the server
	answered bool       // the server has answered that the transaction is rolled back
}

func (e *tripError) Error() string { return e.err.Error() }
func (e *tripError) Unwrap() error { return e.err }

// failedConnection reports whether the connection failed, and not a statement. After a FATAL error it
// is not known which statements the server has executed.
func (e *tripError) failedConnection() bool {
	if e.unsent || e.answered {
		return false
	}
	refused := (*pgconn.PgError)(nil)
	return !errors.As(e.err, &refused) || isFatal(refused)
}

// isFatal reports whether the server ends the connection with this error. The server translates
// Severity.
func isFatal(e *pgconn.PgError) bool {
	severity := cmp.Or(e.SeverityUnlocalized, e.Severity) // a proxy may send only one
	return severity == "FATAL" || severity == "PANIC"
}

// IsRolledBack reports whether a COMMIT that returned err has certainly not taken place.
func IsRolledBack(err error) bool {
	refused := (*pgconn.PgError)(nil)
	return errors.Is(err, pgx.ErrTxCommitRollback) || errors.As(err, &refused) && !isFatal(refused)
}

// endedWhilePreparing reports whether the connection failed while pgx prepared a statement, and not
// the statement or an argument.
func endedWhilePreparing(err error) bool {
	if refused := (*pgconn.PgError)(nil); errors.As(err, &refused) {
		return isFatal(refused)
	}
	return failure.IsConnection(err)
}

// isLost reports whether the connection failed, so that it is not known what the server has executed.
func isLost(err error) bool {
	trip := (*tripError)(nil)
	return errors.As(err, &trip) && trip.failedConnection()
}

// send sends the trip and reads all results. It returns a *tripError if anything failed.
func (t *trip) send(conn *pgx.Conn) error {
	ctx, cancel := context.WithTimeout(context.Background(), tripTimeout)
	defer cancel()
	results := conn.SendBatch(ctx, &t.batch)
	failed := (*statement)(nil)
	err := error(nil)
	for _, s := range t.statements {
		if err = s.receive(results); err != nil {
			failed = s
			break
		}
	}
	if closeErr := results.Close(); err == nil {
		err = closeErr
	}
	if err == nil {
		return nil
	}
	if errors.Is(err, context.DeadlineExceeded) {
		return &tripError{err: errCallLimit, failed: failed} // the limit is KOTA's own
	}
	if unsent := (pgx.ErrPreprocessingBatch{}); errors.As(err, &unsent) && !endedWhilePreparing(err) {
		return &tripError{err: explainUnsent(unsent), unsent: true}
	}
	return &tripError{err: err, failed: failed}
}

// receive reads the result of a statement.
func (s *statement) receive(results pgx.BatchResults) error {
	if s.into == nil {
		_, err := results.Exec()
		return err
	}
	rows, err := results.Query()
	if err != nil {
		return err
	}
	return s.into.Read(rows)
}

// explainUnsent returns why a statement could not be prepared. If it was an argument, the text of
// pgx quotes it.
func explainUnsent(err pgx.ErrPreprocessingBatch) error {
	if refused := (*pgconn.PgError)(nil); errors.As(err, &refused) {
		return refused
	}
	return fmt.Errorf("an argument has a type that its statement does not accept: %s", err.SQL())
}
