package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"kota/metadata"
	"kota/store"
)

func newUnseal(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "unseal KEY",
		Short: "Keep a secret memory in plain text from now on",
		Long: `Keep a secret memory in plain text from now on: it is searched, listed and exported
like any other. No tool does that, so that no assistant can.`,
		Example: "  kota memory unseal 'bank pin'",
		Args:    exactly(1, "the key of one memory"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := a.load(); err != nil {
				return err
			}
			if err := a.policy().Permit("kota memory unseal", metadata.Writes); err != nil {
				return err
			}
			db, err := a.openDB(cmd.Context())
			if err != nil {
				return err
			}
			err = a.byHand(cmd.Context(), "kota memory unseal", metadata.Writes, func(ctx context.Context) error {
				_, err := db.Memories(memoryOwner).Update(ctx, store.Edit{Key: args[0], Unseal: true})
				return err
			})
			if errors.Is(err, store.ErrNotFound) {
				return metadata.Errorf(metadata.NotFound, "there is no memory %q", args[0]).WithHint("Find it with `kota call memory_list`.")
			}
			if err != nil {
				return err
			}
			_, err = fmt.Fprintf(a.stdout, "%q is no secret any more.\n", args[0])
			return err
		},
	}
}
