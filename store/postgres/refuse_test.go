package postgres

import (
	"errors"
	"strings"
	"testing"

	"kota/store"
	"kota/store/postgres/schema"
)

func TestOpenSaysWhichRightIsMissing(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		attributes string
		before     string // a statement; %ROLE% and %DATABASE% stand for names
		cause      error
		want       string
	}{
		"no right to create":     {"", "", store.ErrNoRights, "GRANT CREATE ON DATABASE"},
		"bypasses RLS":           {"BYPASSRLS", "GRANT CREATE ON DATABASE %DATABASE% TO %ROLE%", store.ErrNoRights, "bypasses row-level security"},
		"read-only by default":   {"", "ALTER ROLE %ROLE% SET default_transaction_read_only = on", store.ErrReadOnly, "read-only"},
		"may not connect":        {"", "REVOKE CONNECT ON DATABASE %DATABASE% FROM PUBLIC", store.ErrNoRights, "rights"},
		"a limit of connections": {"CONNECTION LIMIT 0", "", store.ErrBusy, "no free connection"},
	} {
		t.Run(name, func(t *testing.T) {
			d := newDatabase(t)
			url := d.role(t, c.attributes, false)
			role := strings.Replace(d.name, "kota_test", "login", 1)
			if c.before != "" {
				d.exec(t, strings.NewReplacer("%ROLE%", role, "%DATABASE%", d.name).Replace(c.before))
			}
			_, err := Open(t.Context(), url, Options{})
			if !errors.Is(err, c.cause) || !strings.Contains(err.Error(), c.want) {
				t.Errorf("Open gave %v, want %q", err, c.want)
			}
		})
	}
}

func TestOpenSaysThatADatabaseIsMissing(t *testing.T) {
	t.Parallel()
	d := newDatabase(t)
	_, err := Open(t.Context(), d.server.URL("", "kota_nowhere"), Options{})
	if !errors.Is(err, store.ErrUnusable) || !strings.Contains(err.Error(), "CREATE DATABASE") {
		t.Errorf("Open gave %v", err)
	}
}

func TestOpenRefusesAnotherEncoding(t *testing.T) {
	t.Parallel()
	d := newDatabase(t)
	d.exec(t, "CREATE DATABASE "+d.name+"_latin TEMPLATE template0 ENCODING 'LATIN1' LOCALE 'C'")
	t.Cleanup(func() { d.try("DROP DATABASE " + d.name + "_latin") })
	_, err := Open(t.Context(), d.server.URL("", d.name+"_latin"), Options{})
	if !errors.Is(err, store.ErrUnusable) || !strings.Contains(err.Error(), "ENCODING 'UTF8'") {
		t.Errorf("Open gave %v", err)
	}
}

func TestATableOfAnOlderVersionNeedsItsOwner(t *testing.T) {
	t.Parallel()
	d := newDatabase(t)
	s := mustOpen(t, d.asSuperuser())
	url := d.role(t, "", false)
	d.exec(t, "GRANT "+s.config.RuntimeParams["role"]+" TO "+strings.Replace(d.name, "kota_test", "login", 1))
	mustOpen(t, url)
	known, _ := schema.Steps()
	_, err := Open(t.Context(), url, Options{steps: append(known, schema.Step{Name: "more", MinReader: 1, Script: "SELECT 1"})})
	if !errors.Is(err, store.ErrNoRights) || !strings.Contains(err.Error(), "start KOTA once with a database URL of the role") {
		t.Errorf("Open gave %v", err)
	}
}
