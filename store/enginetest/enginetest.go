// Package enginetest gives tests a real database. The tests do not know its engine: it is SQLite, or
// PostgreSQL if the environment variable KOTA_TEST_ENGINE is "postgres".
package enginetest

import (
	"context"
	"crypto/rand"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"kota/store/engine"
	"kota/store/postgres"
	"kota/store/postgres/pgtest"
	"kota/store/sqlite"
	"kota/store/sqlite/sqlitetest"
)

// variable is the environment variable that names the engine.
const variable = "KOTA_TEST_ENGINE"

// IsPostgres reports whether the engine is PostgreSQL.
func IsPostgres() bool { return os.Getenv(variable) == "postgres" }

// A Place is where the database of a test is. As text, it can be passed to another process.
type Place string

// New returns a place without rows. It skips the test if there is no PostgreSQL server for it.
func New(tb testing.TB) Place {
	tb.Helper()
	switch name := os.Getenv(variable); name {
	case "", "sqlite":
		return Place(sqlitetest.Path(tb))
	case "postgres":
		return Place(serverURL(tb) + separator + rand.Text())
	default:
		tb.Fatalf("%s is %q, and not sqlite or postgres", variable, name)
		return ""
	}
}

// separator is between the URL of a database and the start of the names of the people of one test.
const separator = "#"

// URL returns the URL of an empty database for a whole program, or "" if the engine is SQLite.
func URL(tb testing.TB) string {
	tb.Helper()
	if !IsPostgres() {
		return ""
	}
	server := pgtest.Start(tb)
	return server.URL("", server.Database(tb))
}

// serverURL returns the URL of an empty database, or of one that all tests of the process share: a
// new database takes longer than most tests.
func serverURL(tb testing.TB) string {
	tb.Helper()
	server := pgtest.Start(tb)
	if server.Owned() {
		return server.URL("", sharedName)
	}
	return server.URL("", server.Database(tb))
}

// sharedName is the database that every new server has.
const sharedName = "postgres"

// A Database is a database, or the part of it that belongs to one person.
type Database interface {
	engine.DB
	Close() error
}

// Connect opens the database for a person. now replaces the clock of the database, unless it is nil.
// Each call opens the same database, as another process would.
func (p Place) Connect(person string, now func() time.Time) (Database, error) {
	url, people, isServer := strings.Cut(string(p), separator)
	if !isServer {
		db, err := sqlite.Open(context.Background(), string(p), sqlite.Options{Now: now})
		if err != nil {
			return nil, err // not an interface that holds nil
		}
		return db, nil
	}
	server, err := postgres.Open(context.Background(), url, postgres.Options{Now: now})
	if err != nil {
		return nil, err
	}
	db, err := server.Tenant(context.Background(), people+" "+person)
	if err != nil {
		server.Close()
		return nil, err
	}
	return ownServer{db}, nil
}

// An ownServer is the part of a person, with the connections of a process.
type ownServer struct{ *postgres.DB }

func (p ownServer) Close() error { return p.Server.Close() }

// Open is Connect for a test. It closes the database at the end of the test.
func (p Place) Open(tb testing.TB, person string, now func() time.Time) Database {
	tb.Helper()
	db, err := p.Connect(person, now)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { closeAfter(tb, db) })
	return db
}

// Open opens a new database for one person. It closes it at the end of the test.
func Open(tb testing.TB, now func() time.Time) Database {
	tb.Helper()
	db, err := Lazy(tb, now)(context.Background())
	if err != nil {
		tb.Fatal(err)
	}
	return db
}

// Lazy returns a function that opens a new database at its first call. Later calls return the same
// one. It is closed at the end of the test. On PostgreSQL it shares connections with other tests.
func Lazy(tb testing.TB, now func() time.Time) func(context.Context) (Database, error) {
	tb.Helper()
	place := New(tb)
	open := sync.OnceValues(func() (Database, error) {
		db, err := place.share(now)
		if err == nil {
			tb.Cleanup(func() { closeAfter(tb, db) })
		}
		return db, err
	})
	return func(context.Context) (Database, error) { return open() }
}

func closeAfter(tb testing.TB, db Database) {
	if err := db.Close(); err != nil {
		tb.Error(fmt.Errorf("close the database: %w", err))
	}
}

// Part returns a function that opens the database and returns one of its stores, such as the
// memories of one person.
func Part[T any](open func(context.Context) (Database, error), part func(Database) T) func(context.Context) (T, error) {
	return func(ctx context.Context) (found T, err error) {
		db, err := open(ctx)
		if err != nil {
			return found, err
		}
		return part(db), nil
	}
}
