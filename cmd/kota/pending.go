package main

import (
	"slices"

	"github.com/spf13/cobra"

	"kota/cmd/kota/internal/app"
	"kota/cmd/kota/internal/mistake"
	"kota/cmd/kota/internal/pending"
)

func newPending(a *app.App) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "pending [ID]",
		Short: "List the calls that wait for you, or show all of one",
		Long: `List the calls that send, destroy or remove and wait until you approve or reject
them, the oldest first. They are given up after three days. With an id, show all
that one of them would do; nothing is done.`,
		Example:           "  kota pending\n  kota pending a_k3v9q2m7xw\n  kota pending --json",
		ValidArgsFunction: completePending(a),
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 1 {
				return mistake.Errorf("kota pending takes one id, or none to list all.")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := a.Load(); err != nil {
				return err
			}
			if len(args) == 1 {
				return pending.Show(cmd.Context(), a, args[0], asJSON)
			}
			return pending.List(cmd.Context(), a, asJSON)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print as JSON, with all that each would do")
	return cmd
}

// completePending returns the ids of the pending calls.
func completePending(a *app.App) completer {
	return func(cmd *cobra.Command, args []string, start string) ([]string, cobra.ShellCompDirective) {
		if len(args) > 0 && cmd.Name() != "approve" || a.Load() != nil {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		calls, err := a.Pending(cmd.Context())
		if err != nil {
			return nil, cobra.ShellCompDirectiveError
		}
		var words []string
		for _, one := range calls {
			if shown, err := pending.Shown(one); err == nil && !slices.Contains(args, one.ID) {
				words = append(words, one.ID+"\t"+shown.Title)
			}
		}
		return withPrefix(words, start), cobra.ShellCompDirectiveNoFileComp
	}
}
