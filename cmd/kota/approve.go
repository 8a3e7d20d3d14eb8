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
		Short: "Show calls that wait for you, and carry them out",
		Long: `Show all of a call that waits for you, and carry it out. You are asked first, on a
terminal; --yes takes the id for your answer. Where there is no terminal nothing is
done without it: what a pipe says is nobody's word.

What would be done by now is compared with what is shown: when it differs nothing
is done, and it waits under another id. What a limit or Google does not let through
waits on. With several ids all are shown, then listed, and one answer is for all of
them. Without an id those that wait are listed, and each is shown and asked about;
where there is no terminal they are only listed.`,
		Example:           "  kota approve\n  kota approve a_k3v9q2m7xw\n  kota approve a_k3v9q2m7xw a_7hd2ms4c0e --yes",
		ValidArgsFunction: completePending(a),
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 && yes {
				return mistake.Errorf("kota approve --yes needs an id: nobody agrees to what they have not named.")
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
		Short:             "Give up a call that waits for you",
		Long:              "Give up a call that waits for you. Your assistant is told so when it repeats the call.",
		Example:           "  kota reject a_k3v9q2m7xw",
		Args:              exactArgs(1, "the id of one call that waits"),
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
