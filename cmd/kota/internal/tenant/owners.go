package tenant

import (
	"cmp"
	"errors"
	"io/fs"
	"slices"
	"time"

	"kota/auth/issuer"
)

// Owner describes one owner in lists.
type Owner struct {
	Name        string     `json:"name"`
	DisplayName string     `json:"called,omitempty"` // the name they gave themselves
	Issuer      string     `json:"issuer,omitempty"`
	Subject     string     `json:"subject,omitempty"`
	Since       *time.Time `json:"since,omitempty"`         // when the folder got its owner; nil if unknown
	Admitted    bool       `json:"admitted"`                // whether the server serves them
	Database    string     `json:"database_name,omitempty"` // the name in a database that people share
	Path        string     `json:"path"`
	Problem     string     `json:"problem,omitempty"`
}

// Owners returns the owners of all folders, and the people in bundles.yaml who
// have no folder of their own yet, sorted by name.
func (reg Registry) Owners() ([]Owner, error) {
	folders, err := reg.Folders()
	if err != nil {
		return nil, err
	}
	lines := []Owner{}
	for _, f := range folders {
		lines = append(lines, reg.ownerOf(f))
	}
	o := reg.config.HTTP.OAuth
	for subject := range o.Owners {
		p := issuer.Person{Issuer: o.Issuer, Subject: subject}
		f, _ := reg.FolderOf(p)
		l := Owner{Name: f.Name, Issuer: o.Issuer, Subject: subject, Database: generatedName(o.Issuer, subject), Path: f.Path}
		switch r, err := f.read(); {
		case err == nil && !r.belongsTo(p):
			l.Problem = f.takenError().Error()
		case slices.Contains(folders, f):
			continue // it has its line already
		default:
			l.Admitted = true
		}
		lines = append(lines, l)
	}
	slices.SortFunc(lines, func(x, y Owner) int {
		return cmp.Or(cmp.Compare(x.Name, y.Name), cmp.Compare(x.Subject, y.Subject))
	})
	return lines, nil
}

func (reg Registry) ownerOf(f Folder) Owner {
	l := Owner{Name: f.Name, Path: f.Path}
	r, err := f.read()
	switch {
	case errors.Is(err, fs.ErrNotExist):
		l.Problem = "the folder does not name its owner"
	case err != nil:
		l.Problem = err.Error()
	default:
		l.DisplayName, l.Issuer, l.Subject, l.Since = r.DisplayName, r.Issuer, r.Subject, &r.Since
		l.Admitted, l.Database = reg.admits(f, r), generatedName(r.Issuer, r.Subject)
	}
	return l
}

// admits reports whether the server would admit the owner to this folder.
func (reg Registry) admits(f Folder, r ownerRecord) bool {
	own, ok := reg.FolderOf(issuer.Person{Issuer: r.Issuer, Subject: r.Subject})
	return ok && own == f && reg.config.HTTP.OAuth.Issuer == r.Issuer
}
