package postgres

import (
	"errors"
	"maps"
	"net"
	"net/url"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"kota/store"
	"kota/store/postgres/failure"
	"kota/store/postgres/schema"
)

// What a database URL looks like, for messages.
const urlForm = "postgres://user:password@host:5432/database"

// Defaults for what the URL does not say.
const (
	connectTimeout = 5 * time.Second  // per host
	tripTimeout    = 15 * time.Second // for one trip to the server; the server's own limits are shorter
	maxConnections = 8                // for reading, of one process
)

// sessionSettings are the settings of each connection that serves calls, unless the URL has others.
// They also end transactions that wait too long: a replica that hangs would otherwise keep locks.
var sessionSettings = map[string]string{
	"statement_timeout":                   "10s",
	"lock_timeout":                        "3s",
	"idle_in_transaction_session_timeout": "5s",
	"tcp_user_timeout":                    "10s",
	"tcp_keepalives_idle":                 "10s", // without it, the server keeps the locks of a vanished client for two hours
	"tcp_keepalives_interval":             "5s",
	"tcp_keepalives_count":                "3",
	"jit":                                 "off", // it takes longer than the statements of KOTA
	// PostgreSQL may keep a plan that it made for a small table, and then read the whole table. KOTA
	// has an index for each statement.
	"enable_seqscan": "off",
	// To plan a statement for the values of each call takes longer than to run most statements.
	"plan_cache_mode": "force_generic_plan",
}

// fixedSettings are what the statements rely on. They also override what ALTER ROLE and ALTER
// DATABASE have set.
var fixedSettings = map[string]string{
	"search_path":                   schema.Name,
	"row_security":                  "on",
	"default_transaction_isolation": "read committed", // a write locks a head and then reads what others have committed
	"client_encoding":               "UTF8",
	"standard_conforming_strings":   "on",
}

// CheckURL returns why Open cannot use a database URL, or nil. It does not connect. The error
// contains no password.
func CheckURL(url string) error {
	_, err := parseURL(url)
	return err
}

// DescribeURL returns the host and the name of the database of a URL, without the user and the
// password. It returns "" for a URL that CheckURL refuses.
func DescribeURL(url string) string {
	config, err := parseURL(url)
	if err != nil {
		return ""
	}
	return describe(&config.ConnConfig.Config)
}

// parseURL returns the settings of a database URL, with PostgreSQL's environment variables, as
// libpq reads them. An error has no part of the URL that may belong to the password.
func parseURL(given string) (*pgxpool.Config, error) {
	_, rest, found := strings.Cut(given, "://")
	if !found || !strings.HasPrefix(given, "postgres") {
		return nil, failure.New(store.ErrInvalid, "the database URL does not begin with postgres://: give %s", urlForm)
	}
	// A part of a password that is not escaped would be read as the host or the path, and shown.
	login, path, _ := strings.Cut(rest, "/")
	if strings.Count(login, "@") > 1 || strings.Contains(path, "@") || strings.ContainsAny(given, " \t\r\n") {
		return nil, unreadableURL()
	}
	config, err := pgxpool.ParseConfig(given)
	if err != nil {
		return nil, explainParse(err, given)
	}
	if config.ConnConfig.Database == "" {
		config.ConnConfig.Database = config.ConnConfig.User // as libpq does
	}
	delete(config.ConnConfig.RuntimeParams, "role") // KOTA chooses it
	if _, given := config.ConnConfig.RuntimeParams["application_name"]; !given {
		config.ConnConfig.RuntimeParams["application_name"] = "kota"
	}
	if config.ConnConfig.ConnectTimeout == 0 {
		config.ConnConfig.ConnectTimeout = connectTimeout
	}
	return config, nil
}

func unreadableURL() error {
	return failure.New(store.ErrInvalid, "the database URL cannot be read: give %s, and escape special characters of the password: %%40 for @, %%2F for /, %%25 for %%", urlForm)
}

// explainParse returns why pgx refuses a URL. It quotes the reason only if it cannot contain a
// secret.
func explainParse(err error, given string) error {
	refused := (*pgconn.ParseConfigError)(nil)
	if !errors.As(err, &refused) || strings.Contains(given, "`") {
		return unreadableURL()
	}
	_, reason, _ := strings.Cut(refused.Error(), "`: ") // after the URL
	if reason == "" || strings.HasPrefix(reason, "failed to parse as URL") {
		return unreadableURL()
	}
	for _, secret := range secretsOf(given) {
		if secret != "" && strings.Contains(reason, secret) {
			return unreadableURL()
		}
	}
	return failure.New(store.ErrInvalid, "the database URL cannot be used: %s", reason)
}

// secretsOf returns the passwords in a URL, as they are written and as they are.
func secretsOf(given string) []string {
	secrets := []string{}
	add := func(written string) {
		if written == "" {
			return
		}
		secrets = append(secrets, written)
		if unescaped, err := url.PathUnescape(written); err == nil {
			secrets = append(secrets, unescaped)
		}
	}
	_, rest, _ := strings.Cut(given, "://")
	if login, _, found := strings.Cut(rest, "@"); found {
		_, password, _ := strings.Cut(login, ":")
		add(password)
	}
	_, query, _ := strings.Cut(rest, "?")
	for part := range strings.SplitSeq(query, "&") {
		if name, value, _ := strings.Cut(part, "="); name == "password" || name == "sslpassword" {
			add(value)
		}
	}
	return append(secrets, os.Getenv("PGPASSWORD"), os.Getenv("PGSSLPASSWORD"))
}

// describe returns the host and the name of the database: "db.example.com:5432/kota".
func describe(config *pgconn.Config) string {
	hosts := []string{addressOf(config.Host, config.Port)}
	for _, other := range config.Fallbacks {
		if address := addressOf(other.Host, other.Port); address != hosts[len(hosts)-1] {
			hosts = append(hosts, address)
		}
	}
	return strings.Join(hosts, ",") + "/" + config.Database
}

func addressOf(host string, port uint16) string {
	if strings.HasPrefix(host, "/") {
		return host
	}
	return net.JoinHostPort(host, strconv.Itoa(int(port)))
}

// severalHosts reports whether the URL names more than one server.
func severalHosts(config *pgconn.Config) bool {
	for _, other := range config.Fallbacks {
		if other.Host != config.Host || other.Port != config.Port {
			return true
		}
	}
	return false
}

// sessionParameters adds the settings of connections that serve calls, as role.
func sessionParameters(config *pgconn.Config, role string) {
	for name, value := range sessionSettings {
		if _, given := config.RuntimeParams[name]; !given {
			config.RuntimeParams[name] = value
		}
	}
	maps.Copy(config.RuntimeParams, fixedSettings)
	if role != "" {
		config.RuntimeParams["role"] = role
	}
}

// loginParameters sets what the connection needs that checks the database and changes its tables.
func loginParameters(config *pgconn.Config) {
	maps.Copy(config.RuntimeParams, fixedSettings)
	for _, name := range []string{"statement_timeout", "lock_timeout", "idle_in_transaction_session_timeout"} {
		config.RuntimeParams[name] = "0"
	}
}
