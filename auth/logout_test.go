package auth_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"kota/auth"
	"kota/store/faulttest"
)

func TestLogoutRevokesAndRemoves(t *testing.T) {
	w := newMachine(t)
	w.signInAs("ann")
	if err := w.Logout(t.Context(), ""); err != nil {
		t.Fatal(err)
	}
	if len(w.refresh) != 0 || w.count("revoke") != 1 {
		t.Errorf("%d live refresh tokens after %d revocations", len(w.refresh), w.count("revoke"))
	}
	if _, err := w.Find(""); !errors.Is(err, auth.ErrSignedOut) {
		t.Errorf("got %v", err)
	}
	left, err := filepath.Glob(filepath.Join(w.home, "tokens", "*ann*"))
	if err != nil || len(left) != 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
	if _, err := os.Lstat(filepath.Join(w.home, "google-client.json")); err != nil {
		t.Errorf("the client went too: %v", err)
	}
}

func TestLogoutRemovesAccountWhenRevocationFails(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*machine)
		ok     bool
	}{
		"it is not there":      {func(w *machine) { w.Close() }, false},
		"it has ended already": {func(w *machine) { clear(w.refresh) }, true},
		"the client has gone": {func(w *machine) {
			if err := os.Remove(filepath.Join(w.home, "google-client.json")); err != nil {
				w.t.Fatal(err)
			}
		}, true},
	} {
		w := newMachine(t)
		w.signInAs("ann")
		w.signInAs("bob")
		c.change(w)
		err := w.Logout(t.Context(), "ann")
		if (err == nil) != c.ok || err != nil && (!isA[*auth.RevokeError](err) || !strings.Contains(err.Error(), "myaccount.google.com")) {
			t.Errorf("%s: got %v", name, err)
		}
		if got := w.names(); !slices.Equal(got, []string{"bob"}) {
			t.Errorf("%s: got %v", name, got)
		}
	}
}

// The account's file is then already removed.
func TestLogoutRevokesAlthoughTheFolderIsNotSynced(t *testing.T) {
	w := newMachine(t)
	w.signInAs("ann")
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "AUTH_TEST_LOGOUT="+w.home)
	out, err := faulttest.Strace(t, cmd, "-o", os.DevNull, "-e", "trace=fsync", "-e", "inject=fsync:error=EIO").Output()
	if got := strings.TrimSpace(string(out)); err != nil || got != "<nil>" {
		t.Errorf("got %s, %v", got, err)
	}
	if len(w.refresh) != 0 || len(w.names()) != 0 {
		t.Errorf("%d live refresh tokens of the accounts %v", len(w.refresh), w.names())
	}
}

func TestLogoutKeepsDamagedFile(t *testing.T) {
	w := newMachine(t)
	w.signInAs("ann")
	file := filepath.Join(w.home, "tokens", "ann.json")
	write(t, file, "{")
	if err := w.Logout(t.Context(), "ann"); !isA[*auth.RevokeError](err) {
		t.Errorf("got %v", err)
	}
	if kept, _ := filepath.Glob(file + ".bad-*"); len(kept) != 1 || len(w.names()) != 0 {
		t.Errorf("kept %v of %v", kept, w.names())
	}
	t.Run("and one that others can read has to be fixed first", func(t *testing.T) {
		w.signInAs("ann")
		chmod(t, file, 0o644)
		if err := w.Logout(t.Context(), "ann"); !isA[*auth.UnsafeError](err) {
			t.Errorf("got %v", err)
		}
		chmod(t, file, 0o600)
		if err := w.Logout(t.Context(), "ann"); err != nil {
			t.Error(err)
		}
	})
}

func TestSecondLogoutFails(t *testing.T) {
	w := newMachine(t)
	if err := w.Logout(t.Context(), ""); !errors.Is(err, auth.ErrSignedOut) {
		t.Errorf("got %v", err)
	}
	w.signInAs("ann")
	if err := w.Logout(t.Context(), "eve"); !isA[*auth.UnknownAccountError](err) {
		t.Errorf("got %v", err)
	}
	outcomes := callTogether(4, func() error { return w.Logout(t.Context(), "ann") })
	for _, err := range outcomes {
		if err != nil && !errors.Is(err, auth.ErrSignedOut) {
			t.Errorf("got %v", err)
		}
	}
	if n := w.count("revoke"); n != 1 {
		t.Errorf("%d revocations", n)
	}
}

func TestRevokeURI(t *testing.T) {
	for token, want := range map[string]string{
		"https://oauth2.googleapis.com/token":        "https://oauth2.googleapis.com/revoke",
		"https://www.googleapis.com/oauth2/v4/token": "https://oauth2.googleapis.com/revoke",
		"https://accounts.google.com/o/oauth2/token": "https://oauth2.googleapis.com/revoke",
		"http://127.0.0.1:8080/token":                "http://127.0.0.1:8080/revoke",
		"http://127.0.0.1:8080/":                     "http://127.0.0.1:8080/revoke",
		"http://127.0.0.1:8080":                      "http://127.0.0.1:8080/revoke",
		"https://id.example/oauth2/token?tenant=1":   "https://id.example/oauth2/revoke",
	} {
		if got := auth.RevokeURI(token); got != want {
			t.Errorf("%s: got %s", token, got)
		}
	}
}
