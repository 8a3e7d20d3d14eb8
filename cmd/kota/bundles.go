package main

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"kota/bundles"
	"kota/cmd/kota/internal/app"
	"kota/cmd/kota/internal/config"
	"kota/cmd/kota/internal/mistake"
	"kota/metadata"
)

func newBundles(a *app.App) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "bundles",
		Short: "List the bundles and switch them on or off",
		Long: `List the bundles, with the number of actions that the profile allows. Bundles without
an allowed action are not listed. ` + "`kota bundles enable`" + ` and ` + "`kota bundles disable`" + ` edit
bundles.yaml and work under every profile: a profile limits what the assistant may
do, not how you configure KOTA.`,
		Example: "  kota bundles\n  kota bundles enable gmail\n  kota bundles --json",
		Args:    noArgs,
		RunE:    func(cmd *cobra.Command, _ []string) error { return listBundles(a, asJSON) },
	}
	list := &cobra.Command{
		Use:   "list",
		Short: "List every bundle, on or off",
		Args:  noArgs,
		RunE:  func(*cobra.Command, []string) error { return listBundles(a, asJSON) },
	}
	addJSON(&asJSON, cmd, list)
	cmd.AddCommand(list,
		switchBundle(a, "enable", "on", true),
		switchBundle(a, "disable", "off", false),
	)
	return cmd
}

func switchBundle(a *app.App, verb, state string, on bool) *cobra.Command {
	return &cobra.Command{
		Use:               verb + " BUNDLE",
		Short:             "Switch a bundle " + state + " in bundles.yaml, whose comments stay",
		Args:              exactArgs(1, "the key of one bundle"),
		ValidArgsFunction: completeBundles(a),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := a.Load(); err != nil {
				return err
			}
			key := strings.ToLower(args[0])
			if !slices.Contains(bundleKeys(a), key) {
				return mistake.Errorf("unknown bundle %q; known: %s", args[0], strings.Join(bundleKeys(a), ", "))
			}
			file := a.Config.File
			if file == "" {
				file = filepath.Join(a.Config.Home, "bundles.yaml")
			}
			changed, err := config.SetBundle(file, key, on, app.KnownBundles(a.Bundles()))
			if err != nil {
				return err
			}
			if !changed {
				_, err = fmt.Fprintf(a.Stdout, "%s is %s already.\n", key, state)
				return err
			}
			if _, err := fmt.Fprintf(a.Stdout, "%s is %s now, in %s. Restart your clients to apply it.\n", key, state, file); err != nil || !on {
				return err
			}
			return printSignIn(a, key)
		},
	}
}

// printSignIn says how to sign in if the bundle needs an account and no account
// is signed in.
func printSignIn(a *app.App, key string) error {
	accounts, err := a.Accounts().List()
	if err != nil || len(accounts) > 0 {
		return nil // `kota doctor` reports accounts that cannot be read
	}
	if google, err := a.LoginBundles([]string{key}); err != nil || len(google) == 0 {
		return nil // the bundle needs no account
	}
	_, err = fmt.Fprintf(a.Stdout, "Then %s.\n", a.SignInStep())
	return err
}

func bundleKeys(a *app.App) []string {
	keys := []string{}
	for _, b := range a.Bundles() {
		keys = append(keys, b.Key)
	}
	return keys
}

func listBundles(a *app.App, asJSON bool) error {
	if err := a.Load(); err != nil {
		return err
	}
	policy := a.Policy()
	all := slices.DeleteFunc(slices.Clone(a.Bundles()), func(b bundles.Bundle) bool { return !policy.ShowsAny(b) })
	if asJSON {
		lines := make([]metadata.Bundle, 0, len(all))
		for _, b := range all {
			b.Enabled = a.Config.Bundles[b.Key].Enabled
			b.Bundle.Actions = []metadata.Action{}
			lines = append(lines, b.Bundle)
		}
		return a.PrintJSON(map[string]any{"bundles": lines})
	}
	w := tabwriter.NewWriter(a.Stdout, 0, 0, 2, ' ', 0)
	for _, b := range all {
		state := "off"
		if a.Config.Bundles[b.Key].Enabled {
			state = "on"
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\n", b.Key, state, b.Category, metadata.CountOf(policy.Count(b), "action"), b.Description)
	}
	return w.Flush()
}
