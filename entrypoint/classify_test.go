package entrypoint

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kota/metadata"
)

// A serverError is an error as a package for a database server returns it.
type serverError struct {
	message   string
	retryable bool
	unknown   bool
}

func (e serverError) Error() string { return "4711 " + e.message }
func (e serverError) Unavailable() (message, hint string, retryable bool) {
	return e.message, "Ask the server.", e.retryable
}
func (e serverError) OutcomeUnknown() bool { return e.unknown }

// The failures are real: from SQLite with real files, the file system and a context.
func TestClassifyMapsErrorsToCodes(t *testing.T) {
	dir := t.TempDir()
	full := openSQLite(t, filepath.Join(dir, "full.db"), "PRAGMA max_page_count = 3", "CREATE TABLE t (v TEXT)")
	readOnly := openSQLite(t, "file:"+filepath.Join(dir, "full.db")+"?mode=ro")
	garbage := filepath.Join(dir, "garbage.db")
	if err := os.WriteFile(garbage, []byte(strings.Repeat("this is no database ", 100)), 0o600); err != nil {
		t.Fatal(err)
	}
	damaged := openSQLite(t, garbage)
	expired, cancel := context.WithTimeout(t.Context(), 0)
	defer cancel()
	<-expired.Done()
	cancelled, stop := context.WithCancel(t.Context())
	stop()
	for name, c := range map[string]struct {
		err       error
		code      metadata.Code
		says      string
		retryable bool
	}{
		"a full disk":         {exec(full, "INSERT INTO t VALUES (zeroblob(100000))"), metadata.Unavailable, "full", true},
		"a read-only file":    {exec(readOnly, "INSERT INTO t VALUES (1)"), metadata.Unavailable, "read-only", false},
		"a damaged file":      {exec(damaged, "SELECT * FROM sqlite_schema"), metadata.Unavailable, "damaged", false},
		"a missing folder":    {open(filepath.Join(dir, "no", "file")), metadata.Unavailable, "no such file", false},
		"a deadline":          {context.Cause(expired), metadata.Unavailable, "too long", true},
		"a cancelled call":    {context.Cause(cancelled), metadata.Unavailable, "cancelled", true},
		"one of our own":      {metadata.Errorf(metadata.Conflict, "changed"), metadata.Conflict, "changed", false},
		"one of no one's":     {errors.New("password 4711"), metadata.Internal, "an internal error", false},
		"a server that stops": {serverError{message: "the server stops", retryable: true}, metadata.Unavailable, "the server stops", true},
		"no rights":           {serverError{message: "no rights"}, metadata.Unavailable, "no rights", false},
		"a lost commit":       {serverError{message: "it is unknown", unknown: true}, metadata.OutcomeUnknown, "unknown", false},
		"wrong SQL there":     {serverError{}, metadata.Internal, "an internal error", false},
		"wrong SQL of ours":   {exec(full, "SELEC"), metadata.Internal, "database", false},
	} {
		t.Run(name, func(t *testing.T) {
			if c.err == nil {
				t.Fatal("it did not fail")
			}
			got := Classify(fmt.Errorf("do it: %w", c.err))
			if got.Code != c.code || !strings.Contains(got.Message, c.says) || got.Retryable != c.retryable {
				t.Errorf("%v is classified as %+v, want %s, %q, retryable %v", c.err, got, c.code, c.says, c.retryable)
			}
			if errors.As(c.err, new(serverError)) && got.Code == metadata.Unavailable && got.Hint != "Ask the server." {
				t.Errorf("the hint is %q", got.Hint)
			}
			if got.Code == metadata.Internal && strings.Contains(got.Message+got.Hint, "4711") {
				t.Errorf("the answer quotes an unknown error: %+v", got)
			}
		})
	}
}

func openSQLite(t *testing.T, name string, statements ...string) *sql.DB {
	t.Helper()
	db, err := sql.Open("sqlite", name)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	db.SetMaxOpenConns(1)
	for _, statement := range statements {
		if _, err := db.Exec(statement); err != nil {
			t.Fatal(err)
		}
	}
	return db
}

func exec(db *sql.DB, statement string) error {
	_, err := db.Exec(statement)
	return err
}

func open(name string) error {
	_, err := os.Open(name)
	return err
}
