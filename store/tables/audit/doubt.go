package audit

import (
	"slices"

	"kota/store"
	"kota/store/engine"
)

// A doubt has the rows of a transaction whose outcome is unknown: the database server could not be
// asked whether it was committed. The next transaction begins after that one has ended, so it can
// see whether the rows are in the log. Without them the log would lack the intents of changes, and
// a second copy of them would be wrong.
type doubt struct {
	rows []store.AuditRow
	last store.AuditRow // the last of the rows as it was added, with its number and hash
}

// setDoubt keeps the rows until the next transaction.
func (a *Log) setDoubt(d *doubt) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.doubt = d
	a.scheduleFlush()
}

// settleDoubt queues the rows in doubt again if they are not in the log.
func (a *Log) settleDoubt(t engine.Tx) error {
	a.mu.Lock()
	d := a.doubt
	a.mu.Unlock()
	if d == nil {
		return nil
	}
	found := 0
	if err := t.Row(countRow.For(t), a.person, d.last.Seq, d.last.Hash[:]).Scan(&found); err != nil {
		return err
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.doubt = nil
	if found == 0 {
		a.queue = slices.Concat(d.rows, a.queue)
	}
	return nil
}
