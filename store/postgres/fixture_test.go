package postgres

import (
	"context"
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"kota/store/postgres/pgtest"
)

// A testDatabase is an empty database of its own for one test.
type testDatabase struct {
	server *pgtest.Server
	name   string
}

func newDatabase(t testing.TB) testDatabase {
	t.Helper()
	server := pgtest.Start(t)
	d := testDatabase{server, server.Database(t)}
	t.Cleanup(func() { // before the database is dropped: roles belong to the server
		d.dropRole("'kota_app_' || (SELECT oid FROM pg_database WHERE datname = current_database())")
	})
	return d
}

// dropRole drops the role whose name the expression gives, with its rights, if there is one.
func (d testDatabase) dropRole(name string) {
	d.try(`DO $$ DECLARE role name := (SELECT rolname FROM pg_roles WHERE rolname = ` + name + `);
		BEGIN
			IF role IS NOT NULL THEN
				EXECUTE format('ALTER DATABASE %I OWNER TO %I', current_database(), current_user);
				EXECUTE format('DROP OWNED BY %I CASCADE', role);
				EXECUTE format('DROP ROLE %I', role);
			END IF;
		END $$`)
}

// asSuperuser is the URL of the superuser.
func (d testDatabase) asSuperuser() string { return d.server.URL("", d.name) }

// role creates a login role with attributes such as "CREATEROLE" and returns the URL for it. The
// role owns the database if owner is set.
func (d testDatabase) role(t testing.TB, attributes string, owner bool) string {
	t.Helper()
	role := strings.Replace(d.name, "kota_test", "login", 1)
	d.exec(t, "CREATE ROLE "+role+" LOGIN "+attributes)
	t.Cleanup(func() { d.dropRole("'" + role + "'") })
	if owner {
		d.exec(t, "ALTER DATABASE "+d.name+" OWNER TO "+role)
	}
	return d.server.URL(role, d.name)
}

// exec runs statements as the superuser.
func (d testDatabase) exec(t testing.TB, script string, args ...any) {
	t.Helper()
	if err := d.try(script, args...); err != nil {
		t.Fatalf("%s: %v", script, err)
	}
}

func (d testDatabase) try(script string, args ...any) error {
	ctx := context.Background()
	conn, err := pgx.Connect(ctx, d.asSuperuser())
	if err != nil {
		return err
	}
	defer conn.Close(ctx)
	_, err = conn.Exec(ctx, script, args...)
	return err
}

// value returns the text of one value, read as the superuser.
func (d testDatabase) value(t *testing.T, query string, args ...any) string {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), d.asSuperuser())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(context.Background())
	value := any(nil)
	if err := conn.QueryRow(t.Context(), query, args...).Scan(&value); err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	return fmt.Sprint(value)
}

// mustOpen opens a database and closes it at the end of the test.
func mustOpen(t *testing.T, url string) *Server {
	t.Helper()
	s, err := Open(t.Context(), url, Options{Version: "test", Logger: slog.New(slog.NewTextHandler(t.Output(), nil))})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// mustTenant returns the part of a person.
func mustTenant(t *testing.T, s *Server, name string) *DB {
	t.Helper()
	db, err := s.Tenant(t.Context(), name)
	if err != nil {
		t.Fatal(err)
	}
	return db
}
