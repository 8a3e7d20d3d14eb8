package move

import (
	"context"
	"crypto/rand"
	"database/sql"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"kota/store"
	"kota/store/engine"
	"kota/store/postgres"
	"kota/store/sqlite"
	"kota/store/storetest"
	"kota/store/tables/memory"
	"kota/store/tables/names"
)

func TestAFileInUseDoesNotMove(t *testing.T) {
	t.Parallel()
	server, path := newServer(t), newHome(t, 5)
	db := openFileDB(t, path)
	defer db.Close()
	if _, err := ToServer(t.Context(), path, server, "local", options()); !errors.Is(err, store.ErrBusy) {
		t.Errorf("got %v, want ErrBusy", err)
	}
	opts := options()
	opts.DryRun = true
	if r, err := ToServer(t.Context(), path, server, "local", opts); err != nil || r.Rows == 0 {
		t.Errorf("a dry run: %+v, %v", r, err)
	}
	if !isMissing(sqlite.MarkFile(path)) {
		t.Error("the file is marked")
	}
}

func TestAMovedFileIsRefused(t *testing.T) {
	t.Parallel()
	server, path := newServer(t), newHome(t, 5)
	must[Report](t)(ToServer(t.Context(), path, server, "local", options()))
	for _, readOnly := range []bool{false, true} {
		_, err := sqlite.Open(t.Context(), path, sqlite.Options{ReadOnly: readOnly})
		if !errors.Is(err, store.ErrMoved) || !strings.Contains(err.Error(), "db.example.com/kota") || !strings.Contains(err.Error(), "kota.db.moved") {
			t.Errorf("got %v, want ErrMoved", err)
		}
	}
	again := must[Report](t)(ToServer(t.Context(), path, server, "local", options()))
	if !again.Present {
		t.Errorf("a second move: %+v", again)
	}
}

func TestOtherRowsAtTheTargetStay(t *testing.T) {
	t.Parallel()
	server, path := newServer(t), newHome(t, 5)
	m := memory.New(must[*postgres.DB](t)(server.Tenant(t.Context(), "local")), Owner)
	must[store.WriteResult](t)(m.Set(t.Context(), store.Entry{Key: "theirs", Value: storetest.JSONText("1")}))
	if _, err := ToServer(t.Context(), path, server, "local", options()); !errors.Is(err, ErrOccupied) {
		t.Errorf("got %v, want ErrOccupied", err)
	}
	if _, err := m.Get(t.Context(), "theirs"); err != nil {
		t.Error(err)
	}
	if !isMissing(sqlite.MarkFile(path)) {
		t.Error("the file is marked")
	}
	must[Report](t)(ToServer(t.Context(), path, server, "another person", options()))
}

func TestOtherFilesStay(t *testing.T) {
	t.Parallel()
	server, path := newServer(t), newHome(t, 5)
	must[Report](t)(ToServer(t.Context(), path, server, "local", options()))
	if _, err := ToFile(t.Context(), server, "local", path, options()); !errors.Is(err, ErrExists) {
		t.Errorf("got %v, want ErrExists", err)
	}
	lost := filepath.Join(t.TempDir(), "kota.db")
	mustDo(t, sqlite.WriteCheckpoint(lost, store.AuditCheckpoint{Seq: 1}))
	if _, err := ToFile(t.Context(), server, "local", lost, options()); !errors.Is(err, ErrExists) {
		t.Errorf("got %v, want ErrExists for the checkpoint of a lost file", err)
	}
}

func TestOtherSchemasAreRefused(t *testing.T) {
	t.Parallel()
	server := newServer(t)
	for name, c := range map[string]struct {
		script string
		want   error
	}{
		"newer":         {"PRAGMA user_version = 999", store.ErrNewer},
		"older":         {"PRAGMA user_version = 3", nil},
		"foreign":       {"PRAGMA application_id = 7", store.ErrForeign},
		"another owner": {"INSERT INTO foreign_names VALUES ('ann', 'a', 'b', 'c')", store.ErrForeign},
	} {
		t.Run(name, func(t *testing.T) {
			path := newHome(t, 1)
			pool := must[*sql.DB](t)(sql.Open("sqlite", sqlite.FileURI(path, "mode=rw")))
			if _, err := pool.Exec(c.script); err != nil {
				t.Fatal(err)
			}
			mustDo(t, pool.Close())
			_, err := ToServer(t.Context(), path, server, "local", options())
			if err == nil || c.want != nil && !errors.Is(err, c.want) {
				t.Errorf("got %v, want %v", err, c.want)
			}
		})
	}
	empty := filepath.Join(t.TempDir(), "kota.db")
	mustDo(t, os.WriteFile(empty, nil, 0o600))
	if _, err := ToServer(t.Context(), empty, server, "local", options()); err == nil {
		t.Error("an empty file was moved")
	}
	if _, err := ToServer(t.Context(), empty+"x", server, "local", options()); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("got %v for a missing file", err)
	}
}

func TestColumnsOfANewerSchemaAreRefused(t *testing.T) {
	t.Parallel()
	url, server := newServerURL(t)
	path := newHome(t, 1)
	execAt(t, url, "ALTER TABLE kota.memories ADD COLUMN mood text")
	for _, direction := range []func() error{
		func() error { _, err := ToServer(t.Context(), path, server, "local", options()); return err },
		func() error { _, err := ToFile(t.Context(), server, "local", path+"2", options()); return err },
	} {
		if err := direction(); !errors.Is(err, store.ErrNewer) || !strings.Contains(err.Error(), "mood") {
			t.Errorf("got %v, want ErrNewer", err)
		}
	}
}

func TestNamesOfPeople(t *testing.T) {
	t.Parallel()
	server, want := newServer(t), dump(t, newHome(t, 1))
	for _, name := range []string{`a "quoted" 'name'; DROP SCHEMA kota`, "a\x00b", "\xff", "漢字"} {
		path := newHome(t, 1)
		must[Report](t)(ToServer(t.Context(), path, server, name, options()))
		back := filepath.Join(t.TempDir(), "kota.db")
		must[Report](t)(ToFile(t.Context(), server, name, back, options()))
		if dump(t, back) != want {
			t.Errorf("%q: the rows differ", name)
		}
	}
	for _, name := range []string{"", " ", strings.Repeat("n", 10_000)} {
		if _, err := ToServer(t.Context(), newHome(t, 1), server, name, options()); !errors.Is(err, store.ErrInvalid) {
			t.Errorf("%.9q: got %v, want ErrInvalid", name, err)
		}
	}
}

func TestATextThatIsTooLongIsNamed(t *testing.T) {
	t.Parallel()
	server, path := newServer(t), newHome(t, 1)
	db := openFileDB(t, path)
	key := "long " + rand.Text()
	for len(key) < 8000 { // it cannot be compressed
		key += rand.Text()
	}
	mustDo(t, names.New(db, Owner).Record(t.Context(), "account", key, []string{"name"}), db.Close())
	before := dump(t, path)
	_, err := ToServer(t.Context(), path, server, "local", options())
	if !errors.Is(err, store.ErrInvalid) || !strings.Contains(err.Error(), `foreign_names: the row with account "account", kind "long `) {
		t.Errorf("got %v, want ErrInvalid", err)
	}
	checkUntouched(t, server, path, before)
}

func TestRowsThatTheDatabaseChangesAreDetected(t *testing.T) {
	t.Parallel()
	url, server := newServerURL(t)
	execAt(t, url, `CREATE FUNCTION kota.spoil() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN NEW.text := NEW.text || ''x''; RETURN NEW; END'`)
	execAt(t, url, "CREATE TRIGGER spoil BEFORE INSERT ON kota.tasks FOR EACH ROW EXECUTE FUNCTION kota.spoil()")
	path := newHome(t, 1)
	before := dump(t, path)
	if _, err := ToServer(t.Context(), path, server, "local", options()); !errors.Is(err, store.ErrCorrupt) || !strings.Contains(err.Error(), "the table tasks") {
		t.Errorf("got %v, want ErrCorrupt", err)
	}
	checkUntouched(t, server, path, before)
}

// checkUntouched fails the test unless a failed move has changed neither side.
func checkUntouched(t *testing.T, server *postgres.Server, path, before string) {
	t.Helper()
	p := must[*person](t)(openPerson(t.Context(), server, "local"))
	defer p.close(t.Context())
	if at := must[Report](t)(countAll(t.Context(), p)); at.Rows > 0 || dump(t, path) != before || !isMissing(sqlite.MarkFile(path)) {
		t.Errorf("%d rows are at the target, or the source has changed", at.Rows)
	}
}

func TestADryRunChangesNothing(t *testing.T) {
	t.Parallel()
	server, path := newServer(t), newHome(t, 5)
	before := dump(t, path)
	opts := options()
	opts.DryRun = true
	if r := must[Report](t)(ToServer(t.Context(), path, server, "local", opts)); r.Rows == 0 {
		t.Error("nothing was counted")
	}
	checkUntouched(t, server, path, before)
}

func TestAnEditedLogIsReported(t *testing.T) {
	t.Parallel()
	server, path := newServer(t), newHome(t, 1)
	mustDo(t, sqlite.WriteCheckpoint(path, store.AuditCheckpoint{Seq: 99}))
	r := must[Report](t)(ToServer(t.Context(), path, server, "local", options()))
	if len(r.Audit.Tampering) == 0 {
		t.Errorf("rows at the end are missing: %+v", r.Audit)
	}
}

// A KOTA that starts while the file moves waits for the lock. It must not use the file afterwards.
func TestAFileThatMovesMeanwhileIsRefused(t *testing.T) {
	t.Parallel()
	path := newHome(t, 5)
	lock := must[*file](t)(lockFile(t.Context(), path))
	opened := make(chan error, 1)
	go func() {
		db, err := sqlite.Open(context.Background(), path, sqlite.Options{})
		if err == nil {
			db.Close()
		}
		opened <- err
	}()
	select {
	case err := <-opened:
		t.Fatalf("Open did not wait: %v", err)
	case <-time.After(300 * time.Millisecond):
	}
	if err := errors.Join(sqlite.MarkMoved(path, "db.example.com/kota"), lock.close()); err != nil {
		t.Fatal(err)
	}
	if err := <-opened; !errors.Is(err, store.ErrMoved) {
		t.Errorf("got %v, want ErrMoved", err)
	}
}

// A process that still has the database must write nothing there after the move to a file: it would
// send the mail of the outbox a second time.
func TestRowsThatMovedToAFileAreNotUsed(t *testing.T) {
	t.Parallel()
	url, server := newServerURL(t)
	home, back := newHome(t, 5), filepath.Join(t.TempDir(), "kota.db")
	must[Report](t)(ToServer(t.Context(), home, server, "local", options()))
	open := must[*postgres.DB](t)(newProcess(t, url).Tenant(t.Context(), "local"))
	other := must[*postgres.DB](t)(server.Tenant(t.Context(), "other"))
	must[Report](t)(ToFile(t.Context(), server, "local", back, options()))
	write := func(db engine.DB) error {
		_, err := memory.New(db, Owner).Set(t.Context(), store.Entry{Key: "late", Value: storetest.JSONText("1")})
		return err
	}
	if err := write(open); !errors.Is(err, store.ErrMoved) || !strings.Contains(err.Error(), back) {
		t.Errorf("a write gave %v, want ErrMoved", err)
	}
	mustDo(t, write(other), write(open.Numbered(other.Owner("").(int64))))
	if _, err := newProcess(t, url).Tenant(t.Context(), "local"); !errors.Is(err, store.ErrMoved) {
		t.Errorf("another process got %v, want ErrMoved", err)
	}
	if _, err := ToFile(t.Context(), server, "local", back+"2", options()); !errors.Is(err, store.ErrMoved) || !isMissing(back+"2") {
		t.Errorf("a move to a second file gave %v, want ErrMoved", err)
	}
	if r := must[Report](t)(ToServer(t.Context(), back, server, "local", options())); !r.Present {
		t.Errorf("the way back: %+v", r)
	}
	mustDo(t, write(open))
}

// A KOTA with old settings makes a file while the data moves to its place.
func TestFileThatAppearsMeanwhileStays(t *testing.T) {
	t.Parallel()
	url, server := newServerURL(t)
	must[Report](t)(ToServer(t.Context(), newHome(t, 5), server, "local", options()))
	for _, suffix := range []string{"", ".moved"} {
		path := filepath.Join(t.TempDir(), "kota.db")
		opts := options()
		opts.step = func(name string) {
			if name == "left" || name == "copied" && suffix != "" {
				mustDo(t, os.WriteFile(path+suffix, []byte("theirs"), 0o600))
			}
		}
		if _, err := ToFile(t.Context(), server, "local", path, opts); !errors.Is(err, ErrExists) {
			t.Errorf("%q: got %v, want ErrExists", suffix, err)
		}
		if got := must[[]byte](t)(os.ReadFile(path + suffix)); string(got) != "theirs" {
			t.Errorf("the file has %q", got)
		}
		if left := must[[]string](t)(filepath.Glob(path + ".moving*")); len(left) > 0 {
			t.Errorf("left: %q", left)
		}
		must[*postgres.DB](t)(newProcess(t, url).Tenant(t.Context(), "local"))
	}
}

func TestMoveEndsIfItIsNotReady(t *testing.T) {
	t.Parallel()
	url, server := newServerURL(t)
	must[Report](t)(ToServer(t.Context(), newHome(t, 5), server, "local", options()))
	path, wanted := filepath.Join(t.TempDir(), "kota.db"), errors.New("no")
	opts := options()
	opts.Ready = func(_ context.Context, part *postgres.DB) error {
		if _, err := memory.New(part, Owner).Get(t.Context(), "home address"); err != nil {
			t.Errorf("the rows of the person: %v", err)
		}
		return wanted
	}
	if _, err := ToFile(t.Context(), server, "local", path, opts); !errors.Is(err, wanted) || !isMissing(path) {
		t.Errorf("got %v", err)
	}
	must[*postgres.DB](t)(newProcess(t, url).Tenant(t.Context(), "local"))
}
