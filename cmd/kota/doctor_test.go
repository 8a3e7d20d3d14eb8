package main

import (
	"database/sql"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// doctor runs the program's doctor on that home and returns what it prints on
// stdout and the exit status.
func doctor(t *testing.T, home string, args ...string) (string, int) {
	t.Helper()
	var out, stderr strings.Builder
	env := func(name string) string {
		if name == "KOTA_HOME" {
			return home
		}
		return ""
	}
	err := run(t.Context(), append([]string{"doctor"}, args...), env, strings.NewReader(""), &out, &stderr)
	return out.String(), explain(err, &stderr)
}

func TestTheDoctorTellsAMistakeInBundlesYAMLOnStdoutWithStatus2(t *testing.T) {
	for name, text := range map[string]string{"a wrong value": "expose: some", "no YAML": "\texpose: all"} {
		home := t.TempDir()
		if err := os.WriteFile(filepath.Join(home, "bundles.yaml"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		for _, args := range [][]string{nil, {"--json"}, {"--reindex"}} {
			if out, status := doctor(t, home, args...); status != 2 || !strings.Contains(out, "bundles.yaml:1") {
				t.Errorf("%s, %q: status %d, stdout %s", name, args, status, out)
			}
		}
	}
}

func TestTheDoctorMissesATable(t *testing.T) {
	home := filepath.Join(t.TempDir(), "home")
	if out, err := kotaIn(home, "call", "memory_set", "key=k", "value=v"); err != nil {
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
	if out, status := doctor(t, home); status != 1 || !strings.Contains(out, "no table memories") || !strings.Contains(out, "kota restore") {
		t.Errorf("status %d, stdout %s", status, out)
	}
}

func TestTheDoctorSaysHowLittleSpaceIsLeft(t *testing.T) {
	if f := spaceFinding(9_900_000); f.OK || f.Remedy == "" || f.Saw != "9.9 MB are free" {
		t.Errorf("an almost full disk: %+v", f)
	}
	if f := spaceFinding(10_000_000); !f.OK || f.Remedy != "" {
		t.Errorf("enough: %+v", f)
	}
}
