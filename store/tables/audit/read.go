package audit

import (
	"context"
	"database/sql"
	"fmt"
	"iter"
	"time"

	"kota/store"
	"kota/store/engine"
)

// Rows returns the rows of the audit log, oldest first, as of one moment. It stops after the
// first error. In PostgreSQL it returns store.ErrBusy if rows are removed meanwhile.
func (a *Log) Rows(ctx context.Context, f store.AuditFilter) iter.Seq2[store.AuditRow, error] {
	return func(yield func(store.AuditRow, error) bool) {
		r := rowReader{Reader: a.db.Read(ctx), yield: yield}
		query, args := selectRows.For(a.db), []any{a.person, f.Owner, f.Tool, f.Call, sinceMillis(f.Since), f.Row}
		err := error(nil)
		switch {
		case f.Last > 0:
			err = r.read("SELECT * FROM ("+query+" ORDER BY seq DESC LIMIT ?7) AS last ORDER BY seq", append(args, f.Last)...)
		case a.db.Dialect() == engine.Postgres:
			err = r.readPages(a.person, query, args)
		default:
			err = r.read(query+" ORDER BY seq", args...)
		}
		if err != nil {
			yield(store.AuditRow{}, fmt.Errorf("read the audit log: %w", err))
		}
	}
}

// A rowReader gives rows to a function until it returns false.
type rowReader struct {
	engine.Reader
	yield   func(store.AuditRow, error) bool
	stopped bool
	n       int   // how many rows the last query had
	last    int64 // number of the last row
}

// read gives the rows of a query. The error is not one of yield.
func (r *rowReader) read(query string, args ...any) error {
	rows, err := r.Query(query, args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for r.n = 0; rows.Next(); r.n++ {
		row, err := scanAudit(rows)
		if err != nil {
			return err
		}
		if r.last = row.Seq; !r.yield(row, nil) {
			r.stopped = true
			return nil
		}
	}
	return rows.Err()
}

// pageRows is how many rows of PostgreSQL are in memory: it gives all rows of a query at once.
const pageRows = 1000

// readPages gives the rows of a query in several queries, up to the row that is the last one now.
func (r *rowReader) readPages(person any, query string, args []any) error {
	end := int64(0)
	if err := r.Row("SELECT coalesce(max(seq), 0) FROM audit WHERE owner = ?", person).Scan(&end); err != nil {
		return err
	}
	for r.n = pageRows; r.n == pageRows && !r.stopped; {
		before := r.last
		if err := r.read(query+" AND seq > ?7 AND seq <= ?8 ORDER BY seq LIMIT ?9", append(args[:6:6], before, end, pageRows)...); err != nil {
			return err
		}
		if before == 0 || r.stopped {
			continue
		}
		first := int64(0)
		if err := r.Row("SELECT coalesce(min(seq), 0) FROM audit WHERE owner = ?", person).Scan(&first); err != nil {
			return err
		}
		if first > before+1 {
			return fmt.Errorf("%w: rows were removed while it was read", store.ErrBusy)
		}
	}
	return nil
}

func scanAudit(row engine.Scanner) (store.AuditRow, error) {
	r := store.AuditRow{}
	at := int64(0)
	prev, hash := sql.RawBytes(nil), sql.RawBytes(nil)
	err := row.Scan(&r.Seq, &r.Owner, &at, &r.Call, &r.Phase, &r.Tool, &r.Effect, &r.Channel, &r.Args, &r.Approval, &r.Code, &prev, &hash)
	r.At = time.UnixMilli(at).UTC()
	copy(r.Prev[:], prev)
	copy(r.Hash[:], hash)
	return r, err
}

func sinceMillis(t time.Time) int64 {
	if t.IsZero() {
		return -1 << 63
	}
	return t.UnixMilli()
}
