//go:build unix

package main

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"kota/bundles/bundletest"
)

// Root may remove every file, so under root the program runs as the user nobody.
func TestSignOutRevokesNothingIfTokenStays(t *testing.T) {
	scratch, err := os.MkdirTemp("", "kota-signout-")
	if err != nil {
		t.Fatal(err)
	}
	d := newTestHome(t)
	d.home = filepath.Join(scratch, "home")
	tokens := filepath.Join(d.home, "tokens")
	t.Cleanup(func() {
		_ = os.Chmod(tokens, 0o700)
		_ = os.RemoveAll(scratch)
	})
	d.configure("")
	d.storeClient()
	if _, _, stderr, status := d.signIn(bundletest.GoogleConsent{User: ann}); status != 0 {
		t.Fatal(stderr)
	}
	binary := filepath.Join(scratch, "kota")
	copyProgram(t, binary)
	cmd := exec.Command(binary, "auth", "logout")
	cmd.Dir = scratch
	cmd.Env = append(os.Environ(), "KOTA_HOME="+d.home, "KOTA_CONFIG=", "HOME="+scratch)
	if os.Getuid() == 0 {
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
		err := filepath.WalkDir(d.home, func(path string, _ fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			return os.Chown(path, 65534, 65534)
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for path, mode := range map[string]os.FileMode{scratch: 0o755, tokens: 0o500} {
		if err := os.Chmod(path, mode); err != nil {
			t.Fatal(err)
		}
	}
	out, err := cmd.CombinedOutput()
	if err == nil || !strings.Contains(string(out), "nothing was changed") {
		t.Errorf("got %v\n%s", err, out)
	}
	if n := d.google.Calls("revoke"); n != 0 {
		t.Errorf("Google was asked to revoke %d times", n)
	}
}
