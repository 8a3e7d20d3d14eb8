package main

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"golang.org/x/sync/errgroup"

	"kota/cmd/bench/internal/report"
	"kota/store"
	"kota/store/postgres"
	auditlog "kota/store/tables/audit"
	memorystore "kota/store/tables/memory"
)

// measureStore compares writes per second at the store, with their audit rows, with pgbench of one
// INSERT, in turns.
func (s *scale) measureStore(ctx context.Context) ([]report.Row, error) {
	const clients = 64
	server, err := postgres.Open(ctx, s.url, postgres.Options{Version: "bench"})
	if err != nil {
		return nil, err
	}
	defer server.Close()
	writers := make([]func(context.Context, *rand.Rand) error, clients)
	for i := range writers {
		if writers[i], err = storeWriter(ctx, server, fmt.Sprintf("writer %d", i)); err != nil {
			return nil, err
		}
	}
	script, err := s.insertScript(ctx)
	if err != nil {
		return nil, err
	}
	var stored, inserted []float64
	for range storeRounds {
		perSecond, err := s.pgbench(ctx, script, clients)
		if err != nil {
			return nil, err
		}
		inserted = append(inserted, perSecond)
		if perSecond, err = writesPerSecond(ctx, writers); err != nil {
			return nil, err
		}
		stored = append(stored, perSecond)
	}
	ratios := make([]float64, storeRounds)
	for i := range ratios {
		ratios[i] = stored[i] / inserted[i]
	}
	faster := report.Median(ratios)
	return []report.Row{report.AtLeast(fmt.Sprintf("writes a second at the store on PostgreSQL, %d people", clients), "≥ 0.6 × pgbench of one INSERT", faster, .6,
		"%.2f × (%.0f/s against %.0f/s; medians of %d rounds)", faster, report.Median(stored), report.Median(inserted), storeRounds)}, nil
}

// storeWriter returns a function that stores a new memory of a person, as a call does.
func storeWriter(ctx context.Context, server *postgres.Server, name string) (func(context.Context, *rand.Rand) error, error) {
	db, err := server.Tenant(ctx, name)
	if err != nil {
		return nil, err
	}
	current := atomic.Pointer[auditlog.Trail]{} // a writer has one write at a time
	auditlog.New(db, func(context.Context) *auditlog.Trail { return current.Load() })
	memories := memorystore.New(db, name)
	value, err := json.Marshal(scaleValue)
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context, r *rand.Rand) error {
		trail := auditlog.NewTrail(store.AuditEntry{Owner: owner, Tool: "memory_set", Effect: "write", Channel: "mcp", Args: []byte(`{}`)})
		current.Store(trail)
		_, err := memories.Set(ctx, store.Entry{Key: newKey(), Value: value})
		if err == nil {
			trail.End(store.OK)
		}
		return err
	}, nil
}

// writesPerSecond lets each writer write for storeDuration.
func writesPerSecond(ctx context.Context, writers []func(context.Context, *rand.Rand) error) (float64, error) {
	done := atomic.Int64{}
	start := time.Now()
	running, ctx := errgroup.WithContext(ctx)
	for i, write := range writers {
		running.Go(func() error {
			r := rand.New(rand.NewPCG(uint64(start.UnixNano()), uint64(i)))
			for time.Since(start) < storeDuration {
				if err := write(ctx, r); err != nil {
					return err
				}
				done.Add(1)
			}
			return nil
		})
	}
	err := running.Wait()
	return float64(done.Load()) / time.Since(start).Seconds(), err
}

// insertScript creates a table and returns the path of a script for pgbench that inserts one row.
func (s *scale) insertScript(ctx context.Context) (string, error) {
	db, err := pgx.Connect(ctx, s.url)
	if err != nil {
		return "", err
	}
	defer db.Close(ctx)
	if _, err := db.Exec(ctx, "CREATE TABLE pgbench_rows (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, key text NOT NULL, value text NOT NULL)"); err != nil {
		return "", err
	}
	script := filepath.Join(s.bench.scratch, "insert.sql")
	text := fmt.Sprintf("\\set k random(1, 1000000000)\nINSERT INTO pgbench_rows (key, value) VALUES ('measured ' || :k, '%s');\n", scaleValue)
	return script, os.WriteFile(script, []byte(text), 0o600)
}

var transactionsPerSecond = regexp.MustCompile(`tps = ([0-9.]+)`)

func (s *scale) pgbench(ctx context.Context, script string, clients int) (float64, error) {
	out, err := exec.CommandContext(ctx, s.server.Program("pgbench"), "-n", "-M", "prepared", "-c", strconv.Itoa(clients), "-j", "2", "-T", strconv.Itoa(int(storeDuration.Seconds())), "-f", script, s.url).CombinedOutput()
	if err != nil {
		return 0, fmt.Errorf("pgbench: %w: %s", err, out)
	}
	found := transactionsPerSecond.FindSubmatch(out)
	if found == nil {
		return 0, fmt.Errorf("pgbench printed no tps: %s", out)
	}
	return strconv.ParseFloat(string(found[1]), 64)
}
