package postgres

import (
	"cmp"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"kota/store/postgres/failure"
)

// A group is a transaction with the writes of several tenants. First it locks the heads of all its
// tenants, in the order of their numbers, so that two groups never wait for each other. No tenant
// joins later.
//
// COMMIT is never on the trip that locks the heads. So when COMMIT is sent, the locks are known to
// be held, and whoever gets one of them later sees whether the commit has happened.
type group struct {
	lane    *lane
	conn    *pgx.Conn
	parts   []*part // by the numbers of their tenants
	started time.Time
	begun   bool     // the transaction has begun, and the heads are locked and read
	id      [16]byte // in commits
	at      int64    // in commits
	decided bool     // the commit has succeeded or failed, and the hooks know the result
	err     error    // of the commit, once decided
	ended   bool
}

// newGroup returns a group for writes, which are in the order of the queue.
func newGroup(l *lane, writes []*queuedWrite) *group {
	g := &group{lane: l, conn: l.conn, started: time.Now()}
	for _, q := range writes {
		number := q.tenant.number()
		i := slices.IndexFunc(g.parts, func(p *part) bool { return p.number == number })
		if i < 0 {
			i = len(g.parts)
			g.parts = append(g.parts, &part{group: g, number: number, hooks: q.tenant.Hooks()})
		}
		g.parts[i].writes = append(g.parts[i].writes, q)
	}
	for _, p := range g.parts {
		p.waiting = p.writes
	}
	slices.SortFunc(g.parts, func(a, b *part) int { return cmp.Compare(a.number, b.number) })
	return g
}

// run runs and commits the writes, and finishes or requeues each of them.
func (g *group) run() {
	defer func() {
		if !g.ended {
			g.finishAfterGoexit()
		}
	}()
	err := g.runWrites()
	if err == nil && g.hasSurvivors() {
		err = g.runHooks()
		if err == nil {
			err = g.commit()
		}
		g.decided, g.err = true, err
		g.afterCommit(err)
	} else if err == nil {
		g.rollback()
	}
	g.ended = true
	g.finishWrites(err)
}

// runWrites runs all writes. Those of one tenant run one after the other.
func (g *group) runWrites() error {
	err := g.proceed((*part).runWrites)
	if err == nil && !g.begun && g.hasSurvivors() {
		err = g.exchange() // the hooks need the heads
	}
	return err
}

// runHooks lets the hooks of each tenant with a write add rows.
func (g *group) runHooks() error {
	for _, p := range g.parts {
		p.startHooks()
	}
	return g.proceed((*part).runHooks)
}

// proceed runs the coroutines of all parts until all have ended. step runs those of one part until
// one of them waits, which it reports.
func (g *group) proceed(step func(*part) (waits bool, err error)) error {
	for {
		waiting := false
		for _, p := range g.parts {
			waits, err := step(p)
			if err != nil {
				return err
			}
			waiting = waiting || waits
		}
		if !waiting {
			return nil
		}
		if err := g.exchange(); err != nil {
			return err
		}
	}
}

// exchange sends what the coroutines wait for. On the first trip it begins the transaction and
// locks the heads.
func (g *group) exchange() error {
	t, lock := trip{}, headLock{}
	if !g.begun {
		tenants := []int64{}
		for _, p := range g.parts {
			tenants = append(tenants, p.number)
		}
		t.control("BEGIN")
		lock = t.lockHeads(tenants)
	}
	for _, p := range g.parts {
		if p.wanted != nil {
			p.flush(&t)
			t.add(p.number, p.wanted)
			p.wanted = nil
		}
	}
	if err := t.send(g.conn); err != nil || g.begun {
		return err
	}
	g.begun = true
	heads, err := lock.read()
	if err != nil {
		return err
	}
	for _, p := range g.parts {
		if _, exists := heads[p.number]; !exists {
			return &partError{p, ErrRemoved} // nothing else removes a head
		}
		if p.head = heads[p.number]; p.head.moved != "" {
			return &partError{p, movedError(p.head.moved)}
		}
		if ahead := g.lane.Ahead; ahead != nil {
			ahead.Store(int64(p.head.read.Sub(time.UnixMicro(p.head.clock))))
		}
		if p.running != nil {
			p.running.tx.before.head, p.running.tx.before.known = p.head, true
		}
	}
	return nil
}

func (g *group) hasSurvivors() bool {
	return slices.ContainsFunc(g.parts, func(p *part) bool { return len(p.survivors) > 0 })
}

// rollback ends the transaction without effect.
func (g *group) rollback() {
	if g.conn.IsClosed() || g.conn.PgConn().TxStatus() == 'I' {
		return
	}
	t := trip{}
	t.control("ROLLBACK")
	if err := t.send(g.conn); err != nil {
		g.lane.disconnect()
	}
}

// afterCommit notifies the hooks that it has not notified yet of the result of the commit.
func (g *group) afterCommit(err error) {
	for _, p := range g.parts {
		if p.hooksTx == nil || p.notified {
			continue
		}
		p.notified = true
		for _, h := range p.hooks {
			if h.AfterCommit != nil {
				h.AfterCommit(failure.Classify(err))
			}
		}
	}
}
