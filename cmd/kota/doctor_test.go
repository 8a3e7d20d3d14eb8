package main

import (
	"bytes"
	"database/sql"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kota/bundles/memory"
	"kota/cmd/kota/internal/app"
	"kota/cmd/kota/internal/doctor"
	"kota/store"
	"kota/store/sqlite"
	memorystore "kota/store/tables/memory"
)

// runDoctor runs `kota doctor` on that home. It returns its stdout and its exit
// status.
func runDoctor(t *testing.T, home string, args ...string) (string, int) {
	t.Helper()
	var out, stderr strings.Builder
	env := func(name string) string {
		if name == "KOTA_HOME" {
			return home
		}
		return ""
	}
	err := run(t.Context(), append([]string{"doctor"}, args...), env, strings.NewReader(""), &out, &stderr)
	return out.String(), reportError(err, &stderr)
}

func TestDoctorReportsConfigMistakeWithStatus2(t *testing.T) {
	for name, text := range map[string]string{"a wrong value": "expose: some", "no YAML": "\texpose: all"} {
		home := t.TempDir()
		if err := os.WriteFile(filepath.Join(home, "bundles.yaml"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		for _, args := range [][]string{nil, {"--json"}, {"--reindex"}} {
			if out, status := runDoctor(t, home, args...); status != 2 || !strings.Contains(out, "bundles.yaml:1") {
				t.Errorf("%s, %q: status %d, stdout %s", name, args, status, out)
			}
		}
	}
}

func TestDoctorCountsUnindexedMemories(t *testing.T) {
	home := filepath.Join(t.TempDir(), "home")
	path := filepath.Join(home, "kota.db")
	if out, err := runKotaIn(t, home, "call", "memory_set", "key=k", "value=v"); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	raw, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := raw.Exec("UPDATE memories SET stale = 1"); err != nil {
		t.Fatal(err)
	}
	if err := raw.Close(); err != nil {
		t.Fatal(err)
	}
	db, err := sqlite.Open(t.Context(), path, sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	stats, err := memory.Stats(t.Context(), memorystore.New(db, app.Owner))
	if err != nil || stats.ToIndex != 1 {
		t.Errorf("%+v, %v", stats, err)
	}
	if f := doctor.ExamineIndex(t.Context(), db); !f.OK || !strings.Contains(f.Saw, "1 row to be added by the next search") {
		t.Errorf("before a search: %+v", f)
	}
	if _, err := memorystore.New(db, "local").Recall(t.Context(), store.RecallQuery{Text: "v", Limit: 10}); err != nil {
		t.Fatal(err)
	}
	if f := doctor.ExamineIndex(t.Context(), db); !f.OK || strings.Contains(f.Saw, "search") {
		t.Errorf("after a search: %+v", f)
	}
}

func TestDoctorReportsMissingTable(t *testing.T) {
	home := filepath.Join(t.TempDir(), "home")
	if out, err := runKotaIn(t, home, "call", "memory_set", "key=k", "value=v"); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	db, err := sql.Open("sqlite", filepath.Join(home, "kota.db"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.Exec("DROP TABLE memories"); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	if out, status := runDoctor(t, home); status != 1 || !strings.Contains(out, "no table memories") || !strings.Contains(out, "kota restore") {
		t.Errorf("status %d, stdout %s", status, out)
	}
}

// Whichever page of the file is destroyed, the doctor names the damage and its
// remedy, and no command blames something else.
func TestDoctorNamesDamagedPageAsOnlyCause(t *testing.T) {
	const page = 4096 // of SQLite
	home := filepath.Join(t.TempDir(), "home")
	if out, err := runKotaIn(t, home, "call", "memory_set", "key=k", "value=v"); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	whole, err := os.ReadFile(filepath.Join(home, "kota.db"))
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for n := 2; n <= 5; n++ {
		damaged := append(bytes.Clone(whole[:(n-1)*page]), bytes.Repeat([]byte{0xa5}, page)...)
		if err := os.WriteFile(filepath.Join(home, "kota.db"), append(damaged, whole[n*page:]...), 0o600); err != nil {
			t.Fatal(err)
		}
		out, err := runKotaIn(t, home, "doctor")
		if err != nil {
			found++
		}
		if err == nil || !strings.Contains(out, "kota restore") || strings.Contains(out, "chmod") || strings.Contains(out, "tokens folder") || strings.Contains(out, "was erased") {
			t.Errorf("page %d: %v\n%s", n, err, out)
		}
		if out, _ := runKotaIn(t, home, "call", "memory_list"); strings.Contains(out, "was erased") {
			t.Errorf("page %d: a call says %s", n, out)
		}
	}
	if found == 0 {
		t.Error("nothing was found to be damaged")
	}
}

func TestDoctorVerifiesAuditLog(t *testing.T) {
	home := filepath.Join(t.TempDir(), "home")
	if out, err := runKotaIn(t, home, "call", "memory_set", "key=k", "value=v"); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	head := filepath.Join(home, "kota.db.audit-head")
	noted, err := os.ReadFile(head)
	if err != nil {
		t.Fatal(err)
	}
	far, _, _ := strings.Cut(string(noted), ",")
	for name, c := range map[string]struct {
		text, want string
		status     int
	}{
		"as it is":   {string(noted), "ok    audit log      intact: 2 rows", 0},
		"garbage":    {"garbage", "FAIL  audit log      kota.db.audit-head cannot be read", 1},
		"further on": {strings.Replace(string(noted), far, `{"seq":9`, 1), "FAIL  audit log      rows 3 to 9 were removed from the end", 1},
		"of no rows": {"", "FAIL  audit log      kota.db.audit-head cannot be read", 1},
	} {
		if err := os.WriteFile(head, []byte(c.text), 0o600); err != nil {
			t.Fatal(err)
		}
		for _, args := range [][]string{nil, {"--profile", "read-only"}} {
			out, status := runDoctor(t, home, args...)
			if status != c.status || !strings.Contains(out, c.want) || (status != 0) != strings.Contains(out, "kota audit verify") {
				t.Errorf("%s %q: status %d, want %q in\n%s", name, args, status, c.want, out)
			}
		}
	}
}

// A file that KOTA cannot read may have an entry that its client does not
// start.
func TestDoctorFailsOnUnreadableClientFile(t *testing.T) {
	for name, c := range map[string]struct {
		make func(file string) error
		want string
	}{
		"not JSON":       {func(file string) error { return os.WriteFile(file, []byte("{"), 0o600) }, "it is not JSON"},
		"a folder":       {func(file string) error { return os.Mkdir(file, 0o700) }, "is not a file"},
		"a circle":       {func(file string) error { return os.Symlink(file, file) }, "is a link that points to itself"},
		"a link nowhere": {func(file string) error { return os.Symlink(file+".none", file) }, "is a link to a file that does not exist"},
	} {
		me := t.TempDir()
		file := filepath.Join(me, ".cursor", "mcp.json")
		if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o700), c.make(file)); err != nil {
			t.Fatal(err)
		}
		env := func(name string) string {
			return map[string]string{"HOME": me, "KOTA_HOME": filepath.Join(me, "home")}[name]
		}
		var out, stderr strings.Builder
		err := run(t.Context(), []string{"doctor"}, env, strings.NewReader(""), &out, &stderr)
		if status := reportError(err, &stderr); status != 1 || !strings.Contains(out.String(), "FAIL  client         the file of Cursor cannot be read") || !strings.Contains(out.String(), c.want) {
			t.Errorf("%s: status %d, want %q in\n%s", name, status, c.want, out.String())
		}
		install := runHere(t, []string{"HOME=" + me, "KOTA_HOME=" + filepath.Join(me, "home")}, "install", "cursor") // the test binary must not be installed
		if install.Status != 2 || !strings.Contains(string(install.Stderr), c.want) {
			t.Errorf("%s: install ends with %d and says %s, want status 2 and %q", name, install.Status, install.Stderr, c.want)
		}
	}
}
