package main

import (
	"github.com/spf13/cobra"

	"kota/cmd/kota/internal/app"
	"kota/cmd/kota/internal/mistake"
	"kota/cmd/kota/internal/pending"
	"kota/metadata"
)

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
