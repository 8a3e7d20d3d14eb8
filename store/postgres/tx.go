package postgres

import (
	"errors"
	"fmt"
	"time"

	"kota/store"
	"kota/store/engine"
	"kota/store/postgres/convert"
)

// A Tx gives one write, or the hooks of one tenant, access to the transaction of a group. Its
// statements see only rows of the tenant.
type Tx struct {
	part    *part
	write   *queuedWrite // nil for hooks
	stop    func() bool  // stops the coroutine until the next trip has ended; false if the group has failed
	changed bool         // for Changed
	wrote   bool         // a statement may have changed rows
	sent    bool         // a statement that has changed rows or may have done so was sent
	failed  error        // the first error; all later calls return it

	before savepoint
}

// A savepoint is the state of a part when a write began.
type savepoint struct {
	queued int // statements of the part
	head   head
	dirty  bool
	known  bool // head and dirty are set; otherwise the head was not known then
}

// fail lets all later calls return err, unless there is an earlier error.
func (t *Tx) fail(err error) {
	if t.failed == nil {
		t.failed = err
	}
}

// Dialect returns engine.Postgres.
func (t *Tx) Dialect() engine.Dialect { return engine.Postgres }

// Row runs a query for one row.
func (t *Tx) Row(query string, args ...any) engine.Scanner { return t.ask(query, args) }

// Query runs a query for many rows.
func (t *Tx) Query(query string, args ...any) (engine.Rows, error) {
	r := t.ask(query, args)
	return r, r.Err()
}

// QueryFixed is Query.
func (t *Tx) QueryFixed(query string, args ...any) (engine.Rows, error) {
	return t.Query(query, args...)
}

// Exec queues a statement that changes rows. It goes to the server with the next question of the
// write, or with the commit.
func (t *Tx) Exec(query string, args ...any) error {
	s, err := t.statement(query, args)
	if err != nil {
		return err
	}
	t.changed, t.wrote = true, true
	t.part.queued = append(t.part.queued, s)
	return nil
}

// Change runs a statement that changes rows, and returns their number.
func (t *Tx) Change(query string, args ...any) (int64, error) {
	r := t.ask(query, args)
	if err := r.Err(); err != nil {
		t.sent = true
		return 0, err
	}
	n := r.Tag().RowsAffected()
	if n > 0 { // otherwise the write can fail without a rollback: ErrNotFound is the usual reason
		t.changed, t.wrote, t.sent = true, true, true
	}
	return n, nil
}

// Insert adds a row with the next number of a table.
func (t *Tx) Insert(table, query string, args ...any) (int64, error) {
	n, err := t.counter(table)
	if err != nil {
		return 0, err
	}
	id := *n + 1
	if err := t.Exec(query, append([]any{id}, args...)...); err != nil {
		return 0, err
	}
	*n, t.part.dirty = id, true
	return id, nil
}

// InsertNew adds a row with the next number of a table, unless the statement finds a row in its way.
func (t *Tx) InsertNew(table, query string, args ...any) engine.Scanner {
	n, err := t.counter(table)
	if err != nil {
		return convert.Failed(err)
	}
	id := *n + 1
	r := t.ask(query, append([]any{id}, args...))
	if r.Err() == nil && !r.IsEmpty() {
		*n, t.part.dirty = id, true
		t.changed, t.wrote = true, true
	}
	t.sent = t.sent || r.Err() != nil || !r.IsEmpty()
	return r
}

// MarkErased does nothing: PostgreSQL removes the text of deleted rows by itself, some time later.
func (t *Tx) MarkErased() error { return t.failed }

// Now returns the time of the server's clock, at least the time when this tenant's turn began.
func (t *Tx) Now() time.Time {
	if now := t.part.group.lane.Now; now != nil {
		return now()
	}
	if t.needHead() != nil {
		return time.Now() // nothing with this time is stored
	}
	return t.part.head.now()
}

// Changed reports whether the write may have changed rows.
func (t *Tx) Changed() bool { return t.changed }

// SetChanged overrides Changed.
func (t *Tx) SetChanged(changed bool) { t.changed = changed }

// HasQueuedWrites reports whether other writes wait, or run in the same group.
func (t *Tx) HasQueuedWrites() bool {
	g := t.part.group
	return len(t.part.waiting) > 0 || len(g.parts) > fewParts || g.lane.queued() > 0
}

// fewParts is the largest group, in people, in which a write still does optional work, such as looking
// for similar keys.
const fewParts = 4

// Chain returns the number and the hash of the last row of the tenant's audit log.
func (t *Tx) Chain() (seq int64, hash []byte, err error) {
	if err := t.needHead(); err != nil {
		return 0, nil, err
	}
	return t.part.head.seq, t.part.head.hash, nil
}

// AppendAudit adds rows to the tenant's audit log, which continue its chain. The rows go to the
// server with the commit. Only hooks may call it.
func (t *Tx) AppendAudit(rows []store.AuditRow) error {
	if err := t.needHead(); err != nil || len(rows) == 0 {
		return err
	}
	if t.write != nil {
		return errors.New("only a hook adds to the audit log")
	}
	last := rows[len(rows)-1]
	t.part.audit = append(t.part.audit, rows...)
	t.part.head.seq, t.part.head.hash, t.part.dirty, t.wrote = last.Seq, last.Hash[:], true, true
	return nil
}

// counter returns the last number of a table.
func (t *Tx) counter(table string) (*int64, error) {
	i, numbered := counterOf[table]
	if !numbered {
		return nil, fmt.Errorf("the rows of table %q have no numbers", table)
	}
	return &t.part.head.last[i], t.needHead()
}

// needHead waits until the head is locked and read.
func (t *Tx) needHead() error {
	if t.failed == nil && !t.part.group.begun {
		t.wait(nil)
	}
	return t.failed
}

// ask sends a statement and waits for its result.
func (t *Tx) ask(query string, args []any) *convert.Result {
	s, err := t.statement(query, args)
	if err != nil {
		return convert.Failed(err)
	}
	s.into = &convert.Result{}
	t.wait(s)
	s.into.Fail(t.failed)
	return s.into
}

// wait stops the coroutine until a trip with s has ended.
func (t *Tx) wait(s *statement) {
	t.part.wanted = s
	if !t.stop() {
		t.fail(errEnded)
	}
}

func (t *Tx) statement(query string, args []any) (*statement, error) {
	if t.failed != nil {
		return nil, t.failed
	}
	encoded, err := convert.Arguments(args)
	if err != nil {
		t.fail(err)
		return nil, err
	}
	return &statement{text: convert.Statement(query), args: encoded, owner: t}, nil
}
