package store

import (
	"context"
	"database/sql"
	"errors"
	"os"
)

// carryLog adds to fresh, a copy that takes the place of the seized file, what
// the audit log of that has on top: what was done since the copy was made stays
// on record. Where the one log does not go on where the other ends, or the
// file is damaged, fresh stays as it is.
func (s *seized) carryLog(ctx context.Context, fresh string) error {
	if s.pool == nil || !hasLog(ctx, s.pool) {
		return nil
	}
	if err := makeLog(ctx, fresh); err != nil {
		return err
	}
	if _, err := s.pool.ExecContext(ctx, "ATTACH ? AS fresh", fresh); err != nil {
		return err
	}
	_, err := s.pool.ExecContext(ctx, `PRAGMA fresh.journal_mode = TRUNCATE;
		INSERT INTO fresh.audit SELECT * FROM main.audit WHERE seq > (SELECT coalesce(max(seq), 0) FROM fresh.audit)
			AND (NOT EXISTS (SELECT 1 FROM fresh.audit) OR EXISTS (
				SELECT 1 FROM main.audit AS ours JOIN fresh.audit AS theirs USING (seq, hash)
				WHERE seq = (SELECT max(seq) FROM fresh.audit))) ORDER BY seq`)
	_, detached := s.pool.ExecContext(ctx, "DETACH fresh")
	if err = named(err); errors.Is(err, ErrCorrupt) || errors.Is(err, ErrIO) {
		err = nil
	}
	return errors.Join(err, detached)
}

func hasLog(ctx context.Context, pool *sql.DB) bool {
	n := 0
	err := pool.QueryRowContext(ctx, "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = 'audit'").Scan(&n)
	return err == nil && n == 1
}

// makeLog gives a database of older tables an audit log, which the step of
// migration that makes one then finds.
func makeLog(ctx context.Context, path string) error {
	pool, err := sql.Open("sqlite", fileURI(path, "mode=rw"))
	if err != nil {
		return err
	}
	defer pool.Close()
	if hasLog(ctx, pool) {
		return nil
	}
	script, err := schemaFiles.ReadFile(auditSchema)
	if err != nil {
		return err
	}
	_, err = pool.ExecContext(ctx, string(script))
	return err
}

// setHeadAside moves the note of where the log ends away when the log that was
// restored does not bear it out, as one of another database does not. It returns
// where to, or "".
func setHeadAside(ctx context.Context, path, aside string) (string, error) {
	head, err := readHead(path)
	if err != nil || head.Seq == 0 {
		return "", err
	}
	pool, err := sql.Open("sqlite", fileURI(path, "mode=ro", "immutable=1"))
	if err != nil {
		return "", err
	}
	defer pool.Close()
	n := 0
	err = pool.QueryRowContext(ctx, "SELECT count(*) FROM audit WHERE seq = ? AND hash = ?", head.Seq, head.Hash[:]).Scan(&n)
	if err == nil && n == 1 {
		return "", nil
	}
	return headFile(aside), os.Rename(headFile(path), headFile(aside))
}
