//go:build unix

package main

import (
	"os"
	"os/exec"
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

// Root may read every file, so there the program runs as nobody.
func TestAFileOfOthersIsNoConfig(t *testing.T) {
	scratch, err := os.MkdirTemp("", "kota-unreadable-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(scratch) })
	file := filepath.Join(scratch, "bundles.yaml")
	if err := os.WriteFile(file, []byte("{}"), 0); err != nil {
		t.Fatal(err)
	}
	binary := filepath.Join(scratch, "kota")
	copyProgram(t, binary)
	if err := os.Chmod(scratch, 0o755); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(binary, "--config", file, "bundles")
	cmd.Dir = scratch
	cmd.Env = append(os.Environ(), "KOTA_HOME="+filepath.Join(scratch, "home"), "KOTA_CONFIG=")
	if os.Getuid() == 0 {
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
	}
	out, err := cmd.CombinedOutput()
	if cmd.ProcessState == nil || cmd.ProcessState.ExitCode() != 2 {
		t.Errorf("got %v, want exit status 2", err)
	}
	if !strings.Contains(string(out), "bundles.yaml:1: the file cannot be read: permission denied; allowed: ") {
		t.Errorf("got %q", out)
	}
}

// The same question for a folder that is a file.
func TestAFolderThatIsAFileIsNoConfig(t *testing.T) {
	home := configFileWith(t, []byte("{}"))
	env := environment(t, map[string]string{"KOTA_HOME": home})
	_, err := loadConfig(env, configFlags{}, testKnown)
	if err == nil || !strings.Contains(err.Error(), "the file cannot be read: not a directory") {
		t.Errorf("got %v", err)
	}
}
