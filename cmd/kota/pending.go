package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"kota/entrypoint"
	"kota/store"
)

func newPending(a *app) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:     "pending",
		Short:   "List the calls that wait for you",
		Long:    "List the calls that send or destroy and wait until you approve or reject them, the oldest first. They are given up after three days.",
		Example: "  kota pending\n  kota pending --json",
		Args:    noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := a.load(); err != nil {
				return err
			}
			return a.listPending(cmd.Context(), asJSON)
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
	Text    string          `json:"text"`
	Args    json.RawMessage `json:"args"`
	Because string          `json:"because,omitempty"`
	Created time.Time       `json:"created"`
	Expires time.Time       `json:"expires"`
}

func (a *app) listPending(ctx context.Context, asJSON bool) error {
	waiting, err := a.pending(ctx)
	if err != nil {
		return err
	}
	if !asJSON {
		return a.printPending(waiting)
	}
	lines := []pendingLine{}
	for _, w := range waiting {
		var shown entrypoint.Shown
		if err := json.Unmarshal(w.Shown, &shown); err != nil {
			return fmt.Errorf("read what %s would do: %w", w.ID, err)
		}
		lines = append(lines, pendingLine{
			ID: w.ID, Tool: w.Tool, Effect: w.Effect, Title: shown.Title, Text: shown.Text, Args: w.Args,
			Because: w.Because, Created: w.Created, Expires: w.Expires,
		})
	}
	return a.printJSON(map[string]any{"pending": lines})
}

// pending returns the calls that wait: none where there is no database, which is
// not made for that.
func (a *app) pending(ctx context.Context) ([]store.Approval, error) {
	if _, err := os.Stat(a.dbPath()); errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	rows, err := a.approvals(ctx)
	if err != nil {
		return nil, err
	}
	return rows.Waiting(ctx)
}

func (a *app) printPending(waiting []store.Approval) error {
	if len(waiting) == 0 {
		_, err := fmt.Fprintln(a.stdout, "No call waits for you.")
		return err
	}
	w := tabwriter.NewWriter(a.stdout, 0, 0, 2, ' ', 0)
	for _, one := range waiting {
		var shown entrypoint.Shown
		if err := json.Unmarshal(one.Shown, &shown); err != nil {
			return fmt.Errorf("read what %s would do: %w", one.ID, err)
		}
		fmt.Fprintf(w, "%s\t%s\t%s\n", one.ID, one.Created.Format("2006-01-02 15:04"), shown.Title)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintln(a.stdout, "\nRun `kota approve ID` to see all of one and do it, `kota reject ID` to give it up.")
	return err
}

// completePending offers the ids of the calls that wait.
func (a *app) completePending(cmd *cobra.Command, args []string, start string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 || a.load() != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	waiting, err := a.pending(cmd.Context())
	if err != nil {
		return nil, cobra.ShellCompDirectiveError
	}
	var words []string
	for _, one := range waiting {
		var shown entrypoint.Shown
		if json.Unmarshal(one.Shown, &shown) == nil {
			words = append(words, one.ID+"\t"+shown.Title)
		}
	}
	return beginning(words, start), cobra.ShellCompDirectiveNoFileComp
}

// examinePending counts the calls that wait for their user.
func (a *app) examinePending(ctx context.Context) finding {
	waiting, err := a.pending(ctx)
	switch {
	case err != nil:
		return finding{Check: "approvals", Saw: err.Error(), Remedy: "See the checks above."}
	case len(waiting) == 0:
		return finding{Check: "approvals", OK: true, Saw: "no call waits for you"}
	}
	return finding{Check: "approvals", OK: true, Saw: fmt.Sprintf("%d waiting for you", len(waiting)), Remedy: "Run `kota approve`."}
}
