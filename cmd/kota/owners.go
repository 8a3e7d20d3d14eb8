package main

import (
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"kota/cmd/kota/internal/app"
	"kota/cmd/kota/internal/mistake"
	"kota/cmd/kota/internal/tenant"
)

func newOwners(a *app.App) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "owners",
		Short: "List the people that the HTTP server serves besides you",
		Long: `List the people that ` + "`kota serve --http`" + ` serves besides you: those of the issuer under
http.oauth in bundles.yaml who have connected, and those that http.oauth.owners
names. Each has a folder below owners in KOTA's folder. With --owner NAME, other
commands apply to that person: their Google accounts, pending calls and audit log.

Each line has the name of the folder, the subject at the issuer, and the display
name. Display names are not unique.`,
		Example: "  kota owners\n  kota auth login --owner ann\n  kota approve --owner ann a_k3v9q2m7xw",
		Args:    noArgs,
		RunE:    func(*cobra.Command, []string) error { return listOwners(a, asJSON) },
	}
	addJSON(&asJSON, cmd)
	return cmd
}

func listOwners(a *app.App, asJSON bool) error {
	if err := a.Load(); err != nil {
		return err
	}
	lines, err := a.Registry().Owners()
	if err != nil {
		return err
	}
	if asJSON {
		return a.PrintJSON(map[string]any{"owners": lines})
	}
	if len(lines) == 0 {
		_, err := fmt.Fprintln(a.Stdout, "The HTTP server serves only you.")
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
			state = "has no access any more"
		}
		row := []string{l.Name, l.Subject, state}
		if l.DisplayName != "" {
			row = append(row, "display name "+strconv.Quote(l.DisplayName))
		}
		rows = append(rows, row)
	}
	return a.PrintTable(rows)
}

// addOwnerFlag adds the flag --owner, which selects the owner whose data a
// command uses.
func addOwnerFlag(a *app.App, root *cobra.Command) {
	root.PersistentFlags().StringVar(&a.Flags.Owner, "owner", "", "the person whose data the command uses: a name from 'kota owners' (default: you)")
	completeBy(root, "owner", completeOwners(a))
	root.PersistentPreRunE = func(cmd *cobra.Command, _ []string) error {
		top := cmd
		for top.HasParent() && top.Parent() != root {
			top = top.Parent()
		}
		switch {
		case !cmd.Flags().Changed("owner"):
			return nil
		case a.Flags.Owner == "": // for example an unset $NAME in a script
			return mistake.Errorf("--owner is empty: give a name from `kota owners`, or omit it")
		case slices.Contains(app.CommandsWithoutOwner, top.Name()):
			return mistake.Errorf("`kota %s` does not depend on the owner: omit --owner", top.Name())
		}
		return nil
	}
}

// completeOwners returns the names of the owners who have a folder.
func completeOwners(a *app.App) completer {
	return func(_ *cobra.Command, _ []string, start string) ([]string, cobra.ShellCompDirective) {
		a.Flags.Owner = "" // the user is still typing the name
		if a.Load() != nil {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		all, err := a.Registry().Folders()
		if err != nil {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		return withPrefix(tenant.Names(all), start), cobra.ShellCompDirectiveNoFileComp
	}
}
