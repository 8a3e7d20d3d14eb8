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
		Use: "pending [ID]", SuggestFor: []string{"approvals"},
		Short: "List the pending calls, or show one in full",
		Long: `List the pending calls, the oldest first: calls that send, delete or remove, and wait
until you approve or reject them. Pending calls expire after three days. With an id,
show that call in full; nothing is done.`,
		Example:           "  kota pending\n  kota pending a_k3v9q2m7xw\n  kota pending --json",
		ValidArgsFunction: completePending(a),
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 1 {
				return mistake.Errorf("kota pending takes at most one id; without an id it lists all pending calls.")
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
	cmd.Flags().BoolVar(&asJSON, "json", false, "print as JSON, with the full text of each call")
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
		for _, call := range calls {
			if shown, err := pending.Shown(call); err == nil && !slices.Contains(args, call.ID) {
				words = append(words, call.ID+"\t"+shown.Title)
			}
		}
		return withPrefix(words, start), cobra.ShellCompDirectiveNoFileComp
	}
}
