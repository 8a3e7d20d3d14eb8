// Package tenant manages the people that one server serves besides the user who
// runs it. It knows whose token a request has, who owns which folder, and who
// may have a folder.
//
// A folder belongs to one person permanently. Its record has the person's
// issuer and subject. Any other person is refused, even if bundles.yaml gives
// them the folder's name later. Begin with Registry and NewAuthenticator.
package tenant

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"kota/auth/issuer"
	"kota/cmd/kota/internal/config"
)

// Registry finds the folders of the tenants: the people that the HTTP server
// serves besides the user who runs it.
type Registry struct{ config config.Config }

// Path returns the folder that holds the folders of all tenants.
func (reg Registry) Path() string { return filepath.Join(reg.config.OperatorHome(), "owners") }

// Folder returns the folder of that name, which may not exist yet.
func (reg Registry) Folder(name string) Folder {
	return Folder{name, filepath.Join(reg.Path(), name)}
}

// Folders returns all existing folders, sorted by name.
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

// FolderOf returns the person's folder, which may not exist yet. It returns
// false if the person is not admitted. A person keeps the folder they have,
// even if http.oauth.owners gives them another name later, because a running
// server may have it open.
func (reg Registry) FolderOf(p issuer.Person) (Folder, bool) {
	generated := reg.Folder(generatedName(p.Issuer, p.Subject))
	f := generated
	if names := reg.config.HTTP.OAuth.Owners; names != nil {
		given, ok := names[p.Subject]
		if !ok {
			return Folder{}, false
		}
		f = reg.Folder(given)
	}
	if f.mayBelongTo(p) {
		return f, true
	}
	if existing, ok := reg.existingFolder(p); ok {
		return existing, true
	}
	if generated.mayBelongTo(p) {
		return generated, true
	}
	return f, true
}

// existingFolder returns the person's oldest folder. It returns false if they have
// none.
func (reg Registry) existingFolder(p issuer.Person) (oldest Folder, ok bool) {
	all, err := reg.Folders()
	if err != nil {
		return Folder{}, false // opening the folder reports the error
	}
	since := time.Time{}
	for _, f := range all {
		if r, _ := f.read(); r.belongsTo(p) && (!ok || r.Since.Before(since)) {
			oldest, since, ok = f, r.Since, true
		}
	}
	return oldest, ok
}

// NewRegistry returns the registry for a configuration.
func NewRegistry(c config.Config) Registry { return Registry{c} }

// OperatorName is the name of the user who runs KOTA in a database that people share. It is not the
// generated name of any person.
const OperatorName = "local"

// DatabaseName returns the name of the owner of the configuration in a database that people share.
// It depends only on the issuer and the subject of the person. So all servers know the same person
// by that name, whatever http.oauth.owners calls them, and a name that is given to somebody else
// later opens no other person's data.
func (reg Registry) DatabaseName() (string, error) {
	if reg.config.Owner == "" {
		return OperatorName, nil
	}
	r, err := reg.Folder(reg.config.Owner).read()
	if err != nil {
		return "", fmt.Errorf("find out whose folder %s is: %w", reg.config.Owner, err)
	}
	return generatedName(r.Issuer, r.Subject), nil
}
