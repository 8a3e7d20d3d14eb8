package move

import (
	"errors"
	"io/fs"
	"os"
	"slices"

	"kota/cmd/kota/internal/app"
)

// A person is one of the people whose data a command moves.
type person struct {
	app   *app.App // of this person
	label string   // for people: the name of the folder, or "you"
	name  string   // in the database
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
		name, err := of.Registry().DatabaseName()
		if errors.Is(err, fs.ErrNotExist) && of != a {
			continue // the folder has no owner yet, so it has no data
		}
		if err != nil {
			return nil, err
		}
		label := of.Config.Owner
		if label == "" {
			label = "you"
		}
		people = append(people, person{of, label, name})
	}
	return people, nil
}

// withFiles returns the people who have a file.
func withFiles(people []person) []person {
	return slices.DeleteFunc(people, func(p person) bool {
		_, err := os.Lstat(p.path())
		return errors.Is(err, fs.ErrNotExist)
	})
}

// path returns the path of the person's file.
func (p person) path() string { return p.app.Config.DBPath() }
