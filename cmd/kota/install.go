package main

import (
	"strings"

	"github.com/spf13/cobra"

	"kota/cmd/kota/internal/app"
	"kota/cmd/kota/internal/clients"
	"kota/cmd/kota/internal/guide"
	"kota/cmd/kota/internal/install"
	"kota/cmd/kota/internal/mistake"
)

func newInit(a *app.App) *cobra.Command {
	var in guide.Options
	cmd := &cobra.Command{
		Use:   "init",
		Short: "Set KOTA up: clients, a test call, Google",
		Long: `Set KOTA up in a terminal, step by step: connect the clients on this machine, make a
test call, and connect Gmail and Google Calendar. Each step asks first, can be
skipped, and says what it did. What is right already stays as it is, so you can
repeat the command. q, Ctrl-D and Ctrl-C stop it.

--yes asks nothing: it connects the clients without an entry kota, makes the test
call, and says what it left out. With --client, it connects only those, and updates
their entries. The exit status is 1 if a step fails.`,
		Example: "  kota init\n  kota init --yes\n  kota init --yes --client claude-code --client cursor",
		Args:    noArgs,
		RunE:    func(cmd *cobra.Command, _ []string) error { return guide.Init(cmd.Context(), a, in) },
	}
	cmd.Flags().BoolVar(&in.Yes, "yes", false, "do what is safe, and ask nothing")
	cmd.Flags().StringSliceVar(&in.Clients, "client", nil, "connect this client (default: those found on this machine)")
	cmd.Flags().BoolVar(&in.NoBrowser, "no-browser", false, "print addresses instead of opening a browser")
	complete(cmd, "client", clients.Names()...)
	return cmd
}

func newInstall(a *app.App) *cobra.Command {
	in, asJSON := install.Options{}, false
	cmd := &cobra.Command{
		Use:   "install [CLIENT]",
		Short: "Add KOTA to the configuration of a client",
		Long: `Add KOTA to the configuration of an MCP client, or update its entry. Nothing else in
the file changes, and a copy of the old file is kept in the same folder. The entry
contains --profile, --config, KOTA_HOME and KOTA_CONFIG as given here; values that
are not given are taken from the existing entry. KOTA does not change an entry of
another program, of an unknown kind, or that connects over HTTP. Without CLIENT, list
the clients and whether KOTA is in their configuration.`,
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
				return mistake.Errorf("--json only works for the list of clients: omit %s", args[0])
			}
			return install.Add(a, args[0], in)
		},
	}
	addEntryFlags(cmd, &in)
	addJSON(&asJSON, cmd)
	cmd.Flags().StringVar(&in.Notes, "notes", "", "also write into this file when the model should use KOTA: CLAUDE.md, AGENTS.md, …")
	return cmd
}

func newUninstall(a *app.App) *cobra.Command {
	in := install.Options{}
	cmd := &cobra.Command{
		Use:   "uninstall CLIENT",
		Short: "Remove KOTA from the configuration of a client",
		Long: `Remove KOTA from the configuration of an MCP client. A list of servers that becomes
empty is removed too. In JSON, it stays if it has a comment or is the only setting.
In YAML, it is removed with the comments in it. Nothing else in the file changes, and
a copy of the old file is kept in the same folder. An entry of another program is not
changed. KOTA's own data is not changed.`,
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
	cmd.Flags().StringVar(&in.Notes, "notes", "", "also remove what kota install --notes wrote into this file")
	return cmd
}

// addEntryFlags adds the flags that mean the same in install and uninstall.
func addEntryFlags(cmd *cobra.Command, in *install.Options) {
	cmd.Flags().StringVar(&in.File, "file", "", "another configuration file, for example of a project")
	cmd.Flags().StringVar(&in.Name, "name", "kota", "the name of the entry")
	cmd.Flags().BoolVar(&in.DryRun, "dry-run", false, "show what would change, and write nothing")
}

// checkEntryFlags refuses a flag with an empty value. Without a client, it also
// refuses the flags that need one.
func checkEntryFlags(cmd *cobra.Command, args []string) error {
	for _, name := range []string{"name", "file", "notes"} {
		if flag := cmd.Flags().Lookup(name); flag.Changed && flag.Value.String() == "" {
			return mistake.Errorf("--%s is empty; give it a value, or omit it", name)
		}
	}
	for _, name := range []string{"file", "notes", "dry-run"} {
		if len(args) == 0 && cmd.Flags().Changed(name) {
			return mistake.Errorf("--%s needs the name of a client, such as `%s cursor --%[1]s …`; known: %[3]s", name, cmd.CommandPath(), strings.Join(clients.Names(), ", "))
		}
	}
	return nil
}

// atMostOneClient accepts one client, or also none if least is 0.
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
