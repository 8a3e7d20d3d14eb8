package sqlite_test

import (
	"database/sql"
	"errors"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"kota/store"
	"kota/store/engine"
	"kota/store/sqlite"
	"kota/store/tables/memory"
)

// lockFile locks the file for writing, like another process, until the test ends.
func lockFile(t *testing.T, path string) {
	t.Helper()
	pool, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { pool.Close() })
	conn, err := pool.Conn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := conn.ExecContext(t.Context(), "BEGIN IMMEDIATE"); err != nil {
		t.Fatal(err)
	}
}

// Close has counts to write, rows to index and a queued write. None of them gets the lock of the
// file.
func TestClosingDoesNotWaitForAnotherProcess(t *testing.T) {
	t.Parallel() // it waits most of the time
	path := filepath.Join(t.TempDir(), "kota.db")
	db := openAt(t, path, sqlite.Options{})
	m := memory.New(db, "ann")
	set(t, m, store.Entry{Key: "k", Value: jsonText("v")})
	lockFile(t, path)
	m.Touch(get(t, m, "k").ID)
	waiting := make(chan error, 1)
	go func() { waiting <- db.Write(t.Context(), insertName("waits")) }()
	for db.QueuedWrites() == 0 {
		runtime.Gosched()
	}
	start := time.Now()
	if err := db.Close(); err != nil {
		t.Error(err)
	}
	// Without the limit it would take 30 seconds; a program must end within 5.
	if took := time.Since(start); took > 4*time.Second {
		t.Errorf("it took %v", took)
	}
	if err := <-waiting; !errors.Is(err, store.ErrClosed) {
		t.Errorf("the queued write got %v", err)
	}
}

func TestCloseReturnsErrBusyForAWriteThatDoesNotEnd(t *testing.T) {
	t.Parallel() // it waits most of the time
	db := open(t)
	begun, end := make(chan bool), make(chan bool)
	outcome := make(chan error, 1)
	go func() {
		outcome <- db.Write(t.Context(), func(engine.Tx) error {
			close(begun)
			<-end
			return nil
		})
	}()
	<-begun
	if err := db.Close(); !errors.Is(err, store.ErrBusy) {
		t.Errorf("got %v", err)
	}
	close(end)
	<-outcome
}
