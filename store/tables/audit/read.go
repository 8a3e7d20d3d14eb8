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
// first error.
func (a *Log) Rows(ctx context.Context, f store.AuditFilter) iter.Seq2[store.AuditRow, error] {
	return func(yield func(store.AuditRow, error) bool) {
		query, args := selectRows.For(a.db), []any{a.person, f.Owner, f.Tool, f.Call, sinceMillis(f.Since), f.Row}
		if f.Last > 0 {
			query, args = "SELECT * FROM ("+query+" DESC LIMIT ?7) AS last ORDER BY seq", append(args, f.Last)
		}
		rows, err := a.db.Read(ctx).Query(query, args...)
		if err != nil {
			yield(store.AuditRow{}, fmt.Errorf("read the audit log: %w", err))
			return
		}
		defer rows.Close()
		for rows.Next() {
			row, err := scanAudit(rows)
			if err != nil {
				yield(store.AuditRow{}, fmt.Errorf("read the audit log: %w", err))
				return
			}
			if !yield(row, nil) {
				return
			}
		}
		if err := rows.Err(); err != nil {
			yield(store.AuditRow{}, fmt.Errorf("read the audit log: %w", err))
		}
	}
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
