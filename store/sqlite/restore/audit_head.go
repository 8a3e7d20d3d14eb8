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

// renewHead notes where the restored log ends. The note before, when that log
// does not bear it out, as one of another database does not, is kept beside what
// was replaced: renewHead returns its name then, else "".
func renewHead(ctx context.Context, path, aside string) (string, error) {
	pool, err := sql.Open("sqlite", sqlite.FileURI(path, "mode=ro", "immutable=1"))
	if err != nil {
		return "", err
	}
	defer pool.Close()
	kept := ""
	noted, err := sqlite.ReadHead(path)
	if err == nil {
		borne := false
		borne, err = audit.IsBorneOut(ctx, pool, noted)
		if borne || noted.Seq == 0 {
			aside = ""
		}
	}
	if err != nil && !errors.Is(err, store.ErrCorrupt) {
		return "", err
	}
	if aside != "" {
		kept = sqlite.HeadFile(aside)
		if err := os.Rename(sqlite.HeadFile(path), kept); err != nil {
			return "", err
		}
	}
	head, err := audit.HeadOf(ctx, pool)
	if err == nil && head.Seq > 0 {
		err = sqlite.WriteHead(path, head)
	}
	return kept, err
}
