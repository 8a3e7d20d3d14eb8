//go:build unix

package main

import (
	"io"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// newReadOnlyHome returns a home with the memory "theme" that the program may not write, and a
// command of the program. Root may write everything, so under root the command runs as the user
// nobody.
func newReadOnlyHome(t *testing.T) (home string, command func(args ...string) *exec.Cmd) {
	t.Helper()
	scratch, err := os.MkdirTemp("", "kota-readonly-") // the user nobody cannot access t.TempDir
	if err != nil {
		t.Fatal(err)
	}
	home = filepath.Join(scratch, "home")
	t.Cleanup(func() {
		_ = os.Chmod(home, 0o700)
		_ = os.RemoveAll(scratch)
	})
	p := serveIn(t, home)
	p.send(setLine("theme"))
	if result := p.end()["theme"].call(t); result.IsError {
		t.Fatal(result.text())
	}
	binary := filepath.Join(scratch, "kota")
	copyProgram(t, binary)
	for path, mode := range map[string]os.FileMode{scratch: 0o755, home: 0o555, filepath.Join(home, "kota.db"): 0o444} {
		if err := os.Chmod(path, mode); err != nil {
			t.Fatal(err)
		}
	}
	return home, func(args ...string) *exec.Cmd {
		cmd := exec.Command(binary, args...)
		cmd.Dir = scratch
		if os.Getuid() == 0 {
			cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
		}
		return cmd
	}
}

func TestReadOnlyHomeIsReadAndExplainsFailedWrites(t *testing.T) {
	home, command := newReadOnlyHome(t)
	p := start(t, command("serve"), home)
	p.send(toolCall("before", "memory_get", object{"query": "theme"}) +
		setLine("new") +
		toolCall("after", "memory_get", object{"query": "theme"}))
	answers := p.end()
	for _, id := range []string{"before", "after"} {
		if result := answers[id].call(t); result.IsError || !strings.Contains(result.text(), "the value of theme") {
			t.Errorf("read %s the write: %s", id, result.text())
		}
	}
	result := answers["new"].call(t)
	if !result.IsError || !strings.Contains(result.text(), `"UNAVAILABLE"`) || !strings.Contains(result.text(), "read-only") {
		t.Errorf("the write answers %s, want UNAVAILABLE and that the file is read-only", result.text())
	}
}

func TestConsoleOfReadOnlyHome(t *testing.T) {
	home, command := newReadOnlyHome(t)
	p := launch(t, command("console", "--no-browser"), home)
	if !p.stdout.Scan() {
		t.Fatalf("no link; stderr: %s", p.stderr.String())
	}
	v := visitConsole(t, p.stdout.Text())
	for _, path := range consolePages {
		if status, page := v.get(path); status != http.StatusOK {
			t.Errorf("%s: %d %s", path, status, page)
		}
	}
	if _, page := v.get("memory/theme"); !strings.Contains(page, "the value of theme") {
		t.Errorf("the memory: %s", page)
	}
	if status, page := v.post("remember", url.Values{"key": {"coffee"}, "value": {"black"}}); status != http.StatusServiceUnavailable || !strings.Contains(page, "read-only") {
		t.Errorf("a change: %d %s", status, page)
	}
}

func TestDoctorReportsReadOnlyHome(t *testing.T) {
	for name, c := range map[string]struct {
		folder, file os.FileMode
		fails        string
	}{
		"file":   {0o700, 0o400, "FAIL  database"},
		"folder": {0o500, 0o600, "FAIL  home"},
	} {
		scratch, err := os.MkdirTemp("", "kota-readonly-")
		if err != nil {
			t.Fatal(err)
		}
		home := filepath.Join(scratch, "home")
		t.Cleanup(func() {
			_ = os.Chmod(home, 0o700)
			_ = os.RemoveAll(scratch)
		})
		if out, err := runKotaIn(t, home, "call", "memory_set", "key=k", "value=v"); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		binary := filepath.Join(scratch, "kota")
		copyProgram(t, binary)
		cmd := exec.Command(binary, "doctor")
		cmd.Dir = scratch
		cmd.Env = append(os.Environ(), "KOTA_HOME="+home, "KOTA_CONFIG=", "HOME="+scratch)
		file := filepath.Join(home, "kota.db")
		if os.Getuid() == 0 {
			cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
			for _, path := range []string{home, file} {
				if err := os.Chown(path, 65534, 65534); err != nil {
					t.Fatal(err)
				}
			}
		}
		for path, mode := range map[string]os.FileMode{scratch: 0o755, file: c.file, home: c.folder} {
			if err := os.Chmod(path, mode); err != nil {
				t.Fatal(err)
			}
		}
		out, err := cmd.CombinedOutput()
		if err == nil || !strings.Contains(string(out), c.fails) || !strings.Contains(string(out), "chmod 700") {
			t.Errorf("read-only %s: %v\n%s", name, err, out)
		}
	}
}

func TestSignalEndsIdleServerWithStatus0(t *testing.T) {
	// If the tests run under nohup, a program that they start would ignore
	// SIGHUP. A signal with a handler has its default action in programs that
	// are started.
	hangups := make(chan os.Signal, 1)
	signal.Notify(hangups, syscall.SIGHUP)
	defer signal.Stop(hangups)
	for _, sent := range []os.Signal{syscall.SIGTERM, os.Interrupt, syscall.SIGHUP} {
		p := serveIn(t, t.TempDir())
		if _, more := p.next(); !more {
			t.Fatal("no greeting")
		}
		if err := p.cmd.Process.Signal(sent); err != nil {
			t.Fatal(err)
		}
		if _, more := p.next(); more {
			t.Error("something was written after the signal")
		}
		if err := p.cmd.Wait(); err != nil {
			t.Errorf("%v: %v; stderr: %s", sent, err, p.stderr.String())
		}
	}
}

// nohup makes a program ignore the end of its terminal.
func TestServerUnderNohupOutlivesTerminal(t *testing.T) {
	p := start(t, exec.Command("sh", "-c", "trap '' HUP; exec kota serve"), t.TempDir()) // as nohup does
	if _, more := p.next(); !more {
		t.Fatal("no greeting")
	}
	if err := p.cmd.Process.Signal(syscall.SIGHUP); err != nil {
		t.Fatal(err)
	}
	for range 50 { // a server that ends answers earlier requests
		time.Sleep(10 * time.Millisecond)
		p.ask(`{"jsonrpc":"2.0","id":2,"method":"ping"}` + "\n")
	}
	p.end()
}

func copyProgram(t *testing.T, to string) {
	t.Helper()
	path, err := exec.LookPath("kota")
	if err != nil {
		t.Fatal(err)
	}
	from, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer from.Close()
	file, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o755)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.Copy(file, from); err != nil {
		t.Fatal(err)
	}
	if err := file.Close(); err != nil {
		t.Fatal(err)
	}
}

// Root may read every file, so under root the program runs as the user nobody.
func TestConfigOfAnotherUserIsRefused(t *testing.T) {
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
	if !strings.Contains(string(out), "bundles.yaml; the system denies it; KOTA needs a YAML file that you may read") {
		t.Errorf("got %q", out)
	}
}
