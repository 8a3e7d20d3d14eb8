package enginetest

import (
	"context"
	"strings"
	"sync"
	"time"

	"kota/store"
	"kota/store/engine"
	"kota/store/postgres"
)

// sharedServer is the Server of the tests of this process that need no connections of their own.
// Connecting takes longer than most tests.
var sharedServer struct {
	sync.Once
	server *postgres.Server
	err    error
}

// share is Connect for the only user of a place. It uses the sharedServer if the place is on it.
func (p Place) share(now func() time.Time) (Database, error) {
	url, people, _ := strings.Cut(string(p), separator)
	if !strings.Contains(url, "/"+sharedName+"?") || inBubble() {
		return p.Connect("local", now)
	}
	sharedServer.Do(func() {
		sharedServer.server, sharedServer.err = postgres.Open(context.Background(), url, postgres.Options{})
	})
	if sharedServer.err != nil {
		return nil, sharedServer.err
	}
	db, err := sharedServer.server.Tenant(context.Background(), people)
	if err != nil {
		return nil, err
	}
	if now == nil {
		return db, nil
	}
	return clocked{db, now}, nil
}

// inBubble reports whether the caller is in a bubble of testing/synctest, whose clock begins in the
// year 2000. Goroutines of a bubble cannot wait for those of a server outside of it.
func inBubble() bool { return time.Now().Year() == 2000 }

// A clocked is a DB with the clock of a test.
type clocked struct {
	*postgres.DB
	now func() time.Time
}

func (c clocked) Now() time.Time { return c.now() }

func (c clocked) Write(ctx context.Context, run func(engine.Tx) error) error {
	return c.DB.Write(ctx, func(t engine.Tx) error { return run(clockedTx{t, c.now}) })
}

func (c clocked) WriteUnaudited(ctx context.Context, run func(engine.Tx) error) error {
	return c.DB.WriteUnaudited(ctx, func(t engine.Tx) error { return run(clockedTx{t, c.now}) })
}

func (c clocked) Erase(ctx context.Context, remove func(engine.Tx) ([]string, error)) (store.EraseResult, error) {
	return c.DB.Erase(ctx, func(t engine.Tx) ([]string, error) { return remove(clockedTx{t, c.now}) })
}

type clockedTx struct {
	engine.Tx
	now func() time.Time
}

func (t clockedTx) Now() time.Time { return t.now() }
