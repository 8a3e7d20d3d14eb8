package restore

import (
	"context"
	"database/sql"
	"fmt"
	"time"

	"kota/store/sqlite"
)

// Counts are numbers of rows.
type Counts struct{ Memories, Entries, Tasks, Documents int }

// NewerData counts the rows that a database has and an older copy of it lacks.
type NewerData struct {
	Counts               // rows created or changed since the copy was made
	OnlyInCopy Counts    // erased since, or never in this database
	Last       time.Time // when the last row of Counts was created or changed; zero if there are none
}

// CompareCopy compares the database at path with the copy at copyPath, and changes neither. It
// returns ErrForeign, ErrNewer or ErrCorrupt if Open would not accept the database at path. It
// does not check whether Open would accept the copy.
func CompareCopy(ctx context.Context, copyPath, path string) (NewerData, error) {
	newer, err := compareCopy(ctx, copyPath, path)
	if err != nil {
		return NewerData{}, fmt.Errorf("compare %s with %s: %w", path, copyPath, sqlite.Classify(err))
	}
	return newer, nil
}

func compareCopy(ctx context.Context, copyPath, path string) (newer NewerData, err error) {
	pool, err := sql.Open("sqlite", sqlite.FileURI(path, "mode=ro", "_busy_timeout=1000"))
	if err != nil {
		return newer, err
	}
	defer pool.Close()
	pool.SetMaxOpenConns(1) // ATTACH applies to one connection
	conn, err := pool.Conn(ctx)
	if err != nil {
		return newer, err
	}
	defer conn.Close()
	if err := sqlite.CheckSchema(ctx, conn); err != nil {
		return newer, err
	}
	if _, err := conn.ExecContext(ctx, "ATTACH ? AS copy", sqlite.FileURI(copyPath, "mode=ro", "immutable=1")); err != nil {
		return newer, err
	}
	last := int64(0)
	back := &newer.OnlyInCopy
	for table, count := range map[string][2]*int{
		"memories": {&newer.Memories, &back.Memories}, "entries": {&newer.Entries, &back.Entries},
		"tasks": {&newer.Tasks, &back.Tasks}, "documents": {&newer.Documents, &back.Documents},
	} {
		changed, missing, at, err := newerRows(ctx, conn, table)
		if err != nil {
			return newer, err
		}
		*count[0], *count[1], last = changed, missing, max(last, at)
	}
	if last > 0 {
		newer.Last = time.UnixMilli(last)
	}
	return newer, nil
}

// newerRows counts the rows of a table whose current version the copy lacks (changed), and the
// rows that only the copy has (erased). last is when the last of the changed rows was updated.
func newerRows(ctx context.Context, conn *sql.Conn, table string) (changed, erased int, last int64, err error) {
	var inMain, inCopy bool // an older version of KOTA does not have all tables
	const has = "EXISTS (SELECT 1 FROM %s.sqlite_schema WHERE name = ?1)"
	if err := conn.QueryRowContext(ctx, "SELECT "+fmt.Sprintf(has, "main")+", "+fmt.Sprintf(has, "copy"), table).Scan(&inMain, &inCopy); err != nil || !inMain {
		return 0, 0, 0, err
	}
	if !inCopy {
		err := conn.QueryRowContext(ctx, "SELECT count(*), coalesce(max(updated), 0) FROM main."+table).Scan(&changed, &last)
		return changed, 0, last, err
	}
	err = conn.QueryRowContext(ctx, fmt.Sprintf(`
		SELECT count(*), coalesce(max(updated), 0) FROM main.%[1]s AS m
		WHERE NOT EXISTS (SELECT 1 FROM copy.%[1]s AS c WHERE c.id = m.id AND c.version = m.version AND c.updated = m.updated)`, table)).Scan(&changed, &last)
	if err != nil {
		return 0, 0, 0, err
	}
	err = conn.QueryRowContext(ctx, fmt.Sprintf(`
		SELECT count(*) FROM copy.%[1]s AS c WHERE NOT EXISTS (SELECT 1 FROM main.%[1]s AS m WHERE m.id = c.id)`, table)).Scan(&erased)
	return changed, erased, last, err
}
