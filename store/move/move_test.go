package move

import (
	"database/sql"
	"encoding/json"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"kota/store"
	"kota/store/engine"
	"kota/store/postgres"
	"kota/store/sqlite"
	"kota/store/storetest"
	"kota/store/tables/audit"
	"kota/store/tables/diary"
	"kota/store/tables/index"
	"kota/store/tables/memory"
)

func TestAllRowsMoveThereAndBack(t *testing.T) {
	t.Parallel()
	server, path := newServer(t), newHome(t, 300)
	want := answersOfCopy(t, path)
	before := dump(t, path)
	there := must[Report](t)(ToServer(t.Context(), path, server, "local", options()))
	for _, table := range there.Tables {
		if table.Rows == 0 || table.Hash == "" {
			t.Errorf("%s: %d rows, hash %q", table.Name, table.Rows, table.Hash)
		}
	}
	if len(there.Audit.Tampering) > 0 || there.Audit.Rows == 0 || there.Present {
		t.Errorf("%+v", there)
	}
	if after := dump(t, path); after != before {
		t.Error("the source has changed")
	}
	part := must[*postgres.DB](t)(server.Tenant(t.Context(), "local"))
	checkSound(t, part)
	back := filepath.Join(t.TempDir(), "kota.db")
	returned := must[Report](t)(ToFile(t.Context(), server, "local", back, options()))
	for i, table := range returned.Tables {
		if table != there.Tables[i] {
			t.Errorf("back: %+v, want %+v", table, there.Tables[i])
		}
	}
	if got := dump(t, back); got != before {
		t.Error("the rows differ after the way back")
	}
	if got := answers(t, part); got != want {
		t.Errorf("answers of the server differ: %s", difference(got, want))
	}
	db := openFileDB(t, back)
	defer db.Close()
	checkSound(t, db)
	if got := answers(t, db); got != want {
		t.Errorf("answers of the file differ: %s", difference(got, want))
	}
	report := must[store.AuditReport](t)(audit.New(db, nil).Verify(t.Context()))
	if len(report.Tampering) > 0 || report.CheckpointProblem != "" {
		t.Errorf("audit log: %+v", report)
	}
}

func TestNumbersContinue(t *testing.T) {
	t.Parallel()
	server, path := newServer(t), newHome(t, 5)
	must[Report](t)(ToServer(t.Context(), path, server, "local", options()))
	back := filepath.Join(t.TempDir(), "kota.db")
	must[Report](t)(ToFile(t.Context(), server, "local", back, options()))
	mustDo(t, sqlite.RemoveMark(path))
	source, file := openFileDB(t, path), openFileDB(t, back)
	defer source.Close()
	defer file.Close()
	want := nextIDs(t, source)
	if got := nextIDs(t, file); got != want {
		t.Errorf("the file continues with %s, want %s", got, want)
	}
	must[Report](t)(ToServer(t.Context(), newHome(t, 5), server, "other", options()))
	if got := nextIDs(t, must[*postgres.DB](t)(server.Tenant(t.Context(), "other"))); got != want {
		t.Errorf("the server continues with %s, want %s", got, want)
	}
}

// nextIDs writes a row of each kind and returns its id.
func nextIDs(t *testing.T, db engine.DB) string {
	t.Helper()
	ctx, m, d := t.Context(), memory.New(db, Owner), diary.New(db, Owner)
	first := must[store.WriteResult](t)(m.Set(ctx, store.Entry{Key: "next", Value: storetest.JSONText("1")}))
	second := must[store.WriteResult](t)(m.Set(ctx, store.Entry{Key: "next", Value: storetest.JSONText("2")}))
	logged := must[store.LogResult](t)(d.Log(ctx, store.LogRequest{Entries: []store.DayEntry{{Date: "2026-11-21", Zone: "UTC", Type: "note", Text: "next"}}, Tasks: []store.Task{{Text: "next", Added: "2026-11-21"}}}))
	text := "later"
	edited := must[store.EditResult[store.DayEntry]](t)(d.EditEntry(ctx, store.EntryEdit{ID: logged.Entries[0].ID, Text: &text}))
	return first.Undo + " " + second.Undo + " " + logged.Entries[0].ID + " " + logged.Tasks[0].ID + " " + edited.Undo
}

// checkSound fails the test unless the search index of a database matches its rows.
func checkSound(t *testing.T, db engine.DB) {
	t.Helper()
	stale := must[int](t)(index.CountStale(t.Context(), db, indexes...))
	if err := index.Check(t.Context(), db, indexes...); err != nil || stale > 0 {
		t.Errorf("%d stale rows, %v", stale, err)
	}
	if report := must[store.AuditReport](t)(audit.New(db, nil).Verify(t.Context())); len(report.Tampering) > 0 {
		t.Errorf("audit log: %+v", report.Tampering)
	}
}

// answersOfCopy returns the answers of a copy of a file, so that the file stays as it is.
func answersOfCopy(t *testing.T, path string) string {
	t.Helper()
	db := openFileDB(t, path)
	copied := filepath.Join(t.TempDir(), "copy.db")
	mustDo(t, db.Backup(t.Context(), copied, nil), db.Close())
	db = openFileDB(t, copied)
	defer db.Close()
	return answers(t, db)
}

// answers returns what searches find, with order and confidence, and what a secret is.
func answers(t *testing.T, db engine.DB) string {
	t.Helper()
	ctx, m, d, all := t.Context(), memory.New(db, Owner), diary.New(db, Owner), []any{}
	asked := append([]string{"home address", "card pin", "bread", "long key", "wohnadresse", "hoem adress", "4711"}, storetest.SpecialTexts...)
	g := storetest.NewTextGenerator(7)
	for range 20 {
		asked = append(asked, g.Text(3))
	}
	for _, text := range asked {
		found, err := m.Recall(ctx, store.RecallQuery{Text: text, Limit: 10})
		for _, hit := range found.Hits {
			all = append(all, hit.Memory.Key, hit.Score, hit.MatchKind, hit.Snippet)
		}
		all = append(all, found.Confidence, found.Nearest, err)
	}
	for _, text := range []string{"bread", "edited", "week", "漢字"} {
		entries, err := d.SearchEntries(ctx, store.DiaryQuery{Text: text, Limit: 9}, store.EntryFilter{})
		all = append(all, entries, err)
	}
	secret, err := m.Get(ctx, "pin of the card")
	if err != nil {
		t.Fatal(err)
	}
	value, err := m.Reveal(secret)
	all = append(all, string(value), err)
	raw, err := json.MarshalIndent(all, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

// difference returns the first lines in which two texts differ.
func difference(got, want string) string {
	a, b := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range a {
		if i >= len(b) || a[i] != b[i] {
			return fmt.Sprintf("line %d\n%s\nwant\n%s", i, strings.Join(a[max(0, i-3):min(len(a), i+3)], "\n"), strings.Join(b[max(0, i-3):min(len(b), i+3)], "\n"))
		}
	}
	return "it has fewer lines"
}

// notMoved matches the tables of a file that a move leaves out, because they are built again.
var notMoved = regexp.MustCompile(`^meta$|^sqlite_stat|_(docs|terms|words|grams)(_|$)`)

// dump returns all rows of a file, without the list of tables of this package, and the last numbers
// of the rows. It leaves out the flag of rows that are not indexed.
func dump(t *testing.T, path string) string {
	t.Helper()
	pool := must[*sql.DB](t)(sql.Open("sqlite", sqlite.FileURI(path, "mode=ro")))
	defer pool.Close()
	lines := []string{}
	for _, table := range must[[]string](t)(sqlite.QueryStrings(t.Context(), pool, "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")) {
		if notMoved.MatchString(table) {
			continue
		}
		columns := must[[]string](t)(sqlite.QueryStrings(t.Context(), pool, "SELECT 'quote(\"' || name || '\")' FROM pragma_table_info('"+table+"') WHERE name <> 'stale'"))
		if slices.Contains([]string{"outbox", "undo", "passes"}, table) {
			columns = append(columns, "rowid")
		}
		rows := must[[]string](t)(sqlite.QueryStrings(t.Context(), pool, `SELECT hex(concat(`+strings.Join(columns, ", ',', ")+`)) FROM "`+table+`"`))
		slices.Sort(rows)
		for _, row := range rows {
			lines = append(lines, table+" "+row)
		}
	}
	return strings.Join(lines, "\n")
}
