package app

import (
	"io"
	"log/slog"
	"path/filepath"
	"testing"

	"kota/cmd/kota/internal/config"
	"kota/cmd/kota/internal/tenant"
	"kota/entrypoint/policy"
	"kota/store/semantic/static"
)

func TestOwnersShareTheLocalModel(t *testing.T) {
	dir := t.TempDir()
	a := &App{Config: config.Config{SearchModel: dir}, Log: slog.New(slog.NewTextHandler(io.Discard, nil)), local: static.New(dir, nil)}
	ann := a.ForOwner(tenant.Folder{Name: "ann", Path: filepath.Join(dir, "ann")})
	m := ann.newSemanticSearch(policy.Policy{})
	if m == nil || m.Local != a.local || m.memories == nil {
		t.Errorf("got %+v, want the model of the server, also for memories", m)
	}
	m.close()
}
