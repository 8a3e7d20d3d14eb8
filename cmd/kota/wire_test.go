package main

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"kota/entrypoint/wiretest"
	"kota/store/enginetest"
)

// TestWire plays the conversations of testdata/wire with the whole program.
// Each has its own home with the archive's bundles.yaml, if it has one.
func TestWire(t *testing.T) {
	enginetest.URL(t) // starts the server outside of the conversations, which have a clock of their own
	wiretest.Play(t, filepath.Join("testdata", "wire"), *updateFlag, func(t testing.TB, archive *txtar.Archive) wiretest.Serve {
		home := t.TempDir()
		for _, file := range archive.Files {
			if file.Name == "bundles.yaml" {
				writeFile(t, filepath.Join(home, file.Name), file.Data)
			}
		}
		url := enginetest.URL(t)
		if url != "" {
			createTables(t, url)
		}
		return serveDatabase(home, url)
	})
}

// createTables lets a KOTA that may write create the tables of a database server. A profile that only
// reads does not create them.
func createTables(t testing.TB, url string) {
	t.Helper()
	env := map[string]string{"KOTA_HOME": t.TempDir(), "KOTA_DATABASE_URL": url, "KOTA_SECRETS_KEY": oldKey}
	var out strings.Builder
	if err := run(t.Context(), []string{"call", "memory_list"}, func(name string) string { return env[name] }, strings.NewReader(""), &out, &out); err != nil {
		t.Fatal(err, out.String())
	}
}

// serveDatabase runs `kota serve` on that home, in this process, with the database of the URL, if it is
// not "".
func serveDatabase(home, url string) wiretest.Serve {
	env := map[string]string{"KOTA_HOME": home, "KOTA_NOW": testTime, "KOTA_DATABASE_URL": url, "KOTA_SECRETS_KEY": oldKey}
	return func(ctx context.Context, in io.Reader, out io.Writer) error {
		return run(ctx, []string{"serve"}, func(name string) string { return env[name] }, in, out, io.Discard)
	}
}

func writeFile(t testing.TB, path string, data []byte) {
	t.Helper()
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
}
