package main

import (
	"encoding/json"

	"github.com/spf13/cobra"

	"kota/cmd/kota/internal/app"
	"kota/cmd/kota/internal/mistake"
	"kota/cmd/kota/internal/undo"
	"kota/entrypoint"
)

func newUndo(a *app.App) *cobra.Command {
	var asJSON, overwrite bool
	var limit int
	cmd := &cobra.Command{
		Use:   "undo [ID]",
		Short: "Undo a change, or list the last changes",
		Long: `Undo a change of memories, the diary, mail or the calendar. ID is the undo_id in the
answer of the change. Without ID, list the last changes that can be undone, newest
first. A change can be undone for 30 days, unless the same thing was changed again
since. --overwrite undoes a change of mail or of the calendar anyway. Undoing a
change of memories or the diary can be undone too.`,
		Example:           "  kota undo\n  kota undo c1-17e4\n  kota undo --json --limit 50",
		ValidArgsFunction: completeUndo(a),
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 1 {
				return mistake.Errorf("%s takes at most one undo_id.\nSee `%s --help`.", cmd.CommandPath(), cmd.CommandPath())
			}
			if overwrite && len(args) == 0 {
				return mistake.Errorf("--overwrite needs the undo_id of a change; `kota undo` lists the changes")
			}
			if limit < 1 || limit > 1000 {
				return mistake.Errorf("--limit takes 1 to 1000, not %d", limit)
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 1 {
				router, err := a.Router()
				if err != nil {
					return err
				}
				call, text, err := undo.Do(cmd.Context(), a, router, entrypoint.ByCLI, args[0], overwrite)
				if err != nil {
					return err
				}
				printNote(a, call)
				return a.PrintJSON(json.RawMessage(text))
			}
			changes, err := undo.List(cmd.Context(), a, limit)
			if err != nil {
				return err
			}
			if asJSON {
				return a.PrintJSON(map[string]any{"changes": changes})
			}
			return undo.Print(a, changes)
		},
	}
	addJSON(&asJSON, cmd)
	cmd.Flags().BoolVar(&overwrite, "overwrite", false, "undo the change even if the same thing was changed again")
	cmd.Flags().IntVar(&limit, "limit", 20, "the maximum number of changes to list")
	return cmd
}

// completeUndo returns the last changes that can be undone, newest first.
func completeUndo(a *app.App) completer {
	return func(cmd *cobra.Command, args []string, start string) ([]string, cobra.ShellCompDirective) {
		if len(args) > 0 {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		changes, err := undo.List(cmd.Context(), a, 20)
		if err != nil {
			return nil, cobra.ShellCompDirectiveError
		}
		var words []string
		for _, c := range changes {
			words = append(words, c.ID+"\t"+c.Title)
		}
		return withPrefix(words, start), cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveKeepOrder
	}
}
