package sqlite

import (
	"context"
	"fmt"
)

// Pending approvals can contain whole mails. Expired ones are therefore removed when the database
// is opened, when it is idle, and when another approval is stored. A backup contains no pending
// approvals, so the user is asked again after a restore.

// DeleteExpired removes expired approvals.
func (t *Tx) DeleteExpired() error {
	_, err := t.Exec("DELETE FROM approvals WHERE expires <= ?", Millis(t.Now()))
	return err
}

// deleteExpired removes expired approvals. It writes only if there are any.
func (db *DB) deleteExpired(ctx context.Context) error {
	found := false
	err := db.Read(ctx).Row("SELECT EXISTS (SELECT 1 FROM approvals WHERE expires <= ?)", Millis(db.Now())).Scan(&found)
	if err == nil && found {
		err = db.WriteUnaudited(ctx, (*Tx).DeleteExpired)
	}
	if err != nil {
		return fmt.Errorf("remove what has expired: %w", Classify(err))
	}
	return nil
}

// DeletePendingSQL is the script that removes the pending approvals from a backup. It also
// removes the arguments of running approvals, and what the user saw of them.
const DeletePendingSQL = `PRAGMA secure_delete = ON;
	DELETE FROM approvals WHERE status = 'waiting';
	UPDATE approvals SET args = '', shown = '' WHERE status = 'running'`
