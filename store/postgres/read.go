package postgres

import (
	"context"
	"database/sql"
	"errors"
	"strconv"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"kota/store"
	"kota/store/engine"
	"kota/store/postgres/convert"
	"kota/store/postgres/failure"
)

// A Reader reads committed rows of one person. Each query is one trip to the server: it sets the
// person and reads, in a transaction of its own. The rows are read to the end at once, so that no
// caller keeps a connection.
type Reader struct {
	ctx context.Context
	db  *DB
}

// Read returns a Reader for work in ctx.
func (db *DB) Read(ctx context.Context) engine.Reader { return Reader{ctx, db} }

// Dialect returns engine.Postgres.
func (r Reader) Dialect() engine.Dialect { return engine.Postgres }

// Row runs a query for one row. Its Scan returns sql.ErrNoRows if there is no row.
func (r Reader) Row(query string, args ...any) engine.Scanner {
	return r.run(query, args)
}

// Aggregate is like Row.
func (r Reader) Aggregate(query string, args ...any) engine.Scanner {
	return r.run(query, args)
}

// Query runs a query for many rows.
func (r Reader) Query(query string, args ...any) (engine.Rows, error) {
	rows := r.run(query, args)
	return rows, rows.Err()
}

// QueryFixed is like Query.
func (r Reader) QueryFixed(query string, args ...any) (engine.Rows, error) {
	return r.Query(query, args...)
}

// run runs a query. The result has the error.
func (r Reader) run(query string, args []any) *convert.Result {
	text := convert.Statement(query)
	encoded, err := convert.Arguments(args)
	if err != nil {
		return convert.Failed(err)
	}
	ctx, cancel := withCallLimit(r.ctx)
	defer cancel()
	read := &convert.Result{}
	err = r.db.retryRead(ctx, func() error {
		batch := &pgx.Batch{}
		batch.Queue(selectTenant, strconv.FormatInt(r.db.tenant, 10))
		batch.Queue(text, encoded...)
		read = &convert.Result{}
		return readBatch(r.db.reads.SendBatch(ctx, batch), read)
	})
	if err != nil {
		return convert.Failed(err)
	}
	return read
}

// selectTenant sets the person whose rows the transaction sees.
const selectTenant = "SELECT set_config('app.tenant', $1, true)"

// readBatch reads the result of the second statement of a batch.
func readBatch(results pgx.BatchResults, into *convert.Result) error {
	_, err := results.Exec()
	if err == nil {
		rows, queryErr := results.Query()
		err = queryErr
		if err == nil {
			err = into.Read(rows)
		}
		rows.Close()
	}
	if closeErr := results.Close(); err == nil {
		err = closeErr
	}
	return err
}

// readTries is how often a read is sent. A connection of the pool may have ended meanwhile, and all
// of them do when the server restarts.
const readTries = 3

// retryRead runs a statement again whose repetition does no harm, if its connection ended or its
// plan is out of date because a newer KOTA has changed a column. It returns a classified error.
func (s *Server) retryRead(ctx context.Context, run func() error) error {
	for try := 1; ; try++ {
		err := run()
		if err == nil || errors.Is(err, sql.ErrNoRows) {
			return err
		}
		if s.running.Err() != nil {
			return store.ErrClosed
		}
		known := s.classifyRead(ctx, err)
		if try == readTries || ctx.Err() != nil || !errors.Is(known, store.ErrUnreachable) && !isStalePlan(err) {
			return known
		}
		s.reads.Reset() // the other connections have probably ended too
	}
}

// classifyRead classifies an error of a statement or of connecting for it.
func (s *Server) classifyRead(ctx context.Context, err error) error {
	if errors.As(err, new(*pgconn.ConnectError)) {
		return explainConnect(ctx, err, &s.config.Config)
	}
	if errors.Is(err, context.DeadlineExceeded) && context.Cause(ctx) == errCallLimit {
		return errCallLimit // the context of the caller has not ended
	}
	return failure.Classify(err)
}

// withCallLimit returns a context that ends when the server does not answer in time.
func withCallLimit(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeoutCause(ctx, tripTimeout, errCallLimit)
}

// errCallLimit says that KOTA itself gave up waiting. It is no error of a context: its caller would
// believe that its own context has ended.
var errCallLimit = failure.New(store.ErrUnreachable, "%s: the server did not answer in time", store.ErrUnreachable)

// isStalePlan reports whether the plan of a prepared statement is out of date. A new connection
// prepares it again. 0A000 alone is any feature that is not supported.
func isStalePlan(err error) bool {
	refused := (*pgconn.PgError)(nil)
	return errors.As(err, &refused) && (refused.Code == "0A000" && refused.Routine == "RevalidateCachedQuery" || refused.Code == "26000")
}
