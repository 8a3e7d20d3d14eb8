package postgres

import (
	"database/sql"
	"fmt"
	"time"

	"kota/store/postgres/convert"
)

// A head is the row of a tenant in heads. A group locks it before any other statement of the
// tenant, so writes of one tenant run one after the other, on all replicas. It also has the numbers
// that the tenant's rows get, so that a new row needs no question to the database.
type head struct {
	seq     int64  // of the last row of the audit log
	hash    []byte // of the last row of the audit log
	changes int64  // how many transactions have changed rows
	last    [len(counters)]int64
	clock   int64     // the server's clock when the head was read, in microseconds
	read    time.Time // when the head was read
}

// counters are the columns of heads with the last numbers, by the tables that use them.
var counters = [...]struct{ column, tables string }{
	{"memory", " memories "},
	{"version", " versions "},
	{"entry", " entries "},
	{"task", " tasks "},
	{"document", " documents "},
	{"diary_version", " diary_versions "},
	{"rowid", " outbox undo passes "},
}

// lockHead locks the head of a tenant and reads it. It is a statement of its own: a statement that
// waited for a lock reads other rows as they were before it waited.
const lockHead = `
	SELECT seq, hash, changes, memory, version, entry, task, document, diary_version, rowid,
		(extract(epoch FROM clock_timestamp()) * 1000000)::bigint
	FROM heads WHERE owner = $1 FOR UPDATE`

const saveHead = `
	UPDATE heads SET seq = $2, hash = $3, changes = $4, memory = $5, version = $6, entry = $7, task = $8, document = $9, diary_version = $10, rowid = $11
	WHERE owner = $1`

// scan reads the row of lockHead.
func (h *head) scan(row *convert.Result) error {
	dest := []any{&h.seq, &h.hash, &h.changes}
	for i := range h.last {
		dest = append(dest, &h.last[i])
	}
	h.read = time.Now()
	err := row.Scan(append(dest, &h.clock)...)
	if err == sql.ErrNoRows {
		return fmt.Errorf("the tenant has no row in heads")
	}
	return err
}

// arguments returns the arguments of saveHead.
func (h *head) arguments(tenant int64) []any {
	args := []any{tenant, h.seq, h.hash, h.changes}
	for _, n := range h.last {
		args = append(args, n)
	}
	return args
}

// now returns the time of the server's clock.
func (h *head) now() time.Time {
	return time.UnixMicro(h.clock).UTC().Add(time.Since(h.read))
}
