package postgres

import (
	"context"
	"time"

	"kota/store/postgres/schema"
)

// A Status says what a database server is and how KOTA uses it.
type Status struct {
	Version string // of PostgreSQL, such as "15.14"
	Login   string // the role of the URL
	Role    string // the role that KOTA works as; it owns nothing unless it is the Login
	TLS     bool   // whether the connection is encrypted

	LoginBypasses bool // the Login is a superuser or bypasses row-level security

	Steps      int // the migration steps that the tables have had
	KnownSteps int // those that this KOTA knows
	ChangedBy  string

	Unprotected []string // tables on which row-level security does not hold for Role
}

const readStatus = `
	SELECT split_part(current_setting('server_version'), ' ', 1), session_user::text, current_user::text,
		(SELECT rolsuper OR rolbypassrls FROM pg_roles WHERE rolname = session_user),
		coalesce((SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()), false),
		(SELECT max(version) FROM kota_schema), (SELECT kota FROM kota_schema ORDER BY version DESC LIMIT 1),
		(SELECT coalesce(array_agg(relname::text ORDER BY relname), '{}') FROM ` + schema.UnprotectedTables + `)`

// Status asks the server.
func (s *Server) Status(ctx context.Context) (Status, error) {
	found := Status{KnownSteps: s.steps}
	err := s.readRow(ctx, readStatus, &found.Version, &found.Login, &found.Role, &found.LoginBypasses, &found.TLS, &found.Steps, &found.ChangedBy, &found.Unprotected)
	return found, err
}

// PoolStats say how the connections that read are used. Writes have further connections, one for each
// lane.
type PoolStats struct {
	InUse, Idle, Max int
	Acquired         int64         // how often a read took a connection
	Waited           int64         // how often a read had to wait for one
	WaitTime         time.Duration // how long all reads have waited
}

// PoolStats returns how the connections are used.
func (s *Server) PoolStats() PoolStats {
	now := s.reads.Stat()
	return PoolStats{
		InUse: int(now.AcquiredConns()), Idle: int(now.IdleConns()), Max: int(now.MaxConns()),
		Acquired: now.AcquireCount(), Waited: now.EmptyAcquireCount(), WaitTime: now.EmptyAcquireWaitTime(),
	}
}
