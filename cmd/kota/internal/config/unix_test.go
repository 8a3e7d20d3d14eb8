//go:build unix

package config

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// Opening a pipe without a writer would block.
func TestPipeIsRefusedAsConfig(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "bundles.yaml")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := Load(environment(t, nil), Flags{File: pipe}, testKnown)
	if got := wantMistake(t, err); !strings.HasSuffix(got, "bundles.yaml is not a regular file; name a YAML file") {
		t.Errorf("got %q", got)
	}
}

// A file in place of the folder is refused too.
func TestFileInPlaceOfHomeIsRefused(t *testing.T) {
	home := configFileWith(t, []byte("{}"))
	env := environment(t, map[string]string{"KOTA_HOME": home})
	_, err := Load(env, Flags{}, testKnown)
	if err == nil || !strings.Contains(err.Error(), "is a file; KOTA needs a folder there") {
		t.Errorf("got %v", err)
	}
}

// Anyone who can write the file could permit sends without a question.
func TestConfigWritableByOthersIsRefused(t *testing.T) {
	for name, c := range map[string]struct {
		path string // what the test changes below home
		mode os.FileMode
		says string // "" for no problem
	}{
		"the file, by all":     {"home/bundles.yaml", 0o666, "run: chmod go-w "},
		"the file, by a group": {"home/bundles.yaml", 0o664, "run: chmod go-w "},
		"the folder, by all":   {"home", 0o777, "run: chmod go-w "},
		"one elsewhere":        {"other/b.yaml", 0o646, "run: chmod go-w "},
		"its folder":           {"other", 0o770, "run: chmod go-w "},
		"its folder, as /tmp":  {"other", 0o777 | os.ModeSticky, ""},
		"read by all":          {"home/bundles.yaml", 0o644, ""},
		"a folder of all":      {"home", 0o755, ""},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			for _, file := range []string{"home/bundles.yaml", "other/b.yaml"} {
				if err := errors.Join(os.MkdirAll(filepath.Dir(filepath.Join(dir, file)), 0o700), os.WriteFile(filepath.Join(dir, file), []byte("{}"), 0o600)); err != nil {
					t.Fatal(err)
				}
			}
			if err := os.Chmod(filepath.Join(dir, c.path), c.mode); err != nil {
				t.Fatal(err)
			}
			flags := Flags{}
			if strings.HasPrefix(c.path, "other") {
				flags.File = filepath.Join(dir, "other/b.yaml")
			}
			_, err := Load(environment(t, map[string]string{"KOTA_HOME": filepath.Join(dir, "home")}), flags, testKnown)
			if output := fmt.Sprint(err); c.says == "" && err != nil || !strings.Contains(output, c.says) || c.says != "" && !strings.HasSuffix(output, c.path) {
				t.Errorf("got %v", err)
			}
		})
	}
}

func TestConfigOwnedByAnotherUserIsRefused(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("giving a file away takes root")
	}
	for _, name := range []string{"", "bundles.yaml"} {
		home := t.TempDir()
		if err := os.WriteFile(filepath.Join(home, "bundles.yaml"), []byte("{}"), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chown(filepath.Join(home, name), 65534, 65534); err != nil {
			t.Fatal(err)
		}
		_, err := Load(environment(t, map[string]string{"KOTA_HOME": home}), Flags{}, testKnown)
		if got := fmt.Sprint(err); !strings.Contains(got, "belongs to another user") || !strings.Contains(got, "chown") {
			t.Errorf("%q of another user: %s", name, got)
		}
	}
}
