package entrypoint

import (
	"context"
	"io"
	"log/slog"
	"path/filepath"
	"testing"
	"time"

	"golang.org/x/tools/txtar"

	"kota/bundles"
	"kota/bundles/stagedtest"
	"kota/entrypoint/wiretest"
)

// TestStagedWire plays the conversations of testdata/wire/staged: a bundle with
// a staged action, over one database. Each session has a server of its own, as
// a client's process has, with a listing that follows the stages.
func TestStagedWire(t *testing.T) {
	wiretest.Play(t, filepath.Join("testdata", "wire", "staged"), *update, func(t testing.TB, archive *txtar.Archive) wiretest.Serve {
		notes := stagedtest.Open(t, filepath.Join(t.TempDir(), "kota.db"), func() time.Time { return time.Date(2026, 3, 14, 9, 26, 53, 0, time.UTC) })
		return func(ctx context.Context, in io.Reader, out io.Writer) error {
			r, err := New(Options{Bundles: []bundles.Bundle{notes}})
			if err != nil {
				return err
			}
			o := ServerOptions{Version: "test", Expose: ExposeCore, CoreTools: []string{"notes_write"}}
			for _, file := range archive.Files {
				o.StagedListing = o.StagedListing || file.Name == "staged listing"
			}
			return ServeStdio(ctx, NewServer(r, o), in, out, slog.New(slog.DiscardHandler))
		}
	})
}
