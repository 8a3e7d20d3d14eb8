package config

import (
	"log/slog"
	"net/url"
	"strconv"

	"github.com/goccy/go-yaml/ast"

	"kota/cmd/kota/internal/mistake"
	"kota/store/postgres"
)

// databaseVariable overrides the key database of bundles.yaml.
const databaseVariable = "KOTA_DATABASE_URL"

// Database names the database server.
type Database struct {
	URL    DatabaseURL
	Source string // what named it: KOTA_DATABASE_URL, or "/home/ann/kota/bundles.yaml:12"
}

// HasServer reports whether the database is on a server.
func (c Config) HasServer() bool { return c.Database.URL != "" }

// A DatabaseURL is the URL of a PostgreSQL database, or "" for the file kota.db. It may have a
// password, so it is never printed: all forms of printing give the same text.
type DatabaseURL string

// hiddenURL is what is printed instead of a DatabaseURL.
const hiddenURL = "postgres://(hidden)"

// String hides the URL.
func (u DatabaseURL) String() string {
	if u == "" {
		return ""
	}
	return hiddenURL
}

// GoString hides the URL.
func (u DatabaseURL) GoString() string { return u.String() }

// LogValue hides the URL.
func (u DatabaseURL) LogValue() slog.Value { return slog.StringValue(u.String()) }

// MarshalText hides the URL, also in JSON.
func (u DatabaseURL) MarshalText() ([]byte, error) { return []byte(u.String()), nil }

// HasPassword reports whether the URL itself has a password.
func (u DatabaseURL) HasPassword() bool {
	parsed, err := url.Parse(string(u))
	if err != nil {
		return u != ""
	}
	_, given := parsed.User.Password()
	return given || parsed.Query().Has("password") || parsed.Query().Has("sslpassword")
}

// database reads the URL of the database. A problem never quotes the value.
func (c *checker) database(v value) {
	const allowed = "postgres://USER:PASSWORD@HOST:5432/DATABASE, or omit the key to use the file kota.db"
	if v.node.Type() == ast.NullType {
		return
	}
	text, ok := textOf(v.node)
	if !ok || text == "" {
		c.problem(v.line, "%s is not a URL; allowed: %s", v.path, allowed)
		return
	}
	if err := postgres.CheckURL(text); err != nil {
		c.problem(v.line, "%s: %v", v.path, err)
		return
	}
	c.cfg.Database = Database{URL: DatabaseURL(text), Source: c.file + ":" + strconv.Itoa(v.line)}
}

// NamesDatabase reports whether the environment names the database. A program that a client starts
// has another environment.
func NamesDatabase(env func(string) string) bool { return env(databaseVariable) != "" }

// applyDatabaseVariable applies KOTA_DATABASE_URL.
func applyDatabaseVariable(cfg *Config, env func(string) string) error {
	text := env(databaseVariable)
	if text == "" {
		return nil
	}
	if err := postgres.CheckURL(text); err != nil {
		return mistake.Errorf("%s: %v", databaseVariable, err)
	}
	cfg.Database = Database{URL: DatabaseURL(text), Source: databaseVariable}
	return nil
}
