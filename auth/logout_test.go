package auth_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"kota/auth"
)

func TestSigningOutRevokesAndForgets(t *testing.T) {
	w := newWorld(t)
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
