package move

import (
	"context"

	"kota/store/postgres"
	"kota/store/postgres/failure"
)

// Application is what a process that moves data appends to the application name of its connections, so
// that OtherSessions knows them.
const Application = "migrate"

// otherSessions counts the sessions whose role can use the tables, whatever their application name. Those
// of a superuser, such as a monitor, count only if they have the name of KOTA's connections.
const otherSessions = `
	SELECT count(*) FROM pg_stat_activity s JOIN pg_roles r ON r.oid = s.usesysid
	WHERE s.datname = current_database() AND s.application_name IS DISTINCT FROM current_setting('application_name')
		AND CASE WHEN r.rolsuper THEN s.application_name IN ('kota', regexp_replace(current_setting('application_name'), ' ` + Application + `$', ''))
			ELSE has_schema_privilege(r.oid, 'kota', 'USAGE')
				OR EXISTS (SELECT FROM pg_roles app, pg_database d WHERE d.datname = s.datname AND app.rolname = 'kota_app_' || d.oid AND pg_has_role(r.oid, app.oid, 'MEMBER')) END`

// OtherSessions returns how many connections of other processes can use the tables. The server must have
// been opened with Application.
func OtherSessions(ctx context.Context, server *postgres.Server) (n int, err error) {
	conn, err := server.Connect(ctx)
	if err != nil {
		return 0, err
	}
	defer conn.Close(context.WithoutCancel(ctx))
	if _, err := conn.Exec(ctx, "SET ROLE NONE"); err != nil { // the role of calls does not see the names of sessions
		return 0, failure.Classify(err)
	}
	err = conn.QueryRow(ctx, otherSessions).Scan(&n)
	return n, failure.Classify(err)
}
