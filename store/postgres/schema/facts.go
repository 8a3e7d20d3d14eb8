package schema

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"kota/store"
	"kota/store/postgres/failure"
)

// oldestVersion is the oldest PostgreSQL that KOTA is tested with.
const oldestVersion = 15

// facts are what Prepare reads about the server, the database and the role of the URL before it
// changes anything.
type facts struct {
	login        string // the role of the URL
	superuser    bool
	bypassesRLS  bool
	createsRoles bool

	database       string
	mayCreate      bool // the login may create schemas in the database
	encoding       string
	standby        bool
	readOnly       bool
	commit         string // synchronous_commit
	schemaExists   bool
	schemaOwner    string
	actsAsOwner    bool // the login may act as the owner of the schema
	schemaTables   int  // tables, views and sequences in the schema
	hasVersions    bool // the schema has a table kota_schema
	appRole        string
	appExists      bool
	appIsMember    bool // the login may act as the app role
	appBypassesRLS bool
	appHasRights   bool // the app role may use all tables and functions

	applied   int    // migration steps that the tables have had
	minReader int    // the lowest step that a KOTA must know to use them
	changedBy string // the version of KOTA that ran the last step
}

const readFacts = `
	SELECT session_user::text, r.rolsuper, r.rolbypassrls, r.rolcreaterole,
		d.datname::text, has_database_privilege(r.oid, d.oid, 'CREATE'), pg_encoding_to_char(d.encoding)::text,
		pg_is_in_recovery(), current_setting('transaction_read_only') = 'on', current_setting('synchronous_commit'),
		n.oid IS NOT NULL, coalesce(pg_get_userbyid(n.nspowner)::text, ''), coalesce(pg_has_role(r.oid, n.nspowner, become.privilege), false),
		(SELECT count(*) FROM pg_class WHERE relnamespace = n.oid),
		EXISTS (SELECT FROM pg_class WHERE relnamespace = n.oid AND relname = 'kota_schema' AND relkind = 'r'),
		app.name, a.oid IS NOT NULL, coalesce(pg_has_role(r.oid, a.oid, become.privilege), false), coalesce(a.rolsuper OR a.rolbypassrls, false),
		coalesce(has_schema_privilege(a.oid, n.oid, 'USAGE') AND (
			SELECT bool_and(has_table_privilege(a.oid, t.oid, 'SELECT') AND has_table_privilege(a.oid, t.oid, 'INSERT'))
			FROM pg_class t WHERE t.relnamespace = n.oid AND t.relkind IN ('r', 'p') AND t.relname NOT IN ('kota_schema', 'tenants'))
			AND coalesce((SELECT bool_and(has_function_privilege(a.oid, p.oid, 'EXECUTE')) FROM pg_proc p WHERE p.pronamespace = n.oid), true), false)
	FROM pg_roles r
	JOIN pg_database d ON d.datname = current_database()
	CROSS JOIN LATERAL (SELECT 'kota_app_' || d.oid AS name) app
	CROSS JOIN LATERAL (SELECT CASE WHEN current_setting('server_version_num')::int < 160000 THEN 'MEMBER' ELSE 'SET' END AS privilege) become
	LEFT JOIN pg_namespace n ON n.nspname = '` + Name + `'
	LEFT JOIN pg_roles a ON a.rolname = app.name
	WHERE r.rolname = session_user`

// readVersions reads which steps the tables have had. A step may raise the minimum reader.
const readVersions = `
	SELECT version, (SELECT max(min_reader) FROM ` + Name + `.kota_schema), kota
	FROM ` + Name + `.kota_schema ORDER BY version DESC LIMIT 1`

// inspect reads the facts. It changes nothing. It refuses a server, a database and tables that KOTA
// cannot use.
func inspect(ctx context.Context, conn *pgx.Conn, known int) (*facts, error) {
	if err := checkVersion(conn.PgConn().ParameterStatus("server_version")); err != nil {
		return nil, err
	}
	f := &facts{}
	err := conn.QueryRow(ctx, readFacts).Scan(&f.login, &f.superuser, &f.bypassesRLS, &f.createsRoles,
		&f.database, &f.mayCreate, &f.encoding, &f.standby, &f.readOnly, &f.commit,
		&f.schemaExists, &f.schemaOwner, &f.actsAsOwner, &f.schemaTables, &f.hasVersions,
		&f.appRole, &f.appExists, &f.appIsMember, &f.appBypassesRLS, &f.appHasRights)
	if err != nil {
		return nil, fmt.Errorf("look at the database: %w", failure.Classify(err))
	}
	if err := f.check(); err != nil {
		return nil, err
	}
	if f.hasVersions {
		err = f.readVersions(ctx, conn)
	}
	if err == nil {
		err = f.checkSteps(known)
	}
	return f, err
}

// checkVersion refuses a server that is too old. version is as the server reports it: "15.7
// (Debian 15.7-1)".
func checkVersion(version string) error {
	end := strings.IndexFunc(version+" ", func(r rune) bool { return r < '0' || r > '9' }) // "18beta1" is 18
	major, err := strconv.Atoi(version[:end])
	if err != nil || major < oldestVersion {
		return failure.New(store.ErrUnusable, "the database server is PostgreSQL %s, and KOTA needs PostgreSQL %d or newer", version, oldestVersion)
	}
	return nil
}

// check refuses a server that accepts no writes, and a database or a schema that KOTA cannot use.
func (f *facts) check() error {
	switch {
	case f.standby:
		return failure.New(store.ErrReadOnly, "the database server is a standby, which accepts no writes: name the primary in the database URL, or all servers with target_session_attrs=read-write")
	case f.readOnly:
		return failure.New(store.ErrReadOnly, "the database %q or the role %q is set to read-only (default_transaction_read_only): KOTA needs to write", f.database, f.login)
	case f.encoding != "UTF8":
		return failure.New(store.ErrUnusable, "the database %q has the encoding %s, and KOTA needs UTF8: create it with CREATE DATABASE … TEMPLATE template0 ENCODING 'UTF8'", f.database, f.encoding)
	case !f.schemaExists && !f.mayCreate:
		return failure.New(store.ErrNoRights, "the role %q may not create KOTA's schema in the database %q: an administrator can run GRANT CREATE ON DATABASE %s TO %s",
			f.login, f.database, Quote(f.database), Quote(f.login))
	case f.schemaTables > 0 && !f.hasVersions:
		return failure.New(store.ErrForeign, "the database %q has a schema %q that is not KOTA's: give KOTA another database", f.database, Name)
	case f.bypassesRLS && !f.superuser && !f.createsRoles && !f.appIsMember:
		return f.bypassRefusal()
	case f.appBypassesRLS:
		return failure.New(store.ErrNoRights, "the role %q bypasses row-level security, which separates people: an administrator can run ALTER ROLE %s NOSUPERUSER NOBYPASSRLS", f.appRole, f.appRole)
	}
	return nil
}

// readVersions reads the number of steps that the tables have had.
func (f *facts) readVersions(ctx context.Context, conn *pgx.Conn) error {
	err := conn.QueryRow(ctx, readVersions).Scan(&f.applied, &f.minReader, &f.changedBy)
	refused := (*pgconn.PgError)(nil)
	switch {
	case errors.As(err, &refused) && refused.Code == "42501":
		return f.noMembership()
	case errors.As(err, &refused) && strings.HasPrefix(refused.Code, "42"), errors.Is(err, pgx.ErrNoRows), errors.As(err, new(pgx.ScanArgError)):
		return failure.New(store.ErrForeign, "the database %q has a table %s.kota_schema that is not KOTA's: give KOTA another database", f.database, Name)
	case err != nil:
		return fmt.Errorf("read the version of the tables: %w", failure.Classify(err))
	}
	return nil
}

// checkSteps refuses tables that a newer KOTA has changed so that this one cannot use them.
func (f *facts) checkSteps(known int) error {
	if f.minReader > known {
		return failure.New(store.ErrNewer, "the database is from a newer version of KOTA: KOTA %s changed its tables to schema %d, which needs a KOTA that knows schema %d, and this one knows %d; update KOTA",
			f.changedBy, f.applied, f.minReader, known)
	}
	return nil
}

// noMembership returns the error for a role that may use neither the tables nor the app role.
func (f *facts) noMembership() error {
	return failure.New(store.ErrNoRights, "the role %q may not use KOTA's tables in the database %q: an administrator can run GRANT %s TO %s",
		f.login, f.database, f.appRole, Quote(f.login))
}
