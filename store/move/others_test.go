package move

import (
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"kota/store/postgres"
	"kota/store/postgres/pgtest"
)

func TestOtherSessionsAreCounted(t *testing.T) {
	t.Parallel()
	cluster := pgtest.Start(t)
	name := cluster.Database(t)
	superuser := cluster.URL("", name)
	login := "mover_" + name
	execAt(t, superuser, "CREATE ROLE "+login+" LOGIN CREATEROLE")
	execAt(t, superuser, "ALTER DATABASE "+name+" OWNER TO "+login)
	url := cluster.URL(login, name)
	defer func() {
		execAt(t, superuser, "ALTER DATABASE "+name+" OWNER TO current_user")
		execAt(t, superuser, "DROP OWNED BY "+login+" CASCADE")
		execAt(t, superuser, "DROP ROLE "+login)
	}()
	own := must[*postgres.Server](t)(postgres.Open(t.Context(), url, postgres.Options{Version: "test", Application: Application}))
	defer own.Close()
	for _, c := range []struct {
		url  string
		want int
	}{
		{url, 1},
		{url + "&application_name=else", 1},
		{superuser, 0}, // a monitor
		{superuser + "&application_name=kota", 1},
	} {
		other := must[*pgx.Conn](t)(pgx.Connect(t.Context(), c.url))
		if n, err := OtherSessions(t.Context(), own); n != c.want || err != nil {
			t.Errorf("with another session of %s: %d, %v, want %d", c.url, n, err, c.want)
		}
		other.Close(t.Context())
		for deadline := time.Now().Add(10 * time.Second); must[int](t)(OtherSessions(t.Context(), own)) > 0; { // the server ends it a moment later
			if time.Now().After(deadline) {
				t.Fatal("the session does not end")
			}
		}
	}
}
