package move

import (
	"database/sql"
	"path/filepath"
	"slices"
	"testing"

	"github.com/jackc/pgx/v5"

	"kota/store/sqlite"
)

// onlyOnServer are tables that a move leaves out: they belong to the server itself, are built again,
// or hold what ends with a process. Moving secrets needs their key, which package move lacks.
var onlyOnServer = []string{"kota_schema", "tenants", "heads", "commits", "indexes", "docs", "terms", "blocks", "sessions", "session_messages", "secrets"}

func TestEveryTableOfTheServerMoves(t *testing.T) {
	t.Parallel()
	conn := must[*pgx.Conn](t)(newServer(t).Connect(t.Context()))
	defer conn.Close(t.Context())
	rows := must[pgx.Rows](t)(conn.Query(t.Context(), "SELECT relname::text FROM pg_class WHERE relnamespace = 'kota'::regnamespace AND relkind IN ('r', 'p')"))
	for _, name := range must[[]string](t)(pgx.CollectRows(rows, pgx.RowTo[string])) {
		i := slices.IndexFunc(tables, func(t table) bool { return t.name == name })
		if (i >= 0) == slices.Contains(onlyOnServer, name) {
			t.Errorf("%s: moved is %t", name, i >= 0)
			continue
		}
		if i < 0 {
			continue
		}
		rows := must[pgx.Rows](t)(conn.Query(t.Context(), "SELECT attname::text FROM pg_attribute WHERE attrelid = ('kota.' || quote_ident($1))::regclass AND attnum > 0 AND NOT attisdropped", name))
		want := []string{"owner"}
		if tables[i].indexed {
			want = append(want, "stale")
		}
		checkSame(t, name+" of the server", must[[]string](t)(pgx.CollectRows(rows, pgx.RowTo[string])), append(want, tables[i].inPostgres()...))
	}
}

func TestEveryTableOfTheFileMoves(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "kota.db")
	mustDo(t, openFileDB(t, path).Close())
	pool := must[*sql.DB](t)(sql.Open("sqlite", sqlite.FileURI(path, "mode=ro")))
	defer pool.Close()
	for _, name := range must[[]string](t)(sqlite.QueryStrings(t.Context(), pool, "SELECT name FROM sqlite_schema WHERE type = 'table'")) {
		i := slices.IndexFunc(tables, func(t table) bool { return t.name == name })
		if i < 0 {
			if name != "sqlite_sequence" && !notMoved.MatchString(name) {
				t.Errorf("%s does not move", name)
			}
			continue
		}
		got := must[[]string](t)(sqlite.QueryStrings(t.Context(), pool, "SELECT name FROM pragma_table_info('"+name+"')"))
		want := tables[i].inFile()
		if slices.Contains(want, "rowid") {
			got = append(got, "rowid")
		}
		if tables[i].owned {
			want = append(want, "owner")
		}
		if tables[i].indexed {
			want = append(want, "stale")
		}
		checkSame(t, name+" of the file", got, want)
	}
}

func checkSame(t *testing.T, what string, got, want []string) {
	t.Helper()
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("%s has the columns %q, and the list %q", what, got, want)
	}
}
