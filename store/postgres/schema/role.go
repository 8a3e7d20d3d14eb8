package schema

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"

	"kota/store"
	"kota/store/postgres/failure"
)

// KOTA works as a role that owns nothing and cannot log in, the app role. So row-level security
// holds for every statement, whoever the URL belongs to: it does not hold for a superuser, and the
// owner of a table could switch it off. The name of the app role has the number of the database,
// because roles belong to all databases of a server, and members of one may not read another.
//
// A URL whose role cannot create roles works too if it owns the tables. KOTA then works as that
// role. Row-level security is forced, so that it also holds for the owner.

// needsRole reports whether the app role is missing and the login can create it.
func (f *facts) needsRole() bool {
	return (f.superuser || f.createsRoles) && (!f.appExists || !f.appIsMember)
}

// needsGrants reports whether the app role lacks rights that the login can give it.
func (f *facts) needsGrants() bool {
	return f.appExists && f.schemaExists && f.actsAsOwner && !f.appHasRights
}

// role returns the role that KOTA works as. "" is the role of the URL.
func (f *facts) role() (string, error) {
	switch {
	case f.appExists && f.appIsMember && f.appHasRights:
		return f.appRole, nil
	case f.superuser || f.bypassesRLS:
		return "", f.bypassRefusal()
	case f.schemaOwner == f.login:
		return "", nil
	}
	return "", f.noMembership()
}

func (f *facts) bypassRefusal() error {
	return failure.New(store.ErrNoRights, "the role %q bypasses row-level security, which separates people: use a role that owns the database %q and nothing else, or let an administrator run CREATE ROLE %s NOLOGIN; GRANT %s TO %s",
		f.login, f.database, f.appRole, f.appRole, Quote(f.login))
}

// createRole creates the app role and lets the login act as it. A server may refuse that: from
// PostgreSQL 16 on, a role that creates roles does not own those of others.
func (m *migration) createRole(ctx context.Context) error {
	if !m.facts.needsRole() || m.triedRole {
		return nil
	}
	m.triedRole = true
	if err := m.exec(ctx, "RESET ROLE"); err != nil {
		return err
	}
	if !m.facts.appExists {
		err := m.exec(ctx, "CREATE ROLE "+m.facts.appRole+" NOLOGIN NOINHERIT")
		if err != nil {
			return ignoreRights(err)
		}
	}
	if m.facts.superuser {
		return nil // a superuser may act as every role
	}
	return ignoreRights(m.exec(ctx, "GRANT "+m.facts.appRole+" TO "+Quote(m.facts.login)))
}

// ignoreRights returns nil for an error that says that the login lacks a right: role decides later
// whether KOTA can work without.
func ignoreRights(err error) error {
	if errors.Is(err, store.ErrNoRights) {
		return nil
	}
	return err
}

// grants gives the app role, %s, its rights. The role cannot read the list of people. The audit log
// only grows. A head is never removed.
const grants = `
	GRANT USAGE ON SCHEMA kota TO %[1]s;
	GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA kota TO %[1]s;
	REVOKE ALL ON kota.tenants FROM %[1]s;
	REVOKE INSERT, UPDATE, DELETE ON kota.kota_schema FROM %[1]s;
	REVOKE UPDATE, DELETE ON kota.audit FROM %[1]s;
	REVOKE DELETE ON kota.heads FROM %[1]s;
	GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA kota TO %[1]s;`

// grantsIfRole returns a script with the grants. It does nothing without the app role. It runs in the
// transaction of each step, so that no replica ever lacks a right to what a step has replaced.
func (m *migration) grantsIfRole() string {
	return "DO $grants$ BEGIN IF EXISTS (SELECT FROM pg_roles WHERE rolname = '" + m.facts.appRole + "') THEN" + fmt.Sprintf(grants, m.facts.appRole) + "\nEND IF; END $grants$"
}

// CheckRowSecurity refuses a connection for which a table lacks row-level security.
func CheckRowSecurity(ctx context.Context, conn *pgx.Conn) error {
	open := ""
	err := conn.QueryRow(ctx, "SELECT coalesce(min(relname::text), '') FROM "+UnprotectedTables).Scan(&open)
	if err != nil {
		return failure.Classify(err)
	}
	if open != "" {
		return failure.New(store.ErrNoRights, "row-level security does not hold on the table %s.%s, so KOTA does not use the database: let KOTA start once with the URL of the role that owns the tables, and with no superuser", Name, open)
	}
	return nil
}
