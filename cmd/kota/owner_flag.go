package main

import (
	"slices"

	"github.com/spf13/cobra"

	"kota/cmd/kota/internal/app"
	"kota/cmd/kota/internal/mistake"
	"kota/cmd/kota/internal/tenant"
)

// addOwnerFlag lets the commands be about somebody whom the HTTP server serves.
func addOwnerFlag(a *app.App, root *cobra.Command) {
	root.PersistentFlags().StringVar(&a.Flags.Owner, "owner", "", "whose memories, accounts, log and the rest it is about: a name of 'kota owners' (default: your own)")
	completeBy(root, "owner", completeOwners(a))
	root.PersistentPreRunE = func(cmd *cobra.Command, _ []string) error {
		top := cmd
		for top.HasParent() && top.Parent() != root {
			top = top.Parent()
		}
		switch {
		case !cmd.Flags().Changed("owner"):
			return nil
		case a.Flags.Owner == "": // $NAME of a script that was not set: it means nobody, and not you
			return mistake.Errorf("--owner is empty: give a name of `kota owners`, or leave it out")
		case slices.Contains(app.Ownerless, top.Name()):
			return mistake.Errorf("`kota %s` is the same for all: leave --owner out", top.Name())
		}
		return nil
	}
}

// completeOwners offers those who are known.
func completeOwners(a *app.App) completer {
	return func(_ *cobra.Command, _ []string, start string) ([]string, cobra.ShellCompDirective) {
		a.Flags.Owner = "" // it is not all there yet
		if a.Load() != nil {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		all, err := a.Registry().Folders()
		if err != nil {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		return beginning(tenant.Names(all), start), cobra.ShellCompDirectiveNoFileComp
	}
}
