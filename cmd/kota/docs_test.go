package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestReferenceMatchesBundles(t *testing.T) {
	var printed, stderr bytes.Buffer
	if err := run(t.Context(), []string{"docs"}, environment(t, nil), strings.NewReader(""), &printed, &stderr); err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "reference", "tools.md"))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(page), printed.String()); diff != "" {
		t.Errorf("docs/reference/tools.md is not what `kota docs` prints; `make docs` writes it anew (-page +printed):\n%s", diff)
	}
}
