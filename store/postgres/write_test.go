package postgres

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"kota/store"
	"kota/store/engine"
)

func TestAFailingWriteDoesNotAffectItsGroup(t *testing.T) {
	t.Parallel()
	boom := errors.New("boom")
	isBoom := func(err error) bool { return errors.Is(err, boom) }
	isAny := func(err error) bool { return err != nil }
	for name, c := range map[string]struct {
		bad  func(t engine.Tx, owner any) error
		want func(error) bool
	}{
		"before it wrote": {func(engine.Tx, any) error { return boom }, isBoom},
		"after it wrote": {func(tx engine.Tx, owner any) error {
			return errors.Join(tx.Exec(addNumber, owner, "half", 1), boom)
		}, isBoom},
		"after its change was sent": {func(tx engine.Tx, owner any) error {
			_, err := tx.Change(addNumber, owner, "half", 1)
			return errors.Join(err, boom)
		}, isBoom},
		"by a constraint at the commit": {func(tx engine.Tx, owner any) error {
			return errors.Join(tx.Exec(addNumber, owner, "half", 1), tx.Exec(addNumber, owner, "half", 2))
		}, isAny},
		"by a constraint in the middle": {func(tx engine.Tx, owner any) error {
			n := int64(0)
			return errors.Join(tx.Exec(addNumber, owner, "half", 1), tx.Exec(addNumber, owner, "half", 2), tx.Row(readNumber, owner, "half").Scan(&n))
		}, isAny},
		"by a failure that it hides": {func(tx engine.Tx, owner any) error {
			tx.Exec(addNumber, owner, "half", 1)
			tx.Change(addNumber, owner, "half", 2)
			return nil
		}, isAny},
		"by a row of another": {func(tx engine.Tx, owner any) error {
			return tx.Exec(addNumber, owner.(int64)+1, "half", 1)
		}, isAny},
		"by a wrong statement": {func(tx engine.Tx, owner any) error {
			return tx.Row("SELECT nothing FROM mail_state").Scan(new(int64))
		}, isAny},
		"by a wrong argument": {func(tx engine.Tx, owner any) error {
			return tx.Exec(addNumber, owner, "half", "text")
		}, isAny},
		"by a panic": {func(tx engine.Tx, owner any) error {
			tx.Exec(addNumber, owner, "half", 1)
			panic("oh")
		}, isAny},
		"by the end of its goroutine": {func(tx engine.Tx, owner any) error {
			tx.Exec(addNumber, owner, "half", 1)
			runtime.Goexit()
			return nil
		}, isAny},
	} {
		t.Run(name, func(t *testing.T) {
			h := newHousehold(t, 3)
			h.oneLane(t)
			ann, ben, eve := h.people[0], h.people[1], h.people[2]
			bad := func(db *DB) namedWrite {
				return namedWrite{db: db, run: func(tx engine.Tx) error { return c.bad(tx, db.tenant) }}
			}
			failures := h.writeGroup(t, ann.put("a", 1), bad(ann), ben.put("b", 2), bad(eve), eve.put("c", 3), ann.put("d", 4))
			for i, err := range failures {
				if isBad := i == 1 || i == 3; isBad != (err != nil) || isBad && !c.want(err) {
					t.Errorf("write %d got %v", i, err)
				}
			}
			if got := h.stored(t, ann) + ", " + h.stored(t, ben) + ", " + h.stored(t, eve); got != "a=1 d=4, b=2, c=3" {
				t.Errorf("stored %s", got)
			}
			if err := ann.Write(t.Context(), ann.put("later", 5).run); err != nil {
				t.Error("a later write: ", err)
			}
		})
	}
}

// Without an order, both would read the same number.
func TestWritesOfOnePersonInOneGroupDoNotInterleave(t *testing.T) {
	t.Parallel()
	h := newHousehold(t, 4)
	h.oneLane(t)
	writes := []namedWrite{}
	for _, db := range h.people {
		if err := db.Write(t.Context(), db.put("n", 0).run); err != nil {
			t.Fatal(err)
		}
	}
	for i := range 60 {
		writes = append(writes, h.people[i%4].increment("n"))
	}
	for i, err := range h.writeGroup(t, writes...) {
		if err != nil {
			t.Errorf("write %d: %v", i, err)
		}
	}
	for i, db := range h.people {
		if got := h.stored(t, db); got != "n=15" {
			t.Errorf("person %d has %s", i, got)
		}
	}
}

func TestNoIncrementOfManyReplicasIsLost(t *testing.T) {
	t.Parallel()
	const openers, callers, each = 8, 8, 6
	h := newHousehold(t, 1)
	if err := h.people[0].Write(t.Context(), h.people[0].put("n", 0).run); err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	for range openers {
		s := mustOpen(t, h.url)
		db := mustTenant(t, s, "person 000")
		for range callers {
			all.Go(func() {
				for range each {
					if err := db.Write(context.Background(), db.increment("n").run); err != nil {
						t.Error(err)
					}
				}
			})
		}
	}
	all.Wait()
	if got, want := h.stored(t, h.people[0]), fmt.Sprintf("n=%d", openers*callers*each); got != want {
		t.Errorf("stored %s, want %s", got, want)
	}
}

// Every statement of these writes names no owner. So each sees and changes the rows of the person
// that is set, whoever that is.
func TestAGroupOfFiftyPeopleKeepsThemApart(t *testing.T) {
	t.Parallel()
	const people = 50
	h := newHousehold(t, people)
	log := &statementLog{}
	h.oneLane(t, traced(log))
	writes := []namedWrite{}
	for i, db := range h.people {
		steps := rand.IntN(6)
		writes = append(writes, namedWrite{db: db, run: func(tx engine.Tx) error {
			if err := tx.Exec("INSERT INTO mail_state (owner, account, history) VALUES (NULLIF(current_setting('app.tenant'), '')::bigint, 'x', ?)", i); err != nil {
				return err
			}
			for step := range steps {
				seen, rows := int64(0), 0
				if err := tx.Row("SELECT min(owner), count(*) FROM mail_state").Scan(&seen, &rows); err != nil || seen != db.tenant || rows != 1 {
					return fmt.Errorf("person %d sees %d rows of %d: %v", db.tenant, rows, seen, err)
				}
				if err := tx.Exec("UPDATE mail_state SET history = history + 1000"); err != nil {
					return err
				}
				if step%2 == 0 {
					if n, err := tx.Change("UPDATE mail_state SET history = history + 1000000"); n != 1 || err != nil {
						return fmt.Errorf("changed %d rows: %v", n, err)
					}
				}
			}
			if db.tenant%7 == 0 {
				return errors.New("fails without others")
			}
			return nil
		}})
		h.people[i] = db
	}
	for i, err := range h.writeGroup(t, writes...) {
		if failed := h.people[i].tenant%7 == 0; failed != (err != nil) {
			t.Errorf("person %d: %v", i, err)
		}
	}
	for i, db := range h.people {
		got := h.value(t, "SELECT count(*) || ' ' || coalesce(max(history % 1000), -1) FROM kota.mail_state WHERE owner = $1", db.tenant)
		want := fmt.Sprintf("1 %d", i)
		if db.tenant%7 == 0 {
			want = "0 -1"
		}
		if got != want {
			t.Errorf("person %d has %s, want %s", i, got, want)
		}
	}
	checkTenantIsSet(t, log)
}

// checkTenantIsSet checks that each statement of a person follows the statement that sets the
// person, in the same transaction, and that none runs while a group is set.
func checkTenantIsSet(t *testing.T, log *statementLog) {
	t.Helper()
	statements, _ := log.take()
	set, begun, inGroup := "", false, false
	for _, s := range statements {
		switch {
		case s == "BEGIN []":
			set, begun = "", true
		case s == "COMMIT []", s == "ROLLBACK []":
			begun = false
		case strings.HasPrefix(s, selectTenant):
			set = strings.Trim(strings.TrimPrefix(s, selectTenant), " []")
		case strings.HasPrefix(s, selectGroup), strings.HasPrefix(s, leaveGroup):
			inGroup = strings.HasPrefix(s, selectGroup)
		case strings.Contains(s, "heads"), strings.Contains(s, "INTO audit"):
			if !inGroup {
				t.Errorf("no group is set for %s", s)
			}
		case strings.HasPrefix(s, announce):
		default:
			if set == "" || !begun || inGroup {
				t.Errorf("no person is set for %s, or a group", s)
			}
			if strings.Contains(s, "owner = $1") && !strings.Contains(s, "["+set+" ") && !strings.HasSuffix(s, "["+set+"]") {
				t.Errorf("person %s is set for %s", set, s)
			}
		}
	}
	if len(statements) < 50 {
		t.Errorf("only %d statements were recorded", len(statements))
	}
}

func TestAWriteThatIsGivenUpWhileItWaitsIsNotRun(t *testing.T) {
	t.Parallel()
	h := newHousehold(t, 1)
	h.oneLane(t)
	db := h.people[0]
	ctx, cancel := context.WithCancel(t.Context())
	outcome := make(chan error, 1)
	h.writeGroupWith(t, func() {
		go func() { outcome <- db.Write(ctx, db.put("given up", 1).run) }()
		for h.Server.writes.lanes[0].queued() < 2 {
			runtime.Gosched()
		}
		cancel()
		if err := <-outcome; !errors.Is(err, context.Canceled) {
			t.Errorf("got %v", err)
		}
	}, db.put("a", 1))
	if err := db.Write(ctx, db.put("too late", 1).run); !errors.Is(err, context.Canceled) {
		t.Errorf("a write whose context had ended got %v", err)
	}
	if got := h.stored(t, db); got != "a=1" {
		t.Errorf("stored %s", got)
	}
}

func TestCloseCommitsAWriteThatWaits(t *testing.T) {
	t.Parallel()
	h := newHousehold(t, 1)
	h.oneLane(t)
	db := h.people[0]
	closed := make(chan error, 1)
	failures := h.writeGroupWith(t, func() { go func() { closed <- h.Server.Close() }() }, db.put("waits", 1))
	if err := errors.Join(failures[0], <-closed); err != nil {
		t.Error(err)
	}
	if err := db.Write(t.Context(), db.put("late", 1).run); !errors.Is(err, store.ErrClosed) {
		t.Errorf("a write after Close got %v", err)
	}
	if got := h.stored(t, db); got != "waits=1" {
		t.Errorf("stored %s", got)
	}
}

// A replica that hangs keeps the lock of one person. Others go on.
func TestAHeldHeadIsBusyForItsPersonOnly(t *testing.T) {
	t.Parallel()
	h := newHousehold(t, 3)
	h.Server.config.RuntimeParams["lock_timeout"] = "300ms"
	h.oneLane(t)
	ann, ben, eve := h.people[0], h.people[1], h.people[2]
	holder := h.hold(t, ben)
	started := time.Now()
	failures := h.writeGroup(t, ann.put("a", 1), ben.put("b", 1), ben.put("c", 1), eve.put("a", 1))
	if failures[0] != nil || !errors.Is(failures[1], store.ErrBusy) || !errors.Is(failures[2], store.ErrBusy) || failures[3] != nil {
		t.Errorf("got %v", failures)
	}
	if took := time.Since(started); took > 5*time.Second {
		t.Errorf("took %v", took)
	}
	holder()
	if err := ben.Write(t.Context(), ben.put("b", 2).run); err != nil {
		t.Error(err)
	}
	if got := h.stored(t, ann) + ", " + h.stored(t, ben) + ", " + h.stored(t, eve); got != "a=1, b=2, a=1" {
		t.Errorf("stored %s", got)
	}
}

func TestNumbersAreDense(t *testing.T) {
	t.Parallel()
	const addMemory = `INSERT INTO memories (id, owner, key, norm, value, category, tags, source, importance, pinned, created, updated, version, stale)
		VALUES (?, ?, ?, ?, '1', '', '[]', '', 0, 0, 0, 0, 1, 0)`
	h := newHousehold(t, 2)
	h.oneLane(t)
	ann, ben := h.people[0], h.people[1]
	insert := func(db *DB, key string, result error) namedWrite {
		return namedWrite{db: db, run: func(tx engine.Tx) error {
			if _, err := tx.Insert("memories", addMemory, db.tenant, key, key); err != nil {
				return err
			}
			return result
		}}
	}
	insertNew := func(db *DB, key string) namedWrite {
		return namedWrite{db: db, run: func(tx engine.Tx) error {
			id := int64(0)
			err := tx.InsertNew("memories", addMemory+" ON CONFLICT DO NOTHING RETURNING id", db.tenant, key, key).Scan(&id)
			return engine.Ignore(err, sql.ErrNoRows)
		}}
	}
	boom := errors.New("boom")
	failures := h.writeGroup(t, insert(ann, "a", nil), insert(ann, "b", boom), insertNew(ann, "a"), insertNew(ann, "c"), insert(ben, "x", boom), insert(ben, "y", nil), insert(ann, "d", nil))
	for i, err := range failures {
		if want := i == 1 || i == 4; want != errors.Is(err, boom) || !want && err != nil {
			t.Errorf("write %d got %v", i, err)
		}
	}
	got := h.value(t, "SELECT string_agg(key || id, ' ' ORDER BY owner, id) FROM kota.memories")
	if got != "a1 c2 d3 y1" {
		t.Errorf("stored %s", got)
	}
	// A slow machine may need more than one group.
	if got := h.value(t, "SELECT string_agg(memory || '/' || (changes > 0), ' ' ORDER BY owner) FROM kota.heads"); got != "3/true 1/true" {
		t.Errorf("the heads have %s", got)
	}
}

func TestTheClockIsTheServers(t *testing.T) {
	t.Parallel()
	h := newHousehold(t, 1)
	times := [3]time.Time{}
	server := time.Time{}
	err := h.people[0].Write(t.Context(), func(tx engine.Tx) error {
		times[0] = tx.Now()
		ms := int64(0)
		if err := tx.Row("SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint").Scan(&ms); err != nil {
			return err
		}
		server = time.UnixMicro(ms)
		times[1], times[2] = tx.Now(), tx.Now()
		return nil
	})
	if err != nil || server.Before(times[0]) || times[1].Before(times[0]) || times[2].Before(times[1]) || server.Sub(times[0]) > 5*time.Second {
		t.Errorf("got %v around %v, %v", times, server, err)
	}
}

// The usual "not found" must not roll back the group of many people.
func TestAWriteThatFindsNoRowFailsAlone(t *testing.T) {
	t.Parallel()
	h := newHousehold(t, 2)
	h.oneLane(t)
	ann, ben := h.people[0], h.people[1]
	if err := ben.Write(t.Context(), ben.put("taken", 1).run); err != nil {
		t.Fatal(err)
	}
	for name, find := range map[string]func(engine.Tx) error{
		"change": func(tx engine.Tx) error {
			n, err := tx.Change(setNumber, ben.tenant, "missing", 1)
			if err == nil && n == 0 {
				err = store.ErrNotFound
			}
			return err
		},
		"insert": func(tx engine.Tx) error {
			n := int64(0)
			return tx.InsertNew("undo", "INSERT INTO mail_state (history, owner, account) VALUES (?, ?, ?) ON CONFLICT DO NOTHING RETURNING history", ben.tenant, "taken").Scan(&n)
		},
	} {
		t.Run(name, func(t *testing.T) {
			runs := 0
			failures := h.writeGroup(t, namedWrite{db: ann, run: func(tx engine.Tx) error {
				runs++
				return ann.put(name, 1).run(tx)
			}}, namedWrite{db: ben, run: find})
			if failures[0] != nil || !errors.Is(failures[1], store.ErrNotFound) && !errors.Is(failures[1], sql.ErrNoRows) || runs != 1 {
				t.Errorf("got %v, and the other write ran %d times", failures, runs)
			}
		})
	}
}

// Two replicas may prune for the same people at once, and every person gets a turn.
func TestPruningGoesInTheOrderOfTheNumbers(t *testing.T) {
	t.Parallel()
	l := &lane{committed: map[int64]time.Time{}}
	for number := range int64(150) {
		l.committed[number+1] = time.Now()
	}
	seen := map[int64]int{}
	for range 3 {
		turn := l.nextPruned()
		if !slices.IsSorted(turn) || len(turn) > pruneCount {
			t.Errorf("%d tenants out of order: %v", len(turn), turn)
		}
		for _, number := range turn {
			seen[number]++
		}
	}
	if len(seen) != 150 {
		t.Errorf("only %d of 150 tenants had a turn", len(seen))
	}
	if next := l.nextPruned(); next[0] != 1 {
		t.Errorf("the next round begins at %d", next[0])
	}
}

// In the bubble of synctest the clock of this process says the year 2000.
func TestAllTimesAreTheServers(t *testing.T) {
	t.Parallel()
	url := newDatabase(t).role(t, "CREATEROLE", true)
	began := time.Now()
	synctest.Test(t, func(t *testing.T) {
		db := mustTenant(t, mustOpen(t, url), "ann")
		check := func(when string, now time.Time) {
			t.Helper()
			if difference := now.Sub(began); difference < -time.Second || difference > time.Minute {
				t.Errorf("%s: the time is %v, and the server's is %v", when, now, began)
			}
		}
		check("after Open", db.Now())
		db.clockAhead.Store(0) // as if the clock of this process had jumped
		err := db.Write(t.Context(), func(tx engine.Tx) error {
			check("in a write", tx.Now())
			return nil
		})
		if err != nil {
			t.Error(err)
		}
		check("after a write", db.Now())
	})
}

// A migration step of a newer KOTA makes plans of this one out of date.
func TestAWriteWithAStalePlanRunsAgain(t *testing.T) {
	t.Parallel()
	h := newHousehold(t, 1)
	h.oneLane(t)
	db := h.people[0]
	increment := db.increment("n").run
	if err := errors.Join(db.Write(t.Context(), db.put("n", 1).run), db.Write(t.Context(), increment)); err != nil {
		t.Fatal(err)
	}
	h.exec(t, "ALTER TABLE kota.mail_state ALTER COLUMN history TYPE int")
	if err := db.Write(t.Context(), increment); err != nil {
		t.Error(err)
	}
	if got := h.stored(t, db); got != "n=3" {
		t.Errorf("stored %q", got)
	}
}

// While the server cannot be reached, a write that waits to run again ends with its context.
func TestAWriteThatRunsAgainEndsWithItsContext(t *testing.T) {
	t.Parallel()
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	over, waiting := &queuedWrite{ctx: ended, done: make(chan struct{})}, &queuedWrite{ctx: t.Context(), done: make(chan struct{})}
	l := &lane{wake: make(chan struct{}, 1)}
	l.requeue([]*queuedWrite{over, waiting})
	l.dropEnded()
	select {
	case <-over.done:
	default:
		t.Fatal("it still waits")
	}
	if !errors.Is(over.err, context.Canceled) || l.queued() != 1 || waiting.err != nil {
		t.Errorf("got %v, and %d writes wait", over.err, l.queued())
	}
}
