package memory

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"kota/metadata"
	"kota/store"
)

// These are the rules of Import for a key that exists.
const (
	Skip    = "skip"    // keep the existing memory
	Replace = "replace" // write the new one; the old one is kept as a version
	Append  = "append"  // merge objects, and extend arrays and texts
)

// ConflictRules lists the rules of Import.
var ConflictRules = []string{Skip, Replace, Append}

// An ImportCounts counts what Import did or would do. It does not count
// memories that had already expired.
type ImportCounts struct {
	Read      int `json:"read"`
	Created   int `json:"created"`
	Updated   int `json:"updated"`
	Unchanged int `json:"unchanged"`
	Skipped   int `json:"skipped"`
}

// importBatch is the number of memories in one transaction. It is small, so that other
// writes do not wait long.
const importBatch = 200

// Import reads memories from r and stores them. It reads KOTA's own JSON and JSONL, and
// the JSONL of @modelcontextprotocol/server-memory, whose entities become memories with
// their observations and relations. It skips memories that have expired. It first
// checks the whole input. If anything in the input is wrong, it writes nothing and
// returns the first 20 problems with their places. If the store fails later, the
// batches before stay imported. If dryRun is true, Import writes nothing.
func Import(ctx context.Context, memories Memories, r io.Reader, rule string, dryRun bool, now time.Time, step func(done, total int)) (ImportCounts, error) {
	entries, err := readEntries(r, now)
	if err != nil {
		return ImportCounts{}, err
	}
	done := ImportCounts{Read: len(entries)}
	for from := 0; from < len(entries); from += importBatch {
		batch := entries[from:min(from+importBatch, len(entries))]
		if err := importPart(ctx, memories, batch, rule, dryRun, &done); err != nil {
			return done, fmt.Errorf("import: %w (%s of this file already imported)", err, metadata.CountOf(done.Created+done.Updated, "memory"))
		}
		step(min(from+importBatch, len(entries)), len(entries))
	}
	return done, nil
}

// modes are the store's modes for the rules of Import. The writing transaction applies
// them. So they also hold for memories that other programs write in the meantime, and for
// a key that occurs twice in the file.
var modes = map[string]store.Mode{Skip: store.Keep, Replace: store.Upsert, Append: store.Append}

func importPart(ctx context.Context, memories Memories, batch []store.Entry, rule string, dryRun bool, done *ImportCounts) error {
	if dryRun {
		return countPart(ctx, memories, batch, rule, done)
	}
	for i := range batch {
		batch[i].Mode = modes[rule]
	}
	written, err := memories.SetMany(ctx, batch)
	for _, w := range written {
		switch w.Change {
		case store.Kept:
			done.Skipped++
		case store.Unchanged:
			done.Unchanged++
		default:
			done.count(w.Change == store.Updated)
		}
	}
	return err
}

// countPart counts what importPart would do, by the memories that exist before the
// import. So it counts both memories of a key that occurs twice in the file as new,
// or both as existing. It counts no memory as unchanged.
func countPart(ctx context.Context, memories Memories, batch []store.Entry, rule string, done *ImportCounts) error {
	for _, entry := range batch {
		old, err := memories.Get(ctx, entry.Key)
		if err != nil && !errors.Is(err, store.ErrNotFound) {
			return err
		}
		exists := err == nil && old.Key == entry.Key
		if exists && rule == Skip {
			done.Skipped++
			continue
		}
		done.count(exists)
	}
	return nil
}

func (done *ImportCounts) count(existed bool) {
	if existed {
		done.Updated++
		return
	}
	done.Created++
}
