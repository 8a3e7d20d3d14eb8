package postgres

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"kota/store"
	"kota/store/postgres/schema"
)

const canary = "hunter2canary"

func TestErrorsOfBadURLsContainNoPassword(t *testing.T) {
	t.Parallel()
	for name, given := range map[string]string{
		"another scheme":                 "mysql://kota:hunter2canary@localhost/kota",
		"no scheme":                      "kota:hunter2canary@localhost/kota",
		"keywords":                       "host=localhost password=hunter2canary",
		"empty":                          "",
		"an at sign in the password":     "postgres://kota:hunter2canary@x@localhost/kota",
		"a slash in the password":        "postgres://kota:12/hunter2canary@localhost/kota",
		"a slash and digits only":        "postgres://kota:12/34@localhost/kota",
		"an at sign, then a slash":       "postgres://kota:a@hunter2canary/b@localhost/kota",
		"a percent sign in the password": "postgres://kota:hunter2canary%zz@localhost/kota",
		"a blank in the password":        "postgres://kota:hunter2canary x@localhost/kota",
		"a port that is a word":          "postgres://kota@localhost:hunter2canary/kota",
		"a port in front of nothing":     "postgres://kota:hunter2canary",
		"a bad setting":                  "postgres://kota:hunter2canary@localhost/kota?sslmode=hunter2canary",
		"a bad number of connections":    "postgres://kota:hunter2canary@localhost/kota?pool_max_conns=hunter2canary",
		"a missing certificate":          "postgres://kota:hunter2canary@localhost/kota?sslrootcert=/nowhere/hunter2canary",
		"a password as a parameter":      "postgres://localhost/kota?password=hunter2canary&sslmode=hunter2canary",
		"an escaped password":            "postgres://kota:h%75nter2canary@localhost/kota?target_session_attrs=hunter2canary",
		"a backquote":                    "postgres://kota:a%60:hunter2canary`: x@localhost/kota?sslmode=never",
		"NUL":                            "postgres://kota:hunter2canary\x00@localhost/kota",
		"a service":                      "postgres://kota:hunter2canary@localhost/kota?service=nowhere&servicefile=/nowhere",
	} {
		t.Run(name, func(t *testing.T) {
			_, err := parseURL(given)
			if !errors.Is(err, store.ErrInvalid) {
				t.Fatalf("got %v, want ErrInvalid", err)
			}
			if strings.Contains(err.Error(), canary) || strings.Contains(err.Error(), "34") {
				t.Errorf("the error shows the password: %v", err)
			}
			if !strings.Contains(err.Error(), "database URL") {
				t.Errorf("the error does not say what is wrong: %v", err)
			}
		})
	}
}

func TestBadURLsAreExplained(t *testing.T) {
	t.Parallel()
	for given, want := range map[string]string{
		"postgres://localhost/kota?sslmode=never":                            "sslmode is invalid",
		"postgres://kota:x1y2@localhost/kota?pool_max_conns=0":               "pool_max_conns too small",
		"postgres://kota:p@ss@localhost/kota":                                "%40 for @",
		"postgres://localhost/kota?sslmode=verify-full&sslrootcert=/nowhere": "/nowhere",
	} {
		if _, err := parseURL(given); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %q", given, err, want)
		}
	}
}

func TestURLsAreReadAsLibpqReadsThem(t *testing.T) {
	t.Parallel()
	config, err := parseURL("postgresql://kota:a%40%2f%3a@one.example:5433,two.example:5434/home?sslmode=verify-full&application_name=me&search_path=other&statement_timeout=1s&row_security=off&role=other&default_transaction_isolation=serializable")
	if err != nil {
		t.Fatal(err)
	}
	conn := config.ConnConfig
	if conn.User != "kota" || conn.Password != "a@/:" || conn.TLSConfig == nil || conn.TLSConfig.ServerName != "one.example" || !severalHosts(&conn.Config) {
		t.Error("the URL was not read as it is written")
	}
	if got := describe(&conn.Config); got != "one.example:5433,two.example:5434/home" {
		t.Errorf("it is described as %s", got)
	}
	sessionParameters(&conn.Config, "kota_app_1")
	for name, want := range map[string]string{"search_path": schema.Name, "row_security": "on", "role": "kota_app_1", "statement_timeout": "1s", "lock_timeout": "3s", "default_transaction_isolation": "read committed", "application_name": "me"} {
		if got := conn.RuntimeParams[name]; got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
}

func TestSecretsOfFindsEveryPassword(t *testing.T) {
	t.Parallel()
	secrets := secretsOf("postgres://kota:a%40b@localhost/kota?password=c%2Fd&sslpassword=ee")
	for _, want := range []string{"a%40b", "a@b", "c%2Fd", "c/d", "ee"} {
		if !slices.Contains(secrets, want) {
			t.Errorf("%q is missing in %q", want, secrets)
		}
	}
}
