package restore

import (
	"context"
	"database/sql"
	"errors"
	"os"

	"kota/store"
	"kota/store/sqlite"
	"kota/store/tables/audit"
)

// writeCheckpoint writes the checkpoint of the restored audit log. It keeps the previous
// checkpoint file beside backup if that file is damaged, or if the log does not contain the
// row that it names. writeCheckpoint returns the path of the kept file, or "" if it kept
// none.
func writeCheckpoint(ctx context.Context, path, backup string) (string, error) {
	pool, err := sql.Open("sqlite", sqlite.FileURI(path, "mode=ro", "immutable=1"))
	if err != nil {
		return "", err
	}
	defer pool.Close()
	keptFile := ""
	previous, err := sqlite.ReadCheckpoint(path)
	if err == nil {
		contained := false
		contained, err = audit.Contains(ctx, pool, previous)
		if contained || previous.Seq == 0 {
			backup = ""
		}
	}
	if err != nil && !errors.Is(err, store.ErrCorrupt) {
		return "", err
	}
	if backup != "" {
		keptFile = sqlite.CheckpointFile(backup)
		if err := os.Rename(sqlite.CheckpointFile(path), keptFile); err != nil {
			return "", err
		}
	}
	last, err := audit.LastRow(ctx, pool)
	if err == nil && last.Seq > 0 {
		err = sqlite.WriteCheckpoint(path, last)
	}
	return keptFile, err
}
