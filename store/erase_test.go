package store_test

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"kota/store"
)

// The text is in rows that were rewritten, moved by splitting pages, deleted,
// renamed and indexed before it is erased.
func TestErasedTextLeavesTheFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "kota.db")
	db := openAt(t, path, store.Options{})
	m := db.Memories("ann")
	secrets := []string{"xylophonequartz", "zirconiumvortex", "pumpernickelwaltz"}
	for i := range 400 {
		set(t, m, store.Entry{Key: fmt.Sprintf("filler %03d", i*7919%400), Value: text(strings.Repeat("words ", i%40))})
		if i == 200 {
			set(t, m, store.Entry{Key: "filler 200 " + secrets[0], Value: text(strings.Repeat(secrets[1]+" ", 30)), Tags: []string{secrets[2]}})
			set(t, m, store.Entry{Key: "filler 201 " + secrets[0], Value: text("short " + secrets[1])})
		}
	}
	key := "filler 200 " + secrets[0]
	if err := m.Index(t.Context()); err != nil {
		t.Fatal(err)
	}
	set(t, m, store.Entry{Key: key, Value: text("now " + secrets[1]), Mode: store.Append})
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
		if err != nil || len(dry.Keys) != 1 || dry.Gone {
			t.Fatalf("dry run: %+v, %v", dry, err)
		}
		erased, err := m.Erase(t.Context(), store.Target{Key: key}, false)
		if err != nil || !erased.Gone || len(erased.Keys) != 1 || len(erased.Copies) != 0 {
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
		t.Errorf("the rest of the act came back as %d of %d, %v", len(restored), len(deleted.Keys), err)
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

func TestEraseSaysWhenAReaderKeepsTheJournal(t *testing.T) {
	path := filepath.Join(t.TempDir(), "kota.db")
	db := openAt(t, path, store.Options{})
	m := db.Memories("ann")
	set(t, m, store.Entry{Key: "k", Value: text("xylophonequartz")})
	other, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	reading, err := other.BeginTx(context.Background(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer reading.Rollback()
	n := 0
	if err := reading.QueryRow("SELECT count(*) FROM memories").Scan(&n); err != nil {
		t.Fatal(err)
	}
	erased, err := m.Erase(t.Context(), store.Target{Key: "k"}, false)
	if err != nil || erased.Gone || !strings.Contains(erased.Reason, "another process is reading") {
		t.Errorf("got %+v, %v", erased, err)
	}
	missing(t, m, "k")
}

func TestEraseNamesTheCopiesOfMigrations(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a[b]*", "kota.db")
	old := openAt(t, path, store.Old(store.Options{}))
	set(t, old.Memories("ann"), store.Entry{Key: "k", Value: text("v")})
	if err := old.Close(); err != nil {
		t.Fatal(err)
	}
	erased, err := openAt(t, path, store.Options{}).Memories("ann").Erase(t.Context(), store.Target{Key: "k"}, false)
	if err != nil || len(erased.Copies) != 1 || !bytes.Contains(read(t, erased.Copies[0]), []byte(`"v"`)) {
		t.Errorf("got %+v, %v", erased, err)
	}
}
