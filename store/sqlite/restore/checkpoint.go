package restore

import (
	"context"
	"database/sql"
	"errors"
	"os"

	"kota/store"
	"kota/store/sqlite"
	"kota/store/sqlite/audit"
)

// writeCheckpoint writes the checkpoint of the restored audit log. If that log contradicts the
// previous checkpoint, as after restoring another database, it keeps the previous checkpoint file
// beside the replaced file. It returns the path of the kept file, or "".
func writeCheckpoint(ctx context.Context, path, aside string) (string, error) {
	pool, err := sql.Open("sqlite", sqlite.FileURI(path, "mode=ro", "immutable=1"))
	if err != nil {
		return "", err
	}
	defer pool.Close()
	kept := ""
	noted, err := sqlite.ReadCheckpoint(path)
	if err == nil {
		borne := false
		borne, err = audit.Contains(ctx, pool, noted)
		if borne || noted.Seq == 0 {
			aside = ""
		}
	}
	if err != nil && !errors.Is(err, store.ErrCorrupt) {
		return "", err
	}
	if aside != "" {
		kept = sqlite.CheckpointFile(aside)
		if err := os.Rename(sqlite.CheckpointFile(path), kept); err != nil {
			return "", err
		}
	}
	head, err := audit.LastRow(ctx, pool)
	if err == nil && head.Seq > 0 {
		err = sqlite.WriteCheckpoint(path, head)
	}
	return kept, err
}
