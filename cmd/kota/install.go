package main

import (
	"strings"

	"github.com/spf13/cobra"

	"kota/cmd/kota/internal/app"
	"kota/cmd/kota/internal/clients"
	"kota/cmd/kota/internal/install"
	"kota/cmd/kota/internal/mistake"
)

func newInstall(a *app.App) *cobra.Command {
	in, asJSON := install.Options{}, false
	cmd := &cobra.Command{
		Use:   "install [CLIENT]",
		Short: "Connect a client: write KOTA into its configuration",
		Long: `Write KOTA into the configuration of an MCP client, or bring the entry up to
date. Every other byte of the file stays as it is, and the file as it was is kept
beside it. --profile, --config, KOTA_HOME and KOTA_CONFIG go into the entry as they
are given here; what is not given stays as an earlier entry has it. An entry of
another program, of a kind that KOTA does not know, or one that connects over HTTP
is left alone. Without CLIENT the clients are listed, and which of them know KOTA.`,
		Example: `  kota install
  kota install claude-desktop
  kota install codex --dry-run
  kota --profile read-only install cursor
  kota install vscode --file .vscode/mcp.json
  kota install claude-code --notes CLAUDE.md`,
		Args:              atMostOneClient(0),
		ValidArgsFunction: completeClients,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := checkEntryFlags(cmd, args); err != nil {
				return err
			}
			if len(args) == 0 {
				return install.List(a, in.Name, asJSON)
			}
			if asJSON {
				return mistake.Errorf("--json is about the list of clients: leave %s out", args[0])
			}
			return install.Add(a, args[0], in)
		},
	}
	addEntryFlags(cmd, &in)
	addJSON(&asJSON, cmd)
	cmd.Flags().StringVar(&in.Notes, "notes", "", "also tell the model in this file when to use KOTA: CLAUDE.md, AGENTS.md, …")
	return cmd
}

func newUninstall(a *app.App) *cobra.Command {
	in := install.Options{}
	cmd := &cobra.Command{
		Use:   "uninstall CLIENT",
		Short: "Take KOTA out of a client's configuration",
		Long: `Take KOTA out of the configuration of an MCP client. Every other byte of the
file stays as it is, but that a list of servers without any and without a comment
goes too where the file has other settings; and the file as it was is kept beside
it. An entry that is not KOTA's is left alone. What KOTA keeps is not touched.`,
		Example:           "  kota uninstall cursor\n  kota uninstall claude-code --notes CLAUDE.md",
		Args:              atMostOneClient(1),
		ValidArgsFunction: completeClients,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := checkEntryFlags(cmd, args); err != nil {
				return err
			}
			return install.Remove(a, args[0], in)
		},
	}
	addEntryFlags(cmd, &in)
	cmd.Flags().StringVar(&in.Notes, "notes", "", "also take out what --notes of install has put into this file")
	return cmd
}

// addEntryFlags adds the flags that install and uninstall share.
func addEntryFlags(cmd *cobra.Command, in *install.Options) {
	cmd.Flags().StringVar(&in.File, "file", "", "another configuration than the user's own, of a project for instance")
	cmd.Flags().StringVar(&in.Name, "name", "kota", "what the entry is called")
	cmd.Flags().BoolVar(&in.DryRun, "dry-run", false, "show what would change, and write nothing")
}

// checkEntryFlags refuses flags that would have no effect.
func checkEntryFlags(cmd *cobra.Command, args []string) error {
	for _, name := range []string{"name", "file", "notes"} {
		if flag := cmd.Flags().Lookup(name); flag.Changed && flag.Value.String() == "" {
			return mistake.Errorf("--%s is empty; give it a value, or leave it out", name)
		}
	}
	for _, name := range []string{"file", "notes", "dry-run"} {
		if len(args) == 0 && cmd.Flags().Changed(name) {
			return mistake.Errorf("--%s is about one client: name it, such as `%s cursor --%[1]s …`; known: %[3]s", name, cmd.CommandPath(), strings.Join(clients.Names(), ", "))
		}
	}
	return nil
}

// atMostOneClient accepts at least that many clients, and at most one.
func atMostOneClient(least int) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) < least || len(args) > 1 {
			return mistake.Errorf("%s takes one client: %s.\nSee `%[1]s --help`.", cmd.CommandPath(), strings.Join(clients.Names(), ", "))
		}
		return nil
	}
}

func completeClients(_ *cobra.Command, args []string, start string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return withPrefix(clients.Names(), start), cobra.ShellCompDirectiveNoFileComp
}
