package migrate

import (
	"errors"
	"io/fs"
	"os"

	"kota/cmd/kota/internal/app"
	"kota/cmd/kota/internal/tenant"
)

// A person is one of the people whose data a command moves.
type person struct {
	Label  string // for people: the name of the folder, or "you"
	Owner  string // the value of --owner; "" for the user who runs KOTA
	Folder string
	Path   string // of the file
	Name   string // in the database
}

// peopleOf returns the people whose data a command moves: the one of --owner, or the user who runs
// KOTA and all people with a folder.
func peopleOf(a *app.App) ([]person, error) {
	configs := []*app.App{a}
	if a.Config.Owner == "" {
		folders, err := a.Registry().Folders()
		if err != nil {
			return nil, err
		}
		for _, f := range folders {
			configs = append(configs, a.ForOwner(f))
		}
	}
	people := []person{}
	for _, of := range configs {
		name, err := tenant.NewRegistry(of.Config).DatabaseName()
		if errors.Is(err, fs.ErrNotExist) && of != a {
			continue // the folder has no owner yet, so it has no data
		}
		if err != nil {
			return nil, err
		}
		p := person{Label: of.Config.Owner, Owner: of.Config.Owner, Folder: of.Config.Home, Path: of.Config.DBPath(), Name: name}
		if p.Owner == "" {
			p.Label = "you"
		}
		people = append(people, p)
	}
	return people, nil
}

// hasFile reports whether the person has a file.
func (p person) hasFile() bool {
	_, err := os.Lstat(p.Path)
	return !errors.Is(err, fs.ErrNotExist)
}
