//go:build unix

package pgtest_test

import (
	"bufio"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"kota/store/postgres/pgtest"
)

func TestDatabasesAreEmptyAndApart(t *testing.T) {
	t.Parallel()
	server := pgtest.Start(t)
	first, second := connect(t, server, server.Database(t)), connect(t, server, server.Database(t))
	if _, err := first.Exec(t.Context(), "CREATE TABLE rows (id int)"); err != nil {
		t.Fatal(err)
	}
	var n int
	if err := second.QueryRow(t.Context(), "SELECT count(*) FROM pg_class WHERE relname = 'rows'").Scan(&n); err != nil || n != 0 {
		t.Errorf("got %d tables of another database, %v", n, err)
	}
}

func TestADatabaseIsDroppedWithItsConnections(t *testing.T) {
	t.Parallel()
	server := pgtest.Start(t)
	var name string
	var open *pgx.Conn
	t.Run("use", func(t *testing.T) {
		name = server.Database(t)
		var err error
		if open, err = pgx.Connect(t.Context(), server.URL("", name)); err != nil {
			t.Fatal(err)
		}
	})
	defer open.Close(t.Context())
	var n int
	row := connect(t, server, "postgres").QueryRow(t.Context(), "SELECT count(*) FROM pg_database WHERE datname = $1", name)
	if err := row.Scan(&n); err != nil || n != 0 {
		t.Errorf("got %d databases %s, %v", n, name, err)
	}
}

func TestAnOwnServerHasItsSettingsAndStops(t *testing.T) {
	t.Parallel()
	var folder string
	t.Run("use", func(t *testing.T) {
		server := pgtest.StartOwn(t, "fsync=on", "work_mem=1MB")
		var value string
		if err := connect(t, server, "postgres").QueryRow(t.Context(), "SELECT current_setting('work_mem')").Scan(&value); err != nil || value != "1MB" {
			t.Errorf("got work_mem %q, %v", value, err)
		}
		folder = server.Folder()
	})
	if _, err := os.Stat(folder); !os.IsNotExist(err) {
		t.Errorf("the folder %s is left: %v", folder, err)
	}
}

// helper makes the test binary start a server and wait, or end.
const helper = "KOTA_TEST_POSTGRES_HELPER"

func TestAProcessThatEndsLeavesNothing(t *testing.T) {
	t.Parallel()
	if how := os.Getenv(helper); how != "" {
		server := pgtest.StartOwn(t)
		os.Stdout.WriteString("folder " + server.Folder() + "\n")
		if how == "kill" {
			time.Sleep(time.Minute)
		}
		os.Exit(1) // no cleanup runs, as with log.Fatal
	}
	for _, how := range []string{"exit", "kill"} {
		t.Run(how, func(t *testing.T) {
			pgtest.StartOwn(t) // skips where there is no server
			child := exec.Command(os.Args[0], "-test.run=^TestAProcessThatEndsLeavesNothing$")
			child.Env = append(os.Environ(), helper+"="+how)
			out, err := child.StdoutPipe()
			if err != nil {
				t.Fatal(err)
			}
			if err := child.Start(); err != nil {
				t.Fatal(err)
			}
			folder := ""
			for lines := bufio.NewScanner(out); folder == "" && lines.Scan(); {
				folder, _ = strings.CutPrefix(lines.Text(), "folder ")
			}
			pid := serverPID(t, folder)
			if how == "kill" {
				child.Process.Kill()
			}
			child.Wait()
			for end := time.Now().Add(10 * time.Second); ; time.Sleep(10 * time.Millisecond) {
				_, statErr := os.Stat(folder)
				killErr := syscall.Kill(pid, 0)
				if os.IsNotExist(statErr) && killErr == syscall.ESRCH {
					return
				}
				if time.Now().After(end) {
					t.Fatalf("left after ten seconds: folder %s (%v), process %d (%v)", folder, statErr, pid, killErr)
				}
			}
		})
	}
}

func serverPID(t *testing.T, folder string) int {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(folder, "data", "postmaster.pid"))
	if err != nil {
		t.Fatal(err)
	}
	line, _, _ := strings.Cut(string(text), "\n")
	pid, err := strconv.Atoi(line)
	if err != nil {
		t.Fatal(err)
	}
	return pid
}

func connect(t *testing.T, server *pgtest.Server, database string) *pgx.Conn {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), server.URL("", database))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close(t.Context()) })
	return conn
}
