//go:build unix

package catalog

import (
	"context"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

// A pipe without a writer never ends.
func TestSearchEndsWithItsContext(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
	defer cancel()
	if _, err := Search(ctx, []string{pipe}, nil, "read", 5); err == nil || err.Error() != "the search was interrupted" {
		t.Errorf("the error is %v", err)
	}
}
