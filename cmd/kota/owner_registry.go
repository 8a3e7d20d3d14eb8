package main

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"kota/auth/issuer"
	"kota/cmd/kota/internal/config"
)

// A registry is the folders of all whom the HTTP server serves besides who runs it.
type registry struct{ config config.Config }

func (reg registry) path() string { return filepath.Join(reg.config.Shared(), "owners") }

func (reg registry) folder(name string) ownerFolder {
	return ownerFolder{name, filepath.Join(reg.path(), name)}
}

// owners lists the folders that there are, by name.
func (reg registry) all() ([]ownerFolder, error) {
	entries, err := os.ReadDir(reg.path())
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	folders := []ownerFolder{}
	for _, entry := range entries {
		if entry.IsDir() {
			folders = append(folders, reg.folder(entry.Name()))
		}
	}
	return folders, nil
}

// folderOf returns the person's folder, which may not be there yet, false where
// they are not let in. Who has one keeps it under the name that it has, whatever
// http.oauth.owners calls them since: a server that runs may have it open.
func (reg registry) folderOf(p issuer.Person) (ownerFolder, bool) {
	made := reg.folder(madeName(p.Issuer, p.Subject))
	f := made
	if names := reg.config.HTTP.OAuth.Owners; names != nil {
		given, ok := names[p.Subject]
		if !ok {
			return ownerFolder{}, false
		}
		f = reg.folder(given)
	}
	if f.mayBeOf(p) {
		return f, true
	}
	if had, ok := reg.folderThere(p); ok {
		return had, true
	}
	if made.mayBeOf(p) {
		return made, true
	}
	return f, true
}

// folderThere returns the folder that the person has had for the longest, false
// where they have none.
func (reg registry) folderThere(p issuer.Person) (longest ownerFolder, ok bool) {
	all, err := reg.all()
	if err != nil {
		return ownerFolder{}, false // whoever opens theirs says the rest
	}
	since := time.Time{}
	for _, f := range all {
		if r, _ := f.read(); r.isOf(p) && (!ok || r.Since.Before(since)) {
			longest, since, ok = f, r.Since, true
		}
	}
	return longest, ok
}

// newRegistry returns the registry of a configuration.
func newRegistry(c config.Config) registry { return registry{c} }
