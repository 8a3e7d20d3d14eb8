//go:build unix

package sqlite_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"

	"kota/store"
	"kota/store/sqlite"
	"kota/store/tables/memory"
)

// The superuser can write every file, so the test runs its child as nobody.
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
		db := openAt(t, path, sqlite.Options{})
		set(t, memory.New(db, "ann"), store.Entry{Key: "k", Value: jsonText("v")})
		if err := db.Close(); err != nil {
			t.Fatal(err)
		}
		reader := copySelf(t, home)
		for file, mode := range map[string]os.FileMode{path: c.file, dir: c.dir, home: 0o755} {
			if err := os.Chmod(file, mode); err != nil {
				t.Fatal(err)
			}
		}
		if out, err := runAsNobody(reader, path, "reader"); err != nil {
			t.Errorf("read-only %s: %v\n%s", name, err, out)
		}
	}
}

// A reader of a read-only file leaves a read-only shared memory file beside it.
func TestAFileThatWasReadOnlyIsWrittenAgain(t *testing.T) {
	home, err := os.MkdirTemp("", "kota-readonly-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(home) })
	path := filepath.Join(home, "kota.db")
	db := openAt(t, path, sqlite.Options{})
	set(t, memory.New(db, "ann"), store.Entry{Key: "k", Value: jsonText("v")})
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	self := copySelf(t, home)
	if os.Getuid() == 0 {
		for _, file := range []string{home, path} {
			if err := os.Chown(file, nobody, nobody); err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, step := range []struct {
		mode os.FileMode
		role string
	}{{0o400, "reader"}, {0o600, "writer"}} {
		if err := os.Chmod(path, step.mode); err != nil {
			t.Fatal(err)
		}
		if out, err := runAsNobody(self, path, step.role); err != nil {
			t.Fatalf("%s: %v\n%s", step.role, err, out)
		}
	}
}

const nobody = 65534

// copySelf copies this program to a place where the user nobody can run it.
func copySelf(t *testing.T, dir string) string {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	program := filepath.Join(dir, "self.test")
	if err := os.WriteFile(program, read(t, self), 0o755); err != nil {
		t.Fatal(err)
	}
	return program
}

// runAsNobody runs a child on the file at path. It runs as the user nobody if the test runs as the
// superuser.
func runAsNobody(program, path, role string) ([]byte, error) {
	command := exec.Command(program)
	command.Env = []string{childCommand + "=" + path + " " + role + " 1"}
	command.Dir = filepath.Dir(program)
	if os.Getuid() == 0 {
		command.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
	}
	return command.CombinedOutput()
}
