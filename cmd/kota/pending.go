package main

import (
	"kota/cmd/kota/internal/app"
	"kota/cmd/kota/internal/mistake"
	"kota/cmd/kota/internal/pending"
	"kota/metadata"
	"slices"

	"github.com/spf13/cobra"
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

func newApprove(a *app.App) *cobra.Command {
	var yes bool
	cmd := &cobra.Command{
		Use:   "approve [ID...]",
		Short: "Approve pending calls and run them",
		Long: `Show a pending call in full, ask you, and run it if you approve. The question needs
a terminal; --yes approves the calls whose ids you give. Without a terminal and
without --yes nothing is run: input from a pipe is not an approval.

If the effect of the call has changed since it was shown, nothing is done, and the
changed call is pending under a new id. A call that a limit or Google refuses stays
pending. With several ids, KOTA shows all of them, lists them, and asks once.
Without an id, KOTA shows each pending call and asks about it; without a terminal
it only lists them.`,
		Example:           "  kota approve\n  kota approve a_k3v9q2m7xw\n  kota approve a_k3v9q2m7xw a_7hd2ms4c0e --yes",
		ValidArgsFunction: completePending(a),
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 && yes {
				return mistake.Errorf("kota approve --yes needs the ids of the calls to approve. `kota pending` lists them.")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := a.Load(); err != nil {
				return err
			}
			if len(args) == 0 {
				return pending.ApproveEach(cmd.Context(), a)
			}
			return pending.Approve(cmd.Context(), a, args, yes)
		},
	}
	cmd.Flags().BoolVar(&yes, "yes", false, "do not ask")
	return cmd
}

func newReject(a *app.App) *cobra.Command {
	return &cobra.Command{
		Use:               "reject ID",
		Short:             "Reject a pending call",
		Long:              `Reject a pending call. Your assistant is informed when it repeats the call.`,
		Example:           "  kota reject a_k3v9q2m7xw",
		Args:              exactArgs(1, "the id of one pending call"),
		ValidArgsFunction: completePending(a),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := a.Load(); err != nil {
				return err
			}
			if err := a.Policy().Permit("kota reject", metadata.Writes); err != nil {
				return err
			}
			return pending.Reject(cmd.Context(), a, args[0])
		},
	}
}
