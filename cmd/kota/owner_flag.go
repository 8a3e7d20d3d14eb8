package main

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"kota/auth/issuer"
	"kota/cmd/kota/internal/mistake"
)

// ownerless are the commands that are about no one person's things.
var ownerless = []string{"install", "uninstall", "http", "bundles", "profiles", "owners", "docs", "version"}

// addOwnerFlag lets the commands be about somebody whom the HTTP server serves.
func (a *app) addOwnerFlag(root *cobra.Command) {
	root.PersistentFlags().StringVar(&a.flags.Owner, "owner", "", "whose memories, accounts, log and the rest it is about: a name of 'kota owners' (default: your own)")
	completeBy(root, "owner", a.completeOwners)
	root.PersistentPreRunE = func(cmd *cobra.Command, _ []string) error {
		top := cmd
		for top.HasParent() && top.Parent() != root {
			top = top.Parent()
		}
		switch {
		case !cmd.Flags().Changed("owner"):
			return nil
		case a.flags.Owner == "": // $NAME of a script that was not set: it means nobody, and not you
			return mistake.Errorf("--owner is empty: give a name of `kota owners`, or leave it out")
		case slices.Contains(ownerless, top.Name()):
			return mistake.Errorf("`kota %s` is the same for all: leave --owner out", top.Name())
		}
		return nil
	}
}

// lodge has all that follows be about the owner whom the flag names.
func (a *app) lodge(name string) error {
	find := a.findOwner
	if a.config.HTTP.OAuth.SubjectOf(name) != "" {
		find = a.settleOwner
	}
	f, err := find(name)
	if err != nil {
		return err
	}
	a.config = a.config.For(f.Name, f.Path)
	return nil
}

// settleOwner returns the folder of whom bundles.yaml gives that name, who may come
// before they ever connected: it is made. Where they have another, and the folder of
// that name is somebody else's, nobody can tell who is meant.
func (a *app) settleOwner(name string) (ownerFolder, error) {
	p := issuer.Person{Issuer: a.config.HTTP.OAuth.Issuer, Subject: a.config.HTTP.OAuth.SubjectOf(name)}
	f, _ := a.folderOf(p)
	if other, _ := a.ownerFolder(name).read(); f.Name != name && other.Subject != "" {
		return f, mistake.Errorf("--owner %s: http.oauth.owners gives that name to %s, and the folder of that name is that of %s: name the subject of whom you mean", name, p.Subject, other.Subject)
	}
	if err := f.settle(p, a.now()); err != nil {
		return f, fmt.Errorf("--owner %s: %w", name, err)
	}
	return f, nil
}

// findOwner returns the folder of whom that means: by its name, its beginning, or
// their subject at the issuer. What people are called there they choose themselves,
// so that it would be another's folder that is found: it finds none.
func (a *app) findOwner(meant string) (ownerFolder, error) {
	all, err := a.owners()
	if err != nil {
		return ownerFolder{}, err
	}
	var like []ownerFolder
	var called []string
	for _, f := range all {
		r, err := f.read()
		switch {
		case f.Name == meant && err == nil:
			return f, nil
		case f.Name == meant && !errors.Is(err, fs.ErrNotExist):
			return ownerFolder{}, fmt.Errorf("--owner %s: %w", meant, err)
		case err == nil && (strings.HasPrefix(f.Name, meant) || r.Subject == meant):
			like = append(like, f)
		case err == nil && r.Called == meant:
			called = append(called, fmt.Sprintf("%s (subject %s)", f.Name, r.Subject))
		}
	}
	switch {
	case len(like) == 1:
		return like[0], nil
	case len(like) > 1:
		return ownerFolder{}, mistake.Errorf("--owner %s may be several: %s", meant, strings.Join(folderNames(like), ", "))
	case len(called) > 0:
		return ownerFolder{}, mistake.Errorf("--owner %s: that is what somebody calls themselves, and anybody may: see that it is who you mean, and name the folder or the subject: %s", meant, strings.Join(called, ", "))
	}
	return ownerFolder{}, mistake.Errorf("--owner %s: nobody of that name has connected, and http.oauth.owners in %s gives it to nobody; `kota owners` lists those who are known", meant, a.configName())
}

func folderNames(folders []ownerFolder) []string {
	names := []string{}
	for _, f := range folders {
		names = append(names, f.Name)
	}
	return names
}

// completeOwners offers those who are known.
func (a *app) completeOwners(_ *cobra.Command, _ []string, start string) ([]string, cobra.ShellCompDirective) {
	a.flags.Owner = "" // it is not all there yet
	if a.load() != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	all, err := a.owners()
	if err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return beginning(folderNames(all), start), cobra.ShellCompDirectiveNoFileComp
}
