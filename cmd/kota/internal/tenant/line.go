package tenant

import (
	"cmp"
	"errors"
	"io/fs"
	"slices"
	"time"

	"kota/auth/issuer"
)

// An Line is what is shown of one owner.
type Line struct {
	Name     string     `json:"name"`
	Called   string     `json:"called,omitempty"` // by themselves
	Issuer   string     `json:"issuer,omitempty"`
	Subject  string     `json:"subject,omitempty"`
	Since    *time.Time `json:"since,omitempty"` // nil: there is no folder yet
	Admitted bool       `json:"admitted"`
	Path     string     `json:"path"`
	Problem  string     `json:"problem,omitempty"`
}

// Lines are the folders that there are, and those whom bundles.yaml names and
// who have none, by name.
func (reg Registry) Lines() ([]Line, error) {
	folders, err := reg.Folders()
	if err != nil {
		return nil, err
	}
	lines := []Line{}
	for _, f := range folders {
		lines = append(lines, reg.line(f))
	}
	o := reg.config.HTTP.OAuth
	for subject := range o.Owners {
		p := issuer.Person{Issuer: o.Issuer, Subject: subject}
		f, _ := reg.FolderOf(p)
		l := Line{Name: f.Name, Issuer: o.Issuer, Subject: subject, Path: f.Path}
		switch r, err := f.read(); {
		case err == nil && !r.isOf(p):
			l.Problem = f.taken().Error()
		case slices.Contains(folders, f):
			continue // it has its line
		default:
			l.Admitted = true
		}
		lines = append(lines, l)
	}
	slices.SortFunc(lines, func(x, y Line) int {
		return cmp.Or(cmp.Compare(x.Name, y.Name), cmp.Compare(x.Subject, y.Subject))
	})
	return lines, nil
}

func (reg Registry) line(f Folder) Line {
	l := Line{Name: f.Name, Path: f.Path}
	r, err := f.read()
	switch {
	case errors.Is(err, fs.ErrNotExist):
		l.Problem = "the folder does not say whose it is"
	case err != nil:
		l.Problem = err.Error()
	default:
		l.Called, l.Issuer, l.Subject, l.Since = r.Called, r.Issuer, r.Subject, &r.Since
		l.Admitted = reg.admits(f, r)
	}
	return l
}

// admits reports whether whose folder that is would be let in, and into it.
func (reg Registry) admits(f Folder, r ownerRecord) bool {
	theirs, ok := reg.FolderOf(issuer.Person{Issuer: r.Issuer, Subject: r.Subject})
	return ok && theirs == f && reg.config.HTTP.OAuth.Issuer == r.Issuer
}
