package audittest

import (
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"testing"
	"time"

	"kota/store"
	"kota/store/storetest"
)

var auditContract = storetest.Contract{
	"the intent is logged before the change is acknowledged": intentComesFirst,
	"a call without a change leaves no row":                  callsWithoutChangeLeaveNoRow,
	"writes without a trail or a change leave no row":        otherWritesLeaveNoRow,
	"two writes of one call have one intent":                 twoWritesHaveOneIntent,
	"an outcome is written without another change":           outcomesAreWrittenAlone,
	"an intent and a refusal leave one row each":             intentsAndRefusalsLeaveOneRow,
	"a change fails without its intent":                      changesFailWithoutTheirIntent,
	"many concurrent callers are all logged":                 manyCallersAreLogged,
	"two processes share one chain":                          processesShareOneChain,
	"rows are selected by a filter":                          rowsAreFiltered,
	"the chains of two tenants do not mix":                   chainsDoNotMix,
}

func intentComesFirst(t *testing.T, open storetest.Opener) {
	db, c := storetest.WithClock(open)
	entry := memorySet
	entry.Channel = "cli"
	ctx, trail := db.Audit("ann").Begin(t.Context(), store.AuditEntry{Owner: "ann", Tool: "replaced"})
	trail.Replace(entry)
	if trail.HasIntent() {
		t.Error("it has an intent before its first change")
	}
	if err := set(ctx, db, "city"); err != nil || !trail.HasIntent() {
		t.Fatal(err)
	}
	if got := phases(t, open(c.Now)); got != "1 intent" {
		t.Fatalf("another process reads %q", got)
	}
	if err := set(ctx, db, "street"); err != nil {
		t.Fatal(err)
	}
	trail.Approve("terminal")
	trail.End(store.OK)
	auditedSet(t, db, "country")
	if got := phases(t, db); got != "1 intent, 2 outcome OK, 3 intent" {
		t.Fatalf("the log reads %q", got)
	}
	rows := auditRows(t, db, store.AuditFilter{})
	first, second := rows[0], rows[1]
	if first.Tool != "memory_set" || first.Effect != "writes" || first.Channel != "cli" || first.Args != `{"pinned":true}` || first.Owner != "ann" || !first.At.Equal(c.Now()) {
		t.Errorf("the intent is %+v", first)
	}
	if second.Call != first.Call || second.Approval != "terminal" || second.Args != "" || second.Prev != first.Hash {
		t.Errorf("the outcome is %+v", second)
	}
	closeDatabase(t, db)
	again := open(c.Now)
	if got := phases(t, again); got != "1 intent, 2 outcome OK, 3 intent, 4 outcome OK" {
		t.Errorf("after closing the log reads %q", got)
	}
	v := verify(t, again)
	if len(v.Tampering) != 0 || len(v.Unfinished) != 0 || v.Rows != 4 {
		t.Errorf("report %+v", v)
	}
	again.Properties().CheckNoted(t, v)
}

func callsWithoutChangeLeaveNoRow(t *testing.T, open storetest.Opener) {
	db := open(time.Now)
	auditedSet(t, db, "city")
	ctx, trail := db.Audit("ann").Begin(t.Context(), memorySet)
	conflict := (*store.ConflictError)(nil)
	if _, err := db.Memories("ann").Set(ctx, store.Entry{Key: "city", Value: storetest.JSONText("Basel"), Mode: store.Create}); !errors.As(err, &conflict) {
		t.Fatal(err)
	}
	trail.End("CONFLICT")
	closeDatabase(t, db)
	if got := phases(t, open(time.Now)); trail.HasIntent() || got != "1 intent, 2 outcome OK" {
		t.Errorf("intent %t, the log reads %q", trail.HasIntent(), got)
	}
}

func otherWritesLeaveNoRow(t *testing.T, open storetest.Opener) {
	db := open(time.Now)
	ctx, trail := db.Audit("ann").Begin(t.Context(), memorySet)
	for name, err := range map[string]error{
		"without a trail": set(t.Context(), db, "city"),
		"unaudited":       db.WriteUnaudited(ctx, func(tx storetest.Tx) error { return tx.Insert("unaudited") }),
		"without change":  db.Write(ctx, func(storetest.Tx) error { return nil }),
		"declared none": db.Write(ctx, func(tx storetest.Tx) error {
			err := tx.Insert("count")
			tx.SetChanged(false)
			return err
		}),
	} {
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	if got := phases(t, db); trail.HasIntent() || got != "" {
		t.Errorf("intent %t, the log reads %q", trail.HasIntent(), got)
	}
}

func twoWritesHaveOneIntent(t *testing.T, open storetest.Opener) {
	db := open(time.Now)
	ctx, trail := db.Audit("ann").Begin(t.Context(), memorySet)
	release := db.HoldWrites()
	var both sync.WaitGroup
	for i, name := range []string{"a", "b"} {
		both.Go(func() {
			if err := db.Write(ctx, func(tx storetest.Tx) error { return tx.Insert(name) }); err != nil {
				t.Error(err)
			}
		})
		for db.QueuedWrites() <= i {
			runtime.Gosched()
		}
	}
	release()
	both.Wait()
	if got := phases(t, db); got != "1 intent" || !trail.HasIntent() {
		t.Errorf("the log reads %q, intent %t", got, trail.HasIntent())
	}
}

// waitForRows waits until the log has n rows. The timeout of the test limits it.
func waitForRows(t testing.TB, db storetest.Database, n int) {
	t.Helper()
	for len(auditRows(t, db, store.AuditFilter{})) < n {
		if t.Context().Err() != nil {
			t.Fatal("a row was not written")
		}
		time.Sleep(time.Millisecond)
	}
}

func outcomesAreWrittenAlone(t *testing.T, open storetest.Opener) {
	db := open(time.Now)
	_, refused := db.Audit("ann").Begin(t.Context(), sendMessage)
	db.Audit("ann").Refuse(refused, "REFUSED")
	waitForRows(t, db, 1)
	auditedSet(t, db, "city")
	waitForRows(t, db, 3)
}

func intentsAndRefusalsLeaveOneRow(t *testing.T, open storetest.Opener) {
	db := open(time.Now)
	log := db.Audit("ann")
	ctx, trail := log.Begin(t.Context(), sendMessage)
	for range 2 {
		if err := log.WriteIntent(ctx); err != nil {
			t.Fatal(err)
		}
	}
	if got := phases(t, db); got != "1 intent" {
		t.Fatalf("the log reads %q", got)
	}
	log.Refuse(trail, "OUTCOME_UNKNOWN") // its intent is on disk
	_, refused := log.Begin(t.Context(), sendMessage)
	log.Refuse(refused, "REFUSED")
	auditedSet(t, db, "city")
	if got := phases(t, db); got != "1 intent, 2 outcome OUTCOME_UNKNOWN, 3 refused REFUSED, 4 intent" {
		t.Errorf("the log reads %q", got)
	}
	if args := auditRows(t, db, store.AuditFilter{})[2].Args; args != "{}" {
		t.Errorf("the refused call has the arguments %q", args)
	}
	if err := log.WriteIntent(t.Context()); err != nil {
		t.Errorf("without a trail: %v", err)
	}
}

// If the transaction of an intent fails, the log has no intent and the change is not made.
// Another write in the same transaction succeeds.
func changesFailWithoutTheirIntent(t *testing.T, open storetest.Opener) {
	db := open(time.Now)
	auditedSet(t, db, "first")
	db.Audit("ann").Reject(t, "unlogged")
	entry := memorySet
	entry.Tool = "unlogged"
	ctx, trail := db.Audit("ann").Begin(t.Context(), entry)
	release := db.HoldWrites()
	failed := error(nil)
	var all sync.WaitGroup
	all.Go(func() { failed = set(ctx, db, "unlogged") })
	all.Go(func() { auditedSet(t, db, "neighbour") })
	for db.QueuedWrites() < 2 {
		if t.Context().Err() != nil {
			t.Fatal("the writes are not queued")
		}
		runtime.Gosched()
	}
	release()
	all.Wait()
	if failed == nil || trail.HasIntent() {
		t.Errorf("the change was made without its intent: %v", failed)
	}
	if _, err := db.Memories("ann").Get(t.Context(), "unlogged"); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("the change was stored: %v", err)
	}
	if _, err := db.Memories("ann").Get(t.Context(), "neighbour"); err != nil {
		t.Error(err)
	}
	closeDatabase(t, db)
	if v := verify(t, open(time.Now)); len(v.Tampering) != 0 || v.Rows != 4 || len(v.Unfinished) != 0 {
		t.Errorf("%+v", v)
	}
}

func manyCallersAreLogged(t *testing.T, open storetest.Opener) {
	db := open(time.Now)
	var all sync.WaitGroup
	for w := range 16 {
		all.Go(func() {
			for i := range 20 {
				auditedSet(t, db, fmt.Sprintf("%d.%d", w, i))
			}
		})
	}
	all.Wait()
	closeDatabase(t, db)
	v := verify(t, open(time.Now))
	if v.Rows != 640 || len(v.Tampering)+len(v.Unfinished) != 0 {
		t.Errorf("%d rows, %s, %d without outcome", v.Rows, findings(v), len(v.Unfinished))
	}
}

// The processes write in turn, and then at the same time.
func processesShareOneChain(t *testing.T, open storetest.Opener) {
	dbs := []storetest.Database{open(time.Now), open(time.Now)}
	for i := range 5 {
		for p, db := range dbs {
			auditedSet(t, db, fmt.Sprintf("%d.%d", p, i))
		}
	}
	var all sync.WaitGroup
	for p, db := range dbs {
		all.Go(func() {
			for i := range 20 {
				auditedSet(t, db, fmt.Sprintf("%d.%d", p, 5+i))
			}
			if err := db.Close(); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	v := verify(t, open(time.Now))
	if v.Rows != 100 || len(v.Tampering)+len(v.Unfinished) != 0 {
		t.Errorf("%d rows, %s, %d without outcome", v.Rows, findings(v), len(v.Unfinished))
	}
}

func rowsAreFiltered(t *testing.T, open storetest.Opener) {
	db, c := storetest.WithClock(open)
	start := c.Now()
	auditedSet(t, db, "city")
	c.Set(start.Add(time.Minute))
	_, refused := db.Audit("ann").Begin(t.Context(), sendMessage)
	db.Audit("ann").Refuse(refused, "REFUSED")
	auditedSet(t, db, "street")
	closeDatabase(t, db)
	db = open(c.Now)
	calls := auditRows(t, db, store.AuditFilter{})
	for _, tt := range []struct {
		f    store.AuditFilter
		want []int64
	}{
		{store.AuditFilter{}, []int64{1, 2, 3, 4, 5}},
		{store.AuditFilter{Owner: "ann"}, []int64{1, 2, 3, 4, 5}},
		{store.AuditFilter{Owner: "bob"}, nil},
		{store.AuditFilter{Tool: "memory_set"}, []int64{1, 2, 4, 5}},
		{store.AuditFilter{Tool: "memory_set", Last: 3}, []int64{2, 4, 5}},
		{store.AuditFilter{Call: calls[0].Call}, []int64{1, 2}},
		{store.AuditFilter{Row: 5}, []int64{4, 5}},
		{store.AuditFilter{Row: 9}, nil},
		{store.AuditFilter{Since: start.Add(time.Minute)}, []int64{3, 4, 5}},
		{store.AuditFilter{Since: start.Add(time.Minute + time.Millisecond)}, nil},
		{store.AuditFilter{Last: 1}, []int64{5}},
	} {
		var got []int64
		for _, row := range auditRows(t, db, tt.f) {
			got = append(got, row.Seq)
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%+v selects %v, want %v", tt.f, got, tt.want)
		}
	}
}

// Tenants of one file share a chain. Tenants of a server have one each. Both verify, and a filter
// by owner selects the same rows.
func chainsDoNotMix(t *testing.T, open storetest.Opener) {
	db := open(time.Now)
	var all sync.WaitGroup
	for _, tenant := range []string{"ann", "bob"} {
		all.Go(func() {
			for i := range 5 {
				entry := memorySet
				entry.Owner = tenant
				ctx, trail := db.Audit(tenant).Begin(t.Context(), entry)
				if _, err := db.Memories(tenant).Set(ctx, store.Entry{Key: fmt.Sprint(i), Value: storetest.JSONText(tenant)}); err != nil {
					t.Error(err)
				}
				trail.End(store.OK)
			}
		})
	}
	all.Wait()
	closeDatabase(t, db)
	db = open(time.Now)
	for _, tenant := range []string{"ann", "bob"} {
		n := 0
		for row, err := range db.Audit(tenant).Rows(t.Context(), store.AuditFilter{Owner: tenant}) {
			if err != nil || row.Owner != tenant {
				t.Fatalf("%s reads %+v, %v", tenant, row, err)
			}
			n++
		}
		if report, err := db.Audit(tenant).Verify(t.Context()); err != nil || len(report.Tampering)+len(report.Unfinished) != 0 || n != 10 {
			t.Errorf("%s has %d rows, %s, %v", tenant, n, findings(report), err)
		}
	}
}
