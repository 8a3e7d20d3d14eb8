//go:build unix

package pgtest_test

import (
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"kota/store/postgres/pgtest"
)

func TestAClusterKeepsItsRowsAndItsStandbyTakesOver(t *testing.T) {
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
	c.Exec("INSERT INTO rows VALUES (1)")
	c.Stop("KILL")
	standby.Exec("SELECT pg_promote()")
	var n int
	for deadline := time.Now().Add(10 * time.Second); n < 4 && time.Now().Before(deadline); time.Sleep(50 * time.Millisecond) {
		if err := connect(t, &standby.Server, "postgres").QueryRow(t.Context(), "SELECT count(*) FROM rows").Scan(&n); err != nil {
			t.Fatal(err)
		}
	}
	if n != 4 {
		t.Errorf("the standby has %d rows, want 4", n)
	}
}
