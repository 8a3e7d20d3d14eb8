package move

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"kota/store"
	"kota/store/engine"
	"kota/store/postgres"
	"kota/store/postgres/pgtest"
	"kota/store/semantic"
	"kota/store/sqlite"
	"kota/store/storetest"
	"kota/store/tables/approvals"
	"kota/store/tables/audit"
	"kota/store/tables/contacts"
	"kota/store/tables/diary"
	"kota/store/tables/mailcache"
	"kota/store/tables/memory"
	"kota/store/tables/names"
	"kota/store/tables/outbox"
	"kota/store/tables/stages"
	"kota/store/tables/undo"
	"kota/store/tables/usage"
)

// clock is the clock of all databases. Some scores depend on the age of a memory.
func clock() time.Time { return time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC) }

// indexes are all search indexes.
var indexes = append(memory.Indexes(), diary.Indexes()...)

// indexAll is Options.Index.
func indexAll(ctx context.Context, db engine.DB) error {
	for _, ix := range indexes {
		if err := ix.IndexAll(ctx, db); err != nil {
			return err
		}
	}
	return nil
}

func options() Options {
	return Options{Version: "test", Index: indexAll, Describe: "db.example.com/kota"}
}

func must[T any](t testing.TB) func(T, error) T {
	return func(value T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return value
	}
}

func mustDo(t testing.TB, errs ...error) {
	t.Helper()
	for _, err := range errs {
		if err != nil {
			t.Fatal(err)
		}
	}
}

// newServer opens an empty PostgreSQL database.
func newServer(t testing.TB) *postgres.Server {
	t.Helper()
	_, server := newServerURL(t)
	return server
}

// newServerURL is newServer, and also returns the URL of the database.
func newServerURL(t testing.TB) (string, *postgres.Server) {
	t.Helper()
	cluster := pgtest.Start(t)
	url := cluster.URL("", cluster.Database(t))
	return url, newProcess(t, url)
}

// newProcess opens a PostgreSQL database as another process does.
func newProcess(t testing.TB, url string) *postgres.Server {
	t.Helper()
	server := must[*postgres.Server](t)(postgres.Open(t.Context(), url, postgres.Options{Version: "test", Now: clock, Sealer: storetest.Sealer{}}))
	t.Cleanup(func() { server.Close() })
	return server
}

func openFileDB(t testing.TB, path string) *sqlite.DB {
	t.Helper()
	return must[*sqlite.DB](t)(sqlite.Open(t.Context(), path, sqlite.Options{Version: "test", Now: clock, Sealer: storetest.Sealer{}}))
}

// newHome returns the path of a file with rows in every table: n memories, and special texts.
func newHome(t testing.TB, n int) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "kota.db")
	homes.Lock()
	made, ok := homes.files[n]
	if !ok {
		made = makeHome(t, n)
		homes.files[n] = made
	}
	homes.Unlock()
	for suffix, content := range made {
		mustDo(t, os.WriteFile(path+suffix, content, 0o600))
	}
	return path
}

// homes has the files of homes by their numbers of memories, by suffix.
var homes = struct {
	sync.Mutex
	files map[int]map[string][]byte
}{files: map[int]map[string][]byte{}}

func makeHome(t testing.TB, n int) map[string][]byte {
	t.Helper()
	path := filepath.Join(t.TempDir(), "kota.db")
	db := openFileDB(t, path)
	trail := audit.NewTrail(store.AuditEntry{Owner: Owner, Tool: "memory_set", Effect: "writes", Channel: "cli", Args: json.RawMessage(`{}`)})
	audit.New(db, func(context.Context) *audit.Trail { return trail })
	fillMemories(t, db, n)
	fillDiary(t, db)
	fillControl(t, db)
	trail.End(store.OK)
	mustDo(t, db.Close())
	addRawRows(t, path)
	made := map[string][]byte{}
	for _, suffix := range []string{"", ".audit-head"} {
		made[suffix] = must[[]byte](t)(os.ReadFile(path + suffix))
	}
	return made
}

func fillMemories(t testing.TB, db engine.DB, n int) {
	t.Helper()
	ctx, m := t.Context(), memory.New(db, Owner)
	mustDo(t, storetest.Fill(ctx, m, n))
	set := func(e store.Entry) store.WriteResult { return must[store.WriteResult](t)(m.Set(ctx, e)) }
	for i, text := range storetest.SpecialTexts {
		category := text
		set(store.Entry{Key: fmt.Sprintf("special %d %s", i, text), Value: json.RawMessage(store.EncodeJSON(text)), Category: &category, Tags: []string{text}, Source: text})
	}
	for i := range 3 {
		set(store.Entry{Key: "home address", Value: storetest.JSONText(fmt.Sprint(i) + strings.Repeat("Sihlstrasse ", 1000))})
	}
	set(store.Entry{Key: "pin of the card", Value: storetest.JSONText("4711"), Secret: new(true)})
	set(store.Entry{Key: strings.Repeat("k", 200), Value: storetest.JSONText("long key")})
	set(store.Entry{Key: "old bread", Value: storetest.JSONText("is gone")})
	must[store.DeleteResult](t)(m.Delete(ctx, store.Target{Filter: store.Filter{Prefix: "old "}}, false))
	set(store.Entry{Key: "temporary", Value: storetest.JSONText("soon gone"), Expires: clock().Add(time.Hour)})
	vectors := m.Vectors()
	items := must[[]semantic.Item](t)(vectors.Missing(ctx, "model", 2, 0, 20))
	made := make([]semantic.Vector, len(items))
	for i := range made {
		made[i] = semantic.Vector{float32(i), 1}
	}
	mustDo(t, vectors.Keep(ctx, "model", items, made))
	mustDo(t, memory.NewTextVectors(db).Save(ctx, "model", map[string]semantic.Vector{"aa": {1, 2}, "bb": {3, 4}}))
}

func fillDiary(t testing.TB, db engine.DB) {
	t.Helper()
	ctx, d := t.Context(), diary.New(db, Owner)
	entries := []store.DayEntry{}
	for i, text := range storetest.SpecialTexts[:50] {
		entries = append(entries, store.DayEntry{Date: fmt.Sprintf("2026-10-%02d", i%30+1), Zone: "Europe/Zurich", Type: "note", Text: text + " x", Mood: i%5 + 1, Tags: []string{"tag"}, Metrics: map[string]any{"km": 4.5}})
	}
	logged := must[store.LogResult](t)(d.Log(ctx, store.LogRequest{Entries: entries, Tasks: []store.Task{{Text: "buy bread", Added: "2026-11-21"}, {Text: "call Ann", Added: "2026-11-21"}}, Key: "logged"}))
	edited := "edited \x00 text"
	must[store.EditResult[store.DayEntry]](t)(d.EditEntry(ctx, store.EntryEdit{ID: logged.Entries[0].ID, Text: &edited}))
	done := store.TaskDone
	must[store.TaskChangeResult](t)(d.ChangeTasks(ctx, "done", store.TaskChange{State: &done, On: "2026-11-21"}, logged.Tasks[1].ID))
	for week := range 3 {
		review := store.Document{Type: "week_review", Period: fmt.Sprintf("2026-W4%d", week), Unique: true, Title: "Week \x00", Body: "A week of *bread*.", Fields: json.RawMessage(`{"a":"\u0000"}`)}
		must[store.SaveResult](t)(d.SaveDocument(ctx, store.DocumentSave{Document: review}))
	}
}

func fillControl(t testing.TB, db engine.DB) {
	t.Helper()
	ctx, text := t.Context(), storetest.JSONText("text")
	must[*store.Stage](t)(stages.New(db, Owner).Open(ctx, "flow", "stage", text))
	mustDo(t, usage.New(db, Owner).Add(ctx, "2026-11-21", []store.UsageCount{{Day: "2026-11-21", Tool: "memory_set", Channel: "direct", Count: 7}}, []store.ToolPair{{Tool: "a", Other: "b", Count: 1}}))
	undos := undo.New(db, Owner, "gmail")
	for range 3 {
		id := must[string](t)(undos.Save(ctx, store.UndoRecord{Account: "ann@example.com", Kind: "label", Title: "archive", Before: text}))
		mustDo(t, undos.Done(ctx, id))
	}
	for range 2 {
		mustDo(t, approvals.NewLimits(db, Owner).Allow(ctx, "send", 1, []store.Limit{{Max: 9, Window: time.Hour}}))
	}
	waiting := approvals.New(db, Owner)
	for _, call := range []string{"call", "decided"} {
		must[store.Approval](t)(waiting.Enqueue(ctx, store.Approval{Call: call, Digest: "digest", Tool: "gmail_send", Effect: "sends", Args: text, Shown: text, Reason: "sends"}))
	}
	item := store.OutboxItem{Account: "ann@example.com", Key: "key", Digest: "digest", Kind: "send", Summary: text, Raw: slices.Repeat([]byte{0, 1, 0xff, '\n'}, 1<<18)}
	if _, _, err := outbox.New(db, Owner, "gmail").ClaimOrCreate(ctx, item, time.Time{}, time.Minute); err != nil {
		t.Fatal(err)
	}
	mustDo(t, names.New(db, Owner).Record(ctx, "ann@example.com", "label", []string{"Label \x00", "Etikett"}))
	summary := &store.MailSummary{ID: "1", Thread: "1", Date: time.UnixMilli(1).UTC(), Snippet: "snippet \xff", Headers: [][2]string{{"Subject", "s"}}, Labels: []string{"INBOX"}}
	mustDo(t, contacts.New(db, Owner, "ann@example.com").Update(ctx, "other", store.ContactUpdate{Token: "token", Contacts: []store.Contact{{ID: "c1", Card: `{"name":"Ben"}`}}}))
	mustDo(t, mailcache.New(db, Owner, "ann@example.com").Update(ctx, store.MailUpdate{To: 42, Summaries: []*store.MailSummary{summary}}))
}

// addRawRows adds rows that the stores write rarely: empty blobs, extreme numbers, invalid UTF-8 and
// PostgreSQL's own mark for it, numbers above those of the rows, and texts where indexes have them.
func addRawRows(t testing.TB, path string) {
	t.Helper()
	pool := must[*sql.DB](t)(sql.Open("sqlite", sqlite.FileURI(path, "mode=rw")))
	defer pool.Close()
	for _, text := range []string{"\xff\xfe", "\uf8ff0", "\uf8ff\x00\uf8ff2ÿ", "a\x00b", "'\"; DROP TABLE x; --", strings.Repeat("ä", 300)} {
		for _, statement := range []string{
			"INSERT INTO memories (owner, key, norm, value, category, tags, source, importance, pinned, created, updated, version, stale) VALUES ('local', ?1, ?1, '\"x\"', ?1, '[]', ?1, 3, 1, -9223372036854775808, 9223372036854775807, 1, 1)",
			"INSERT INTO consents (nonce, expires) VALUES (?1, 9223372036854775807)",
			"INSERT INTO diary_calls (owner, key, digest, made, created) VALUES ('local', ?1, ?1, '[]', 0)",
			"INSERT INTO foreign_names (owner, account, kind, name) VALUES ('local', ?1, ?1, ?1)",
			"INSERT INTO usage_pairs (owner, tool, other, count, day) VALUES ('local', ?1, ?1 || 'x', 1, '')",
			"INSERT INTO outbox (id, owner, bundle, account, key, digest, gist, kind, summary, raw, thread, save, draft, own, placed, message, status, error, tries, created, updated, holder, lease) VALUES (?1, 'local', ?1, ?1, ?1, ?1, ?1, ?1, '{}', x'', ?1, 0, '', 1, '', '', 'unknown', ?1, 2147483647, 0, 0, '', 0)",
		} {
			if _, err := pool.Exec(statement, text); err != nil {
				t.Fatal(statement, err)
			}
		}
	}
	for _, statement := range []string{
		"UPDATE sqlite_sequence SET seq = seq + 1000", // numbers of rows that were removed
		"DELETE FROM outbox WHERE rowid = 3",
	} {
		if _, err := pool.Exec(statement); err != nil {
			t.Fatal(err)
		}
	}
}

// execAt runs a statement as the user of a URL.
func execAt(t testing.TB, url, statement string) {
	t.Helper()
	conn := must[*pgx.Conn](t)(pgx.Connect(t.Context(), url))
	defer conn.Close(context.Background())
	if _, err := conn.Exec(t.Context(), statement); err != nil {
		t.Fatal(err)
	}
}
