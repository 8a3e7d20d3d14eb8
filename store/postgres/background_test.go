package postgres

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"testing"
	"testing/synctest"
	"time"

	"kota/store"
	"kota/store/tables/memory"
)

// A write of the background reads much. Others would wait for it in a group, so it waits for them, at
// most for backgroundWait.
func TestTheBackgroundLetsOthersGoFirst(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := &lane{writer: &writer{}, wake: make(chan struct{}, 1)}
		enqueue := func(names string, background bool) {
			ctx := context.Background()
			if background {
				ctx = context.WithValue(ctx, backgroundKey{}, true)
			}
			for _, name := range names {
				l.enqueue(&queuedWrite{ctx: ctx, background: isBackground(ctx), alone: name == 'X', queued: time.Now(), tries: int(name), done: make(chan struct{})})
			}
		}
		taken := func() string {
			names := []rune{}
			for _, q := range l.take() {
				names = append(names, rune(q.tries))
			}
			return string(names)
		}
		enqueue("yz", true)
		enqueue("abXc", false)
		got := []string{taken()}
		time.Sleep(backgroundWait / 2)
		enqueue("d", false)
		got = append(got, taken())
		time.Sleep(backgroundWait)
		got = append(got, taken(), taken(), taken())
		if want := []string{"ab", "X", "yz", "cd", ""}; !slices.Equal(got, want) {
			t.Errorf("the groups are %q, want %q", got, want)
		}
	})
}

// A plan that was made while a table was empty must not read all rows of all people later.
func TestStatementsUseIndexesInGrowingTables(t *testing.T) {
	d := newDatabase(t)
	s := mustOpen(t, d.asSuperuser())
	const people, each = 10, 40
	for n := range people * each {
		name := fmt.Sprint("person", n%people)
		memories := memory.New(mustTenant(t, s, name), name)
		if _, err := memories.Set(t.Context(), store.Entry{Key: fmt.Sprint("key ", n), Value: json.RawMessage(`"a few words"`)}); err != nil {
			t.Fatal(err)
		}
		if n%each == 0 {
			if err := memories.Index(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := s.Close(); err != nil { // the server counts what a connection has read when it ends
		t.Fatal(err)
	}
	time.Sleep(100 * time.Millisecond)
	read := d.value(t, "SELECT sum(seq_tup_read)::bigint FROM pg_stat_user_tables WHERE schemaname = 'kota' AND relname IN ('memories', 'docs', 'terms', 'blocks', 'audit')")
	if rows, err := strconv.Atoi(read); err != nil || rows > 1000 {
		t.Errorf("%s rows were read without an index (%v)", read, err)
	}
}
