package sqlite_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"

	"kota/store"
	"kota/store/sqlite"
	"kota/store/sqlite/restore"
	"kota/store/tables/diary"
	"kota/store/tables/stages"
)

// runLogger logs to the file at path, count times or without end. Each call has two entries, a
// task and a key. Other loggers use the same keys. It prints the key of every acknowledged call.
func runLogger(path, _, count string) error {
	ctx := context.Background()
	db, err := sqlite.Open(ctx, path, sqlite.Options{})
	if err != nil {
		return err
	}
	most, err := strconv.Atoi(count)
	if err != nil {
		return err
	}
	d := diary.New(db, "ann")
	for i := 0; most == 0 || i < most; i++ {
		if _, err := d.Log(ctx, logRequest(fmt.Sprint("call ", i))); err != nil {
			return err
		}
		os.Stdout.WriteString(fmt.Sprint("call ", i, "\n"))
	}
	return db.Close()
}

func logRequest(key string) store.LogRequest {
	return store.LogRequest{
		Entries: []store.DayEntry{noteEntry("2026-11-20", "one of "+key), noteEntry("2026-11-20", "two of "+key)},
		Tasks:   []store.Task{{Text: "three of " + key, Added: "2026-11-20"}}, Key: key,
	}
}

func TestAKilledLoggerLosesAndRepeatsNoCall(t *testing.T) {
	path := filepath.Join(t.TempDir(), "kota.db")
	acknowledged := 0
	for loop := range 3 { // each starts again with the first key
		command, stdout := child(t, path, "logger", 0)
		lines := bufio.NewScanner(stdout)
		for n := 0; lines.Scan(); n++ {
			acknowledged = max(acknowledged, n+1)
			if n == 20+loop*71 { // it continues to write until the kill arrives
				if err := command.Process.Kill(); err != nil {
					t.Fatal(err)
				}
			}
		}
		if err := command.Wait(); err == nil {
			t.Fatal("the logger ended by itself")
		}
	}
	d := diary.New(openAt(t, path, sqlite.Options{}), "ann")
	checkCallCount(t, d, acknowledged, acknowledged+1) // one call may be stored but not acknowledged
	for i := range acknowledged {
		if logged, err := d.Log(t.Context(), logRequest(fmt.Sprint("call ", i))); err != nil || !logged.Repeated || len(logged.Entries) != 2 || len(logged.Tasks) != 1 {
			t.Fatalf("call %d was acknowledged: %+v, %v", i, logged, err)
		}
	}
}

// checkCallCount checks that the number of calls is from least to most, and that all are complete.
func checkCallCount(t *testing.T, d *diary.Store, least, most int) {
	t.Helper()
	entries := mustReturn[[]store.DaySummary](t)(d.Days(t.Context(), store.EntryFilter{}))[0].Entries
	list := mustReturn[store.TaskList](t)(d.Tasks(t.Context(), store.TaskQuery{On: "2026-11-20", Limit: 1}))
	if calls := list.OpenCount; calls < least || calls > most || entries != 2*calls {
		t.Errorf("%d entries and %d tasks, want %d to %d calls", entries, calls, least, most)
	}
}

func TestTwoProcessesWithTheSameKeysLogEachCallOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), "kota.db")
	const calls = 150
	commands := []*exec.Cmd{}
	for range 2 {
		command, stdout := child(t, path, "logger", calls)
		go io.Copy(io.Discard, stdout)
		commands = append(commands, command)
	}
	for _, command := range commands {
		if err := command.Wait(); err != nil {
			t.Errorf("a logger failed: %v", err)
		}
	}
	checkCallCount(t, diary.New(openAt(t, path, sqlite.Options{}), "ann"), calls, calls)
}

// A restored backup contains the diary, and its undo ids still work.
func TestRestoredBackupHasTheDiaryAndItsUndos(t *testing.T) {
	dir := t.TempDir()
	db := openAt(t, filepath.Join(dir, "kota.db"), sqlite.Options{})
	d := diary.New(db, "ann")
	e := logOne(t, d, noteEntry("2026-11-20", "first"))
	edited, err := d.EditEntry(t.Context(), store.EntryEdit{ID: e.ID, Text: new("second")})
	if err != nil {
		t.Fatal(err)
	}
	saveDocument(t, d, weekReview("2026-W47", "good"))
	flow, err := stages.New(db, "ann").Open(t.Context(), "daily_review", "choose", []byte(`{}`))
	if err != nil {
		t.Fatal(err)
	}
	handle := flow.Handle
	copied, restored := filepath.Join(dir, "copy.db"), filepath.Join(dir, "restored.db")
	if err := db.Backup(t.Context(), copied, nil); err != nil {
		t.Fatal(err)
	}
	if _, err := restore.Restore(t.Context(), copied, restored, sqlite.Options{}, nil, nil); err != nil {
		t.Fatal(err)
	}
	again := openAt(t, restored, sqlite.Options{})
	if _, err := diary.New(again, "ann").Restore(t.Context(), edited.Undo); err != nil {
		t.Error(err)
	}
	if got := textsOf(listEntries(t, diary.New(again, "ann"), store.EntryFilter{})); got != "first" {
		t.Errorf("got %s", got)
	}
	if _, err := stages.New(again, "ann").Get(t.Context(), handle); err != nil {
		t.Error(err)
	}
	if got := mustReturn[[]*store.Document](t)(diary.New(again, "ann").Documents(t.Context(), store.DocumentFilter{Period: "2026-W47"}, 9)); len(got) != 1 || got[0].Body != "good" {
		t.Errorf("got %+v", got)
	}
}
