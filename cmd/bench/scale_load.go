package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"kota/store"
)

// scaleValue is what the measured calls store.
var scaleValue = strings.Repeat("a word or two ", 14)

// inParallel runs n calls by several clients. i counts the calls.
func inParallel(ctx context.Context, clients, n int, call func(ctx context.Context, r *rand.Rand, i int) error) error {
	next := atomic.Int64{}
	running, ctx := errgroup.WithContext(ctx)
	for client := range clients {
		r := rand.New(rand.NewPCG(9, uint64(client)))
		running.Go(func() error {
			for {
				i := int(next.Add(1)) - 1
				if i >= n {
					return nil
				}
				if err := call(ctx, r, i); err != nil {
					return err
				}
			}
		})
	}
	return running.Wait()
}

// line returns a call of the mixed load. recalls selects whether a part of the reads are questions.
func (s *scale) line(r *rand.Rand, recalls bool) []byte {
	switch kind := r.IntN(10); {
	case kind < 2:
		return call("memory_set", object{"key": newKey(), "value": scaleValue})
	case kind < 4 && recalls:
		return s.recallLine(r)
	}
	return s.getLine(r)
}

// bareLine returns a call of the same load for the bare server, without questions.
func (s *scale) bareLine(r *rand.Rand) []byte {
	person := s.people[r.IntN(len(s.people))].number
	if r.IntN(10) < 2 {
		return call("store", object{"person": person, "key": newKey(), "value": scaleValue})
	}
	key := s.keys[r.IntN(len(s.keys))]
	return call("get", object{"person": person, "norm": store.NormalizeKey(key), "key": key})
}

func (s *scale) getLine(r *rand.Rand) []byte {
	return call("memory_get", object{"query": s.keys[r.IntN(len(s.keys))]})
}

func (s *scale) richGetLine(r *rand.Rand) []byte {
	return call("memory_get", object{"query": s.richKeys[r.IntN(len(s.richKeys))]})
}

func (s *scale) recallLine(r *rand.Rand) []byte {
	return call("memory_get", object{"query": s.questions[r.IntN(len(s.questions))]})
}

// newKey returns a key that no memory has. It does not come from the random numbers of a client, which
// are the same in each round: the calls of later rounds would then change nothing.
func newKey() string { return fmt.Sprintf("measured %x", rand.Uint64()) }

// anySession returns a session of any person at any replica.
func (s *scale) anySession(r *rand.Rand) *session {
	p := s.people[r.IntN(len(s.people))]
	return p.sessions[r.IntN(len(p.sessions))]
}

func (s *scale) askBare(ctx context.Context, i int, line []byte) error {
	_, err := s.bare[i%len(s.bare)].ask(ctx, line)
	return err
}
