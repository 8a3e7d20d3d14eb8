package config

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kota/cmd/kota/internal/mistake"
)

// A file on a disk that is not mounted differs from no file: with the defaults
// KOTA would do what the file refuses.
func TestDanglingConfigLinkIsAnError(t *testing.T) {
	for name, link := range map[string]string{"the file": "home/bundles.yaml", "the folder": "home", "one above it": "."} {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "dir")
			path := filepath.Join(dir, link)
			if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.Symlink(filepath.Join(dir, "..", "unmounted"), path)); err != nil {
				t.Skipf("no link can be made: %v", err)
			}
			env := environment(t, map[string]string{"KOTA_HOME": filepath.Join(dir, "home")})
			_, err := Load(env, Flags{}, testKnown)
			if usage := (*mistake.Error)(nil); !errors.As(err, &usage) || !strings.Contains(err.Error(), path+" is a link to a file that does not exist") {
				t.Errorf("got %v", err)
			}
			if _, err := SetBundle(filepath.Join(dir, "home", "bundles.yaml"), "memory", false, testKnown); err == nil {
				t.Error("a bundle was switched")
			}
		})
	}
}

// A file with the other usual ending has settings that would be ignored.
func TestConfigWithOtherExtensionIsReported(t *testing.T) {
	home := t.TempDir()
	env := environment(t, map[string]string{"KOTA_HOME": home})
	if err := os.WriteFile(filepath.Join(home, "bundles.yml"), []byte("send: refuse\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := Load(env, Flags{}, testKnown)
	if usage := (*mistake.Error)(nil); !errors.As(err, &usage) || !strings.Contains(err.Error(), "; rename it to bundles.yaml") {
		t.Errorf("got %v", err)
	}
	if _, err := SetBundle(filepath.Join(home, "bundles.yaml"), "memory", false, testKnown); err == nil {
		t.Error("a file was made beside it")
	}
	if err := os.WriteFile(filepath.Join(home, "bundles.yaml"), []byte("send: ask\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Load(env, Flags{}, testKnown); err != nil {
		t.Errorf("beside a bundles.yaml: %v", err)
	}
}
