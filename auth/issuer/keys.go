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
	refreshAfter  = 15 * time.Minute // after this time KOTA fetches the keys again, while the old keys stay valid
	validFor      = time.Hour        // after this time the keys are no longer valid, so that a withdrawn key stops working
	fetchTimeout  = 10 * time.Second // the time limit of one fetch
	fetchInterval = 15 * time.Second // mean time between fetches after fetchBurst fetches
	fetchBurst    = 4                // fetches that may follow one another at once
)

// ErrTooManyFetches says that KOTA has asked the issuer for its keys too often and does not ask
// now. Anybody can cause this by sending tokens with invented key ids.
var ErrTooManyFetches = errors.New("KOTA asked it a moment ago and waits before it asks again")

// A keySet is the set of keys that an issuer publishes for its signatures.
type keySet struct {
	issuer string
	client *http.Client
	log    *slog.Logger
	flight singleflight.Group
	limit  *rate.Limiter

	refreshing atomic.Bool

	mu        sync.Mutex
	keys      []jose.JSONWebKey
	fetched   time.Time // when the keys were fetched; zero before the first time
	lastError error     // the error of the last fetch; nil if that succeeded, and before the first fetch
}

func newKeySet(o Options) *keySet {
	s := &keySet{
		issuer: o.Issuer, client: newClient(o.Transport), log: o.Log,
		limit: rate.NewLimiter(rate.Every(fetchInterval), fetchBurst),
	}
	if s.log == nil {
		s.log = slog.New(slog.DiscardHandler)
	}
	return s
}

// find returns the keys with the key id kid, or all keys if kid is "". For an unknown kid it
// asks the issuer again, unless it has asked too often.
func (s *keySet) find(ctx context.Context, kid string) ([]jose.JSONWebKey, error) {
	keys, err := s.current(ctx)
	if err != nil {
		return nil, err
	}
	if found := withKeyID(keys, kid); len(found) > 0 {
		return found, nil
	}
	err = s.fetch(ctx)
	if err != nil && !errors.Is(err, ErrTooManyFetches) {
		return nil, &UnreachableError{s.issuer, err}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if found := withKeyID(s.keys, kid); len(found) > 0 {
		return found, nil
	}
	if s.lastError != nil {
		return nil, &UnreachableError{s.issuer, s.lastError}
	}
	if err != nil { // anybody can cause too many fetches, so a token with a new key may be valid
		return nil, &UnreachableError{s.issuer, err}
	}
	return nil, invalidError("the issuer has no key with the token's key id (kid)")
}

func withKeyID(keys []jose.JSONWebKey, kid string) []jose.JSONWebKey {
	if kid == "" {
		return keys
	}
	return slices.DeleteFunc(slices.Clone(keys), func(k jose.JSONWebKey) bool { return k.KeyID != kid })
}

// current returns the keys that are valid now. If they are older than refreshAfter, it asks the
// issuer. The caller waits for the answer only if no keys are valid.
func (s *keySet) current(ctx context.Context) ([]jose.JSONWebKey, error) {
	s.mu.Lock()
	keys, age, fetched := s.keys, time.Since(s.fetched), !s.fetched.IsZero()
	s.mu.Unlock()
	switch {
	case fetched && age <= refreshAfter:
		return keys, nil
	case fetched && age <= validFor:
		s.refresh()
		return keys, nil
	}
	err := s.fetch(ctx)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.lastError != nil {
		err = s.lastError
	}
	if err != nil && (s.fetched.IsZero() || time.Since(s.fetched) > validFor) {
		return nil, &UnreachableError{s.issuer, err}
	}
	return s.keys, nil
}

// refresh fetches the keys in the background while the old keys stay valid.
func (s *keySet) refresh() {
	if !s.refreshing.CompareAndSwap(false, true) {
		return
	}
	go func() {
		defer s.refreshing.Store(false)
		s.fetch(context.Background())
	}()
}

// fetch asks the issuer for its keys, once for all callers that wait. One caller's deadline does
// not end the wait of other callers. fetch logs a failure, but not ErrTooManyFetches.
func (s *keySet) fetch(ctx context.Context) error {
	done := s.flight.DoChan("", func() (any, error) {
		if !s.limit.Allow() {
			return nil, ErrTooManyFetches
		}
		fetchCtx, cancel := context.WithTimeout(context.Background(), fetchTimeout)
		defer cancel()
		keys, err := fetchKeys(fetchCtx, s.client, s.issuer)
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.lastError = err; err != nil {
			s.log.Warn("the keys of the issuer are not available", "issuer", s.issuer, "error", err)
			return nil, err
		}
		s.keys, s.fetched = keys, time.Now()
		return nil, nil
	})
	select {
	case result := <-done:
		return result.Err
	case <-ctx.Done():
		return ctx.Err()
	}
}
