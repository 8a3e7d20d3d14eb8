package auth_test

import (
	"context"
	"errors"
	"net/http"
	"os"
	"strings"
	"testing"
)

var errTest = errors.New("a fault of the test's")

func failToFindAddress(context.Context, *http.Client) (string, error) { return "", errTest }

// isError and isA return checks of an error.
func isError(target error) func(error) bool {
	return func(err error) bool { return errors.Is(err, target) }
}

func isA[E error](err error) bool {
	_, ok := errors.AsType[E](err)
	return ok
}

func isAny(err error) bool { return err != nil }

func read(t testing.TB, file string) string {
	t.Helper()
	raw, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

func write(t testing.TB, file, text string) {
	t.Helper()
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func chmod(t testing.TB, file string, mode os.FileMode) {
	t.Helper()
	if err := os.Chmod(file, mode); err != nil {
		t.Fatal(err)
	}
}

func mkdir(t testing.TB, dir string, mode os.FileMode) {
	t.Helper()
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	chmod(t, dir, mode)
}

// damages has the kinds of damage to an account's file.
var damages = map[string]func(t *testing.T, file string){
	"empty":     func(t *testing.T, file string) { write(t, file, "") },
	"cut short": func(t *testing.T, file string) { write(t, file, read(t, file)[:200]) },
	"zeros":     func(t *testing.T, file string) { write(t, file, strings.Repeat("\x00", 700)) },
	"HTML":      func(t *testing.T, file string) { write(t, file, "<html>") },
	"huge":      func(t *testing.T, file string) { write(t, file, strings.Repeat(" ", 1<<20)+"{}") },
	"another account's": func(t *testing.T, file string) {
		write(t, file, strings.ReplaceAll(read(t, file), `"name": "ann"`, `"name": "bob"`))
	},
	"a token with a line break": func(t *testing.T, file string) {
		write(t, file, strings.ReplaceAll(read(t, file), "CANARY-access", `a\nb`))
	},
	"no refresh token": func(t *testing.T, file string) {
		write(t, file, strings.ReplaceAll(read(t, file), "refresh_token", "x"))
	},
	"a newer version": func(t *testing.T, file string) {
		write(t, file, strings.ReplaceAll(read(t, file), `"version": 1`, `"version": 2`))
	},
	"read by others":    func(t *testing.T, file string) { chmod(t, file, 0o644) },
	"written by others": func(t *testing.T, file string) { chmod(t, file, 0o606) },
	"a link": func(t *testing.T, file string) {
		moved := t.TempDir() + "/moved.json"
		if err := errors.Join(os.Rename(file, moved), os.Symlink(moved, file)); err != nil {
			t.Fatal(err)
		}
	},
}
