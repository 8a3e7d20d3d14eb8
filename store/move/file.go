package move

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"kota/store"
	"kota/store/sqlite"
)

// Owner is the owner of all rows of a file: each person has a file.
const Owner = "local"

// A file is the database file of one person. Its only connection reads or writes.
type file struct {
	path string
	pool *sql.DB
	tx   *sql.Tx // for writing; nil otherwise
}

// lockFile opens a file for reading, and keeps all other processes from using it. It returns ErrBusy
// if another process has it open: in WAL mode every connection holds a lock, also an idle one.
func lockFile(ctx context.Context, path string) (*file, error) {
	f, err := openFile(ctx, path, "mode=rw", "_busy_timeout=1000", "_pragma=locking_mode(EXCLUSIVE)")
	if err != nil {
		return nil, err
	}
	for _, statement := range []string{"BEGIN EXCLUSIVE; COMMIT", "PRAGMA query_only = 1"} { // in this mode, COMMIT keeps the lock
		if _, err := f.pool.ExecContext(ctx, statement); err != nil {
			f.close()
			return nil, sqlite.Classify(err)
		}
	}
	return f, f.check(ctx)
}

// peek opens a file for reading. Other processes may use it.
func peek(ctx context.Context, path string) (*file, error) {
	f, err := openFile(ctx, path, "mode=ro", "_busy_timeout=1000")
	if err != nil {
		return nil, err
	}
	return f, f.check(ctx)
}

func openFile(ctx context.Context, path string, options ...string) (*file, error) {
	if _, err := os.Stat(path); err != nil { // SQLite would not say which file
		return nil, err
	}
	pool, err := sql.Open("sqlite", sqlite.FileURI(path, options...))
	if err != nil {
		return nil, err
	}
	pool.SetMaxOpenConns(1)
	return &file{path: path, pool: pool}, nil
}

func (f *file) close() error { return f.pool.Close() }

// check closes the file and returns an error unless it is a file of KOTA with the current tables,
// and with rows of one person only.
func (f *file) check(ctx context.Context) error {
	err := f.checkSchema(ctx)
	for _, t := range tables {
		if err != nil {
			break
		}
		if slices.Contains(t.inFile(), "owner") || t.owned {
			err = f.checkOwner(ctx, t)
		}
	}
	if err != nil {
		f.close()
	}
	return sqlite.Classify(err)
}

func (f *file) checkSchema(ctx context.Context) error {
	conn, err := f.pool.Conn(ctx)
	if err != nil {
		return err
	}
	defer conn.Close()
	current, err := sqlite.IsCurrent(ctx, conn)
	if err == nil && !current {
		err = fmt.Errorf("%s has the tables of an older KOTA, and a move needs the current ones: run `kota doctor` once with this file, which changes them and keeps a copy", f.path)
	}
	return err
}

func (f *file) checkOwner(ctx context.Context, t table) error {
	others := int64(0)
	err := f.pool.QueryRowContext(ctx, `SELECT count(*) FROM "`+t.name+`" WHERE owner <> ?`, Owner).Scan(&others)
	if err == nil && others > 0 {
		err = fmt.Errorf("%w: %d rows of its table %s belong to another owner", store.ErrForeign, others, t.name)
	}
	return err
}

func (f *file) count(ctx context.Context, t table) (n int64, err error) {
	err = f.queryer().QueryRowContext(ctx, `SELECT count(*) FROM "`+t.name+`"`).Scan(&n)
	return n, sqlite.Classify(err)
}

// queryer returns the transaction, or the pool if there is none.
func (f *file) queryer() interface {
	QueryContext(context.Context, string, ...any) (*sql.Rows, error)
	QueryRowContext(context.Context, string, ...any) *sql.Row
} {
	if f.tx != nil {
		return f.tx
	}
	return f.pool
}

// each calls do with each row of a table. The row is valid until do returns.
func (f *file) each(ctx context.Context, t table, do func(row []any) error) error {
	rows, err := f.queryer().QueryContext(ctx, `SELECT `+list(t.inFile())+` FROM "`+t.name+`"`+t.order)
	if err != nil {
		return sqlite.Classify(err)
	}
	defer rows.Close()
	row, dest := make([]any, len(t.columns)), make([]any, len(t.columns))
	for i := range row {
		dest[i] = &row[i]
	}
	for rows.Next() {
		if err := rows.Scan(dest...); err != nil {
			return sqlite.Classify(err)
		}
		if err := do(row); err != nil {
			return err
		}
	}
	return sqlite.Classify(rows.Err())
}

// add adds rows to a table.
func (f *file) add(ctx context.Context, t table, rows [][]any) error {
	names, fixed := t.inFile(), []any{}
	if t.owned {
		names, fixed = append(names, "owner"), append(fixed, Owner)
	}
	if t.indexed {
		names, fixed = append(names, "stale"), append(fixed, 1)
	}
	insert, err := f.tx.PrepareContext(ctx, `INSERT INTO "`+t.name+`" (`+list(names)+`) VALUES (?`+strings.Repeat(", ?", len(names)-1)+`)`)
	if err != nil {
		return sqlite.Classify(err)
	}
	defer insert.Close()
	for _, row := range rows {
		if _, err := insert.ExecContext(ctx, append(slices.Clone(row), fixed...)...); err != nil {
			return sqlite.Classify(err)
		}
	}
	return nil
}

// numbers returns the last numbers of the rows.
func (f *file) numbers(ctx context.Context) (map[string]int64, error) {
	last := map[string]int64{}
	for _, c := range counters {
		for _, name := range c.of {
			query := `SELECT coalesce(max("` + c.column + `"), 0) FROM "` + name + `"`
			if c.sequence {
				query = `SELECT max((` + query + `), coalesce((SELECT seq FROM sqlite_sequence WHERE name = '` + name + `'), 0))`
			}
			n := int64(0)
			if err := f.pool.QueryRowContext(ctx, query).Scan(&n); err != nil {
				return nil, sqlite.Classify(err)
			}
			last[c.name] = max(last[c.name], n)
		}
	}
	return last, nil
}

// setNumbers stores the last numbers of the rows, where SQLite keeps them.
func (f *file) setNumbers(ctx context.Context, last map[string]int64) error {
	for _, c := range counters {
		if !c.sequence || last[c.name] == 0 {
			continue
		}
		_, err := f.tx.ExecContext(ctx, "DELETE FROM sqlite_sequence WHERE name = ?", c.of[0])
		if err == nil {
			_, err = f.tx.ExecContext(ctx, "INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)", c.of[0], last[c.name])
		}
		if err != nil {
			return sqlite.Classify(err)
		}
	}
	return nil
}

// isMissing reports whether a file does not exist.
func isMissing(path string) bool {
	_, err := os.Lstat(path)
	return errors.Is(err, os.ErrNotExist)
}
