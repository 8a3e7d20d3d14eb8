package pending

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"time"

	"kota/cmd/kota/internal/app"
	"kota/cmd/kota/internal/term"
	"kota/entrypoint/approval"
	"kota/store"
	"kota/store/sqlite"
)

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

func List(ctx context.Context, a *app.App, asJSON bool) error {
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
	shown, err := ShownOf(w)
	return pendingLine{
		ID: w.ID, Tool: w.Tool, Effect: w.Effect, Title: shown.Title, About: shown.About, Text: shown.Text, Args: w.Args,
		Because: w.Because, Created: w.Created, Expires: w.Expires,
	}, err
}

// ShownOf is what the user is shown of a call that waits.
func ShownOf(w store.Approval) (approval.Shown, error) {
	var shown approval.Shown
	if err := json.Unmarshal(w.Shown, &shown); err != nil {
		return shown, fmt.Errorf("read what %s would do: %w", w.ID, err)
	}
	return shown, nil
}

// Show shows all of a call that waits, and does nothing.
func Show(ctx context.Context, a *app.App, id string, asJSON bool) error {
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
	if err := WriteTable(a, a.Stdout, waiting); err != nil {
		return err
	}
	return a.Say(a.Stdout, "\nRun `kota pending ID` to see all of one, `kota approve ID` to do it, `kota reject ID` to give it up.\n")
}

// WriteTable writes a line for each of the calls.
func WriteTable(a *app.App, w io.Writer, waiting []store.Approval) error {
	rows := [][]string{}
	for _, one := range waiting {
		shown, err := ShownOf(one)
		if err != nil {
			return err
		}
		rows = append(rows, []string{one.ID, one.Created.In(a.Zone()).Format("2006-01-02 15:04"), shown.Title, shown.About})
	}
	return term.WriteTable(w, rows)
}
