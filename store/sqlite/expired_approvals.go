package sqlite

import (
	"context"
	"fmt"

	"kota/store/engine"
)

// Pending approvals can contain whole mails. Expired ones are therefore removed when the database
// is opened, when it is idle, and when another approval is stored. A backup contains no pending
// approvals, so the user is asked again after a restore.

// deleteExpired removes expired approvals. It writes only if there are any.
func (db *DB) deleteExpired(ctx context.Context) error {
	found := false
	err := db.Read(ctx).Row("SELECT EXISTS (SELECT 1 FROM approvals WHERE expires <= ?)", engine.Millis(db.Now())).Scan(&found)
	if err == nil && found {
		err = db.WriteUnaudited(ctx, func(t engine.Tx) error {
			return t.Exec("DELETE FROM approvals WHERE expires <= ?", engine.Millis(t.Now()))
		})
	}
	if err != nil {
		return fmt.Errorf("remove what has expired: %w", err)
	}
	return nil
}

// DeletePendingSQL is the script that removes the pending approvals from a backup. It also
// removes the arguments of running approvals, and what the user saw of them.
const DeletePendingSQL = `PRAGMA secure_delete = ON;
	DELETE FROM approvals WHERE status = 'waiting';
	UPDATE approvals SET args = '', shown = '' WHERE status = 'running'`
