//go:build unix

package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os/exec"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"kota/store/postgres/pgtest"
)

// fingerprint identifies all relations, columns and rights of a database, and the versions of KOTA's
// tables.
const fingerprint = `SELECT md5(coalesce(string_agg(c.relname || c.relkind::text || coalesce(c.relacl::text, '') || a.attname || a.atttypid, ',' ORDER BY c.oid, a.attnum), ''))
	FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid WHERE c.relnamespace NOT IN ('pg_catalog'::regnamespace, 'pg_toast'::regnamespace, 'information_schema'::regnamespace)`

// A database that KOTA cannot use is refused with its reason and left as it is. The program ends with
// 1, or with 2 if the URL can never be right. No output has the password.
func TestUnusableDatabasesAreRefused(t *testing.T) {
	t.Parallel()
	server := pgtest.Start(t)
	for name, c := range map[string]struct {
		prepare string // statements that a superuser runs in the database
		kota    bool   // KOTA has created its tables before
		role    string // attributes of the role in the URL; "" for a superuser
		change  func(*url.URL)
		status  int
		says    string
	}{
		"no such host":          {change: func(u *url.URL) { u.Host, u.RawQuery = "nowhere.invalid", "" }, status: 1, says: "host name"},
		"no such port":          {change: func(u *url.URL) { u.Host, u.RawQuery = "127.0.0.1:1", "" }, status: 1, says: "no server answers at 127.0.0.1:1"},
		"no such user":          {change: func(u *url.URL) { u.User = url.UserPassword("nobody", "canary-password") }, status: 1, says: "does not admit the role"},
		"no such database":      {change: func(u *url.URL) { u.Path = "/nowhere" }, status: 1, says: "CREATE DATABASE"},
		"a wrong sslmode":       {change: func(u *url.URL) { u.Host, u.RawQuery = "127.0.0.1:1", "sslmode=perhaps" }, status: 2, says: "cannot be used"},
		"a port that is a word": {change: func(u *url.URL) { u.Host = "db.example.com:canary" }, status: 2, says: "invalid port"},
		"another schema kota":   {prepare: "CREATE SCHEMA kota; CREATE TABLE kota.fish (id int); INSERT INTO kota.fish VALUES (7)", status: 1, says: "is not KOTA's"},
		"another table":         {prepare: "CREATE SCHEMA kota; CREATE TABLE kota.kota_schema (fish int)", status: 1, says: "is not KOTA's"},
		"a newer schema":        {kota: true, prepare: "INSERT INTO kota.kota_schema (version, min_reader, kota) VALUES (900, 900, 'v9')", status: 1, says: "update KOTA"},
		"no right to create":    {role: "LOGIN", status: 1, says: "GRANT CREATE ON DATABASE"},
		"no right to use":       {kota: true, role: "LOGIN", status: 1, says: "an administrator can run GRANT kota_app_"},
		"bypasses the wall":     {role: "LOGIN BYPASSRLS", prepare: "GRANT CREATE ON DATABASE %s TO PUBLIC", status: 1, says: "bypasses row-level security"},
		"read-only":             {prepare: "ALTER DATABASE %s SET default_transaction_read_only = on", status: 1, says: "read-only"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newTestHome(t)
			database := server.Database(t)
			d.database = server.URL("", database)
			if c.kota {
				if out, err := d.command("kota", "call", "memory_set", "key=theirs", "value=kept").CombinedOutput(); err != nil {
					t.Fatalf("%v %s", err, out)
				}
			}
			exec := func(statement string) {
				if err := execute(t.Context(), server.URL("", database), strings.ReplaceAll(statement, "%s", database)); err != nil {
					t.Fatal(err)
				}
			}
			given, err := url.Parse(d.database)
			if err != nil {
				t.Fatal(err)
			}
			given.User = url.UserPassword(given.User.Username(), "canary-password")
			if c.role != "" {
				role := strings.Replace(database, "kota_test", "login", 1)
				exec("CREATE ROLE " + role + " " + c.role)
				t.Cleanup(func() { _ = execute(context.Background(), server.URL("", "postgres"), "DROP ROLE "+role) })
				given.User = url.UserPassword(role, "canary-password")
			}
			if c.prepare != "" {
				exec(c.prepare)
			}
			if c.change != nil {
				c.change(given)
			}
			before := databaseFingerprint(t, server.URL("", database))
			d.database = given.String()
			for _, args := range [][]string{{"call", "memory_set", "key=mine", "value=new"}, {"pending"}} {
				out, status := d.outputOf(args...)
				if status != c.status || !strings.Contains(out, c.says) || strings.Contains(out, "canary") {
					t.Errorf("kota %s ends with %d, want %d and %q: %s", args[0], status, c.status, c.says, out)
				}
			}
			if after := databaseFingerprint(t, server.URL("", database)); after != before {
				t.Error("the database was changed")
			}
			if c.kota && queryInt(t, server.URL("", database), "SELECT count(*) FROM kota.memories") != 1 {
				t.Error("the memories have changed")
			}
		})
	}
}

// outputOf runs a command and returns all that it prints.
func (d *testHome) outputOf(args ...string) (output string, status int) {
	d.t.Helper()
	out, err := d.command("kota", args...).CombinedOutput()
	exit := (*exec.ExitError)(nil)
	if err != nil && !errors.As(err, &exit) {
		d.t.Fatal(err)
	}
	if exit != nil {
		status = exit.ExitCode()
	}
	return string(out), status
}

func execute(ctx context.Context, database, statement string) error {
	conn, err := pgx.Connect(ctx, database)
	if err != nil {
		return err
	}
	defer conn.Close(ctx)
	_, err = conn.Exec(ctx, statement)
	return err
}

func databaseFingerprint(t *testing.T, database string) (found string) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), database)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(t.Context())
	if err := conn.QueryRow(t.Context(), fingerprint).Scan(&found); err != nil {
		t.Fatal(err)
	}
	return found
}

// A real standby accepts no writes, and the program says so.
func TestStandbyIsRefused(t *testing.T) {
	tortureReplicas(t)
	c := pgtest.StartCluster(t, "")
	standby := c.Standby("b")
	d := newTestHome(t)
	d.database = standby.URL("", "postgres")
	out, status := d.outputOf("call", "memory_set", "key=mine", "value=new")
	if status != 1 || !strings.Contains(out, "the database server is a standby, which accepts no writes") {
		t.Errorf("ends with %d: %s", status, out)
	}
}

// The names of people come from their tokens. Each of them has data of their own, whatever the name
// is. After the user removes them, their tokens open nothing.
func TestPeopleWithStrangeNamesStayApart(t *testing.T) {
	t.Parallel()
	server := pgtest.Start(t)
	d := newTestHome(t)
	d.database = server.URL("", server.Database(t))
	issuer := newIssuer(t)
	issuer.configure(d.home, "", "bundles: {memory: on}\n")
	names := []string{`o'brien"; DROP TABLE kota.memories; --`, "o'brien", "ann\x00", "ann", "ann%", "An N", strings.Repeat("x", 10_000), strings.Repeat("x", 9_999) + "y", "local", "é", "e\u0301"}
	env := []string{"KOTA_DATABASE_URL=" + d.database, "KOTA_SECRETS_KEY=" + d.secretsKey}
	w := startHTTPServerWith(t, d.home, env)
	admitted := []*replica{}
	for n, name := range names {
		r := &replica{httpServer: w.withToken(issuer.token(name))}
		got, err := r.call("memory_set", object{"key": "name", "value": fmt.Sprint("number ", n)})
		if err != nil && strings.Contains(err.Error(), "longer than 255 bytes, or has unprintable characters") {
			continue
		}
		if err != nil || got.failed {
			t.Errorf("%.20q: %v %s", name, err, got.text)
			continue
		}
		admitted = append(admitted, r)
	}
	for _, r := range admitted {
		if got := r.mustCall("memory_list", object{}); strings.Count(got.text, `"key":"name"`) != 1 {
			t.Errorf("a person sees %s", got.text)
		}
	}
	if found := queryInt(t, d.database, "SELECT count(DISTINCT owner) FROM kota.memories"); found != len(admitted) || found != len(names)-3 {
		t.Errorf("%d people have memories, and %d were admitted", found, len(admitted))
	}
	w.stop()
	issuer.configure(d.home, "    owners: {ann: ann}\n", "bundles: {memory: on}\n")
	w = startHTTPServerWith(t, d.home, env)
	body, headers := modernRequest("tools/call", object{"name": "memory_list", "arguments": object{}})
	for _, name := range names {
		got := w.withToken(issuer.token(name)).ask(http.MethodPost, body, headers)
		if (got.status == http.StatusOK) != (name == "ann") || got.status != http.StatusOK && strings.Contains(got.body, "number") {
			t.Errorf("%.20q: %d %s", name, got.status, got.body)
		}
	}
	w.stop()
}
