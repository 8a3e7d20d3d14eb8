// Package move moves all data of one person between a SQLite file and a PostgreSQL database, and
// verifies it.
//
// A move is one transaction: an interrupted one leaves nothing at the target, and can be started
// again. The source keeps its content, and gets a mark: nobody uses it any more. All rows keep their ids and their versions, and the audit log
// its chain. The tables and columns are listed in tables.go. The search index is built again, so that
// it finds the same rows in the same order. Start at ToServer and ToFile.
package move

import (
	"context"
	"errors"
	"fmt"

	"kota/store"
	"kota/store/engine"
	"kota/store/postgres"
)

// Options configure a move.
type Options struct {
	Version  string                                        // version of the program
	Index    func(ctx context.Context, db engine.DB) error // indexes the rows of the target
	Progress func(table string, copied, total int64)       // may be nil
	DryRun   bool                                          // only count
	step     func(name string)                             // called between the steps; tests end the process there

	Describe string // names the server, without a user and a password

	// Ready is called before a move to a file becomes final. Its error ends the move. It may be nil.
	Ready func(ctx context.Context, part *postgres.DB) error
}

// reach calls step.
func (o Options) reach(name string) {
	if o.step != nil {
		o.step(name)
	}
}

// A Report says what a move has done.
type Report struct {
	Tables  []TableReport     `json:"tables"`
	Rows    int64             `json:"rows"`
	Present bool              `json:"present"` // the target had all rows already, from an earlier run
	Audit   store.AuditReport `json:"audit"`   // of the rows at the target; zero after a dry run
}

// A TableReport is the number of rows of a table, and the hash of all their values. The hash is the
// same in both databases. It is "" after a dry run.
type TableReport struct {
	Name string `json:"name"`
	Rows int64  `json:"rows"`
	Hash string `json:"hash,omitempty"`
}

// ErrOccupied says that the target has other rows of the person.
var ErrOccupied = errors.New("the target has data of this person already, which differs")

// countAll counts the rows of a database.
func countAll(ctx context.Context, db database) (Report, error) {
	r := Report{}
	for _, t := range tables {
		n, err := db.count(ctx, t)
		if err != nil {
			return r, fmt.Errorf("count %s: %w", t.name, err)
		}
		r.Tables = append(r.Tables, TableReport{Name: t.name, Rows: n})
		r.Rows += n
	}
	return r, nil
}

// copyAll copies all tables and verifies them: it reads each table of the target again.
func copyAll(ctx context.Context, from, to database, opts Options, checker *store.AuditChecker) (Report, error) {
	r, err := countAll(ctx, from)
	if err != nil {
		return r, err
	}
	done := int64(0)
	for i, t := range tables {
		read, err := copyTable(ctx, from, to, t, func(rows int) {
			if done += int64(rows); opts.Progress != nil {
				opts.Progress(t.name, done, r.Rows)
			}
		})
		if err != nil {
			return r, err
		}
		if err := verify(ctx, to, t, read, checker); err != nil {
			return r, err
		}
		r.Tables[i].Rows, r.Tables[i].Hash = read.rows, read.String()
	}
	r.Audit = checker.Result()
	return r, nil
}

// verify returns an error unless a table has exactly the rows of a digest.
func verify(ctx context.Context, db database, t table, want *digest, checker *store.AuditChecker) error {
	if t.name != auditTable {
		checker = nil
	}
	got, err := digestOf(ctx, db, t, checker)
	if err == nil && !got.equal(want) {
		err = fmt.Errorf("%w: the table %s has %d rows after the copy, which differ from the %d rows of the source", store.ErrCorrupt, t.name, got.rows, want.rows)
	}
	return err
}

// checkPresent compares the databases if the target has rows. It returns ErrOccupied if they differ.
// If they are equal, the report has Present.
func checkPresent(ctx context.Context, from, to database, checker *store.AuditChecker) (Report, error) {
	r, err := countAll(ctx, to)
	if err != nil || r.Rows == 0 {
		return r, err
	}
	for i, t := range tables {
		want, err := digestOf(ctx, from, t, nil)
		if err != nil {
			return r, err
		}
		if err := verify(ctx, to, t, want, checker); errors.Is(err, store.ErrCorrupt) {
			return r, fmt.Errorf("%w: the table %s has %d rows there, and %d at the source", ErrOccupied, t.name, r.Tables[i].Rows, want.rows)
		} else if err != nil {
			return r, err
		}
		r.Tables[i].Hash = want.String()
	}
	r.Present, r.Audit = true, checker.Result()
	return r, nil
}
