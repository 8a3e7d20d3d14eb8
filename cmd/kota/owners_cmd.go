package main

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"kota/auth/issuer"
)

func newOwners(a *app) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "owners",
		Short: "List whom the HTTP server serves besides you",
		Long: `List whom ` + "`kota serve --http`" + ` serves besides you: those of the issuer under http.oauth in
bundles.yaml who have connected, or whom owners there names. Each has a folder
of their own below owners in KOTA's folder. --owner NAME has other commands be
about one of them: their Google accounts, what waits for approval, their log.

Each line has the folder's name and the subject at the issuer, and at its end what
the person calls themselves there, which anybody may choose.`,
		Example: "  kota owners\n  kota auth login --owner ann\n  kota approve --owner ann 7f3k",
		Args:    noArgs,
		RunE:    func(*cobra.Command, []string) error { return a.listOwners(asJSON) },
	}
	addJSON(&asJSON, cmd)
	return cmd
}

// An ownerLine is what is shown of one owner.
type ownerLine struct {
	Name     string     `json:"name"`
	Called   string     `json:"called,omitempty"` // by themselves
	Issuer   string     `json:"issuer,omitempty"`
	Subject  string     `json:"subject,omitempty"`
	Since    *time.Time `json:"since,omitempty"` // nil: there is no folder yet
	Admitted bool       `json:"admitted"`
	Path     string     `json:"path"`
	Problem  string     `json:"problem,omitempty"`
}

func (a *app) listOwners(asJSON bool) error {
	if err := a.load(); err != nil {
		return err
	}
	lines, err := a.ownerLines()
	if err != nil {
		return err
	}
	if asJSON {
		return a.PrintJSON(map[string]any{"owners": lines})
	}
	if len(lines) == 0 {
		_, err := fmt.Fprintln(a.Stdout, "The HTTP server has served nobody but you.")
		return err
	}
	rows := [][]string{}
	for _, l := range lines {
		state := "has not connected yet"
		switch {
		case l.Problem != "":
			state = l.Problem
		case l.Since != nil && l.Admitted:
			state = "since " + l.Since.Format(time.DateOnly)
		case l.Since != nil:
			state = "is not let in any more"
		}
		row := []string{l.Name, l.Subject, state}
		if l.Called != "" {
			row = append(row, "calls themselves "+strconv.Quote(l.Called))
		}
		rows = append(rows, row)
	}
	return a.PrintTable(rows)
}

// ownerLines are the folders that there are, and those whom bundles.yaml names and
// who have none, by name.
func (a *app) ownerLines() ([]ownerLine, error) {
	folders, err := a.owners()
	if err != nil {
		return nil, err
	}
	lines := []ownerLine{}
	for _, f := range folders {
		lines = append(lines, a.ownerLine(f))
	}
	o := a.config.HTTP.OAuth
	for subject := range o.Owners {
		p := issuer.Person{Issuer: o.Issuer, Subject: subject}
		f, _ := a.folderOf(p)
		l := ownerLine{Name: f.Name, Issuer: o.Issuer, Subject: subject, Path: f.Path}
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
	slices.SortFunc(lines, func(x, y ownerLine) int {
		return cmp.Or(cmp.Compare(x.Name, y.Name), cmp.Compare(x.Subject, y.Subject))
	})
	return lines, nil
}

func (a *app) ownerLine(f ownerFolder) ownerLine {
	l := ownerLine{Name: f.Name, Path: f.Path}
	r, err := f.read()
	switch {
	case errors.Is(err, fs.ErrNotExist):
		l.Problem = "the folder does not say whose it is"
	case err != nil:
		l.Problem = err.Error()
	default:
		l.Called, l.Issuer, l.Subject, l.Since = r.Called, r.Issuer, r.Subject, &r.Since
		l.Admitted = a.admits(f, r)
	}
	return l
}

// admits reports whether whose folder that is would be let in, and into it.
func (a *app) admits(f ownerFolder, r ownerRecord) bool {
	theirs, ok := a.folderOf(issuer.Person{Issuer: r.Issuer, Subject: r.Subject})
	return ok && theirs == f && a.config.HTTP.OAuth.Issuer == r.Issuer
}
