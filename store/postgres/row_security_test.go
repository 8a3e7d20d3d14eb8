package postgres

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"kota/store/postgres/schema"
)

// checkedValues are values for columns whose CHECK refuses the usual one.
var checkedValues = map[string]string{
	"outbox.status": "'pending'", "approvals.status": "'waiting'", "diary_versions.kind": "'entries'", "usage.door": "'cli'",
}

// A tableColumns is a table of KOTA with its columns and their types.
type tableColumns struct {
	name    string
	columns []string
	types   []string
}

// tablesOf returns all tables with rows of people.
func tablesOf(t *testing.T, conn *pgx.Conn) []tableColumns {
	t.Helper()
	rows, err := conn.Query(t.Context(), `
		SELECT c.relname::text, array_agg(a.attname::text ORDER BY a.attnum), array_agg(format_type(a.atttypid, NULL) ORDER BY a.attnum)
		FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
		WHERE c.relnamespace = 'kota'::regnamespace AND c.relkind IN ('r', 'p') AND c.relname NOT IN ('kota_schema', 'tenants')
		GROUP BY c.relname ORDER BY c.relname`)
	if err != nil {
		t.Fatal(err)
	}
	tables, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (tableColumns, error) {
		table := tableColumns{}
		return table, row.Scan(&table.name, &table.columns, &table.types)
	})
	if err != nil || len(tables) < 20 {
		t.Fatalf("found %d tables: %v", len(tables), err)
	}
	return tables
}

// insert returns a statement that adds a row for a person.
func (c tableColumns) insert(owner int64) string {
	values := []string{}
	for i, column := range c.columns {
		value := map[string]string{"text": "'x'", "bytea": "decode(repeat('00', 32), 'hex')", "uuid": "gen_random_uuid()"}[c.types[i]]
		if value == "" {
			value = "1"
		}
		if checked := checkedValues[c.name+"."+column]; checked != "" {
			value = checked
		}
		if column == "owner" {
			value = fmt.Sprint(owner)
		}
		values = append(values, value)
	}
	return fmt.Sprintf("INSERT INTO kota.%s (%s) VALUES (%s)", c.name, quotedNames(c.columns), strings.Join(values, ", "))
}

func quotedNames(names []string) string {
	quoted := []string{}
	for _, name := range names {
		quoted = append(quoted, schema.Quote(name))
	}
	return strings.Join(quoted, ", ")
}

// connectAsBoth connects as the role that KOTA uses, and as the superuser.
func connectAsBoth(t *testing.T, d testDatabase, s *Server) (asKota, asSuperuser *pgx.Conn) {
	t.Helper()
	asKota, err := s.Connect(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	asSuperuser, err = pgx.Connect(t.Context(), d.asSuperuser())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		asKota.Close(context.Background())
		asSuperuser.Close(context.Background())
	})
	return asKota, asSuperuser
}

// as runs a statement as a person in a transaction that it rolls back. It returns the number of
// rows. person is the value of app.tenant.
func as(t *testing.T, conn *pgx.Conn, person, statement string) (int64, error) {
	t.Helper()
	return asGroup(t, conn, "", person, statement)
}

func TestNobodyReachesRowsOfAnother(t *testing.T) {
	t.Parallel()
	for _, name := range slices.Sorted(maps.Keys(logins)) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newDatabase(t)
			s := mustOpen(t, d.role(t, logins[name].attributes, logins[name].owner))
			ann, bob := mustTenant(t, s, "ann"), mustTenant(t, s, "bob")
			asKota, asSuperuser := connectAsBoth(t, d, s)
			for _, table := range tablesOf(t, asSuperuser) {
				if table.name != "heads" { // Tenant has filled it
					for _, owner := range []int64{ann.tenant, bob.tenant} {
						if _, err := asSuperuser.Exec(t.Context(), table.insert(owner)); err != nil {
							t.Fatalf("fill %s: %v", table.name, err)
						}
					}
				}
				sweep(t, asKota, table, ann.tenant, bob.tenant)
			}
		})
	}
}

// sweep tries to reach rows of another person in every way.
func sweep(t *testing.T, conn *pgx.Conn, table tableColumns, me, other int64) {
	t.Helper()
	name := "kota." + table.name
	person := fmt.Sprint(me)
	for _, c := range []struct {
		person, statement string
		rows              int64 // -1: an error, or no rows
	}{
		{person, "SELECT * FROM " + name, 1},
		{person, fmt.Sprintf("SELECT * FROM %s WHERE owner = %d", name, me), 1},
		{person, fmt.Sprintf("SELECT * FROM %s WHERE owner = %d", name, other), -1},
		{person, fmt.Sprintf("SELECT * FROM %s WHERE owner = %d OR true", name, other), 1},
		{person, fmt.Sprintf("SELECT * FROM %s a JOIN %[1]s b ON a.owner <> b.owner", name), -1},
		{person, fmt.Sprintf("SELECT * FROM %s WHERE owner = %d FOR UPDATE", name, other), -1},
		{person, fmt.Sprintf("UPDATE %s SET owner = owner WHERE owner = %d", name, other), -1},
		{person, fmt.Sprintf("UPDATE %s SET owner = %d WHERE owner = %d", name, me, other), -1},
		{person, fmt.Sprintf("UPDATE %s SET owner = %d", name, other), -1},
		{person, fmt.Sprintf("DELETE FROM %s WHERE owner = %d", name, other), -1},
		{person, fmt.Sprintf("WITH gone AS (DELETE FROM %s RETURNING owner) SELECT * FROM gone WHERE owner <> %d", name, me), -1},
		{person, table.insert(other), -1},
		{person, table.insert(other) + " ON CONFLICT DO NOTHING", -1},
		{person, "TRUNCATE " + name, -1},
		{"", "SELECT * FROM " + name, -1},
		{"", "UPDATE " + name + " SET owner = owner", -1},
		{"", "DELETE FROM " + name, -1},
		{"", table.insert(me), -1},
		{"7777", "SELECT * FROM " + name, -1},
		{"-1", "DELETE FROM " + name, -1},
	} {
		if strings.HasPrefix(c.statement, "TRUNCATE") && isOwner(t, conn, name) {
			continue // the owner of a table may empty it
		}
		rows, err := as(t, conn, c.person, c.statement)
		switch {
		case c.rows == -1 && err == nil && rows > 0:
			t.Errorf("as %q: %s reached %d rows", c.person, c.statement, rows)
		case c.rows == -1 && err != nil && !isRefusal(err):
			t.Errorf("as %q: %s: %v", c.person, c.statement, err)
		case c.rows >= 0 && (err != nil || rows != c.rows):
			t.Errorf("as %q: %s reached %d rows, want %d: %v", c.person, c.statement, rows, c.rows, err)
		}
	}
	if rows, err := as(t, conn, person, "UPDATE "+name+" SET owner = owner"); err == nil && rows > 1 || err != nil && !isRefusal(err) {
		t.Errorf("an UPDATE of %s without WHERE reached %d rows: %v", name, rows, err)
	}
	if rows, err := as(t, conn, person, "DELETE FROM "+name); err == nil && rows > 1 || err != nil && !isRefusal(err) {
		t.Errorf("a DELETE from %s without WHERE reached %d rows: %v", name, rows, err)
	}
}

// A group is what a lane sets for one statement on the heads or the logs of several people.
func TestAGroupReachesOnlyHeads(t *testing.T) {
	t.Parallel()
	for _, name := range slices.Sorted(maps.Keys(logins)) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newDatabase(t)
			s := mustOpen(t, d.role(t, logins[name].attributes, logins[name].owner))
			ann, bob, eve := mustTenant(t, s, "ann"), mustTenant(t, s, "bob"), mustTenant(t, s, "eve")
			asKota, asSuperuser := connectAsBoth(t, d, s)
			group := fmt.Sprintf("{%d,%d}", ann.tenant, bob.tenant)
			for _, table := range tablesOf(t, asSuperuser) {
				if table.name != "heads" {
					for _, owner := range []int64{ann.tenant, bob.tenant, eve.tenant} {
						if _, err := asSuperuser.Exec(t.Context(), table.insert(owner)); err != nil {
							t.Fatalf("fill %s: %v", table.name, err)
						}
					}
					attackFromGroup(t, asKota, table, group, ann.tenant, bob.tenant)
				}
			}
			insert := func(owner int64) string {
				return fmt.Sprintf(`INSERT INTO kota.audit (owner, seq, name, at, call, phase, tool, effect, door, args, approval, code, prev, hash)
					VALUES (%d, 2, '', 1, '', '', '', '', '', '', '', '', decode(repeat('00', 32), 'hex'), decode(repeat('00', 32), 'hex'))`, owner)
			}
			for _, c := range []struct {
				group, statement string
				rows             int64 // -1: an error, or no rows
			}{
				{group, "SELECT * FROM kota.heads", 2},
				{group, "SELECT * FROM kota.heads FOR UPDATE", 2},
				{group, "UPDATE kota.heads SET changes = changes + 1", 2},
				{group, insert(ann.tenant), 1},
				{group, insert(bob.tenant), 1},
				{group, fmt.Sprintf("SELECT * FROM kota.heads WHERE owner = %d OR owner = %[1]d FOR UPDATE", eve.tenant), -1},
				{group, fmt.Sprintf("UPDATE kota.heads SET changes = 0 WHERE owner = %d", eve.tenant), -1},
				{group, fmt.Sprintf("UPDATE kota.heads SET owner = %d", eve.tenant), -1},
				{group, insert(eve.tenant), -1},
				{group, insert(ann.tenant) + " RETURNING owner", -1},
				{group, strings.Replace(insert(ann.tenant), ", 2,", ", 1,", 1) + " ON CONFLICT (owner, seq) DO UPDATE SET code = 'OK'", -1},
				{"", "SELECT * FROM kota.heads", -1},
				{"{}", "SELECT * FROM kota.heads", -1},
				{"{NULL}", "UPDATE kota.heads SET changes = 0", -1},
				{"{NULL}", insert(ann.tenant), -1},
				{"", insert(ann.tenant), -1},
			} {
				rows, err := asGroup(t, asKota, c.group, "", c.statement)
				switch {
				case c.rows == -1 && (err == nil && rows > 0 || err != nil && !isRefusal(err)):
					t.Errorf("as group %q: %s reached %d rows: %v", c.group, c.statement, rows, err)
				case c.rows >= 0 && (err != nil || rows != c.rows):
					t.Errorf("as group %q: %s reached %d rows, want %d: %v", c.group, c.statement, rows, c.rows, err)
				}
			}
		})
	}
}

// attackFromGroup tries to reach rows of members of a group, without a person and as one of them.
func attackFromGroup(t *testing.T, conn *pgx.Conn, table tableColumns, group string, me, other int64) {
	t.Helper()
	name := "kota." + table.name
	for _, c := range []struct {
		person, statement string
		most              int64
	}{
		{"", "SELECT * FROM " + name, 0},
		{"", "SELECT * FROM " + name + " FOR UPDATE", 0},
		{"", "UPDATE " + name + " SET owner = owner", 0},
		{"", "DELETE FROM " + name, 0},
		{fmt.Sprint(me), "SELECT * FROM " + name, 1},
		{fmt.Sprint(me), fmt.Sprintf("SELECT * FROM %s WHERE owner = %d", name, other), 0},
		{fmt.Sprint(me), fmt.Sprintf("UPDATE %s SET owner = owner WHERE owner = %d", name, other), 0},
		{fmt.Sprint(me), fmt.Sprintf("UPDATE %s SET owner = %d", name, other), 0},
		{fmt.Sprint(me), fmt.Sprintf("DELETE FROM %s WHERE owner = %d", name, other), 0},
	} {
		if rows, err := asGroup(t, conn, group, c.person, c.statement); err == nil && rows > c.most || err != nil && !isRefusal(err) {
			t.Errorf("as %q in group %s: %s reached %d rows: %v", c.person, group, c.statement, rows, err)
		}
	}
	if table.name == "audit" {
		return // a group adds to logs
	}
	for _, person := range []string{"", fmt.Sprint(me)} {
		if rows, err := asGroup(t, conn, group, person, table.insert(other)); !isRefusal(err) {
			t.Errorf("as %q in group %s: an INSERT into %s reached %d rows: %v", person, group, name, rows, err)
		}
	}
}

// asGroup is as for a transaction that also has a group. person may be "".
func asGroup(t *testing.T, conn *pgx.Conn, group, person, statement string) (int64, error) {
	t.Helper()
	tx, err := conn.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer tx.Rollback(context.Background())
	for setting, value := range map[string]string{selectTenant: person, selectGroup: group} {
		if _, err := tx.Exec(t.Context(), setting, value); err != nil {
			t.Fatal(err)
		}
	}
	tag, err := tx.Exec(t.Context(), statement)
	return tag.RowsAffected(), err
}

// isRefusal reports whether the server refused a statement because of rights.
func isRefusal(err error) bool {
	refused := (*pgconn.PgError)(nil)
	return errors.As(err, &refused) && refused.Code == "42501"
}

func isOwner(t *testing.T, conn *pgx.Conn, table string) bool {
	t.Helper()
	owner := false
	if err := conn.QueryRow(t.Context(), "SELECT relowner = (SELECT oid FROM pg_roles WHERE rolname = current_user) FROM pg_class WHERE oid = $1::regclass", table).Scan(&owner); err != nil {
		t.Fatal(err)
	}
	return owner
}

func TestTheListOfPeopleIsHidden(t *testing.T) {
	t.Parallel()
	for _, name := range slices.Sorted(maps.Keys(logins)) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newDatabase(t)
			s := mustOpen(t, d.role(t, logins[name].attributes, logins[name].owner))
			ann := mustTenant(t, s, "ann")
			mustTenant(t, s, "bob")
			asKota, _ := connectAsBoth(t, d, s)
			for _, statement := range []string{
				"SELECT * FROM kota.tenants", "SELECT * FROM kota.tenants WHERE name = 'bob'",
				"UPDATE kota.tenants SET removed = 1", "DELETE FROM kota.tenants", "INSERT INTO kota.tenants (name, created) VALUES ('eve', 1)",
			} {
				if rows, err := as(t, asKota, fmt.Sprint(ann.tenant), statement); err == nil && rows > 0 || err != nil && !isRefusal(err) {
					t.Errorf("%s reached %d rows: %v", statement, rows, err)
				}
			}
		})
	}
}

func TestTheAuditLogOnlyGrows(t *testing.T) {
	t.Parallel()
	for _, name := range slices.Sorted(maps.Keys(logins)) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newDatabase(t)
			s := mustOpen(t, d.role(t, logins[name].attributes, logins[name].owner))
			ann, bob := mustTenant(t, s, "ann"), mustTenant(t, s, "bob")
			asKota, asSuperuser := connectAsBoth(t, d, s)
			for _, owner := range []int64{ann.tenant, bob.tenant} {
				for seq := 1; seq <= 3; seq++ {
					_, err := asSuperuser.Exec(t.Context(), `INSERT INTO kota.audit (owner, seq, name, at, call, phase, tool, effect, door, args, approval, code, prev, hash)
						VALUES ($1, $2::bigint, 'local', 1, '', '', '', '', '', '', '', '', decode(repeat('00', 32), 'hex'), decode(repeat(lpad(to_hex($2::bigint), 2, '0'), 32), 'hex'))`, owner, seq)
					if err != nil {
						t.Fatal(err)
					}
				}
			}
			person := fmt.Sprint(ann.tenant)
			for _, statement := range []string{"UPDATE kota.audit SET code = 'OK'", "DELETE FROM kota.audit", "TRUNCATE kota.audit"} {
				if _, err := as(t, asKota, person, statement); !isRefusal(err) {
					t.Errorf("%s: %v", statement, err)
				}
			}
			hash := func(seq int) string { return fmt.Sprintf("decode(repeat('%02x', 32), 'hex')", seq) }
			for _, c := range []struct {
				seq, hash, want int
			}{{2, 2, 2}, {2, 3, 0}, {3, 3, 0}, {9, 9, 0}} {
				statement := fmt.Sprintf("SELECT 1 FROM generate_series(1, (SELECT kota.kota_prune_audit(%d, %s)))", c.seq, hash(c.hash))
				if rows, err := as(t, asKota, person, statement); err != nil || rows != int64(c.want) {
					t.Errorf("pruning up to %d with hash %d removed %d rows, want %d: %v", c.seq, c.hash, rows, c.want, err)
				}
			}
			if got := d.value(t, "SELECT count(*) FROM kota.audit"); got != "6" {
				t.Errorf("the log has %s rows, want 6", got)
			}
		})
	}
}

func TestEveryTableHasRowSecurity(t *testing.T) {
	t.Parallel()
	d := newDatabase(t)
	opts := Options{}
	opts.steps, _ = schema.Steps()
	opts.steps = append(opts.steps, schema.Step{Name: "later", MinReader: 1, Script: "CREATE TABLE kota.later (owner bigint NOT NULL, id bigint NOT NULL, PRIMARY KEY (owner, id))"})
	s, err := Open(t.Context(), d.asSuperuser(), opts)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	for question, query := range map[string]string{
		"tables without forced row-level security or policies": `
			SELECT c.relname FROM pg_class c WHERE c.relnamespace = 'kota'::regnamespace AND c.relkind IN ('r', 'p') AND c.relname <> 'kota_schema'
				AND NOT (c.relrowsecurity AND c.relforcerowsecurity AND EXISTS (SELECT FROM pg_policy p WHERE p.polrelid = c.oid AND p.polcmd = '*' AND p.polqual IS NOT NULL AND p.polwithcheck IS NOT NULL))`,
		"policies besides the known ones": `
			SELECT c.relname || ' ' || polname FROM pg_policy p JOIN pg_class c ON c.oid = p.polrelid
			WHERE polname <> 'tenant' AND (c.relname::text, polname::text, polcmd::text) NOT IN (('text_vectors', 'shared', 'r'), ('heads', 'lane', '*'), ('audit', 'lane', 'a'))`,
		"indexes that do not begin with the owner": `
			SELECT i.relname FROM pg_index x JOIN pg_class i ON i.oid = x.indexrelid JOIN pg_class c ON c.oid = x.indrelid
			JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = x.indkey[0]
			WHERE c.relnamespace = 'kota'::regnamespace AND c.relname NOT IN ('kota_schema', 'tenants') AND a.attname <> 'owner'`,
		"tables without a primary key": `
			SELECT c.relname FROM pg_class c WHERE c.relnamespace = 'kota'::regnamespace AND c.relkind = 'r'
				AND NOT EXISTS (SELECT FROM pg_index WHERE indrelid = c.oid AND indisprimary)`,
		"texts that do not sort by bytes": `
			SELECT c.relname || '.' || a.attname FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
			WHERE c.relnamespace = 'kota'::regnamespace AND c.relkind = 'r' AND c.relname <> 'kota_schema' AND a.attnum > 0
				AND a.atttypid = 'text'::regtype AND a.attcollation <> 'pg_catalog."C"'::regcollation`,
		"objects of the app role": `SELECT c.relname FROM pg_class c JOIN pg_roles r ON r.oid = c.relowner WHERE r.rolname LIKE 'kota_app%'`,
		"functions that everybody may call": `SELECT proname FROM pg_proc p WHERE pronamespace = 'kota'::regnamespace
			AND (proacl IS NULL OR EXISTS (SELECT FROM aclexplode(proacl) WHERE grantee = 0))`,
		"rights of everybody on tables": `SELECT relname FROM pg_class WHERE relnamespace = 'kota'::regnamespace
			AND EXISTS (SELECT FROM aclexplode(relacl) WHERE grantee = 0)`,
		"functions with the owner's rights and an open search path": `SELECT proname FROM pg_proc WHERE pronamespace = 'kota'::regnamespace
			AND prosecdef AND NOT coalesce(proconfig @> ARRAY['search_path=kota, pg_temp'], false)`,
	} {
		if got := d.value(t, "SELECT coalesce(string_agg(x::text, ', '), '') FROM ("+query+") AS found (x)"); got != "" {
			t.Errorf("%s: %s", question, got)
		}
	}
}

func TestOpenRefusesBrokenRowSecurity(t *testing.T) {
	t.Parallel()
	for name, breach := range map[string]string{
		"switched off":         "ALTER TABLE kota.memories DISABLE ROW LEVEL SECURITY",
		"not for the owner":    "ALTER TABLE kota.memories NO FORCE ROW LEVEL SECURITY",
		"a role that skips it": "ALTER ROLE %s BYPASSRLS",
	} {
		t.Run(name, func(t *testing.T) {
			d := newDatabase(t)
			attributes := ""
			if strings.Contains(breach, "%s") {
				attributes = "CREATEROLE"
			}
			url := d.role(t, attributes, true)
			s := mustOpen(t, url)
			role := s.config.RuntimeParams["role"]
			if strings.Contains(breach, "%s") {
				breach = fmt.Sprintf(breach, role)
			}
			d.exec(t, breach)
			if _, err := Open(t.Context(), url, Options{}); err == nil || !strings.Contains(err.Error(), "row-level security") {
				t.Errorf("Open gave %v", err)
			}
		})
	}
}
