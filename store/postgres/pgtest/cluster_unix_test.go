//go:build unix

package pgtest_test

import (
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"kota/store/postgres/pgtest"
)

func TestAClusterKeepsItsRowsAndItsStandbyTakesOver(t *testing.T) {
	t.Parallel()
	c := pgtest.StartCluster(t, "")
	standby := c.Standby("b")
	c.Exec("CREATE TABLE rows (id int)")
	for _, signal := range []string{"INT", "QUIT", "KILL"} {
		c.Exec("INSERT INTO rows VALUES (1)")
		c.Stop(signal)
		if _, err := pgx.Connect(t.Context(), c.URL("", "postgres")); err == nil {
			t.Fatalf("%s: the server still runs", signal)
		}
		c.Start()
	}
	c.Exec("ALTER SYSTEM SET synchronous_standby_names = 'b'")
	c.Exec("SELECT pg_reload_conf()")
	awaitCount(t, connect(t, &c.Server, "postgres"), "SELECT count(*) FROM pg_stat_replication WHERE sync_state = 'sync'", 1)
	c.Exec("INSERT INTO rows VALUES (1)")
	c.Stop("KILL")
	standby.Exec("SELECT pg_promote()")
	awaitCount(t, connect(t, &standby.Server, "postgres"), "SELECT count(*) FROM rows", 4)
}

// awaitCount waits until the query returns a number.
func awaitCount(t *testing.T, db *pgx.Conn, query string, want int) {
	t.Helper()
	n := 0
	for deadline := time.Now().Add(30 * time.Second); time.Now().Before(deadline); time.Sleep(50 * time.Millisecond) {
		if err := db.QueryRow(t.Context(), query).Scan(&n); err != nil {
			t.Fatal(err)
		}
		if n == want {
			return
		}
	}
	t.Fatalf("%s: %d, want %d", query, n, want)
}
