package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"os"

	"kota/store"
)

// record adds the act of a trail, a restoration, to the audit log of the copy that
// is about to take its place: it is there when the copy is, and not before.
func (db *DB) record(ctx context.Context, t *Trail) error {
	if t == nil {
		return nil
	}
	pool, err := sql.Open("sqlite", fileURI(db.path, "mode=rw"))
	if err != nil {
		return err
	}
	defer pool.Close()
	last, err := headOf(ctx, pool)
	if err != nil {
		return err
	}
	rows := []store.AuditRow{t.Row(store.Intent, "", db.Now()), t.Row(store.Outcome, store.OK, db.Now())}
	chain(store.AuditRow{Seq: last.Seq, Hash: last.Hash}, rows)
	_, err = pool.ExecContext(ctx, "INSERT INTO audit VALUES "+auditRow+", "+auditRow, append(auditFields(&rows[0]), auditFields(&rows[1])...)...)
	return err
}

// headOf returns the last row of a log; the zero head of an empty one.
func headOf(ctx context.Context, pool *sql.DB) (store.AuditHead, error) {
	head, hash := store.AuditHead{}, []byte(nil)
	err := pool.QueryRowContext(ctx, "SELECT seq, hash FROM audit ORDER BY seq DESC LIMIT 1").Scan(&head.Seq, &hash)
	if errors.Is(err, sql.ErrNoRows) {
		return store.AuditHead{}, nil
	}
	copy(head.Hash[:], hash)
	return head, err
}

// renewHead notes where the restored log ends. The note before, when that log
// does not bear it out, as one of another database does not, is kept beside what
// was replaced: renewHead returns its name then, else "".
func renewHead(ctx context.Context, path, aside string) (string, error) {
	pool, err := sql.Open("sqlite", fileURI(path, "mode=ro", "immutable=1"))
	if err != nil {
		return "", err
	}
	defer pool.Close()
	kept := ""
	noted, err := ReadHead(path)
	if err == nil {
		borne := false
		err = pool.QueryRowContext(ctx, borneOut, noted.Seq, noted.Hash[:]).Scan(&borne)
		if borne || noted.Seq == 0 {
			aside = ""
		}
	}
	if err != nil && !errors.Is(err, store.ErrCorrupt) {
		return "", err
	}
	if aside != "" {
		kept = HeadFile(aside)
		if err := os.Rename(HeadFile(path), kept); err != nil {
			return "", err
		}
	}
	head, err := headOf(ctx, pool)
	if err == nil && head.Seq > 0 {
		err = WriteHead(path, head)
	}
	return kept, err
}
