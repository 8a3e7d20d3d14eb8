package postgres

import (
	"context"
	"fmt"
	"time"

	"kota/store"
	"kota/store/postgres/failure"
)

// maxClockDifference is how far the clock of this process may be from that of the server. The database
// stores the server's time. Dates such as "tomorrow" use the clock of this process.
const maxClockDifference = 30 * time.Second

// Writable returns nil if the database is set to accept writes. It does not write.
func (s *Server) Writable(ctx context.Context) error {
	readOnly := false
	err := s.readRow(ctx, "SELECT pg_is_in_recovery() OR current_setting('transaction_read_only') = 'on'", &readOnly)
	if err == nil && readOnly {
		err = failure.New(store.ErrReadOnly, failure.ReadOnly)
	}
	return err
}

// Check returns what is wrong with the database, in sentences. It asks five short questions, whose
// answers do not depend on how much data there is.
func (s *Server) Check(ctx context.Context) ([]string, error) {
	problems := []string{}
	for _, check := range []struct{ query, problem string }{
		{"SELECT 'x' WHERE current_setting('fsync') = 'off'", "The server has fsync off: a power failure destroys the database."},
		{"SELECT 'x' WHERE current_setting('full_page_writes') = 'off'", "The server has full_page_writes off: a power failure can damage the database."},
		{"SELECT 'x' WHERE current_setting('synchronous_commit') = 'off'", "synchronous_commit is off: the last writes before a crash are lost."},
		{`SELECT string_agg(i.relname::text, ', ' ORDER BY i.relname) FROM pg_index x JOIN pg_class i ON i.oid = x.indexrelid
			WHERE i.relnamespace = 'kota'::regnamespace AND NOT (x.indisvalid AND x.indisready)`, "These indexes are not complete, drop them and start KOTA again: %s."},
	} {
		found := (*string)(nil)
		if err := s.readRow(ctx, "SELECT ("+check.query+")", &found); err != nil {
			return nil, err
		}
		if found != nil && *found == "x" {
			problems = append(problems, check.problem)
		} else if found != nil {
			problems = append(problems, fmt.Sprintf(check.problem, *found))
		}
	}
	difference, err := s.clockDifference(ctx)
	if err == nil && difference.Abs() > maxClockDifference {
		problems = append(problems, fmt.Sprintf("The clock of this machine is %s away from the clock of the database server.", difference.Abs().Round(time.Second)))
	}
	return problems, err
}

// clockDifference returns how far the clock of this process is ahead of the clock of the server.
func (s *Server) clockDifference(ctx context.Context) (time.Duration, error) {
	micros := int64(0)
	asked := s.localClock()
	err := s.readRow(ctx, "SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint", &micros)
	middle := asked.Add(s.localClock().Sub(asked) / 2)
	return middle.Sub(time.UnixMicro(micros)), err
}

// readRow reads a row that belongs to nobody.
func (s *Server) readRow(ctx context.Context, query string, dest ...any) error {
	ctx, cancel := withCallLimit(ctx)
	defer cancel()
	return s.retryRead(ctx, func() error {
		return s.reads.QueryRow(ctx, query).Scan(dest...)
	})
}
