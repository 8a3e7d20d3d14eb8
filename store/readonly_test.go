//go:build unix

package store_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"

	"kota/store"
)

// runReader is a process that may read the file at path but not write it.
func runReader(path, _, _ string) error {
	ctx := context.Background()
	db, err := store.Open(ctx, path, store.Options{})
	if err != nil {
		return err
	}
	defer db.Close()
	m := db.Memories("ann")
	if _, err := m.Get(ctx, "k"); err != nil {
		return err
	}
	if _, err := m.Set(ctx, store.Entry{Key: "k", Value: text("changed")}); !errors.Is(err, store.ErrReadOnly) {
		return fmt.Errorf("set: got %v, want ErrReadOnly", err)
	}
	for name, run := range map[string]func() (int, error){
		"delete": func() (int, error) {
			would, err := m.Delete(ctx, store.Target{Key: "k"}, true)
			return len(would.Keys), err
		},
		"erase": func() (int, error) {
			would, err := m.Erase(ctx, store.Target{Key: "k"}, true)
			return len(would.Keys), err
		},
	} {
		if n, err := run(); err != nil || n != 1 {
			return fmt.Errorf("dry run of %s: %d memories, %w", name, n, err)
		}
	}
	if _, err := m.Get(ctx, "k"); err != nil {
		return fmt.Errorf("get after a failed set: %w", err)
	}
	return nil
}

// The superuser may write everything, so that a test that it runs becomes
// nobody first.
func TestAReadOnlyFileIsReadAndItsWritesFail(t *testing.T) {
	for name, c := range map[string]struct{ dir, file os.FileMode }{
		"file":            {0o777, 0o444},
		"folder":          {0o555, 0o666},
		"file and folder": {0o555, 0o444},
	} {
		home, err := os.MkdirTemp("", "kota-readonly-")
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			os.Chmod(filepath.Join(home, "db"), 0o700)
			os.RemoveAll(home)
		})
		dir := filepath.Join(home, "db")
		path := filepath.Join(dir, "kota.db")
		db := openAt(t, path, store.Options{})
		set(t, db.Memories("ann"), store.Entry{Key: "k", Value: text("v")})
		if err := db.Close(); err != nil {
			t.Fatal(err)
		}
		reader := filepath.Join(home, "reader.test")
		self, err := os.Executable()
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(reader, read(t, self), 0o755); err != nil {
			t.Fatal(err)
		}
		for file, mode := range map[string]os.FileMode{path: c.file, dir: c.dir, home: 0o755} {
			if err := os.Chmod(file, mode); err != nil {
				t.Fatal(err)
			}
		}
		command := exec.Command(reader)
		command.Env = []string{childCommand + "=" + path + " reader 0"}
		command.Dir = home
		if os.Getuid() == 0 {
			command.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
		}
		if out, err := command.CombinedOutput(); err != nil {
			t.Errorf("read-only %s: %v\n%s", name, err, out)
		}
	}
}
