// Package schema brings the tables of a PostgreSQL database up to date, with row-level security on
// each of them and with the role that KOTA works as. It refuses a server, a database and a role that
// KOTA cannot use.
package schema

import (
	"context"
	"log/slog"

	"github.com/jackc/pgx/v5"
)

// Name is the schema with all tables of KOTA. So a database may also have tables of others.
const Name = "kota"

// Options configure Prepare.
type Options struct {
	Steps    []Step
	Version  string // of the program
	Log      *slog.Logger
	ReadOnly bool // changes nothing
}

// A Database says how to use a database that is up to date.
type Database struct {
	Login     string // the role of the connection
	Role      string // the role to work as; "" is the Login, which owns the tables
	CommitOff bool   // synchronous_commit is off for the Login
}

// Prepare brings the tables and the app role up to date. It returns an error for what KOTA cannot use,
// such as tables of others, newer ones, a standby, or a role without rights; facts.check has the list.
//
// With Options.ReadOnly, it changes nothing. It returns ErrNoTables for a database without KOTA's
// tables, and store.ErrOlder for older ones.
func Prepare(ctx context.Context, conn *pgx.Conn, options Options) (Database, error) {
	m := &migration{conn: conn, Options: options}
	bring := m.run
	if options.ReadOnly {
		bring = m.checkUpToDate
	}
	f, err := bring(ctx)
	if err != nil {
		return Database{}, err
	}
	role, err := f.role()
	return Database{f.login, role, f.commit == "off"}, err
}

// Quote returns a name as SQL writes it.
func Quote(name string) string { return pgx.Identifier{name}.Sanitize() }
