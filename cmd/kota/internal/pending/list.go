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
)

// pendingLine is the JSON of a pending call.
type pendingLine struct {
	ID      string          `json:"id"`
	Tool    string          `json:"tool_name"`
	Effect  string          `json:"effect"`
	Title   string          `json:"title"`
	About   string          `json:"about"`
	Text    string          `json:"text"`
	Args    json.RawMessage `json:"args"`
	Reason  string          `json:"because,omitempty"`
	Created time.Time       `json:"created"`
	Expires time.Time       `json:"expires"`
}

// List prints the pending calls.
func List(ctx context.Context, a *app.App, asJSON bool) error {
	calls, err := a.Pending(ctx)
	if err != nil {
		return err
	}
	if !asJSON {
		return printList(a, calls)
	}
	lines := []pendingLine{}
	for _, call := range calls {
		line, err := lineOf(call)
		if err != nil {
			return err
		}
		lines = append(lines, line)
	}
	return a.PrintJSON(map[string]any{"pending": lines})
}

func lineOf(call store.Approval) (pendingLine, error) {
	shown, err := Shown(call)
	return pendingLine{
		ID: call.ID, Tool: call.Tool, Effect: call.Effect, Title: shown.Title, About: shown.About, Text: shown.Text, Args: call.Args,
		Reason: call.Reason, Created: call.Created, Expires: call.Expires,
	}, err
}

// Shown returns what the user is shown about a pending call.
func Shown(call store.Approval) (approval.RequestText, error) {
	var shown approval.RequestText
	if err := json.Unmarshal(call.Shown, &shown); err != nil {
		return shown, fmt.Errorf("read what %s would do: %w", call.ID, err)
	}
	return shown, nil
}

// Show prints a pending call in full.
func Show(ctx context.Context, a *app.App, id string, asJSON bool) error {
	calls, err := a.Pending(ctx)
	if err != nil {
		return err
	}
	i := slices.IndexFunc(calls, func(call store.Approval) bool { return call.ID == id })
	if i < 0 {
		return explainNotPending(ctx, a, id)
	}
	line, err := lineOf(calls[i])
	if err != nil {
		return err
	}
	if asJSON {
		return a.PrintJSON(line)
	}
	if _, err := fmt.Fprintf(a.Stdout, "%s\n\n", line.Text); err != nil {
		return err
	}
	return a.PrintAdvised(a.Stdout, "It is pending as %s until %s. `kota approve %s` approves it, `kota reject %s` rejects it.\n",
		id, line.Expires.In(a.Zone()).Format("2006-01-02 15:04 MST"), id, id)
}

// explainNotPending returns an error that says what happened to a call that is not
// pending.
func explainNotPending(ctx context.Context, a *app.App, id string) error {
	if !a.HasDatabase() {
		return ExplainError(a, store.ErrNotFound, id)
	}
	rows, err := a.Approvals(ctx)
	if err != nil {
		return err
	}
	found, err := rows.Get(ctx, id)
	if err != nil {
		return ExplainError(a, err, id)
	}
	return NotPendingError(a, found)
}

func printList(a *app.App, calls []store.Approval) error {
	if len(calls) == 0 {
		_, err := fmt.Fprintln(a.Stdout, "No call is pending.")
		return err
	}
	if err := WriteTable(a, a.Stdout, calls); err != nil {
		return err
	}
	return a.PrintAdvised(a.Stdout, "\nRun `kota pending ID` to see a call in full, `kota approve ID` to approve it, `kota reject ID` to reject it.\n")
}

// WriteTable writes a line for each call.
func WriteTable(a *app.App, w io.Writer, calls []store.Approval) error {
	rows := [][]string{}
	for _, call := range calls {
		shown, err := Shown(call)
		if err != nil {
			return err
		}
		rows = append(rows, []string{call.ID, call.Created.In(a.Zone()).Format("2006-01-02 15:04"), shown.Title, shown.About})
	}
	return term.WriteTable(w, rows)
}
