package main

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"kota/cmd/bench/internal/report"
	"kota/store"
	"kota/store/storetest"
	"kota/store/tables/memory"
)

const (
	writeRounds       = 25
	writesOfOneCaller = 100 // writes in a round with one caller
	callerCount       = 32  // callers in a round with many
	writesPerCaller   = 30  // writes of each caller in a round with many
)

// writer is a way to write a value durably under an unused key.
type writer struct {
	name  string
	write func(ctx context.Context, key string) error
}

// measureSet compares the commits per second of a bare INSERT at
// synchronous=FULL, of the store and of memory_set, in turns on one disk. It
// also compares servers, see measureSetServers.
func measureSet(ctx context.Context, b *bench) ([]report.Row, error) {
	value, err := json.Marshal(strings.Repeat("a word or two ", 14))
	if err != nil {
		return nil, err
	}
	db, insert, err := openBareTable(ctx, filepath.Join(b.scratch, "bare.db"))
	if err != nil {
		return nil, fmt.Errorf("prepare the bare insert: %w", err)
	}
	defer db.Close()
	bare := writer{"bare INSERT", func(ctx context.Context, key string) error {
		_, err := insert.ExecContext(ctx, key, string(value))
		return err
	}}
	c, err := openCorpus(ctx, filepath.Join(b.scratch, "set.db"))
	if err != nil {
		return nil, err
	}
	defer c.db.Close()
	memories := memory.New(c.db, owner)
	stored := writer{"store", func(ctx context.Context, key string) error {
		_, err := memories.Set(ctx, store.Entry{Key: key, Value: value})
		return err
	}}
	tool := writer{"memory_set", func(ctx context.Context, key string) error {
		_, err := c.router.Call(ctx, "memory_set", fmt.Appendf(nil, `{"key":%q,"value":%s}`, key, value))
		return err
	}}
	next := unusedKeys(writeRounds + 1)
	contenders := []report.Contender{
		newWriteContender(ctx, bare, 1, next), newWriteContender(ctx, stored, 1, next), newWriteContender(ctx, tool, 1, next),
		newWriteContender(ctx, stored, callerCount, next), newWriteContender(ctx, tool, callerCount, next),
	}
	if _, err := report.InTurns(1, contenders); err != nil { // warm up
		return nil, err
	}
	took, err := report.InTurns(writeRounds, contenders)
	if err != nil {
		return nil, err
	}
	servers, err := measureSetServers(ctx, b)
	if err != nil {
		return nil, err
	}
	return append(servers, setRows(took)...), nil
}

// newWriteContender returns a contender for a round of writes by concurrent
// callers. It measures the time per write.
func newWriteContender(ctx context.Context, w writer, callers int, next func() string) report.Contender {
	each := writesOfOneCaller
	if callers > 1 {
		each = writesPerCaller
	}
	return report.Contender{Name: fmt.Sprintf("%s by %d", w.name, callers), Measure: func() (time.Duration, error) {
		start := time.Now()
		group, ctx := errgroup.WithContext(ctx)
		for range callers {
			group.Go(func() error {
				for range each {
					if err := w.write(ctx, next()); err != nil {
						return err
					}
				}
				return nil
			})
		}
		err := group.Wait()
		return time.Since(start) / time.Duration(each*callers), err
	}}
}

// unusedKeys returns a function that returns a new key each time. It makes the
// keys for all rounds of measureSet in advance, because a TextGenerator is not
// safe for concurrent use, and so that making keys is not measured.
func unusedKeys(rounds int) func() string {
	s := storetest.NewTextGenerator(11)
	keys := make([]string, rounds*(3*writesOfOneCaller+2*callerCount*writesPerCaller))
	for i := range keys {
		keys[i] = s.Key(i)
	}
	var used atomic.Int64
	return func() string { return keys[used.Add(1)-1] }
}

// openBareTable returns a new database and a statement that inserts a row of
// two columns. Each insert has its own transaction and sync.
func openBareTable(ctx context.Context, path string) (*sql.DB, *sql.Stmt, error) {
	db, err := sql.Open("sqlite", path+"?_journal_mode=WAL&_synchronous=FULL")
	if err != nil {
		return nil, nil, err
	}
	db.SetMaxOpenConns(1)
	if _, err := db.ExecContext(ctx, "CREATE TABLE bare (key TEXT PRIMARY KEY, value TEXT) STRICT"); err != nil {
		return nil, nil, errors.Join(err, db.Close())
	}
	insert, err := db.PrepareContext(ctx, "INSERT INTO bare VALUES (?, ?)")
	if err != nil {
		return nil, nil, errors.Join(err, db.Close())
	}
	return db, insert, nil
}

func setRows(took [][]time.Duration) []report.Row {
	bare := took[0]
	perSecond := func(each []time.Duration) float64 { return 1 / report.Median(each).Seconds() }
	faster := func(each []time.Duration) float64 { return report.MedianRatio(bare, each) }
	alone, storeAlone, together, storeTogether := faster(took[2]), faster(took[1]), faster(took[4]), faster(took[3])
	return []report.Row{
		report.Info("memory_set in the process, commits",
			"%.2f × a bare INSERT, FULL (%.0f/s against %.0f/s; the store alone %.2f ×; medians of %d rounds)", alone, perSecond(took[2]), perSecond(bare), storeAlone, writeRounds),
		report.Info(fmt.Sprintf("memory_set in the process, commits of %d callers at once", callerCount),
			"%.2f × a bare INSERT, FULL (%.0f/s against %.0f/s; the store alone %.2f ×)", together, perSecond(took[4]), perSecond(bare), storeTogether),
	}
}
