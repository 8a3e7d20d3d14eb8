package sqlite

import (
	"context"
	"fmt"
	"time"
)

// What waits holds whole mails. So what has expired is removed when the database
// is opened, when nobody writes and when another is kept, and a backup has none
// that waits: whoever restores it is asked anew.

// expire removes the approvals that have expired.
func expire(t *tx, now time.Time) error {
	_, err := t.exec("DELETE FROM approvals WHERE expires <= ?", millis(now))
	return err
}

// forgetExpired is expire, where there is anything to remove.
func (db *DB) forgetExpired(ctx context.Context) error {
	some := false
	err := reader{ctx, db}.row("SELECT EXISTS (SELECT 1 FROM approvals WHERE expires <= ?)", millis(db.now())).Scan(&some)
	if err == nil && some {
		err = db.write(withoutAudit(ctx), func(t *tx) error { return expire(t, t.now()) })
	}
	if err != nil {
		return fmt.Errorf("remove what has expired: %w", classify(err))
	}
	return nil
}

// withoutWaiting removes from a backup what waits, and the arguments of what is
// being carried out.
const withoutWaiting = `PRAGMA secure_delete = ON;
	DELETE FROM approvals WHERE status = 'waiting';
	UPDATE approvals SET args = '', shown = '' WHERE status = 'running'`
