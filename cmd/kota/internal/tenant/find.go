package tenant

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"time"

	"kota/auth/issuer"
	"kota/cmd/kota/internal/mistake"
)

// ensure returns the folder of the person with that name in bundles.yaml.
// It makes the folder if the person has not connected yet. It returns an error
// if the person has another folder and the folder of that name belongs to
// somebody else: the name is then ambiguous.
func (reg Registry) ensure(name string, now time.Time) (Folder, error) {
	p := issuer.Person{Issuer: reg.config.HTTP.OAuth.Issuer, Subject: reg.config.HTTP.OAuth.SubjectOf(name)}
	f, _ := reg.FolderOf(p)
	if other, _ := reg.Folder(name).read(); f.Name != name && other.Subject != "" {
		return f, mistake.Errorf("--owner %s: http.oauth.owners gives that name to %s, but the folder of that name belongs to %s: use the subject instead", name, p.Subject, other.Subject)
	}
	if err := f.Claim(p, now); err != nil {
		return f, fmt.Errorf("--owner %s: %w", name, err)
	}
	return f, nil
}

// find returns the one folder that name identifies: the folder's name, the
// beginning of that name, or the person's subject at the issuer. Display names find nothing:
// people choose their own, so a display name could find another person's
// folder.
func (reg Registry) find(name string) (Folder, error) {
	all, err := reg.Folders()
	if err != nil {
		return Folder{}, err
	}
	var like []Folder
	var called []string
	for _, f := range all {
		r, err := f.read()
		switch {
		case f.Name == name && err == nil:
			return f, nil
		case f.Name == name && !errors.Is(err, fs.ErrNotExist):
			return Folder{}, fmt.Errorf("--owner %s: %w", name, err)
		case err == nil && (strings.HasPrefix(f.Name, name) || r.Subject == name):
			like = append(like, f)
		case err == nil && r.DisplayName == name:
			called = append(called, fmt.Sprintf("%s (subject %s)", f.Name, r.Subject))
		}
	}
	switch {
	case len(like) == 1:
		return like[0], nil
	case len(like) > 1:
		return Folder{}, mistake.Errorf("--owner %s matches several people: %s", name, strings.Join(Names(like), ", "))
	case len(called) > 0:
		return Folder{}, mistake.Errorf("--owner %s: this is a display name, and display names are not unique: check the person, and use the folder or the subject: %s", name, strings.Join(called, ", "))
	}
	return Folder{}, mistake.Errorf("--owner %s: nobody with that name has connected, and http.oauth.owners in %s does not have it; `kota owners` lists the known names", name, reg.config.Name())
}

// Names returns the names of folders.
func Names(folders []Folder) []string {
	names := []string{}
	for _, f := range folders {
		names = append(names, f.Name)
	}
	return names
}

// Select returns the folder that a name identifies. It makes one if
// bundles.yaml gives that name to somebody.
func (reg Registry) Select(name string, now time.Time) (Folder, error) {
	if reg.config.HTTP.OAuth.SubjectOf(name) != "" {
		return reg.ensure(name, now)
	}
	return reg.find(name)
}
