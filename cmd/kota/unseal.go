package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"kota/bundles"
	"kota/cmd/kota/internal/app"
	"kota/cmd/kota/internal/mistake"
	"kota/metadata"
	"kota/store"
	"kota/store/sqlite"
)

func newUnseal(a *app.App) *cobra.Command {
	var yes bool
	cmd := &cobra.Command{
		Use:   "unseal KEY",
		Short: "Keep a secret memory in plain text from now on",
		Long: `Keep a secret memory in plain text from now on: it is searched, listed and exported
like any other, which no undo takes back. You are asked first, on a terminal; where
there is none, --yes says it. No tool does that, so that no assistant can.`,
		Example: "  kota memory unseal 'bank pin'\n  kota memory unseal 'bank pin' --yes",
		Args:    exactly(1, "the key of one memory"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := a.Load(); err != nil {
				return err
			}
			if err := a.Policy().Permit("kota memory unseal", metadata.Writes); err != nil {
				return err
			}
			if err := mayUnseal(cmd.Context(), a, args[0], yes); err != nil {
				return err
			}
			db, err := a.OpenDB(cmd.Context())
			if err != nil {
				return err
			}
			err = a.ByHand(cmd.Context(), "kota memory unseal", metadata.Writes, func(ctx context.Context) error {
				_, err := sqlite.NewMemories(db, app.MemoryOwner).Update(ctx, store.Edit{Key: args[0], Unseal: true})
				return err
			})
			if errors.Is(err, store.ErrNotFound) {
				return metadata.Errorf(metadata.NotFound, "there is no memory %q", args[0]).WithHint("Find it with `kota call memory_list`.")
			}
			if err != nil {
				return err
			}
			_, err = fmt.Fprintf(a.Stdout, "%q is no secret any more.\n", args[0])
			return err
		},
	}
	cmd.Flags().BoolVar(&yes, "yes", false, "do not ask")
	return cmd
}

// mayUnseal returns nil when the user wants a secret in plain text: what a pipe says
// is nobody's word.
func mayUnseal(ctx context.Context, a *app.App, key string, yes bool) error {
	switch {
	case yes:
		return nil
	case !a.CanAsk():
		return mistake.Errorf("There is no terminal to ask you on: nothing was done. `kota memory unseal %s --yes` does it.", bundles.ShellWord(key))
	case !a.Confirm(ctx, fmt.Sprintf("%q would be kept in plain text from now on: searched, listed and exported like any other memory.", bundles.Clean(key))):
		return metadata.Errorf(metadata.Refused, "%q stays a secret: nothing was done", key)
	}
	return nil
}
