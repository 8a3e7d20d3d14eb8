// Package pgtest gives tests a real PostgreSQL server.
//
// The first test of a process that calls Start starts a server in a folder of its own. It listens
// on a Unix socket only. It stops when the test process ends, even if that process is killed, and
// its folder is removed. KOTA_TEST_POSTGRES names another server by its URL, or the folder of the
// programs initdb and postgres.
package pgtest

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5"
)

// A Server is a PostgreSQL server for tests.
type Server struct {
	url    url.URL // of the database "postgres", as a superuser
	folder string  // "" if the tests did not start the server
	bin    string  // the folder of the server's programs; "" if the tests did not start it
	stop   func()
}

// variable is the environment variable that names a server or the folder of its programs.
const variable = "KOTA_TEST_POSTGRES"

// shared is the server of this process.
var shared struct {
	sync.Once
	server  *Server
	absence string // why there is no server
	err     error
}

// Start returns the server of this test process. It skips the test if the machine has no
// PostgreSQL, and fails it if the server does not start. The server does not sync its files.
func Start(tb testing.TB) *Server {
	tb.Helper()
	shared.Do(func() {
		if given := os.Getenv(variable); isURL(given) {
			shared.server, shared.err = at(given)
			return
		}
		shared.server, shared.absence, shared.err = start(os.Getenv(variable), "fsync=off", "full_page_writes=off")
	})
	return usable(tb, shared.server, shared.absence, shared.err)
}

// StartOwn starts a server for this test only, with settings such as "fsync=on". It stops the
// server at the end of the test. It never uses the server of KOTA_TEST_POSTGRES.
func StartOwn(tb testing.TB, settings ...string) *Server {
	tb.Helper()
	given := os.Getenv(variable)
	if isURL(given) {
		given = ""
	}
	server, absence, err := start(given, settings...)
	if server != nil {
		tb.Cleanup(server.stop)
	}
	return usable(tb, server, absence, err)
}

// isURL reports whether the variable names a server, and not a folder.
func isURL(given string) bool { return strings.Contains(given, "://") }

// Launch starts a server outside of a test. It returns the reason if the machine has no PostgreSQL.
// The server runs until Stop, or until this process ends.
func Launch(settings ...string) (server *Server, absence string, err error) {
	return start(os.Getenv(variable), settings...)
}

// Stop stops a server of Launch and removes its folder.
func (s *Server) Stop() { s.stop() }

// Program returns the path of a program that comes with a server of Launch or StartOwn, such as
// pgbench.
func (s *Server) Program(name string) string { return filepath.Join(s.bin, name) }

// Create creates an empty database. Its text is UTF-8 and sorts by bytes.
func (s *Server) Create(name string) error {
	return s.exec("CREATE DATABASE " + name + " TEMPLATE template0 ENCODING 'UTF8' LOCALE 'C'")
}

func usable(tb testing.TB, server *Server, absence string, err error) *Server {
	tb.Helper()
	switch {
	case err != nil:
		tb.Fatal("start PostgreSQL: ", err)
	case server == nil:
		tb.Skip("not checked here: ", absence)
	}
	return server
}

// at returns the running server of the URL.
func at(given string) (*Server, error) {
	parsed, err := url.Parse(given)
	if err != nil {
		return nil, errBadURL // the error of Parse quotes the password
	}
	return &Server{url: *parsed}, nil
}

// Owned reports whether the tests started the server, so that nothing on it outlives them.
func (s *Server) Owned() bool { return s.folder != "" }

// URL returns the connection URL of a database for a user. Without a user it is the superuser who
// owns the server.
func (s *Server) URL(user, database string) string {
	u := s.url
	u.Path = "/" + database
	if user != "" {
		u.User = url.User(user)
	}
	return u.String()
}

// Folder returns the folder of the server's data, log and socket. It is "" for a server that the
// tests did not start.
func (s *Server) Folder() string { return s.folder }

// Database creates an empty database and returns its name. It drops the database at the end of
// the test, with all its connections. Its text is UTF-8 and sorts by bytes.
func (s *Server) Database(tb testing.TB) string {
	tb.Helper()
	random := make([]byte, 8)
	rand.Read(random)
	name := "kota_test_" + hex.EncodeToString(random)
	if err := s.Create(name); err != nil {
		tb.Fatal("create a database: ", err)
	}
	tb.Cleanup(func() {
		if err := s.exec("DROP DATABASE IF EXISTS " + name + " WITH (FORCE)"); err != nil {
			tb.Error("drop the database: ", err)
		}
	})
	return name
}

func (s *Server) exec(statement string) error {
	ctx := context.Background()
	conn, err := pgx.Connect(ctx, s.URL("", "postgres"))
	if err != nil {
		return err
	}
	defer conn.Close(ctx)
	_, err = conn.Exec(ctx, statement)
	return err
}
