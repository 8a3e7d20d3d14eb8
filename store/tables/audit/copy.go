package audit

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"kota/store"
)

// AppendTo adds the intent and the outcome of a trail to the audit log of a file that nothing else
// uses.
func AppendTo(ctx context.Context, pool *sql.DB, t *Trail, now time.Time) error {
	last, err := LastRow(ctx, pool)
	if err != nil {
		return err
	}
	rows := []store.AuditRow{t.row(store.PhaseIntent, "", now), t.row(store.PhaseOutcome, store.OK, now)}
	chain(store.AuditRow{Seq: last.Seq, Hash: last.Hash}, rows)
	_, err = pool.ExecContext(ctx, "INSERT INTO audit VALUES "+auditRow+", "+auditRow, append(auditFields(&rows[0]), auditFields(&rows[1])...)...)
	return err
}

// LastRow returns the last row of the audit log of a file, or the zero checkpoint for an empty log.
func LastRow(ctx context.Context, pool *sql.DB) (store.AuditCheckpoint, error) {
	last, hash := store.AuditCheckpoint{}, []byte(nil)
	err := pool.QueryRowContext(ctx, "SELECT seq, hash FROM audit ORDER BY seq DESC LIMIT 1").Scan(&last.Seq, &hash)
	if errors.Is(err, sql.ErrNoRows) {
		return store.AuditCheckpoint{}, nil
	}
	copy(last.Hash[:], hash)
	return last, err
}

// Contains reports whether the audit log of a file contains the row of a checkpoint, or records
// that the row was pruned.
func Contains(ctx context.Context, pool *sql.DB, checkpoint store.AuditCheckpoint) (contained bool, err error) {
	err = pool.QueryRowContext(ctx, containsSQL, checkpoint.Seq, checkpoint.Hash[:]).Scan(&contained)
	return contained, err
}

// CopyRowsSQL copies rows from the audit log of main to that of the attached database restored. If
// the log of restored is empty, or its last row is in the main log, the script appends the later
// rows. If its last row was pruned from the main log, the script replaces all rows of restored.
// Otherwise restored stays unchanged. %[1]s are the columns of restored, and %[2]s the same columns
// of main.
const CopyRowsSQL = `DROP TRIGGER IF EXISTS restored.audit_stays;
		DELETE FROM restored.audit WHERE EXISTS (SELECT 1 FROM (` + prunedToSQL + `) AS gone WHERE NOT EXISTS (
			SELECT 1 FROM restored.audit AS f WHERE f.seq > gone.seq OR f.seq = gone.seq AND f.hash <> gone.hash));
		CREATE TRIGGER restored.audit_stays` + staysTriggerSQL + `;
		INSERT INTO restored.audit (%[1]s) SELECT %[2]s FROM main.audit WHERE seq > (SELECT coalesce(max(seq), 0) FROM restored.audit)
		AND (NOT EXISTS (SELECT 1 FROM restored.audit) OR EXISTS (
			SELECT 1 FROM main.audit AS ours JOIN restored.audit AS theirs USING (seq, hash)
			WHERE seq = (SELECT max(seq) FROM restored.audit))) ORDER BY seq`
