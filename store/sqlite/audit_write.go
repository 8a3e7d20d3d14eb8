package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"modernc.org/sqlite"
	lib "modernc.org/sqlite/lib"

	"kota/store"
)

// An auditor adds rows to the audit log, in the transactions of a writer.
type auditor struct {
	db  *DB
	now func() time.Time

	mu      sync.Mutex
	waiting []store.AuditRow // for the next transaction
	timer   *time.Timer      // to the flush; nil while nothing waits for one
	closed  bool
	head    store.AuditHead // the last row that was committed, and
	kept    store.AuditHead // the last that is noted beside the file
	refused refusals

	told  bool           // that the note of the end was gone; read and written with the writer's lock
	last  store.AuditRow // the last one in the log; likewise
	known bool           // whether it is, as far as is known
}

const (
	auditPause = 100 * time.Millisecond // at most, from an outcome to its commit
	auditMost  = 4096                   // rows that wait; more are not kept, while the disk takes none
)

// note lets a row go with the next transaction, or alone when there is none.
func (a *auditor) note(row store.AuditRow) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if len(a.waiting) >= auditMost {
		a.db.log.Warn("the audit log cannot be written, and lacks a row", "tool", row.Tool, "phase", row.Phase)
		return
	}
	a.waiting = append(a.waiting, row)
	a.arm()
}

// arm sees to a flush. a.mu is held.
func (a *auditor) arm() {
	if a.timer == nil && !a.closed {
		a.timer = time.AfterFunc(auditPause, a.flushSoon)
	}
}

func (a *auditor) flushSoon() {
	a.mu.Lock()
	a.timer = nil
	a.mu.Unlock()
	err := a.db.safely("write the audit log", func() error { return a.flush(a.db.idle.ctx) })
	if err != nil {
		a.db.log.Debug("write the audit log", "err", err)
	}
}

// flush writes what waits, and the head beside the file.
func (a *auditor) flush(ctx context.Context) error {
	a.mu.Lock()
	waits := len(a.waiting) > 0
	a.mu.Unlock()
	err := error(nil)
	if waits {
		err = a.db.write(withoutAudit(ctx), func(*tx) error { return nil })
	}
	return errors.Join(err, a.db.keepHead(ctx))
}

// close writes what waits, as far as there is time.
func (a *auditor) close(ctx context.Context) {
	a.mu.Lock()
	a.sumRefused(a.now())
	a.closed = true
	if a.timer != nil {
		a.timer.Stop()
	}
	a.mu.Unlock()
	if err := a.flush(ctx); err != nil {
		a.db.log.Debug("write the audit log", "err", err)
	}
}

// take returns what waits for a transaction.
func (a *auditor) take() []store.AuditRow {
	a.mu.Lock()
	defer a.mu.Unlock()
	rows := a.waiting
	a.waiting = nil
	return rows
}

// giveBack lets rows wait again whose transaction was not committed.
func (a *auditor) giveBack(rows []store.AuditRow) {
	if len(rows) == 0 {
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.waiting = append(rows, a.waiting...)
	a.arm()
}

// commit commits the transaction with what the log must say of these writes:
// the rows that wait, and the intents of those that changed something.
func (w *writer) commit(batch []*pending) error {
	outcomes := w.audit.take()
	rows := outcomes
	begun := []*Trail(nil)
	for _, p := range batch {
		if t := p.trail; t != nil && p.wrote && !t.taken && !t.Begun() {
			t.taken = true
			begun = append(begun, t)
			rows = append(rows, t.row(store.Intent, "", w.now()))
		}
	}
	last, err := w.audit.add(w, rows)
	if err != nil {
		w.rollback()
	} else {
		err = w.end()
	}
	for _, t := range begun {
		t.taken = false
		if err == nil {
			t.log.Store(w.audit)
		}
	}
	if err != nil {
		w.audit.known, w.audit.told = false, false
		w.audit.giveBack(outcomes)
		return err
	}
	if len(rows) > 0 {
		w.audit.wrote(last)
	}
	return nil
}

// wrote remembers the row that the log now ends with.
func (a *auditor) wrote(last store.AuditRow) {
	a.last, a.known = last, true
	a.mu.Lock()
	defer a.mu.Unlock()
	a.head = store.AuditHead{Seq: last.Seq, Hash: last.Hash}
	a.arm()
}

// add adds rows to the log and returns the last of them. When another process
// has added some since, it begins anew after those.
func (a *auditor) add(w *writer, rows []store.AuditRow) (store.AuditRow, error) {
	if len(rows) == 0 {
		return a.last, nil
	}
	for tries := 0; tries < 2; tries++ {
		last, err := a.tail(w)
		if err != nil {
			return store.AuditRow{}, err
		}
		gone, err := a.ensureHead(last, rows[0].Owner)
		if err != nil {
			return store.AuditRow{}, err
		}
		all := append(gone, rows...)
		chain(last, all)
		added, err := a.insert(w, all)
		if err != nil || added {
			a.told = a.told || err == nil && len(gone) > 0
			return all[len(all)-1], err
		}
		a.known = false
	}
	return store.AuditRow{}, fmt.Errorf("%w: the audit log does not end where it ends", store.ErrCorrupt)
}

// tail is the row that the log ends with; the zero row while it is empty.
func (a *auditor) tail(w *writer) (store.AuditRow, error) {
	if a.known {
		return a.last, nil
	}
	stmt, err := w.stmt("SELECT seq, hash FROM audit ORDER BY seq DESC LIMIT 1")
	if err != nil {
		return store.AuditRow{}, err
	}
	last := store.AuditRow{}
	hash := []byte(nil)
	if err := stmt.QueryRow().Scan(&last.Seq, &hash); err != nil && !errors.Is(err, sql.ErrNoRows) {
		return store.AuditRow{}, err
	}
	copy(last.Hash[:], hash)
	return last, nil
}

// chain numbers rows and binds them to what comes before.
func chain(last store.AuditRow, rows []store.AuditRow) {
	for i := range rows {
		rows[i].Seq, rows[i].Prev = last.Seq+1, last.Hash
		rows[i].Hash = rows[i].Sum()
		last = rows[i]
	}
}

// insertSizes are how many rows one statement adds, the most first: a call that
// follows another adds two, the outcome of that and its own intent.
var insertSizes = [...]int{16, 2, 1}

// insert adds rows, all of them or, when there is a row of that number, none: it
// reports which.
func (a *auditor) insert(w *writer, rows []store.AuditRow) (bool, error) {
	for len(rows) > 0 {
		n := insertSizes[slices.IndexFunc(insertSizes[:], func(n int) bool { return n <= len(rows) })]
		stmt, err := w.stmt("INSERT INTO audit VALUES " + auditRow + strings.Repeat(", "+auditRow, n-1))
		if err != nil {
			return false, err
		}
		args := make([]any, 0, 13*n)
		for _, r := range rows[:n] {
			args = append(args, auditFields(&r)...)
		}
		if _, err := stmt.Exec(args...); err != nil {
			if taken := (*sqlite.Error)(nil); errors.As(err, &taken) && taken.Code() == lib.SQLITE_CONSTRAINT_PRIMARYKEY {
				return false, nil
			}
			return false, err
		}
		rows = rows[n:]
	}
	return true, nil
}

func auditFields(r *store.AuditRow) []any {
	return []any{r.Seq, r.Owner, r.At.UnixMilli(), r.Call, string(r.Phase), r.Tool, r.Effect, r.Door, r.Args, r.Approval, r.Code, r.Prev[:], r.Hash[:]}
}

// auditRow has a place for each of a row's fields.
const auditRow = "(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
