//go:build unix

package main

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// Opening a pipe that nobody writes to would wait for ever.
func TestAPipeIsNoConfig(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "bundles.yaml")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := loadConfig(environment(t, nil), configFlags{File: pipe}, testKnown)
	if got := wantUsage(t, err); !strings.HasPrefix(got, "bundles.yaml:1: this is not a regular file; allowed: ") {
		t.Errorf("got %q", got)
	}
}

func TestAFileOfOthersIsNoConfig(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Skip("root may read every file")
	}
	file := configFileWith(t, []byte("{}"))
	if err := os.Chmod(file, 0); err != nil {
		t.Fatal(err)
	}
	_, err := loadConfig(environment(t, nil), configFlags{File: file}, testKnown)
	if got := wantUsage(t, err); !strings.HasPrefix(got, "bundles.yaml:1: the file cannot be read: permission denied; allowed: ") {
		t.Errorf("got %q", got)
	}
}

// The same question for a folder that is a file, which root cannot read either.
func TestAFolderThatIsAFileIsNoConfig(t *testing.T) {
	home := configFileWith(t, []byte("{}"))
	env := environment(t, map[string]string{"KOTA_HOME": home})
	_, err := loadConfig(env, configFlags{}, testKnown)
	if err == nil || !strings.Contains(err.Error(), "the file cannot be read: not a directory") {
		t.Errorf("got %v", err)
	}
}
