package postgres

import (
	"context"
	"strings"
	"testing"
	"time"

	"kota/store"
	"kota/store/engine"
	"kota/store/tables/audit"
)

// A person returns while the last handle is being closed. The change through the new one has its
// intent in the log, and its outcome gets there without another write.
func TestAReturningPersonIsAudited(t *testing.T) {
	t.Parallel()
	d := newDatabase(t)
	s := mustOpen(t, d.role(t, "CREATEROLE", true))
	first := mustTenant(t, s, "ann")
	audit.New(first, trailOf)
	second := mustTenant(t, s, "ann")
	log := audit.New(second, trailOf)
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	trail := audit.NewTrail(store.AuditEntry{Owner: "local", Tool: "memory_set", Channel: "mcp", Args: []byte("{}")})
	ctx := context.WithValue(t.Context(), trailKey{}, trail)
	if err := second.Write(ctx, func(tx engine.Tx) error { return second.put("a", 1).run(tx) }); err != nil {
		t.Fatal(err)
	}
	phases := func() string {
		all := []string{}
		for row, err := range log.Rows(t.Context(), store.AuditFilter{}) {
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, string(row.Phase))
		}
		return strings.Join(all, " ")
	}
	if got := phases(); got != "intent" {
		t.Errorf("after the change the log has %q", got)
	}
	trail.End("OK")
	for deadline := time.Now().Add(10 * time.Second); !strings.Contains(phases(), "outcome"); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("after the outcome the log has %q", phases())
		}
	}
}

// Writes through two handles of a person share no group, so that the hooks of each see its changes.
func TestEachHandleOfAPersonHasItsHooks(t *testing.T) {
	t.Parallel()
	h := newHousehold(t, 1)
	h.oneLane(t)
	audited, bare := h.people[0], mustTenant(t, h.Server, "person 000")
	if audited == bare || audited.tenant != bare.tenant {
		t.Fatal("the person has no second handle")
	}
	seen := watch(audited)
	write := func(db *DB, name string) namedWrite {
		return namedWrite{db: db, run: db.put(name, 1).run}.with(named(t, name), false)
	}
	for i, err := range h.writeGroup(t, write(bare, "a"), write(audited, "b"), write(bare, "c"), write(audited, "d")) {
		if err != nil {
			t.Errorf("write %d: %v", i, err)
		}
	}
	if got := h.stored(t, audited); got != "a=1 b=1 c=1 d=1 hook=4" {
		t.Errorf("stored %q", got)
	}
	if got := strings.Join(seen.before, ","); got != ",b d" { // the first write made the others wait
		t.Errorf("the hook saw %q", got)
	}
}
