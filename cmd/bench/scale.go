package main

import (
	"context"
	"fmt"
	"kota/cmd/bench/internal/report"
	"math/rand/v2"
	"time"
)

const (
	scaleRounds   = 12
	scaleCalls    = 1600 // calls of a round
	latencyCalls  = 6000 // calls of a measurement of latency
	memoriesEach  = 1000 // memories of each person
	lookups       = 300  // calls of one client, to measure their duration
	newcomers     = 100  // people whose first call is measured
	storeRounds   = 8
	storeDuration = 2 * time.Second // duration of a round at the store
)

// measureScale measures two replicas of KOTA that serve many people from one PostgreSQL server,
// which commits to disk. Everything runs on this machine. With -large there are 1,000 people, and
// one of them has 100,000 memories. Otherwise there are 100, and one has 10,000.
func measureScale(ctx context.Context, b *bench) ([]report.Row, error) {
	people, most := 100, 10_000
	if b.large {
		people, most = 1000, 100_000
	}
	ctx, stop := context.WithCancel(ctx) // ends the replicas
	defer stop()
	s, err := b.startScale(ctx, people, most)
	if err != nil || s.absence != "" {
		return []report.Row{report.Skipped("two replicas on PostgreSQL", "PostgreSQL", s.absence)}, err
	}
	defer s.stop()
	rows := []report.Row{}
	for _, measure := range []func(context.Context) ([]report.Row, error){s.measureLatency, s.measureMemory, s.measureThroughput, s.measureGrowth, s.measureFirstCalls, s.measureStore} {
		more, err := measure(ctx)
		if err != nil {
			return rows, err
		}
		rows = append(rows, more...)
	}
	return rows, nil
}

// measureLatency measures the time of calls of several clients at once: of ten calls, six get a
// memory by its key, two recall one by a question and two store one.
func (s *scale) measureLatency(ctx context.Context) ([]report.Row, error) {
	var rows []report.Row
	for _, q := range []struct {
		clients int
		target  time.Duration
	}{{16, 25 * time.Millisecond}, {64, 80 * time.Millisecond}} {
		took := make([]time.Duration, latencyCalls)
		err := inParallel(ctx, q.clients, latencyCalls, func(ctx context.Context, r *rand.Rand, i int) error {
			start := time.Now()
			_, err := s.anySession(r).ask(ctx, s.line(r, true))
			took[i] = time.Since(start)
			return err
		})
		if err != nil {
			return nil, err
		}
		p95 := report.Quantile(took, .95)
		rows = append(rows, report.AtMost(fmt.Sprintf("%s people, 2 replicas, 80 %% reads, %d clients, p95", report.GroupDigits(len(s.people)), q.clients), fmt.Sprintf("≤ %.0f ms", report.Ms(q.target)), p95, q.target,
			"%.1f ms (p50 %.1f ms; %d calls)", report.Ms(p95), report.Ms(report.Median(took)), latencyCalls))
	}
	return rows, nil
}

// measureMemory measures the memory of a replica in which each person has a session.
func (s *scale) measureMemory(context.Context) ([]report.Row, error) {
	bytes, err := residentBytes(s.replicas[0].Process.Pid)
	if err != nil {
		return nil, err
	}
	n := len(s.people)
	return []report.Row{report.AtMost(fmt.Sprintf("memory of a replica with %s sessions", report.GroupDigits(n)), "≤ 300 MB", bytes>>20, 300, "%d MB", bytes>>20)}, nil
}

// measureThroughput compares calls per second with the bare server, in turns.
func (s *scale) measureThroughput(ctx context.Context) ([]report.Row, error) {
	const clients = 64
	turn := func(name string, call func(context.Context, *rand.Rand, int) error) report.Contender {
		return report.Contender{Name: name, Measure: func() (time.Duration, error) {
			start := time.Now()
			err := inParallel(ctx, clients, scaleCalls, call)
			return time.Since(start) / scaleCalls, err
		}}
	}
	took, err := report.InTurns(scaleRounds, []report.Contender{
		turn("bare mix", func(ctx context.Context, r *rand.Rand, i int) error { return s.askBare(ctx, i, s.bareLine(r)) }),
		turn("KOTA mix", func(ctx context.Context, r *rand.Rand, _ int) error {
			_, err := s.anySession(r).ask(ctx, s.line(r, false))
			return err
		}),
		turn("bare insert", func(ctx context.Context, r *rand.Rand, i int) error {
			return s.askBare(ctx, i, call("insert", object{"key": newKey(), "value": scaleValue}))
		}),
		turn("KOTA memory_set", func(ctx context.Context, r *rand.Rand, _ int) error {
			_, err := s.anySession(r).ask(ctx, call("memory_set", object{"key": newKey(), "value": scaleValue}))
			return err
		}),
	})
	if err != nil {
		return nil, err
	}
	compare := func(figure, target string, bare, kota []time.Duration) report.Row {
		faster := report.MedianRatio(bare, kota)
		return report.AtLeast(figure, target, faster, .6, "%.2f × (%.0f/s against %.0f/s; medians of %d rounds)", faster, 1/report.Median(kota).Seconds(), 1/report.Median(bare).Seconds(), scaleRounds)
	}
	return []report.Row{
		compare("2 replicas on PostgreSQL, calls a second of 64 clients, 80 % memory_get by key, 20 % memory_set", "≥ 0.6 × a bare server with the same statements", took[0], took[1]),
		compare("memory_set over HTTP on PostgreSQL, calls a second of 64 clients", "≥ 0.6 × a bare server that inserts one row", took[2], took[3]),
	}, nil
}

// measureGrowth compares a person with many memories with the others, and a server of many people
// with one of ten.
func (s *scale) measureGrowth(ctx context.Context) ([]report.Row, error) {
	of := func(name string, sessions []*session, line func(*rand.Rand) []byte) report.Contender {
		r := rand.New(rand.NewPCG(3, 4))
		return report.Contender{Name: name, Measure: func() (time.Duration, error) {
			line, session := line(r), sessions[r.IntN(len(sessions))]
			start := time.Now()
			_, err := session.ask(ctx, line)
			return time.Since(start), err
		}}
	}
	small, large, few := s.people[0].sessions, s.rich.sessions, s.few
	everyone := make([]*session, 0, len(s.people))
	for _, p := range s.people {
		everyone = append(everyone, p.sessions[0])
	}
	took, err := report.InTurns(lookups, []report.Contender{
		of("get", small, s.getLine), of("get of many memories", large, s.richGetLine), of("recall", small, s.recallLine), of("recall of many memories", large, s.recallLine),
		of("get of few people", few, s.getLine), of("get of many people", everyone, s.getLine), of("recall of few people", few, s.recallLine), of("recall of many people", everyone, s.recallLine),
	})
	if err != nil {
		return nil, err
	}
	var rows []report.Row
	for i, q := range []struct {
		figure, target string
		most           float64
	}{
		{fmt.Sprintf("memory_get by key on PostgreSQL, %s → %s memories, p50", report.GroupDigits(memoriesEach), report.GroupDigits(s.most)), "≤ 1.5 ×", 1.5},
		{fmt.Sprintf("recall on PostgreSQL, %s → %s memories, p50", report.GroupDigits(memoriesEach), report.GroupDigits(s.most)), "≤ 4 ×", 4},
		{fmt.Sprintf("memory_get by key on PostgreSQL, %d → %s people, p50", fewPeople, report.GroupDigits(len(s.people))), "≤ 1.5 ×", 1.5},
		{fmt.Sprintf("recall on PostgreSQL, %d → %s people, p50", fewPeople, report.GroupDigits(len(s.people))), "≤ 4 ×", 4},
	} {
		before, after := report.Median(took[2*i]), report.Median(took[2*i+1])
		rows = append(rows, report.AtMost(q.figure, q.target, report.Ratio(after, before), q.most, "%.2f × (%.1f ms, %.1f ms; over HTTP, one client)", report.Ratio(after, before), report.Ms(before), report.Ms(after)))
	}
	return rows, nil
}

// measureFirstCalls compares the first session of a person at a replica that has just started with
// the next one. A session is begun and answers one call.
func (s *scale) measureFirstCalls(ctx context.Context) ([]report.Row, error) {
	url, err := s.startReplica(ctx)
	if err != nil {
		return nil, err
	}
	r := rand.New(rand.NewPCG(5, 6))
	visit := func(p *person) (time.Duration, error) {
		line := s.getLine(r)
		start := time.Now()
		session, err := newSession(ctx, s.client, url, p.token)
		if err != nil {
			return 0, err
		}
		_, err = session.ask(ctx, line)
		return time.Since(start), err
	}
	if _, err := visit(s.people[len(s.people)-1]); err != nil { // the replica asks the issuer for its keys
		return nil, err
	}
	var cold, warm []time.Duration
	for _, p := range s.people[:min(newcomers, len(s.people)-1)] {
		first, err := visit(p)
		if err != nil {
			return nil, err
		}
		second, err := visit(p)
		if err != nil {
			return nil, err
		}
		cold, warm = append(cold, first), append(warm, second)
	}
	slower := report.MedianRatio(cold, warm)
	return []report.Row{report.AtMost("first session and call of a person at a replica", "≤ 3 × the second", slower, 3, "%.2f × (%.1f ms, %.1f ms; medians of %d people)", slower, report.Ms(report.Median(cold)), report.Ms(report.Median(warm)), len(cold))}, nil
}
