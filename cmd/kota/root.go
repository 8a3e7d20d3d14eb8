package main

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"kota/cmd/kota/internal/app"
	"kota/cmd/kota/internal/mistake"
	"kota/metadata"
)

const welcome = `KOTA gives an AI assistant a memory that lasts across conversations and clients,
and access to Gmail, Google Calendar and a diary. It speaks MCP.

Set it up, step by step:

  %[1]s init

Or connect one client; the first command lists all clients:

  %[1]s install
  %[1]s install claude-desktop

Try it here:

  kota discover remember something
  kota call memory_set key=theme value=dark
  kota call memory_get query=theme

All commands: kota help
`

func newRoot(a *app.App) *cobra.Command {
	root := &cobra.Command{
		Use:           "kota",
		Short:         "Memory, mail, calendar and diary for AI assistants over MCP",
		Version:       app.Version,
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			path, err := os.Executable()
			if err != nil {
				path = "kota"
			}
			_, err = fmt.Fprintf(a.Stdout, welcome, path)
			return err
		},
	}
	root.PersistentFlags().StringVar(&a.Flags.File, "config", "", "bundles.yaml to use (default: $KOTA_CONFIG, else bundles.yaml in $KOTA_HOME)")
	root.PersistentFlags().StringVar(&a.Flags.Profile, "profile", "", "the profile to use instead of the one in bundles.yaml; 'kota profiles' lists them")
	completeBy(root, "profile", completeProfiles(a))
	addOwnerFlag(a, root)
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		return mistake.Errorf("%s\nSee `%s --help`.", flagProblem(cmd, err), cmd.CommandPath())
	})
	root.AddCommand(
		newInit(a), newInstall(a), newUninstall(a), newServe(a), newHTTP(a), newOwners(a), newCall(a), newDiscover(a), newDescribe(a), newContext(a),
		newBundles(a), newProfiles(a), newAuth(a), newSecrets(a),
		newPending(a), newApprove(a), newReject(a), newOutbox(a), newAudit(a),
		newUndo(a), newMemory(a), newDaily(a), newBackup(a), newRestore(a), newMigrate(a), newDocs(a), newDoctor(a), newVersion(a), newUsageStats(a), newTokens(a), newConsole(a),
	)
	showGroups(root)
	return root
}

// showGroups concerns the commands below cmd that only group other commands. It
// makes each of them print its help and refuse arguments.
func showGroups(cmd *cobra.Command) {
	for _, sub := range cmd.Commands() {
		if sub.HasSubCommands() && !sub.Runnable() {
			sub.Args, sub.RunE = noArgs, func(cmd *cobra.Command, _ []string) error { return cmd.Help() }
		}
		showGroups(sub)
	}
}

// flagProblem says what is wrong with a flag of cmd, in KOTA's words where
// possible.
func flagProblem(cmd *cobra.Command, err error) string {
	var unknown *pflag.NotExistError
	if errors.As(err, &unknown) {
		var names []string
		cmd.Flags().VisitAll(func(flag *pflag.Flag) { names = append(names, flag.Name) })
		if near := metadata.Nearest(unknown.GetSpecifiedName(), names, 1); len(near) > 0 {
			return fmt.Sprintf("%s. Did you mean --%s?", err, near[0])
		}
	}
	var invalid *pflag.InvalidValueError
	if !errors.As(err, &invalid) {
		return err.Error()
	}
	takes := map[string]string{"int": "a whole number", "bool": "true or false"}[invalid.GetFlag().Value.Type()]
	return fmt.Sprintf("--%s takes %s, not %q", invalid.GetFlag().Name, cmp.Or(takes, "another value"), invalid.GetValue())
}

// noArgs and exactArgs are like cobra.NoArgs and cobra.ExactArgs, but return
// usage errors (exit status 2).
func noArgs(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return mistake.Errorf("unknown command or argument %q.%s\nSee `%s --help`.", args[0], didYouMean(cmd, args[0]), cmd.CommandPath())
	}
	return nil
}

func exactArgs(n int, what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) != n {
			return mistake.Errorf("%s takes %s.\nSee `%s --help`.", cmd.CommandPath(), what, cmd.CommandPath())
		}
		return nil
	}
}

// didYouMean suggests the nearest command below cmd, or returns "".
func didYouMean(cmd *cobra.Command, name string) string {
	var names []string
	for _, sub := range cmd.Commands() {
		if slices.Contains(sub.SuggestFor, name) {
			return fmt.Sprintf(" Did you mean %q?", sub.Name())
		}
		if sub.IsAvailableCommand() {
			names = append(names, sub.Name())
		}
	}
	if near := metadata.Nearest(name, names, 1); len(near) > 0 {
		return fmt.Sprintf(" Did you mean %q?", near[0])
	}
	return ""
}

// addJSON adds the flag --json to the commands. The JSON of a list is an object in
// which the list has a key.
func addJSON(asJSON *bool, commands ...*cobra.Command) {
	for _, cmd := range commands {
		cmd.Flags().BoolVar(asJSON, "json", false, "print as JSON")
	}
}
