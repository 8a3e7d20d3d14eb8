package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"kota/cmd/kota/internal/app"
	"kota/cmd/kota/internal/mistake"
	"kota/metadata"
	"kota/store"
	"kota/store/sqlite"
)

func newDailyErase(a *app.App) *cobra.Command {
	var yes bool
	cmd := &cobra.Command{
		Use:   "erase ID...",
		Short: "Erase entries, tasks and documents of the diary for good",
		Long: `Erase entries, tasks, plans and reviews of the diary for good, with all their
versions, which no undo takes back. Deleted ones can be erased too. ID is the id in
the answer of the call that made it. You are asked first, on a terminal; where there
is none, --yes says it. No tool does that, so that no assistant can.`,
		Example: "  kota daily erase ejmbx4h\n  kota daily erase ejmbx4h t2qk8 --yes",
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return mistake.Errorf("%s takes the ids of what to erase.\nSee `%s --help`.", cmd.CommandPath(), cmd.CommandPath())
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := a.Load(); err != nil {
				return err
			}
			if err := a.Policy().Permit("kota daily erase", metadata.Destroys); err != nil {
				return err
			}
			db, err := a.OpenDB(cmd.Context())
			if err != nil {
				return err
			}
			return eraseDays(cmd.Context(), a, sqlite.NewDiary(db, app.Owner), args, yes)
		},
	}
	cmd.Flags().BoolVar(&yes, "yes", false, "do not ask")
	return cmd
}

// eraseDays erases what the ids name, all of it or nothing, once the user agrees.
func eraseDays(ctx context.Context, a *app.App, diary *sqlite.Diary, ids []string, yes bool) error {
	if _, err := diary.Erase(ctx, ids, true); err != nil {
		return notInDiary(err, ids)
	}
	if err := mayErase(ctx, a, ids, yes); err != nil {
		return err
	}
	erased := store.Erased{}
	err := a.ByHand(ctx, "kota daily erase", metadata.Destroys, func(ctx context.Context) (err error) {
		erased, err = diary.Erase(ctx, ids, false)
		return err
	})
	if err != nil {
		return notInDiary(err, ids)
	}
	fmt.Fprintf(a.Stdout, "%s erased for good.\n", areOrIs(ids))
	if !erased.Gone {
		fmt.Fprintf(a.Stdout, "Bytes of the text may still be in the file of the database: %s.\n", erased.Reason)
	}
	if len(erased.Copies) > 0 {
		fmt.Fprintf(a.Stdout, "Copies that may still have it: %s.\n", strings.Join(erased.Copies, ", "))
	}
	return nil
}

// mayErase returns nil when the user wants that to be erased.
func mayErase(ctx context.Context, a *app.App, ids []string, yes bool) error {
	switch {
	case yes:
		return nil
	case !a.CanAsk():
		return mistake.Errorf("There is no terminal to ask you on: nothing was done. `kota daily erase %s --yes` does it.", strings.Join(ids, " "))
	case !a.Confirm(ctx, fmt.Sprintf("%s to be erased for good, with all versions. No undo brings that back.", areOrIs(ids))):
		return metadata.Errorf(metadata.Refused, "nothing was erased")
	}
	return nil
}

// areOrIs is "e1 is", or "e1, t2 are".
func areOrIs(ids []string) string {
	if len(ids) == 1 {
		return ids[0] + " is"
	}
	return strings.Join(ids, ", ") + " are"
}

// notInDiary answers an id that names nothing.
func notInDiary(err error, ids []string) error {
	if errors.Is(err, store.ErrNotFound) || errors.Is(err, store.ErrInvalid) {
		return metadata.Errorf(metadata.NotFound, "the diary has nothing under one of %s: nothing was erased", strings.Join(ids, ", ")).
			WithHint("`kota daily export --format json` shows the ids.")
	}
	return err
}
