package memory

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"kota/store"
)

// The rules of Import for a key that exists.
const (
	Skip    = "skip"    // what is here stays
	Replace = "replace" // what comes wins; the old one is kept as a version
	Join    = "append"  // objects merge, arrays and texts grow
)

// ConflictRules lists the rules of Import.
var ConflictRules = []string{Skip, Replace, Join}

// An Imported says what Import did, or would do.
type Imported struct {
	Read      int `json:"read"`
	Created   int `json:"created"`
	Updated   int `json:"updated"`
	Unchanged int `json:"unchanged"`
	Skipped   int `json:"skipped"`
}

// importBatch is written in one transaction: large enough to be fast, small
// enough not to keep other writers waiting.
const importBatch = 200

// Import reads memories from r and keeps them. It reads KOTA's own JSON and
// JSONL, and the JSONL of @modelcontextprotocol/server-memory, whose entities
// become memories with their observations and relations. The whole of r is
// checked first: when anything is wrong with it, nothing is written, and the
// error lists what by line or number. With dryRun nothing is written either.
func Import(ctx context.Context, db *store.DB, r io.Reader, rule string, dryRun bool, now time.Time, step func(done, total int)) (Imported, error) {
	entries, err := readEntries(r, now)
	if err != nil {
		return Imported{}, err
	}
	memories := db.Memories(owner)
	done := Imported{Read: len(entries)}
	for from := 0; from < len(entries); from += importBatch {
		batch := entries[from:min(from+importBatch, len(entries))]
		if err := importPart(ctx, memories, batch, rule, dryRun, &done); err != nil {
			return done, fmt.Errorf("import: %w (%d memories of this file were kept before)", err, done.Created+done.Updated)
		}
		step(min(from+importBatch, len(entries)), len(entries))
	}
	return done, nil
}

func importPart(ctx context.Context, memories *store.Memories, batch []store.Entry, rule string, dryRun bool, done *Imported) error {
	keep := make([]store.Entry, 0, len(batch))
	for _, entry := range batch {
		old, err := memories.Get(ctx, entry.Key)
		exists := err == nil && old.Key == entry.Key
		if err != nil && !errors.Is(err, store.ErrNotFound) {
			return err
		}
		switch {
		case exists && rule == Skip:
			done.Skipped++
			continue
		case exists && rule == Join:
			entry.Mode = store.Append
		}
		if dryRun {
			done.count(exists)
			continue
		}
		keep = append(keep, entry)
	}
	written, err := memories.SetMany(ctx, keep)
	if err != nil {
		return err
	}
	for _, w := range written {
		if w.Change == store.Unchanged {
			done.Unchanged++
			continue
		}
		done.count(w.Change == store.Updated)
	}
	return nil
}

func (done *Imported) count(existed bool) {
	if existed {
		done.Updated++
		return
	}
	done.Created++
}
