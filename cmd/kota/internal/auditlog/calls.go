// Package auditlog reads the audit log for people: it lists calls, exports and prunes
// rows, and checks that no row was changed. Only Prune removes rows. Begin with Calls
// and Verify.
package auditlog

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"strconv"
	"time"

	"kota/cmd/kota/internal/app"
	"kota/cmd/kota/internal/mistake"
	"kota/cmd/kota/internal/safefile"
	"kota/metadata"
	"kota/store"
)

// Query selects the last Limit calls of the log. An empty Tool selects all
// tools, and an empty Since all times.
type Query struct {
	Tool, Since string
	Limit       int
}

// Call is a call in the log. A call has one row or two.
type Call struct {
	Seq      int64           `json:"seq"` // the number of its first row
	At       time.Time       `json:"at"`
	Call     string          `json:"call"`
	Tool     string          `json:"tool"`
	Effect   string          `json:"effect"`
	Channel  string          `json:"door,omitempty"`
	Args     json.RawMessage `json:"args"`
	Approval string          `json:"approval,omitempty"`
	Code     string          `json:"code,omitempty"` // how it ended; "" if unknown
	Ended    *time.Time      `json:"ended,omitempty"`
}

// Calls returns the calls that the query selects, the newest last.
func Calls(ctx context.Context, a *app.App, query Query) ([]Call, error) {
	if query.Limit < 1 {
		return nil, mistake.Errorf("--limit takes a number above 0")
	}
	if err := a.Load(); err != nil {
		return nil, err
	}
	since, err := parseDay(a, "since", query.Since)
	if err != nil {
		return nil, err
	}
	// A call has at most two rows. If calls overlap, the rows read may have outcomes without
	// the first row of their calls, and thus too few calls.
	for last := 2 * query.Limit; ; last *= 2 {
		calls, rows, err := lastCalls(ctx, a, store.AuditFilter{Owner: app.Owner, Tool: query.Tool, Since: since, Last: last})
		if err != nil || len(calls) >= query.Limit || rows < last {
			return calls[max(0, len(calls)-query.Limit):], err
		}
	}
}

// lastCalls returns the calls whose first row f selects, and the number of rows that f
// selects.
func lastCalls(ctx context.Context, a *app.App, f store.AuditFilter) (calls []Call, rows int, err error) {
	calls = []Call{}
	index := map[string]int{}
	for row, err := range rowsOf(ctx, a, f) {
		if err != nil {
			return nil, 0, err
		}
		rows++
		if row.Phase != store.PhaseOutcome {
			index[row.Call] = len(calls)
			calls = append(calls, callOf(row))
			continue
		}
		if i, ok := index[row.Call]; ok { // otherwise the first row of the call was not read
			calls[i].Code, calls[i].Ended = row.Code, &row.At
			calls[i].Approval = row.Approval
		}
	}
	return calls, rows, nil
}

func callOf(row store.AuditRow) Call {
	args := json.RawMessage(row.Args)
	if !json.Valid(args) {
		args = json.RawMessage("{}")
	}
	return Call{
		Seq: row.Seq, At: row.At, Call: row.Call, Tool: row.Tool, Effect: row.Effect, Channel: row.Channel, Args: args, Approval: row.Approval, Code: row.Code,
	}
}

// parseDay parses the day or time given for a flag. It returns the zero time
// for "".
func parseDay(a *app.App, flag, text string) (time.Time, error) {
	if text == "" {
		return time.Time{}, nil
	}
	if day, err := time.ParseInLocation(time.DateOnly, text, a.Zone()); err == nil {
		return day, nil
	}
	at, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return at, mistake.Errorf("--%s takes a day such as 2026-11-01 or a time such as 2026-11-01T09:00:00Z, not %q", flag, text)
	}
	return at, nil
}

// rowsOf returns the rows of the log that f selects. It returns none if there
// is no database.
func rowsOf(ctx context.Context, a *app.App, f store.AuditFilter) iter.Seq2[store.AuditRow, error] {
	db, err := a.OpenExisting(ctx)
	switch {
	case errors.Is(err, app.ErrNoDatabase):
		return func(func(store.AuditRow, error) bool) {}
	case err != nil:
		return func(yield func(store.AuditRow, error) bool) { yield(store.AuditRow{}, err) }
	}
	return app.AuditLog(db).Rows(ctx, f)
}

// PrintCalls prints a line for each call.
func PrintCalls(a *app.App, calls []Call) error {
	if len(calls) == 0 {
		_, err := fmt.Fprintln(a.Stdout, "The audit log has no such call.")
		return err
	}
	rows := [][]string{}
	zone := a.Zone()
	for _, c := range calls {
		code := c.Code
		if code == "" {
			code = "(no outcome)"
		}
		rows = append(rows, []string{strconv.FormatInt(c.Seq, 10), c.At.In(zone).Format("2006-01-02 15:04:05"), c.Tool, c.Channel, code, c.Approval, string(c.Args)})
	}
	return a.PrintTable(rows)
}

// Show prints the rows of one call, by its id or the number of a row.
func Show(ctx context.Context, a *app.App, name string) error {
	if err := a.Load(); err != nil {
		return err
	}
	filter := store.AuditFilter{Call: name}
	if row, err := strconv.ParseInt(name, 10, 32); err == nil && row > 0 { // ids of calls are longer
		filter = store.AuditFilter{Row: row}
	}
	n := 0
	for row, err := range rowsOf(ctx, a, filter) {
		if err == nil {
			n++
			err = a.PrintJSON(row)
		}
		if err != nil {
			return err
		}
	}
	if n == 0 {
		return metadata.Errorf(metadata.NotFound, "the audit log has no call %q", name).WithHint("List them with `kota audit list`.")
	}
	return nil
}

// Export writes all rows to a new file, or to stdout if file is "".
func Export(ctx context.Context, a *app.App, file string) error {
	if err := a.Load(); err != nil {
		return err
	}
	n := 0
	write := func(w io.Writer) error {
		lines := json.NewEncoder(w)
		lines.SetEscapeHTML(false)
		for row, err := range rowsOf(ctx, a, store.AuditFilter{}) {
			if err == nil {
				n++
				err = lines.Encode(row)
			}
			if err != nil {
				return err
			}
		}
		return nil
	}
	if file == "" {
		return safefile.Buffered(a.Stdout, write)
	}
	if err := safefile.Create(file, write); err != nil {
		return err
	}
	_, err := fmt.Fprintf(a.Stdout, "Exported %s to %s.\n", metadata.CountOf(int(n), "row"), file)
	return err
}
