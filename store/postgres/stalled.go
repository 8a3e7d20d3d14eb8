package postgres

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"kota/store/postgres/failure"
)

// selectStalled ends the connections of KOTA that have stopped in the middle of a trip. The server has
// received a part of the trip and waits for the rest, which the network has lost. It keeps the locks of
// the trip, and no time limit of PostgreSQL 15 ends it. COPY also waits for its client, and is left.
const selectStalled = `
	SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
	WHERE datname = current_database() AND usename = session_user AND application_name = current_setting('application_name') AND pid <> pg_backend_pid()
		AND state = 'active' AND wait_event = 'ClientRead' AND state_change < clock_timestamp() - make_interval(secs => $1) AND query NOT ILIKE 'copy%'`

// endStalled ends connections that have waited for longer than tripTimeout: their own processes have
// given them up. The role that serves calls may not do that, so it acts as the role of the URL.
func (l *lane) endStalled(conn *pgx.Conn) {
	ctx, cancel := context.WithTimeout(l.stopping, 5*time.Second)
	defer cancel()
	ended := 0
	err := pgx.BeginFunc(ctx, conn, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, "SET LOCAL ROLE NONE"); err != nil {
			return err
		}
		return tx.QueryRow(ctx, selectStalled, tripTimeout.Seconds()).Scan(&ended)
	})
	if err != nil {
		l.Log.Debug("end connections that have stalled", "err", failure.Classify(err))
	} else if ended > 0 {
		l.Log.Warn("ended connections that had stalled with locks", "connections", ended)
	}
}

// isLockTimeout reports whether another transaction kept a lock for too long.
func isLockTimeout(err error) bool {
	refused := (*pgconn.PgError)(nil)
	return errors.As(err, &refused) && refused.Code == "55P03"
}
