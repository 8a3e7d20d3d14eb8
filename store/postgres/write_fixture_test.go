package postgres

import (
	"cmp"
	"context"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"kota/store/engine"
)

// A household is a Server for tests of writes, with some people. Their rows are in mail_state, which
// has a number for each name.
type household struct {
	testDatabase
	*Server
	url    string // of the Server
	people []*DB
}

func newHousehold(t *testing.T, people int) *household {
	t.Helper()
	h := &household{testDatabase: newDatabase(t)}
	h.url = h.role(t, "CREATEROLE", true)
	h.Server = mustOpen(t, h.url)
	h.people = h.handles(t, h.Server, people)
	return h
}

func (h *household) handles(t *testing.T, s *Server, people int) []*DB {
	t.Helper()
	all := []*DB{}
	for i := range people {
		all = append(all, mustTenant(t, s, fmt.Sprintf("person %03d", i)))
	}
	return all
}

// oneLane replaces the lanes of the server by one, with changes to the settings of its connection.
func (h *household) oneLane(t *testing.T, adjust ...func(*pgx.ConnConfig)) {
	t.Helper()
	if err := h.Server.writes.close(); err != nil {
		t.Fatal(err)
	}
	config := h.Server.config.Copy()
	for _, f := range adjust {
		f(config)
	}
	h.Server.writes = newWriter(writerOptions{
		Connect: func(ctx context.Context) (*pgx.Conn, error) { return connect(ctx, config) },
		Lanes:   1, Log: h.Server.log, ReachTime: time.Second, SettleTime: 300 * time.Millisecond,
	})
}

// hold locks the head of a person, as another replica does, until the returned function is called.
func (h *household) hold(t *testing.T, db *DB) (release func()) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), h.asSuperuser())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := conn.Exec(t.Context(), "BEGIN"); err != nil {
		t.Fatal(err)
	}
	if _, err := conn.Exec(t.Context(), "SELECT 1 FROM kota.heads WHERE owner = $1 FOR UPDATE", db.tenant); err != nil {
		t.Fatal(err)
	}
	return sync.OnceFunc(func() { conn.Close(context.Background()) })
}

// A namedWrite is a write of one person.
type namedWrite struct {
	db        *DB
	run       func(engine.Tx) error
	ctx       context.Context // the background if nil
	unaudited bool
}

// writeGroup runs writes as one group of the only lane, and returns their errors.
func (h *household) writeGroup(t *testing.T, writes ...namedWrite) []error {
	t.Helper()
	return h.writeGroupWith(t, func() {}, writes...)
}

// writeGroupWith calls ready when all writes wait.
func (h *household) writeGroupWith(t *testing.T, ready func(), writes ...namedWrite) []error {
	t.Helper()
	l := h.Server.writes.lanes[0]
	held, release := make(chan struct{}), make(chan struct{})
	hold := sync.OnceFunc(func() { close(held) })
	var all sync.WaitGroup
	all.Go(func() {
		if err := h.people[0].WriteUnaudited(context.Background(), func(engine.Tx) error {
			hold()
			<-release
			return nil
		}); err != nil {
			t.Error("the first write: ", err)
		}
	})
	<-held
	failures := make([]error, len(writes))
	for i, w := range writes {
		all.Go(func() {
			failures[i] = h.Server.writes.write(cmp.Or(w.ctx, context.Background()), w.db, w.run, w.unaudited)
		})
		for l.queued() <= i { // so that they are queued in this order
			runtime.Gosched()
		}
	}
	ready()
	close(release)
	all.Wait()
	return failures
}

const (
	addNumber  = "INSERT INTO mail_state (owner, account, history) VALUES (?, ?, ?)"
	readNumber = "SELECT history FROM mail_state WHERE owner = ? AND account = ?"
	setNumber  = "UPDATE mail_state SET history = ?3 WHERE owner = ?1 AND account = ?2"
)

// put stores a number under a name.
func (db *DB) put(name string, n int64) namedWrite {
	return namedWrite{db: db, run: func(t engine.Tx) error { return t.Exec(addNumber, db.tenant, name, n) }}
}

// increment reads a number and stores the next one.
func (db *DB) increment(name string) namedWrite {
	return namedWrite{db: db, run: func(t engine.Tx) error {
		n := int64(0)
		if err := t.Row(readNumber, db.tenant, name).Scan(&n); err != nil {
			return err
		}
		return t.Exec(setNumber, db.tenant, name, n+1)
	}}
}

// stored returns the numbers of a person, such as "a=1 b=2".
func (h *household) stored(t *testing.T, db *DB) string {
	t.Helper()
	return h.value(t, "SELECT coalesce(string_agg(account || '=' || history, ' ' ORDER BY account), '') FROM kota.mail_state WHERE owner = $1", db.tenant)
}

// A statementLog records the statements that a connection sends.
type statementLog struct {
	mu         sync.Mutex
	statements []string
	trips      int
}

func (l *statementLog) TraceBatchStart(ctx context.Context, _ *pgx.Conn, _ pgx.TraceBatchStartData) context.Context {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.trips++
	return ctx
}

func (l *statementLog) TraceBatchQuery(_ context.Context, _ *pgx.Conn, data pgx.TraceBatchQueryData) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.statements = append(l.statements, strings.Join(strings.Fields(data.SQL+" "+fmt.Sprint(data.Args)), " "))
}

func (l *statementLog) TraceBatchEnd(context.Context, *pgx.Conn, pgx.TraceBatchEndData) {}

func (l *statementLog) TraceQueryStart(ctx context.Context, _ *pgx.Conn, _ pgx.TraceQueryStartData) context.Context {
	return ctx
}

func (l *statementLog) TraceQueryEnd(context.Context, *pgx.Conn, pgx.TraceQueryEndData) {}

// take returns what was recorded and forgets it.
func (l *statementLog) take() (statements []string, trips int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	statements, trips = l.statements, l.trips
	l.statements, l.trips = nil, 0
	return statements, trips
}

// traced records the statements of a lane in a log.
func traced(l *statementLog) func(*pgx.ConnConfig) {
	return func(c *pgx.ConnConfig) { c.Tracer = l }
}
