package postgres

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"

	"kota/store"
	"kota/store/engine"
)

// A hookLog records the calls of the hooks of one person.
type hookLog struct {
	before []string // the names in the contexts of the changes, joined
	after  []string
	err    error // what BeforeCommit returns
}

type nameKey struct{}

func named(t *testing.T, name string) context.Context {
	return context.WithValue(t.Context(), nameKey{}, name)
}

// watch registers hooks for a person that add a row for each transaction with changes.
func watch(db *DB) *hookLog {
	l := &hookLog{}
	db.Extend(reflect.TypeFor[hookLog](), func() (any, engine.Hook) {
		return l, engine.Hook{
			BeforeCommit: func(t engine.Tx, changes []context.Context) error {
				names := []string{}
				for _, ctx := range changes {
					names = append(names, fmt.Sprint(ctx.Value(nameKey{})))
				}
				slices.Sort(names)
				l.before = append(l.before, strings.Join(names, " "))
				if l.err != nil {
					return l.err
				}
				rows := 0
				if err := t.Row("SELECT count(*) FROM mail_state").Scan(&rows); err != nil || len(names) == 0 {
					return err
				}
				return t.Exec(addNumber, db.tenant, "hook", rows)
			},
			AfterCommit: func(err error) { l.after = append(l.after, fmt.Sprint(err)) },
		}
	})
	return l
}

func TestHooksSeeTheChangesOfTheirPerson(t *testing.T) {
	t.Parallel()
	h := newHousehold(t, 4)
	h.oneLane(t)
	logs := []*hookLog{}
	for _, db := range h.people {
		logs = append(logs, watch(db))
	}
	ann, ben, eve, kim := h.people[0], h.people[1], h.people[2], h.people[3]
	logs[2].err = errors.New("boom")
	write := func(db *DB, name string, unaudited bool) namedWrite {
		return namedWrite{db: db, run: db.put(name, 1).run}.with(named(t, name), unaudited)
	}
	failures := h.writeGroup(t, write(ann, "a", false), write(ann, "b", false), write(ann, "c", true), write(ben, "d", true), write(eve, "e", false),
		namedWrite{db: kim, run: func(engine.Tx) error { return errors.New("fails") }})
	for i, err := range failures {
		if want := i >= 4; want != (err != nil) {
			t.Errorf("write %d got %v", i, err)
		}
	}
	got := []string{h.stored(t, ann), h.stored(t, ben), h.stored(t, eve), h.stored(t, kim)}
	if want := []string{"a=1 b=1 c=1 hook=3", "d=1", "", ""}; !slices.Equal(got, want) {
		t.Errorf("stored %q, want %q", got, want)
	}
	// The group of all is rolled back because of Eve's hook. Then the others are one group.
	if last := logs[0].before[len(logs[0].before)-1]; last != "a b" {
		t.Errorf("Ann's hook saw %q", logs[0].before)
	}
	if last := logs[1].before[len(logs[1].before)-1]; last != "" {
		t.Errorf("Ben's hook saw %q", logs[1].before)
	}
	for i, l := range logs[:3] {
		if len(l.before) != len(l.after) || (l.after[len(l.after)-1] == "<nil>") != (i < 2) {
			t.Errorf("person %d: %d calls before a commit, and after it %q", i, len(l.before), l.after)
		}
	}
	if len(logs[3].before) != 0 {
		t.Errorf("the hook of a person without a change was called: %q", logs[3].before)
	}
}

// with runs the write in a context.
func (w namedWrite) with(ctx context.Context, unaudited bool) namedWrite {
	w.ctx, w.unaudited = ctx, unaudited
	return w
}

// appendAudit makes a hook for each person that adds a row to the audit log for each change.
func (h *household) appendAudit() {
	for _, db := range h.people {
		db.Extend(reflect.TypeFor[testing.T](), func() (any, engine.Hook) {
			return nil, engine.Hook{BeforeCommit: func(t engine.Tx, changes []context.Context) error {
				seq, hash, err := t.(*Tx).Chain()
				if err != nil {
					return err
				}
				rows := []store.AuditRow{}
				for range changes {
					row := store.AuditRow{Seq: seq + 1, Owner: "local", At: t.Now(), Call: fmt.Sprint(db.tenant), Phase: store.PhaseIntent, Args: "a\x00", Prev: store.AuditHash(hash)}
					row.Hash = row.Sum()
					seq, hash = row.Seq, row.Hash[:]
					rows = append(rows, row)
				}
				return t.(*Tx).AppendAudit(rows)
			}}
		})
	}
}

// The chain of each person is in the head, and one statement adds the rows of all people.
func TestAGroupAddsToManyAuditLogs(t *testing.T) {
	t.Parallel()
	const people = 7
	h := newHousehold(t, people)
	h.appendAudit()
	log := &statementLog{}
	h.oneLane(t, traced(log))
	for round := range 3 {
		writes := []namedWrite{}
		for i, db := range h.people {
			for n := range i % 3 {
				writes = append(writes, db.put(fmt.Sprint(round, n), 1))
			}
		}
		log.take()
		for i, err := range h.writeGroup(t, writes...) {
			if err != nil {
				t.Errorf("write %d: %v", i, err)
			}
		}
		statements, _ := log.take()
		inserts := slices.DeleteFunc(statements, func(s string) bool { return !strings.Contains(s, "INTO audit") })
		if len(inserts) != 1 {
			t.Errorf("the group sent %d statements on audit", len(inserts))
		}
	}
	for i, db := range h.people {
		got := h.value(t, `SELECT count(*) || ' ' || count(*) FILTER (WHERE prev = coalesce(before, decode(repeat('00', 32), 'hex')) AND call = $2 AND args = 'a' || chr(63743) || '0')
			FROM (SELECT *, lag(hash) OVER (ORDER BY seq) AS before FROM kota.audit WHERE owner = $1) AS log`, db.tenant, fmt.Sprint(db.tenant))
		end := h.value(t, `SELECT count(*) FROM kota.heads h LEFT JOIN kota.audit a ON (a.owner, a.seq, a.hash) = (h.owner, h.seq, h.hash) WHERE h.owner = $1 AND (h.seq = 0 OR a.seq > 0)`, db.tenant)
		if want := 3 * (i % 3); got != fmt.Sprintf("%d %[1]d", want) || end != "1" {
			t.Errorf("person %d has rows and linked rows %s, want %d of each; the head fits: %s", i, got, want, end)
		}
	}
}

func TestAFailedCommitLeavesTheAuditLogsAsTheyWere(t *testing.T) {
	t.Parallel()
	h := newHousehold(t, 3)
	h.appendAudit()
	h.oneLane(t)
	ann, bob := h.people[1], h.people[2]
	// Somebody else has taken the next number of ann's log, which cannot happen under the head's lock.
	h.exec(t, `INSERT INTO kota.audit (owner, seq, name, at, call, phase, tool, effect, door, args, approval, code, prev, hash)
		SELECT $1, 1, '', 1, '', '', '', '', '', '', '', '', hash, hash FROM kota.heads WHERE owner = $1`, ann.tenant)
	failures := h.writeGroup(t, ann.put("n", 1), bob.put("n", 1))
	if failures[0] == nil || failures[1] != nil {
		t.Errorf("got %v", failures)
	}
	if got := h.value(t, "SELECT string_agg(owner || ':' || seq, ' ' ORDER BY owner) FROM kota.audit"); got != fmt.Sprintf("%d:1 %d:1", ann.tenant, bob.tenant) {
		t.Errorf("the logs have %s", got)
	}
	if got := h.stored(t, ann); got != "" {
		t.Errorf("the failed write stored %s", got)
	}
	if err := bob.Write(t.Context(), func(tx engine.Tx) error { return tx.(*Tx).AppendAudit(make([]store.AuditRow, 1)) }); err == nil {
		t.Error("a write that is no hook has added to the log")
	}
}

func TestAGroupNeedsFewTrips(t *testing.T) {
	t.Parallel()
	h := newHousehold(t, 20)
	log := &statementLog{}
	h.oneLane(t, traced(log))
	puts, increments := []namedWrite{}, []namedWrite{}
	for _, db := range h.people {
		puts = append(puts, db.put("n", 0))
		increments = append(increments, db.increment("n"))
	}
	for name, c := range map[string]struct {
		writes            []namedWrite
		trips, statements int // without the first write of writeGroup, which takes 2 trips and 5 statements
	}{
		"writes that only write":     {puts, 2, 4 + 20*2 + 6},
		"writes that read and write": {increments, 2, 4 + 20*2 + 20*2 + 6},
	} {
		h.exec(t, "TRUNCATE kota.mail_state")
		for _, db := range h.people {
			if strings.Contains(name, "read") {
				h.exec(t, "INSERT INTO kota.mail_state (owner, account, history) VALUES ($1, 'n', 0)", db.tenant)
			}
		}
		log.take()
		for i, err := range h.writeGroup(t, c.writes...) {
			if err != nil {
				t.Errorf("%s: write %d: %v", name, i, err)
			}
		}
		statements, trips := log.take()
		if trips-2 != c.trips || len(statements)-5 != c.statements {
			t.Errorf("%s: %d trips and %d statements, want %d and %d", name, trips-2, len(statements)-5, c.trips, c.statements)
		}
	}
}

// A hook that ends its goroutine, as a failed test does, fails the writes of its person only.
func TestAHookThatEndsItsGoroutine(t *testing.T) {
	t.Parallel()
	for name, after := range map[string]bool{"before the commit": false, "after the commit": true} {
		t.Run(name, func(t *testing.T) {
			h := newHousehold(t, 2)
			h.oneLane(t)
			ben, ann := h.people[0], h.people[1] // the fixture writes as the first one
			log := watch(ben)
			calls, told := 0, 0
			ann.Extend(reflect.TypeFor[nameKey](), func() (any, engine.Hook) {
				return nil, engine.Hook{
					BeforeCommit: func(engine.Tx, []context.Context) error {
						if calls++; !after {
							runtime.Goexit()
						}
						return nil
					},
					AfterCommit: func(error) {
						if told++; after {
							runtime.Goexit()
						}
					},
				}
			})
			failures := h.writeGroup(t, ann.put("a", 1), ben.put("b", 1))
			if (failures[0] == nil) != after || failures[1] != nil {
				t.Errorf("the writes got %v", failures)
			}
			if calls != 1 || told != 1 {
				t.Errorf("the hook ran %d times before a commit and %d times after it", calls, told)
			}
			want := ""
			if after {
				want = "a=1"
			}
			if got := h.stored(t, ann); got != want {
				t.Errorf("of Ann %q is stored, want %q", got, want)
			}
			if got := h.stored(t, ben); !strings.HasPrefix(got, "b=1") || len(log.before) == 0 {
				t.Errorf("of Ben %q is stored", got)
			}
		})
	}
}
