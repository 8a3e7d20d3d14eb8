package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"time"

	"kota/bundles"
	"kota/bundles/memory"
	"kota/entrypoint"
	"kota/entrypoint/pipeline"
	"kota/store"
	"kota/store/sqlite"
	"kota/store/storetest"
	memorystore "kota/store/tables/memory"
)

// corpus is a database of generated memories with a router over it.
type corpus struct {
	db        *sqlite.DB
	router    *entrypoint.Router
	buildTime time.Duration // how long filling and indexing took; 0 if the database existed
}

// owner is the owner name in all of KOTA's databases.
const owner = "local"

// corpus opens the database of n memories, and makes it first if it does not
// exist. An unfinished database has another name, so that it is never used.
func (b *bench) corpus(ctx context.Context, n int) (*corpus, error) {
	path := filepath.Join(b.corpora, fmt.Sprintf("memories-%d.db", n))
	_, err := os.Stat(path)
	missing := errors.Is(err, os.ErrNotExist)
	built := time.Duration(0)
	if missing {
		start := time.Now()
		if err := makeCorpus(ctx, path, n); err != nil {
			return nil, fmt.Errorf("make %d memories: %w", n, err)
		}
		built = time.Since(start)
		fmt.Fprintf(b.log, "bench: made %d memories in %v\n", n, built.Round(time.Millisecond))
	}
	c, err := openCorpus(ctx, path)
	if err != nil {
		return nil, err
	}
	c.buildTime = built
	return c, nil
}

func makeCorpus(ctx context.Context, path string, n int) error {
	unfinished := path + ".new"
	for _, file := range []string{unfinished, unfinished + "-wal", unfinished + "-shm"} {
		if err := os.RemoveAll(file); err != nil {
			return err
		}
	}
	db, err := sqlite.Open(ctx, unfinished, sqlite.Options{})
	if err != nil {
		return err
	}
	memories := memorystore.New(db, owner)
	err = storetest.Fill(ctx, memories, n)
	if err == nil {
		err = memories.Index(ctx)
	}
	if err := errors.Join(err, db.Close()); err != nil {
		return err
	}
	return os.Rename(unfinished, path)
}

func openCorpus(ctx context.Context, path string) (*corpus, error) {
	db, err := sqlite.Open(ctx, path, sqlite.Options{})
	if err != nil {
		return nil, err
	}
	bundle := memory.New(memory.Deps{Memories: memoryOpener(db), Now: time.Now})
	bundle.Enabled = true
	router, err := pipeline.New(pipeline.Options{Bundles: []bundles.Bundle{bundle}, Auditor: newAuditor(db)})
	if err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return &corpus{db: db, router: router}, nil
}

// randomKeys returns up to n random keys of the corpus, the same in each run.
func (c *corpus) randomKeys(ctx context.Context, n int) ([]string, error) {
	var keys []string
	for page := (store.Page{Limit: 1000}); ; {
		listed, next, err := memorystore.New(c.db, owner).List(ctx, store.Filter{}, page)
		if err != nil {
			return nil, err
		}
		for _, m := range listed {
			keys = append(keys, m.Key)
		}
		if next == "" {
			break
		}
		page.Cursor = next
	}
	rand.New(rand.NewPCG(5, 6)).Shuffle(len(keys), func(i, j int) { keys[i], keys[j] = keys[j], keys[i] })
	return keys[:min(n, len(keys))], nil
}

// timeCall returns how long a call of a tool takes. check, if not nil, checks the
// answer.
func (c *corpus) timeCall(ctx context.Context, tool string, args object, check func(answer []byte) error) (time.Duration, error) {
	raw, err := json.Marshal(args)
	if err != nil {
		return 0, err
	}
	start := time.Now()
	out, err := c.router.Call(ctx, tool, raw)
	took := time.Since(start)
	if err != nil || check == nil {
		return took, err
	}
	answer, err := json.Marshal(out)
	if err != nil {
		return took, err
	}
	return took, check(answer)
}
