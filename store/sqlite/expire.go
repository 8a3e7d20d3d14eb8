package sqlite

import (
	"context"
	"fmt"
)

// What waits holds whole mails. So what has expired is removed when the database
// is opened, when nobody writes and when another is kept, and a backup has none
// that waits: whoever restores it is asked anew.

// ForgetExpired removes the approvals that have expired.
func (t *Tx) ForgetExpired() error {
	_, err := t.Exec("DELETE FROM approvals WHERE expires <= ?", Millis(t.Now()))
	return err
}

// forgetExpired is Tx.ForgetExpired, where there is anything to remove.
func (db *DB) forgetExpired(ctx context.Context) error {
	some := false
	err := db.Read(ctx).Row("SELECT EXISTS (SELECT 1 FROM approvals WHERE expires <= ?)", Millis(db.Now())).Scan(&some)
	if err == nil && some {
		err = db.WriteUnaudited(ctx, (*Tx).ForgetExpired)
	}
	if err != nil {
		return fmt.Errorf("remove what has expired: %w", Classify(err))
	}
	return nil
}

// WithoutWaiting removes from a backup what waits, and the arguments of what is
// being carried out.
const WithoutWaiting = `PRAGMA secure_delete = ON;
	DELETE FROM approvals WHERE status = 'waiting';
	UPDATE approvals SET args = '', shown = '' WHERE status = 'running'`
