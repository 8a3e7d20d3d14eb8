package config

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"github.com/goccy/go-yaml/ast"

	"kota/cmd/kota/internal/mistake"
	"kota/cmd/kota/internal/safefile"
)

// SetBundle enables or disables a bundle in the bundles.yaml at file and
// reports whether that changed anything. It changes or inserts one setting;
// comments, order, quotes and line ends stay. If there is no file, it starts
// from the built-in default. It creates an absent folder, accessible only to
// its owner.
//
// The file is replaced atomically. SetBundle returns a usage error for an unknown
// bundle, for a file with problems, and for a layout where the edit would change
// other settings. The file is then unchanged.
func SetBundle(file, key string, enabled bool, known []KnownBundle) (changed bool, err error) {
	keys := (&checker{known: known}).bundleKeys()
	if !slices.Contains(keys, key) {
		return false, mistake.Errorf("unknown bundle %q%s; allowed: %s", mistake.Shorten(key), mistake.DidYouMean(key, keys), strings.Join(keys, ", "))
	}
	raw, err := readConfig(file)
	isNew := errors.Is(err, fs.ErrNotExist)
	if isNew {
		raw, err = DefaultText, nil
	}
	if err != nil {
		return false, err
	}
	edited, err := switchBundle(file, raw, key, enabled, known)
	if err != nil || bytes.Equal(edited, raw) {
		return false, err
	}
	if isNew {
		if err := makeHome(filepath.Dir(file)); err != nil {
			return false, err
		}
	}
	if err := safefile.Replace(file, edited); err != nil {
		return false, err
	}
	return true, nil
}

// switchBundle returns raw, the text of file, with the bundle enabled or disabled.
// It returns raw itself if nothing changes.
func switchBundle(file string, raw []byte, key string, enabled bool, known []KnownBundle) ([]byte, error) {
	want, err := effectiveConfig(file, raw, known)
	if err != nil {
		return nil, err
	}
	if want.Bundles[key].Enabled == enabled {
		return raw, nil
	}
	want.Bundles[key] = Bundle{Enabled: enabled, Gates: want.Bundles[key].Gates}
	edited, err := editBundle(raw, key, enabled)
	if err == nil {
		var got Config
		if got, err = effectiveConfig(file, edited, known); err == nil && reflect.DeepEqual(got, want) {
			return edited, nil
		}
	}
	return nil, mistake.Errorf("%s: KOTA cannot edit its layout safely; write `%s: {enabled: %t}` under bundles yourself", file, key, enabled)
}

// effectiveConfig returns the built-in default with raw applied, without the line
// numbers and functions, which cannot be compared.
func effectiveConfig(file string, raw []byte, known []KnownBundle) (Config, error) {
	cfg, err := Default(known)
	if err != nil {
		return Config{}, err
	}
	cfg.Now = nil // functions cannot be compared
	err = applyConfig(&cfg, file, raw, known)
	cfg.ProfileLine = 0 // an inserted line moves the lines below it
	for name, profile := range cfg.Profiles {
		profile.Lines = nil
		cfg.Profiles[name] = profile
	}
	return cfg, err
}

// editBundle returns raw with the bundle enabled or disabled. The settings in
// raw must be valid and must have the bundle in the opposite state.
func editBundle(raw []byte, key string, enabled bool) ([]byte, error) {
	root, found := parseConfig(raw)
	if found != nil {
		return nil, problemsError("bundles.yaml", found)
	}
	e := &edit{raw: raw, lines: lineStarts(raw)}
	setting := fmt.Sprintf("%s: {enabled: %t}", key, enabled)
	all := entryOf(root, "bundles")
	if all == nil {
		return e.add(root, "bundles: {"+setting+"}")
	}
	group, ok := all.Value.(*ast.MappingNode)
	if !ok {
		return e.fill(root, all, setting)
	}
	bundle := entryOf(group, key)
	if bundle == nil {
		return e.add(group, setting)
	}
	options, ok := bundle.Value.(*ast.MappingNode)
	if !ok {
		return e.flip(bundle.Value)
	}
	if on := entryOf(options, "enabled"); on != nil {
		return e.flip(on.Value)
	}
	return e.add(options, fmt.Sprintf("enabled: %t", enabled))
}

// entryOf returns the entry of m with that key, or nil.
func entryOf(m *ast.MappingNode, key string) *ast.MappingValueNode {
	for _, entry := range m.Values {
		if entry.Key.GetToken().Value == key {
			return entry
		}
	}
	return nil
}
