package main

import (
	"cmp"
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"kota/cmd/kota/internal/app"
	"kota/cmd/kota/internal/config"
	"kota/metadata"
)

func newProfiles(a *app.App) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "profiles",
		Short: "List the profiles, with how many actions each allows",
		Long: `List the profiles, with the number of actions of each bundle that they allow. A star
marks the current profile, which the key profile in bundles.yaml or --profile chooses.`,
		Example: "  kota profiles\n  kota profiles --json\n  kota serve --profile writing",
		Args:    noArgs,
		RunE:    func(*cobra.Command, []string) error { return listProfiles(a, asJSON) },
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print as JSON, with effects and instructions")
	return cmd
}

// profileLine is the line, and the JSON, of one profile.
type profileLine struct {
	Name         string            `json:"name"`
	Chosen       bool              `json:"chosen"`
	Description  string            `json:"description"`
	Instructions string            `json:"instructions,omitempty"`
	Effects      []metadata.Effect `json:"effects"`
	Actions      []bundleCount     `json:"actions"`
}

// bundleCount is how many actions of a bundle a profile allows.
type bundleCount struct {
	Bundle  string `json:"bundle"`
	Allowed int    `json:"allowed"`
	Of      int    `json:"of"` // how many actions the bundle has
}

func listProfiles(a *app.App, asJSON bool) error {
	if err := a.Load(); err != nil {
		return err
	}
	lines := []profileLine{}
	for _, name := range config.ProfileNames(a.Config.Profiles) {
		lines = append(lines, profileLineOf(a, name))
	}
	if asJSON {
		return a.PrintJSON(map[string]any{"profiles": lines})
	}
	w := tabwriter.NewWriter(a.Stdout, 0, 0, 2, ' ', 0)
	for _, l := range lines {
		star, counts := " ", []string{}
		if l.Chosen {
			star = "*"
		}
		for _, c := range l.Actions {
			counts = append(counts, fmt.Sprintf("%s %d/%d", c.Bundle, c.Allowed, c.Of))
		}
		fmt.Fprintf(w, "%s %s\t%s\t%s\n", star, l.Name, strings.Join(counts, "\t"), l.Description)
	}
	return w.Flush()
}

func profileLineOf(a *app.App, name string) profileLine {
	profile, policy := a.Config.Profiles[name], a.Config.PolicyOf(name)
	line := profileLine{
		Name: name, Chosen: name == a.Config.Profile, Description: profile.Description, Instructions: profile.Instructions,
		Effects: profile.Effects, Actions: []bundleCount{},
	}
	if line.Effects == nil {
		line.Effects = metadata.Effects
	}
	for _, b := range a.Bundles() {
		line.Actions = append(line.Actions, bundleCount{b.Key, policy.Count(b), len(b.Actions)})
	}
	return line
}

// completeProfiles returns the names of all profiles.
func completeProfiles(a *app.App) completer {
	return func(_ *cobra.Command, _ []string, start string) ([]string, cobra.ShellCompDirective) {
		a.Flags.Profile = "" // the user is still typing the name
		if a.Load() != nil {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		words := []string{}
		for _, name := range config.ProfileNames(a.Config.Profiles) {
			words = append(words, name+"\t"+cmp.Or(a.Config.Profiles[name].Description, "a profile of your own"))
		}
		return withPrefix(words, start), cobra.ShellCompDirectiveNoFileComp
	}
}
