package postgres

import (
	"strconv"
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
	moved   string // the file to which the data of the tenant has moved; "" if it is here
	last    [len(counters)]int64
	clock   int64     // the server's clock when the head was read, in microseconds
	read    time.Time // when the head was read
}

// counters are the columns of heads with the last numbers.
var counters = [...]string{"memory", "version", "entry", "task", "document", "diary_version", "rowid"}

// counterOf has the place in counters for each table with numbers.
var counterOf = map[string]int{
	"memories": 0, "versions": 1, "entries": 2, "tasks": 3, "documents": 4, "diary_versions": 5, "outbox": 6, "undo": 6, "passes": 6, "session_messages": 6,
}

// The statements on heads are for all tenants of a group, because one statement takes half the time
// of many. The policy lane lets them reach these rows. No statement of a write runs while the group
// is set.
const (
	selectGroup = "SELECT set_config('app.group', $1, true)"
	// leaveGroup also reads the clock, after the heads were locked.
	leaveGroup = "SELECT set_config('app.group', '', true), (extract(epoch FROM clock_timestamp()) * 1000000)::bigint"

	// lockHeads locks and reads heads. A statement that has waited for a lock sees other rows as they
	// were before the wait, so this is a statement of its own.
	lockHeads = `
		SELECT owner, seq, hash, changes, moved, memory, version, entry, task, document, diary_version, rowid
		FROM heads WHERE owner = ANY ($1) ORDER BY owner FOR UPDATE`

	saveHeads = `
		UPDATE heads h SET seq = n.seq, hash = n.hash, changes = n.changes, memory = n.memory, version = n.version, entry = n.entry, task = n.task,
			document = n.document, diary_version = n.diary_version, rowid = n.rowid
		FROM unnest($1::bigint[], $2::bigint[], $3::bytea[], $4::bigint[], $5::bigint[], $6::bigint[], $7::bigint[], $8::bigint[], $9::bigint[], $10::bigint[], $11::bigint[])
			AS n (owner, seq, hash, changes, memory, version, entry, task, document, diary_version, rowid)
		WHERE h.owner = n.owner AND h.owner = ANY ($1)`
)

// A headLock is the result of locking heads.
type headLock struct{ rows, left *convert.Result }

// lockHeads adds the statements that lock the heads of tenants.
func (t *trip) lockHeads(tenants []int64) headLock {
	lock := headLock{&convert.Result{}, &convert.Result{}}
	t.selectGroup(tenants)
	t.queue(&statement{text: lockHeads, args: []any{tenants}, into: lock.rows})
	t.queue(&statement{text: leaveGroup, into: lock.left})
	return lock
}

// saveHeads adds the statement that stores heads.
func (t *trip) saveHeads(tenants []int64, heads []*head) {
	columns := make([][]int64, 2+len(counters)) // seq, changes, and the last numbers
	hashes := [][]byte{}
	for _, h := range heads {
		hashes = append(hashes, h.hash)
		for i, n := range append([]int64{h.seq, h.changes}, h.last[:]...) {
			columns[i] = append(columns[i], n)
		}
	}
	args := []any{tenants, columns[0], hashes}
	for _, c := range columns[1:] {
		args = append(args, c)
	}
	t.queue(&statement{text: saveHeads, args: args})
}

func (t *trip) selectGroup(tenants []int64) {
	array := []byte("{")
	for i, tenant := range tenants {
		if i > 0 {
			array = append(array, ',')
		}
		array = strconv.AppendInt(array, tenant, 10)
	}
	t.control(selectGroup, string(append(array, '}')))
}

// read returns the heads by their tenants.
func (l headLock) read() (map[int64]head, error) {
	all := map[int64]head{}
	clock := int64(0)
	if err := l.left.Scan(new(string), &clock); err != nil {
		return nil, err
	}
	now := time.Now()
	for l.rows.Next() {
		h, owner := head{clock: clock, read: now}, int64(0)
		dest := []any{&owner, &h.seq, &h.hash, &h.changes, &h.moved}
		for i := range h.last {
			dest = append(dest, &h.last[i])
		}
		if err := l.rows.Scan(dest...); err != nil {
			return nil, err
		}
		all[owner] = h
	}
	return all, nil
}

// now returns the time of the server's clock.
func (h *head) now() time.Time {
	return time.UnixMicro(h.clock).UTC().Add(time.Since(h.read))
}
