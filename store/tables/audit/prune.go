package audit

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"fmt"

	"kota/store"
	"kota/store/engine"
)

// Prune removes the rows up to upTo from the audit log. The caller must have saved them
// elsewhere. The same transaction adds a row of PruneTool that records the removal. Prune returns
// ErrConflict if the log does not contain the row upTo, or contains no later row.
func (a *Log) Prune(ctx context.Context, owner string, upTo store.AuditCheckpoint) error {
	args, err := json.Marshal(upTo)
	if err != nil {
		return fmt.Errorf("prune the audit log: %w", err)
	}
	trail := NewTrail(store.AuditEntry{Owner: owner, Tool: store.PruneTool, Effect: "destroys", Channel: "cli", Args: args})
	err = a.db.Write(trailContext{ctx, trail}, func(t engine.Tx) error {
		remove := removeRows
		if t.Dialect() == engine.Postgres {
			remove = removePersonsRows
		}
		removed, err := remove(t, upTo)
		if err == nil && !removed {
			err = fmt.Errorf("%w: row %d is not in the log with this hash, or no row follows it", store.ErrConflict, upTo.Seq)
		}
		return err
	})
	if err != nil {
		return fmt.Errorf("prune the audit log: %w", err)
	}
	trail.End(store.OK)
	return nil
}

// removeRows removes the rows up to upTo. It returns false if the log does not contain the row upTo,
// or contains no later row.
func removeRows(t engine.Tx, upTo store.AuditCheckpoint) (bool, error) {
	hash, later := []byte(nil), false
	err := t.Row("SELECT hash, seq < (SELECT max(seq) FROM audit) FROM audit WHERE seq = ?", upTo.Seq).Scan(&hash, &later)
	if err := engine.Ignore(err, sql.ErrNoRows); err != nil {
		return false, err
	}
	if !later || !bytes.Equal(hash, upTo.Hash[:]) {
		return false, nil
	}
	if err := t.Exec("DROP TRIGGER audit_stays"); err != nil {
		return false, err
	}
	if err := t.Exec("DELETE FROM audit WHERE seq <= ?", upTo.Seq); err != nil {
		return false, err
	}
	return true, t.Exec("CREATE TRIGGER audit_stays" + staysTriggerSQL)
}

// removePersonsRows is removeRows for PostgreSQL. KOTA's role may not remove rows there; a function
// may, after the same checks.
func removePersonsRows(t engine.Tx, upTo store.AuditCheckpoint) (bool, error) {
	removed, err := t.Change("SELECT 1 WHERE kota_prune_audit(?, ?) > 0", upTo.Seq, upTo.Hash[:])
	return removed > 0, err
}

// staysTriggerSQL is the rest of the statement that creates the trigger audit_stays, as in
// schema/012_audit.sql.
const staysTriggerSQL = ` BEFORE DELETE ON audit BEGIN
    SELECT RAISE(ABORT, 'rows of the audit log are never removed');
END`

// prunedToSQL selects seq and hash of the last pruned row. It selects nothing unless the first
// row of the log directly follows that row, and a row of Prune records the removal.
const prunedToSQL = `SELECT seq - 1 AS seq, prev AS hash FROM main.audit AS first
	WHERE seq = (SELECT min(seq) FROM main.audit) AND seq > 1 AND EXISTS (SELECT 1 FROM main.audit AS later
		WHERE later.tool = '` + store.PruneTool + `' AND later.phase = 'intent'
		AND later.args = '{"seq":' || (first.seq - 1) || ',"hash":"' || lower(hex(first.prev)) || '"}')`
