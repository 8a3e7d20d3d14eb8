package postgres

import "context"

// OtherSessions returns how many connections other processes of KOTA have to the database. The
// server must have been opened with Options.Application. It knows them by their application name.
func (s *Server) OtherSessions(ctx context.Context) (n int, err error) {
	conn, err := s.Connect(ctx)
	if err != nil {
		return 0, err
	}
	defer conn.Close(context.WithoutCancel(ctx))
	if _, err := conn.Exec(ctx, "SET ROLE NONE"); err != nil { // the role of calls does not see the sessions of the login
		return 0, classify(err)
	}
	err = conn.QueryRow(ctx, "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND application_name = $1", s.others).Scan(&n)
	return n, classify(err)
}
