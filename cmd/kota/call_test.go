package main

import (
	"errors"
	"os"
	"strings"
	"testing"

	"kota/cmd/kota/internal/mistake"
)

// A shell passes bytes; JSON would silently replace invalid ones.
func TestCallRefusesInvalidUTF8(t *testing.T) {
	for _, args := range [][]string{{"key=\xff", "value=x"}, {"key=x", "value=\xff"}, {"key=x", "value:=\"\xff\""}, {"\xff=x"}} {
		var stdout strings.Builder
		env := environment(t, nil)
		err := run(t.Context(), append([]string{"call", "memory_set"}, args...), env, strings.NewReader(""), &stdout, &stdout)
		if usage := (*mistake.Error)(nil); !errors.As(err, &usage) || stdout.String() != "" {
			t.Errorf("%q: got error %v and %q on stdout, want a *mistake.Error and nothing", args, err, stdout.String())
		}
		if _, err := os.Stat(env("KOTA_HOME")); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("%q: a home was made (%v)", args, err)
		}
	}
}
