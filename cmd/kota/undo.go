package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"kota/bundles"
	"kota/bundles/calendar"
	"kota/bundles/daily"
	"kota/bundles/gmail"
	"kota/bundles/memory"
	"kota/cmd/kota/internal/app"
	"kota/cmd/kota/internal/mistake"
	"kota/entrypoint"
	"kota/metadata"
	"kota/store"
	"kota/store/sqlite"
	undostore "kota/store/sqlite/undo"
)

func newUndo(a *app.App) *cobra.Command {
	var asJSON, overwrite bool
	var limit int
	cmd := &cobra.Command{
		Use:   "undo [ID]",
		Short: "Put back what a change found, or list the last changes",
		Long: `Put back what a change found: of memories, the diary, mail or the calendar. ID is
the undo_id in the answer of the change. Without it the last changes that can be
put back are listed, newest first. Changes can be put back for 30 days, unless
somebody has changed the same since: --overwrite puts a change of mail or of the
calendar back all the same. Putting back a change of memories or the diary can be
undone too.`,
		Example:           "  kota undo\n  kota undo u12\n  kota undo --json --limit 50",
		ValidArgsFunction: completeUndo(a),
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 1 {
				return mistake.Errorf("%s takes one undo_id at most.\nSee `%s --help`.", cmd.CommandPath(), cmd.CommandPath())
			}
			if limit < 1 || limit > 1000 {
				return mistake.Errorf("--limit takes 1 to 1000, not %d", limit)
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 1 {
				return undo(cmd.Context(), a, args[0], overwrite)
			}
			changes, err := undoable(cmd.Context(), a, limit)
			if err != nil {
				return err
			}
			if asJSON {
				return a.PrintJSON(map[string]any{"changes": changes})
			}
			return printUndoable(a, changes)
		},
	}
	addJSON(&asJSON, cmd)
	cmd.Flags().BoolVar(&overwrite, "overwrite", false, "put it back although the same was changed since")
	cmd.Flags().IntVar(&limit, "limit", 20, "how many are listed at most")
	return cmd
}

// undo runs the action that undoes a change, as any other call: what is asked
// first, refused or recorded of it is asked, refused and recorded here.
func undo(ctx context.Context, a *app.App, id string, overwrite bool) error {
	router, err := a.Router()
	if err != nil {
		return err
	}
	bundle, err := undoneBy(ctx, a, id)
	if err != nil {
		return err
	}
	action, given := undoAction(a, bundle), map[string]any{"undo_id": id}
	if overwrite {
		if !slices.ContainsFunc(action.Input.Params(), func(p metadata.Param) bool { return p.Name == "overwrite" }) {
			return mistake.Errorf("--overwrite is for changes of mail and of the calendar: %s is of %s", id, bundle)
		}
		given["overwrite"] = true
	}
	args, err := json.Marshal(given)
	if err != nil {
		return err
	}
	call := &entrypoint.Call{Channel: entrypoint.ByCLI, Tool: action.Tool, Args: args}
	_, text, err := router.Answer(ctx, call)
	sayNote(a, call)
	if err != nil {
		return err
	}
	return a.PrintJSON(json.RawMessage(text))
}

// undoAction is the action that puts changes of a bundle back.
func undoAction(a *app.App, bundle string) bundles.Action {
	for _, b := range a.Bundles() {
		for _, action := range b.Actions {
			if b.Key == bundle && action.Undoes {
				return action
			}
		}
	}
	panic("nothing undoes changes of " + bundle)
}

// undoneBy returns the bundle whose change an id undoes.
func undoneBy(ctx context.Context, a *app.App, id string) (string, error) {
	switch {
	case memory.Undoes(id):
		return "memory", nil
	case daily.Undoes(id):
		return "daily", nil
	}
	db, err := a.OpenDB(ctx)
	if err != nil {
		return "", err
	}
	bundle, err := undostore.BundleOf(ctx, db, app.MemoryOwner, id)
	if errors.Is(err, store.ErrNotFound) {
		return "", metadata.Errorf(metadata.NotFound, "there is no change %.60q to undo", id).
			WithHint("`kota undo` lists the last changes with their ids. Changes can be put back for 30 days.")
	}
	return bundle, err
}

// undoable are the last changes of all bundles that are on, the last first.
func undoable(ctx context.Context, a *app.App, limit int) ([]bundles.Undoable, error) {
	if err := a.Load(); err != nil {
		return nil, err
	}
	db, err := a.OpenDB(ctx)
	if err != nil {
		return nil, err
	}
	all := []bundles.Undoable{}
	for _, of := range []struct {
		bundle string
		read   func() ([]bundles.Undoable, error)
	}{
		{"memory", func() ([]bundles.Undoable, error) {
			return memory.Undoable(ctx, sqlite.NewMemories(db, app.Owner), limit)
		}},
		{"daily", func() ([]bundles.Undoable, error) { return daily.Undoable(ctx, sqlite.NewDiary(db, app.Owner), limit) }},
		{"gmail", func() ([]bundles.Undoable, error) { return gmail.Undoable(ctx, a.MailDeps(), limit) }},
		{"calendar", func() ([]bundles.Undoable, error) { return calendar.Undoable(ctx, a.CalendarDeps(), limit) }},
	} {
		if !a.Config.Bundles[of.bundle].Enabled {
			continue
		}
		some, err := of.read()
		if err != nil {
			return nil, err
		}
		all = append(all, some...)
	}
	slices.SortStableFunc(all, func(x, y bundles.Undoable) int { return y.At.Compare(x.At) })
	all = all[:min(limit, len(all))]
	for i := range all {
		all[i].At = all[i].At.In(a.Zone()).Truncate(time.Second)
	}
	return all, nil
}

func printUndoable(a *app.App, changes []bundles.Undoable) error {
	if len(changes) == 0 {
		_, err := fmt.Fprintln(a.Stdout, "There is nothing to undo.")
		return err
	}
	rows := [][]string{}
	for _, c := range changes {
		rows = append(rows, []string{c.ID, c.At.Format("2006-01-02 15:04"), c.Bundle, c.Account, c.Title})
	}
	return a.PrintTable(rows)
}

// completeUndo offers the changes that can be put back.
func completeUndo(a *app.App) completer {
	return func(cmd *cobra.Command, args []string, start string) ([]string, cobra.ShellCompDirective) {
		if len(args) > 0 {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		changes, err := undoable(cmd.Context(), a, 20)
		if err != nil {
			return nil, cobra.ShellCompDirectiveError
		}
		var words []string
		for _, c := range changes {
			words = append(words, c.ID+"\t"+c.Title)
		}
		return beginning(words, start), cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveKeepOrder
	}
}
