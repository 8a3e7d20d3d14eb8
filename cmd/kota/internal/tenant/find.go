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

// ensure returns the folder of the person with that name in bundles.yaml. It
// makes the folder if the person has not connected yet. The name is ambiguous
// if the person has another folder and somebody else owns the folder with that
// name. ensure then returns an error.
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

// find returns the one folder that name identifies: by the folder's name, by
// its beginning, or by the person's subject at the issuer. A display name finds
// nothing. People choose their display names themselves, so the name could be that
// of another person.
func (reg Registry) find(name string) (Folder, error) {
	all, err := reg.Folders()
	if err != nil {
		return Folder{}, err
	}
	var matches []Folder
	var sameDisplayName []string
	for _, f := range all {
		r, err := f.read()
		switch {
		case f.Name == name && err == nil:
			return f, nil
		case f.Name == name && !errors.Is(err, fs.ErrNotExist):
			return Folder{}, fmt.Errorf("--owner %s: %w", name, err)
		case err == nil && (strings.HasPrefix(f.Name, name) || r.Subject == name):
			matches = append(matches, f)
		case err == nil && r.DisplayName == name:
			sameDisplayName = append(sameDisplayName, fmt.Sprintf("%s (subject %s)", f.Name, r.Subject))
		}
	}
	switch {
	case len(matches) == 1:
		return matches[0], nil
	case len(matches) > 1:
		return Folder{}, mistake.Errorf("--owner %s matches several people: %s", name, strings.Join(Names(matches), ", "))
	case len(sameDisplayName) > 0:
		return Folder{}, mistake.Errorf("--owner %s: this is a display name, and display names are not unique: check the person, and use the folder or the subject: %s", name, strings.Join(sameDisplayName, ", "))
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

// Select returns the folder that a name identifies. If bundles.yaml gives that
// name to a person without a folder, Select makes the folder.
func (reg Registry) Select(name string, now time.Time) (Folder, error) {
	if reg.config.HTTP.OAuth.SubjectOf(name) != "" {
		return reg.ensure(name, now)
	}
	return reg.find(name)
}
