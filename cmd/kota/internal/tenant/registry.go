// Package tenant knows the people whom one server serves besides who runs it: who a
// token is of, which folder is theirs, and who may have it.
//
// A folder is one person's for good: it names its issuer and subject, and another
// person is refused, whatever bundles.yaml calls them by then. Begin with Registry
// and Authenticator.
package tenant

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"kota/auth/issuer"
	"kota/cmd/kota/internal/config"
)

// A Registry is the folders of all whom the HTTP server serves besides who runs it.
type Registry struct{ config config.Config }

// Path is the folder that holds those of all tenants.
func (reg Registry) Path() string { return filepath.Join(reg.config.Shared(), "owners") }

// Folder is the folder of that name, which may not exist yet.
func (reg Registry) Folder(name string) Folder {
	return Folder{name, filepath.Join(reg.Path(), name)}
}

// Folders lists the folders that there are, by name.
func (reg Registry) Folders() ([]Folder, error) {
	entries, err := os.ReadDir(reg.Path())
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	folders := []Folder{}
	for _, entry := range entries {
		if entry.IsDir() {
			folders = append(folders, reg.Folder(entry.Name()))
		}
	}
	return folders, nil
}

// FolderOf returns the person's folder, which may not be there yet, false where
// they are not let in. Who has one keeps it under the name that it has, whatever
// http.oauth.owners calls them since: a server that runs may have it open.
func (reg Registry) FolderOf(p issuer.Person) (Folder, bool) {
	made := reg.Folder(madeName(p.Issuer, p.Subject))
	f := made
	if names := reg.config.HTTP.OAuth.Owners; names != nil {
		given, ok := names[p.Subject]
		if !ok {
			return Folder{}, false
		}
		f = reg.Folder(given)
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
func (reg Registry) folderThere(p issuer.Person) (longest Folder, ok bool) {
	all, err := reg.Folders()
	if err != nil {
		return Folder{}, false // whoever opens theirs says the rest
	}
	since := time.Time{}
	for _, f := range all {
		if r, _ := f.read(); r.isOf(p) && (!ok || r.Since.Before(since)) {
			longest, since, ok = f, r.Since, true
		}
	}
	return longest, ok
}

// NewRegistry returns the registry of a configuration.
func NewRegistry(c config.Config) Registry { return Registry{c} }
