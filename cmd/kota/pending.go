package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"kota/cmd/kota/internal/app"
	"kota/cmd/kota/internal/mistake"
	"kota/cmd/kota/internal/term"
	"kota/entrypoint/approval"
	"kota/store"
	"kota/store/sqlite"
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
				return showPending(cmd.Context(), a, args[0], asJSON)
			}
			return listPending(cmd.Context(), a, asJSON)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print as JSON, with all that each would do")
	return cmd
}

// A pendingLine is what is shown of a call that waits.
type pendingLine struct {
	ID      string          `json:"id"`
	Tool    string          `json:"tool_name"`
	Effect  string          `json:"effect"`
	Title   string          `json:"title"`
	About   string          `json:"about"`
	Text    string          `json:"text"`
	Args    json.RawMessage `json:"args"`
	Because string          `json:"because,omitempty"`
	Created time.Time       `json:"created"`
	Expires time.Time       `json:"expires"`
}

func listPending(ctx context.Context, a *app.App, asJSON bool) error {
	waiting, err := a.Pending(ctx)
	if err != nil {
		return err
	}
	if !asJSON {
		return printPending(a, waiting)
	}
	lines := []pendingLine{}
	for _, w := range waiting {
		line, err := pendingLineOf(w)
		if err != nil {
			return err
		}
		lines = append(lines, line)
	}
	return a.PrintJSON(map[string]any{"pending": lines})
}

func pendingLineOf(w store.Approval) (pendingLine, error) {
	shown, err := shownOf(w)
	return pendingLine{
		ID: w.ID, Tool: w.Tool, Effect: w.Effect, Title: shown.Title, About: shown.About, Text: shown.Text, Args: w.Args,
		Because: w.Because, Created: w.Created, Expires: w.Expires,
	}, err
}

// shownOf is what the user is shown of a call that waits.
func shownOf(w store.Approval) (approval.Shown, error) {
	var shown approval.Shown
	if err := json.Unmarshal(w.Shown, &shown); err != nil {
		return shown, fmt.Errorf("read what %s would do: %w", w.ID, err)
	}
	return shown, nil
}

// showPending shows all of a call that waits, and does nothing.
func showPending(ctx context.Context, a *app.App, id string, asJSON bool) error {
	waiting, err := a.Pending(ctx)
	if err != nil {
		return err
	}
	i := slices.IndexFunc(waiting, func(w store.Approval) bool { return w.ID == id })
	if i < 0 {
		return noLonger(ctx, a, id)
	}
	line, err := pendingLineOf(waiting[i])
	if err != nil {
		return err
	}
	if asJSON {
		return a.PrintJSON(line)
	}
	if _, err := fmt.Fprintf(a.Stdout, "%s\n\n", line.Text); err != nil {
		return err
	}
	return a.Say(a.Stdout, "It waits as %s until %s. `kota approve %s` does it, `kota reject %s` gives it up.\n",
		id, line.Expires.In(a.Zone()).Format("2006-01-02 15:04 MST"), id, id)
}

// noLonger is the error of naming a call that does not wait: what became of it, as
// far as that is kept.
func noLonger(ctx context.Context, a *app.App, id string) error {
	if sqlite.Absent(a.DbPath()) {
		return a.Unavailable(store.ErrNotFound, id)
	}
	rows, err := a.Approvals(ctx)
	if err != nil {
		return err
	}
	found, err := rows.Get(ctx, id)
	if err != nil {
		return a.Unavailable(err, id)
	}
	return a.NotWaiting(found)
}

func printPending(a *app.App, waiting []store.Approval) error {
	if len(waiting) == 0 {
		_, err := fmt.Fprintln(a.Stdout, "No call waits for you.")
		return err
	}
	if err := tablePending(a, a.Stdout, waiting); err != nil {
		return err
	}
	return a.Say(a.Stdout, "\nRun `kota pending ID` to see all of one, `kota approve ID` to do it, `kota reject ID` to give it up.\n")
}

// tablePending writes a line for each of the calls.
func tablePending(a *app.App, w io.Writer, waiting []store.Approval) error {
	rows := [][]string{}
	for _, one := range waiting {
		shown, err := shownOf(one)
		if err != nil {
			return err
		}
		rows = append(rows, []string{one.ID, one.Created.In(a.Zone()).Format("2006-01-02 15:04"), shown.Title, shown.About})
	}
	return term.WriteTable(w, rows)
}

// completePending offers the ids of the calls that wait.
func completePending(a *app.App) completer {
	return func(cmd *cobra.Command, args []string, start string) ([]string, cobra.ShellCompDirective) {
		if len(args) > 0 && cmd.Name() != "approve" || a.Load() != nil {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		waiting, err := a.Pending(cmd.Context())
		if err != nil {
			return nil, cobra.ShellCompDirectiveError
		}
		var words []string
		for _, one := range waiting {
			if shown, err := shownOf(one); err == nil && !slices.Contains(args, one.ID) {
				words = append(words, one.ID+"\t"+shown.Title)
			}
		}
		return beginning(words, start), cobra.ShellCompDirectiveNoFileComp
	}
}
