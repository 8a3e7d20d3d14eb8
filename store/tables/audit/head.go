package audit

import (
	"context"
	"database/sql"
	"errors"

	"kota/store"
	"kota/store/engine"
)

// A headTx is a transaction of a database that keeps the number and the hash of the last row of a
// person's log, and has locked them. So the transaction knows where the log ends without reading it.
type headTx interface {
	engine.Tx
	Chain() (seq int64, hash []byte, err error)
	AppendAudit(rows []store.AuditRow) error
}

// addAfterHead adds rows to the log of the person and returns the last of them.
func (a *Log) addAfterHead(t headTx, rows []store.AuditRow) (store.AuditRow, error) {
	seq, hash, err := t.Chain()
	if err != nil {
		return store.AuditRow{}, err
	}
	last := store.AuditRow{Seq: seq}
	copy(last.Hash[:], hash)
	chain(last, rows)
	return rows[len(rows)-1], t.AppendAudit(rows)
}

// recordedEnd returns the last row of the log as the file beside the database or the database itself
// records it. problem says why the file cannot be read.
func (a *Log) recordedEnd(ctx context.Context) (end store.AuditCheckpoint, problem, err error) {
	if a.file != nil {
		end, problem = a.file.ReadCheckpoint()
		return end, problem, nil
	}
	hash := []byte(nil)
	err = a.db.Read(ctx).Row("SELECT seq, hash FROM heads WHERE owner = ?", a.person).Scan(&end.Seq, &hash)
	if errors.Is(err, sql.ErrNoRows) {
		return store.AuditCheckpoint{}, nil, nil
	}
	copy(end.Hash[:], hash)
	return end, nil, err
}
