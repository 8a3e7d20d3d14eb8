package move

import (
	"errors"
	"fmt"
	"strings"

	"kota/metadata"
	"kota/store"
	"kota/store/move"
)

// A result is what was done for a person.
type result struct {
	Owner    string             `json:"owner"` // as for --owner; "" for the user who runs KOTA
	File     string             `json:"file"`
	State    state              `json:"state"`
	Problem  string             `json:"problem,omitempty"` // why the move is not complete
	Rows     int64              `json:"rows"`
	Tables   []move.TableReport `json:"tables"`
	Audit    auditResult        `json:"audit"`
	Findings []store.Tampering  `json:"audit_findings"` // what kota audit verify says about the log
	Secrets  secretsResult      `json:"secrets"`

	label string
}

// An auditResult is the audit log at the target.
type auditResult struct {
	Rows int64                 `json:"rows"`
	Last store.AuditCheckpoint `json:"head"`
}

// A state is what became of the data of a person.
type state string

const (
	moved   state = "moved"
	present state = "present" // an earlier run has moved it
	counted state = "counted" // in a dry run
	empty   state = "empty"   // the database has no data of the person
	failed  state = "failed"
)

func newResult(p person, r move.Report, dryRun bool, err error) result {
	done := result{
		Owner: p.app.Config.Owner, File: p.path(), State: moved, Rows: r.Rows, Tables: r.Tables, Audit: auditResult{r.Audit.Rows, r.Audit.Last}, Findings: r.Audit.Tampering,
		label: p.label,
	}
	if done.Tables == nil {
		done.Tables = []move.TableReport{}
	}
	if done.Findings == nil {
		done.Findings = []store.Tampering{}
	}
	switch {
	case errors.Is(err, move.ErrEmpty):
		done.State = empty
	case err != nil:
		done.State, done.Problem = failed, err.Error()
	case r.Present:
		done.State = present
	case dryRun:
		done.State = counted
	}
	return done
}

// counts names the numbers of rows that people know.
func (r result) counts() string {
	words := []string{}
	for _, kind := range []struct{ table, name string }{
		{"memories", "memory"}, {"versions", "version"}, {"entries", "diary entry"}, {"tasks", "task"}, {"documents", "document"}, {"outbox", "outbox item"}, {"audit", "audit row"},
	} {
		for _, t := range r.Tables {
			if t.Name == kind.table && t.Rows > 0 {
				words = append(words, metadata.CountOf(int(t.Rows), kind.name))
			}
		}
	}
	return strings.Join(words, ", ")
}

// text returns the result as people read it.
func (r result) text(database string, toServer bool) string {
	from, to := r.File, database
	if !toServer {
		from, to = to, from
	}
	switch r.State {
	case failed:
		return fmt.Sprintf("%s: FAILED: %s\n", r.label, r.Problem)
	case empty:
		return fmt.Sprintf("%s: %s has no data of this person.\n", r.label, database)
	case counted:
		return fmt.Sprintf("%s: %s would move from %s to %s: %s.\n", r.label, metadata.CountOf(int(r.Rows), "row"), from, to, r.counts())
	}
	done := "moved from %s to %s and verified"
	if r.State == present {
		done = "are in both %s and %s, and equal"
	}
	text := fmt.Sprintf("%s: %s "+done+": %s.\n", r.label, metadata.CountOf(int(r.Rows), "row"), from, to, r.counts())
	for _, f := range r.Findings {
		text += fmt.Sprintf("%s: the audit log was changed before the move, and moved as it is: %s.\n", r.label, f.Finding)
	}
	text += r.Secrets.text(r.label)
	if r.Problem != "" {
		text += fmt.Sprintf("%s: NOT COMPLETE: %s\n", r.label, r.Problem)
	}
	return text
}

// print prints all results and what to do next.
func (m *run) print() error {
	next := m.next()
	if m.JSON {
		direction := map[bool]string{true: "to", false: "from"}[m.To != ""]
		return m.app.PrintJSON(map[string]any{"direction": direction, "database": m.database, "people": m.results, "next": next})
	}
	for _, r := range m.results {
		if _, err := fmt.Fprint(m.app.Stdout, r.text(m.database, m.To != "")); err != nil {
			return err
		}
	}
	for _, line := range next {
		if _, err := fmt.Fprintln(m.app.Stdout, line); err != nil {
			return err
		}
	}
	return nil
}

// next says what the user has to do, if anything was moved.
func (m *run) next() []string {
	done, noKey := false, false
	for _, r := range m.results {
		done = done || r.State == moved || r.State == present
		noKey = noKey || r.Secrets.NoKey
	}
	if !done {
		return []string{}
	}
	if m.To == "" {
		return []string{
			"The rows in the PostgreSQL database stay, and KOTA refuses to use them from now on.",
			"Remove database: from bundles.yaml, and KOTA_DATABASE_URL from the environment of every client. Then run `kota doctor`.",
		}
	}
	next := []string{
		"KOTA keeps the file kota.db, and refuses to use it from now on: kota.db.moved marks it.",
		"Name the database in bundles.yaml (database:) or in KOTA_DATABASE_URL, and run `kota doctor`.",
	}
	if noKey {
		next = append(next, "Google sign-ins and the key of secret memories were not copied: KOTA_SECRETS_KEY is not set, so nothing can encrypt them in the database. Set it (`openssl rand -base64 32` makes a key), and run `kota secrets import`, with --owner NAME for each other person.")
	}
	return next
}
