package auth_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"kota/auth"
)

func bearerIn(t *testing.T, home, given string) *auth.Bearer {
	t.Helper()
	b, err := auth.NewBearer(home, given)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestBearerIsCreatedOnce(t *testing.T) {
	home := filepath.Join(t.TempDir(), "home")
	var all sync.WaitGroup
	tokens := make([]string, 8)
	for i := range tokens {
		all.Go(func() {
			token, err := bearerIn(t, home, "").Token(t.Context())
			if err != nil {
				t.Error(err)
			}
			tokens[i] = token
		})
	}
	all.Wait()
	for _, token := range tokens {
		if token != tokens[0] || !strings.HasPrefix(token, "kota_") || len(token) != 48 {
			t.Errorf("got %q beside %q", token, tokens[0])
		}
	}
	if info, err := os.Stat(filepath.Join(home, "http.token")); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("its file: %v, %v", info, err)
	}
	if left, _ := filepath.Glob(filepath.Join(home, "*.lock")); len(left) > 0 {
		t.Errorf("there is %v left", left)
	}
}

func TestRenewReplacesOldBearer(t *testing.T) {
	home := t.TempDir()
	serving, renewing := bearerIn(t, home, ""), bearerIn(t, home, "")
	old, err := serving.Token(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	is := func(token string, want bool) {
		t.Helper()
		if got, err := serving.Matches(token); got != want || err != nil {
			t.Errorf("got %v, %v; want %v", got, err, want)
		}
	}
	is(old, true)
	for range 20 {
		next, err := renewing.Renew(t.Context())
		if err != nil || next == old {
			t.Fatalf("got %q after %q, %v", next, old, err)
		}
		is(old, false)
		is(next, true)
		is(next[:47], false)
		is(next+"x", false)
		is("", false)
		old = next
	}
}

func TestBearerReadableByOthersIsRefused(t *testing.T) {
	for name, c := range map[string]struct {
		spoil func(t *testing.T, home, file string)
		want  string
	}{
		"others can read it":       {func(t *testing.T, _, file string) { os.Chmod(file, 0o640) }, "chmod 600"},
		"others can replace it":    {func(t *testing.T, home, _ string) { os.Chmod(home, 0o777) }, "chmod 700"},
		"it is a link":             {func(t *testing.T, home, file string) { os.Rename(file, file+"2"); os.Symlink(file+"2", file) }, "link"},
		"it is empty":              {func(t *testing.T, _, file string) { os.Truncate(file, 0) }, "no token"},
		"it is a folder":           {func(t *testing.T, _, file string) { os.Remove(file); os.Mkdir(file, 0o700) }, "not a regular file"},
		"it is what nobody would":  {func(t *testing.T, _, file string) { os.WriteFile(file, make([]byte, 1<<20), 0o600) }, "too large"},
		"it is what somebody made": {func(t *testing.T, _, file string) { os.WriteFile(file, []byte("hunter2\n"), 0o600) }, "no token"},
	} {
		t.Run(name, func(t *testing.T) {
			home := t.TempDir()
			b := bearerIn(t, home, "")
			token, err := b.Token(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			c.spoil(t, home, b.Path())
			if good, err := b.Matches(token); good || err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, %v; want %q", good, err, c.want)
			}
			if got, err := b.Token(t.Context()); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %q, %v; want %q", got, err, c.want)
			}
		})
	}
}

func TestGivenBearerIsNotStored(t *testing.T) {
	home, given := filepath.Join(t.TempDir(), "home"), strings.Repeat("k", 32)
	b := bearerIn(t, home, given)
	if token, err := b.Token(t.Context()); token != given || err != nil {
		t.Errorf("got %q, %v", token, err)
	}
	if good, err := b.Matches(given); !good || err != nil {
		t.Errorf("got %v, %v", good, err)
	}
	if _, err := b.Renew(t.Context()); !errors.Is(err, auth.ErrGiven) {
		t.Errorf("renewing it: %v", err)
	}
	if _, err := os.Stat(home); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("its folder: %v", err)
	}
	for _, bad := range []string{given[1:], given + " ", given + "\n", given + `"`, given + "é", given + ","} {
		if _, err := auth.NewBearer(home, bad); err == nil || strings.Contains(err.Error(), bad) {
			t.Errorf("%q: got %v", bad, err)
		}
	}
}
