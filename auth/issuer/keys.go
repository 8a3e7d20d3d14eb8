package issuer

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/go-jose/go-jose/v4"
	"golang.org/x/sync/singleflight"
	"golang.org/x/time/rate"
)

const (
	fresh     = 15 * time.Minute // after this time the keys are fetched again, while the old ones stay valid
	usable    = time.Hour        // after this time the keys are no longer valid, so that a withdrawn key stops working
	askTime   = 10 * time.Second
	askEvery  = 15 * time.Second // in addition to askAtOnce requests at once
	askAtOnce = 4
)

// ErrWait says that the issuer was asked for its keys too often and is not asked now. Anybody
// can cause this by sending tokens with invented key names.
var ErrWait = errors.New("it was asked just now")

// A keySet is the set of keys that an issuer publishes for its signatures.
type keySet struct {
	issuer string
	client *http.Client
	log    *slog.Logger
	flight singleflight.Group
	limit  *rate.Limiter

	refreshing atomic.Bool

	mu     sync.Mutex
	keys   []jose.JSONWebKey
	asked  time.Time // when the keys were fetched; zero before
	failed error     // the error of the last attempt, if it failed
}

func newKeySet(o Options) *keySet {
	s := &keySet{
		issuer: o.Issuer, client: newClient(o.Transport), log: o.Log,
		limit: rate.NewLimiter(rate.Every(askEvery), askAtOnce),
	}
	if s.log == nil {
		s.log = slog.New(slog.DiscardHandler)
	}
	return s
}

// find returns the keys for a token with that kid, or all keys if kid is empty. For an unknown
// kid it asks the issuer again.
func (s *keySet) find(ctx context.Context, kid string) ([]jose.JSONWebKey, error) {
	all, err := s.current(ctx)
	if err != nil {
		return nil, err
	}
	if found := named(all, kid); len(found) > 0 {
		return found, nil
	}
	err = s.ask(ctx)
	if err != nil && !errors.Is(err, ErrWait) {
		return nil, &UnreachableError{s.issuer, err}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if found := named(s.keys, kid); len(found) > 0 {
		return found, nil
	}
	if s.failed != nil {
		return nil, &UnreachableError{s.issuer, s.failed}
	}
	if err != nil { // anybody can cause too many requests: a token with a new key is not invalid for that reason
		return nil, &UnreachableError{s.issuer, err}
	}
	return nil, invalid("the issuer has no key of the name that the token gives (kid)")
}

func named(keys []jose.JSONWebKey, kid string) []jose.JSONWebKey {
	if kid == "" {
		return keys
	}
	return slices.DeleteFunc(slices.Clone(keys), func(k jose.JSONWebKey) bool { return k.KeyID != kid })
}

// current returns the keys that are valid now. If they are due, it asks the issuer. The caller
// waits for the answer only if no keys are valid.
func (s *keySet) current(ctx context.Context) ([]jose.JSONWebKey, error) {
	s.mu.Lock()
	keys, age, had := s.keys, time.Since(s.asked), !s.asked.IsZero()
	s.mu.Unlock()
	switch {
	case had && age <= fresh:
		return keys, nil
	case had && age <= usable:
		s.refresh()
		return keys, nil
	}
	err := s.ask(ctx)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.failed != nil {
		err = s.failed
	}
	if err != nil && (s.asked.IsZero() || time.Since(s.asked) > usable) {
		return nil, &UnreachableError{s.issuer, err}
	}
	return s.keys, nil
}

// refresh asks for the keys in the background while the old ones stay valid. It logs a failure.
func (s *keySet) refresh() {
	if !s.refreshing.CompareAndSwap(false, true) {
		return
	}
	go func() {
		defer s.refreshing.Store(false)
		s.ask(context.Background())
	}()
}

// ask asks the issuer for its keys, once for all callers that wait. One caller's deadline does
// not end the wait of others.
func (s *keySet) ask(ctx context.Context) error {
	done := s.flight.DoChan("", func() (any, error) {
		if !s.limit.Allow() {
			return nil, ErrWait
		}
		within, cancel := context.WithTimeout(context.Background(), askTime)
		defer cancel()
		keys, err := fetchKeys(within, s.client, s.issuer)
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.failed = err; err != nil {
			s.log.Warn("the keys of the issuer cannot be had", "issuer", s.issuer, "error", err)
			return nil, err
		}
		s.keys, s.asked = keys, time.Now()
		return nil, nil
	})
	select {
	case got := <-done:
		return got.Err
	case <-ctx.Done():
		return ctx.Err()
	}
}
