package sqlite_test

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"kota/store"
	"kota/store/sqlite"
	"kota/store/tables/memory"
)

// Before it is erased, the text is in rows that were updated, moved by page splits, deleted,
// renamed and indexed.
func TestErasedTextLeavesTheFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "kota.db")
	db := openAt(t, path, sqlite.Options{})
	m := memory.New(db, "ann")
	secrets := []string{"xylophonequartz", "zirconiumvortex", "pumpernickelwaltz"}
	for i := range 400 {
		set(t, m, store.Entry{Key: fmt.Sprintf("filler %03d", i*7919%400), Value: jsonText(strings.Repeat("words ", i%40))})
		if i == 200 {
			set(t, m, store.Entry{Key: "filler 200 " + secrets[0], Value: jsonText(strings.Repeat(secrets[1]+" ", 30)), Tags: []string{secrets[2]}})
			set(t, m, store.Entry{Key: "filler 201 " + secrets[0], Value: jsonText("short " + secrets[1])})
		}
	}
	key := "filler 200 " + secrets[0]
	if err := m.Index(t.Context()); err != nil {
		t.Fatal(err)
	}
	set(t, m, store.Entry{Key: key, Value: jsonText("now " + secrets[1]), Mode: store.Append})
	if _, err := m.Update(t.Context(), store.Edit{Key: key, RenameTo: key + "!"}); err != nil {
		t.Fatal(err)
	}
	if err := m.Index(t.Context()); err != nil {
		t.Fatal(err)
	}
	both := store.Target{Filter: store.Filter{Prefix: "filler 20"}}
	deleted, err := m.Delete(t.Context(), both, false)
	if err != nil {
		t.Fatal(err)
	}
	for _, secret := range secrets {
		if !onDisk(t, path, secret) {
			t.Fatalf("%s is not on the disk before it is erased", secret)
		}
	}
	for _, key := range []string{key + "!", "filler 201 " + secrets[0]} {
		dry, err := m.Erase(t.Context(), store.Target{Key: key}, true)
		if err != nil || len(dry.Keys) != 1 || dry.Complete {
			t.Fatalf("dry run: %+v, %v", dry, err)
		}
		erased, err := m.Erase(t.Context(), store.Target{Key: key}, false)
		if err != nil || !erased.Complete || len(erased.Keys) != 1 || len(erased.Copies) != 0 {
			t.Fatalf("erased %+v, %v", erased, err)
		}
	}
	for _, secret := range secrets {
		if onDisk(t, path, secret) {
			t.Errorf("%s is still on the disk", secret)
		}
	}
	if _, err := m.History(t.Context(), key+"!", 9); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("history: %v", err)
	}
	if restored, err := m.Restore(t.Context(), deleted.Undo); err != nil || len(restored) != len(deleted.Keys)-2 {
		t.Errorf("restored %d of %d other memories, %v", len(restored), len(deleted.Keys), err)
	}
	if problems, err := db.Check(t.Context()); err != nil || len(problems) != 0 {
		t.Errorf("check says %q, %v", problems, err)
	}
}

func onDisk(t *testing.T, path, text string) bool {
	t.Helper()
	files, err := filepath.Glob(path + "*")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if bytes.Contains(bytes.ToLower(read(t, file)), []byte(text)) {
			return true
		}
	}
	return false
}

// A reader is another program that has the file open and reads it until stop.
type reader struct {
	pool *sql.DB
	tx   *sql.Tx
}

func newReader(t *testing.T, path string) reader {
	t.Helper()
	pool, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { pool.Close() })
	tx, err := pool.BeginTx(context.Background(), nil)
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	if err := tx.QueryRow("SELECT count(*) FROM memories").Scan(&n); err != nil {
		t.Fatal(err)
	}
	return reader{pool, tx}
}

// stop ends the read transaction but keeps the file open, so that SQLite does not remove the
// journal.
func (r reader) stop(t *testing.T) {
	t.Helper()
	if err := r.tx.Rollback(); err != nil {
		t.Fatal(err)
	}
}

const secret = "xylophonequartz"

// eraseWhileRead erases a key while a reader keeps its text in the journal.
func eraseWhileRead(t *testing.T, path string) (*sqlite.DB, reader) {
	t.Helper()
	db := openAt(t, path, sqlite.Options{})
	db.StopIdleWork()
	m := memory.New(db, "ann")
	set(t, m, store.Entry{Key: "k", Value: jsonText(secret)})
	reading := newReader(t, path)
	erased, err := m.Erase(t.Context(), store.Target{Key: "k"}, false)
	if err != nil || erased.Complete || !strings.Contains(erased.Reason, "another process is reading") {
		t.Fatalf("got %+v, %v", erased, err)
	}
	checkMissing(t, m, "k")
	if !onDisk(t, path, secret) {
		t.Fatal("the text has already left the file")
	}
	return db, reading
}

func TestEraseHeldUpByAReaderIsCompletedByTheNextErase(t *testing.T) {
	t.Parallel() // it waits most of the time
	path := filepath.Join(t.TempDir(), "kota.db")
	db, reading := eraseWhileRead(t, path)
	m := memory.New(db, "ann")
	again, err := m.Erase(t.Context(), store.Target{Key: "k"}, false)
	if err != nil || again.Complete || again.Keys == nil || len(again.Keys) != 0 || again.Reason == "" {
		t.Errorf("while the reader is open: %+v, %v", again, err)
	}
	if dry, err := m.Erase(t.Context(), store.Target{Key: "k"}, true); err != nil || len(dry.Keys) != 0 {
		t.Errorf("dry run: %+v, %v", dry, err)
	}
	reading.stop(t)
	again, err = m.Erase(t.Context(), store.Target{Key: "k"}, false)
	if err != nil || !again.Complete || len(again.Keys) != 0 || again.Reason != "" || onDisk(t, path, secret) {
		t.Errorf("after the reader ended: %+v, %v", again, err)
	}
	if _, err := m.Erase(t.Context(), store.Target{Key: "k"}, false); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("when nothing is left to erase: %v", err)
	}
}

func TestEraseHeldUpByAReaderIsCompletedByOpen(t *testing.T) {
	t.Parallel() // it waits most of the time
	path := filepath.Join(t.TempDir(), "kota.db")
	db, reading := eraseWhileRead(t, path)
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	reading.stop(t)
	if !onDisk(t, path, secret) {
		t.Fatal("the text left the file before it was opened")
	}
	openAt(t, path, sqlite.Options{})
	if onDisk(t, path, secret) {
		t.Error("it is still on the disk")
	}
}

func TestEraseHeldUpByAReaderIsCompletedInTheBackground(t *testing.T) {
	t.Parallel() // it waits most of the time
	path := filepath.Join(t.TempDir(), "kota.db")
	db, reading := eraseWhileRead(t, path)
	if err := db.RunIdleWork(t.Context()); !errors.Is(err, store.ErrBusy) {
		t.Errorf("while the reader is open: %v", err)
	}
	reading.stop(t)
	if err := db.RunIdleWork(t.Context()); err != nil || onDisk(t, path, secret) {
		t.Errorf("it is still on the disk, %v", err)
	}
}

func TestEraseNamesOtherSpellingsWhileCleaningIsDue(t *testing.T) {
	t.Parallel() // it waits most of the time
	path := filepath.Join(t.TempDir(), "kota.db")
	db, _ := eraseWhileRead(t, path)
	set(t, memory.New(db, "ann"), store.Entry{Key: "userName", Value: jsonText("v")})
	if got, err := memory.New(db, "ann").Erase(t.Context(), store.Target{Key: "user_name"}, false); !slices.Equal(otherSpellings(err), []string{"userName"}) {
		t.Errorf("got %+v, %v", got, err)
	}
}

func TestEraseNamesTheBackupsBesideTheDatabase(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a[b]*")
	db := openAt(t, filepath.Join(dir, "kota.db"), sqlite.Options{})
	m := memory.New(db, "ann")
	set(t, m, store.Entry{Key: "k", Value: jsonText("v")})
	backup := filepath.Join(dir, "kota-2026-11-21T090000.db")
	for _, path := range []string{backup, filepath.Join(dir, "other.db")} {
		if err := db.Backup(t.Context(), path, nil); err != nil {
			t.Fatal(err)
		}
	}
	erased, err := m.Erase(t.Context(), store.Target{Key: "k"}, false)
	if err != nil || !erased.Complete || !slices.Equal(erased.Copies, []string{backup}) {
		t.Errorf("got %+v, %v", erased, err)
	}
}

func TestEraseNamesTheCopiesOfMigrations(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a[b]*", "kota.db")
	old := openAt(t, path, sqlite.FirstStepOnly(sqlite.Options{}))
	sqlite.AddFirstStepMemory(t, old, "k", `"v"`)
	if err := old.Close(); err != nil {
		t.Fatal(err)
	}
	erased, err := memory.New(openAt(t, path, sqlite.Options{}), "ann").Erase(t.Context(), store.Target{Key: "k"}, false)
	if err != nil || len(erased.Copies) != 1 || !bytes.Contains(read(t, erased.Copies[0]), []byte(`"v"`)) {
		t.Errorf("got %+v, %v", erased, err)
	}
}
