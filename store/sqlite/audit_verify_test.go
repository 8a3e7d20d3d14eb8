package sqlite_test

import (
	"bufio"
	"crypto/sha256"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"kota/store"
	"kota/store/engine"
	"kota/store/sqlite"
	"kota/store/tables/memory"
)

// closedLog returns the path of a closed database. Its log has the eight rows of four calls.
func closedLog(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "kota.db")
	db := openAt(t, path, sqlite.Options{Now: newClock().now})
	for _, key := range []string{"city", "street", "country", "river"} {
		auditedSet(t, db, key)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

const (
	dropTriggers   = "DROP TRIGGER audit_keeps; DROP TRIGGER audit_stays"
	createTriggers = `CREATE TRIGGER audit_keeps BEFORE UPDATE ON audit BEGIN SELECT RAISE(ABORT, 'no'); END;
		CREATE TRIGGER audit_stays BEFORE DELETE ON audit BEGIN SELECT RAISE(ABORT, 'no'); END`
	columns = "owner, at, call, phase, tool, effect, door, args, approval, code, prev, hash"
)

// If the checkpoint beside the file is missing or damaged, the rows are still checked.
// CheckpointProblem says that rows may be missing at the end.
func TestVerifyChecksALogWithoutCheckpointAndReportsThat(t *testing.T) {
	for name, tt := range map[string]struct {
		lose func(note string) error
		want string
	}{
		"gone":    {os.Remove, "kota.db.audit-head is missing"},
		"emptied": {func(note string) error { return os.Truncate(note, 0) }, "kota.db.audit-head cannot be read"},
		"garbage": {func(note string) error { return os.WriteFile(note, []byte("zzz"), 0o600) }, "kota.db.audit-head cannot be read"},
	} {
		t.Run(name, func(t *testing.T) {
			path := closedLog(t)
			runOutside(t, path, dropTriggers, "DELETE FROM audit WHERE seq = 4", createTriggers)
			if err := tt.lose(path + ".audit-head"); err != nil {
				t.Fatal(err)
			}
			v := verify(t, openAt(t, path, sqlite.Options{}))
			if !strings.HasPrefix(v.CheckpointProblem, tt.want) || findings(v) != "row 4 was removed" {
				t.Errorf("the report is %q and %q", v.CheckpointProblem, findings(v))
			}
		})
	}
	if v := verify(t, openAt(t, closedLog(t), sqlite.Options{})); v.CheckpointProblem != "" {
		t.Errorf("with its checkpoint it says %q", v.CheckpointProblem)
	}
}

func TestVerifyFindsAMissingTrigger(t *testing.T) {
	path := closedLog(t)
	runOutside(t, path, "DROP TRIGGER audit_stays")
	if got := findings(verify(t, openAt(t, path, sqlite.Options{}))); got != "the trigger audit_stays, which protects the rows, is missing" {
		t.Errorf("the report is %q", got)
	}
}

func TestAuditRowsCannotBeUpdatedOrDeleted(t *testing.T) {
	db := open(t)
	auditedSet(t, db, "city")
	for _, query := range []string{"UPDATE audit SET code = 'x'", "DELETE FROM audit"} {
		if err := db.Write(t.Context(), func(tx engine.Tx) error { return tx.Exec(query) }); err == nil {
			t.Errorf("%s succeeds", query)
		}
	}
}

// A process that is killed loses at most the outcomes of its last calls. That is not reported as
// tampering.
func TestAKilledProcessLeavesIntentsWithoutOutcome(t *testing.T) {
	path := filepath.Join(t.TempDir(), "kota.db")
	openAt(t, path, sqlite.Options{})
	acknowledged := 0
	for range 3 {
		command, stdout := child(t, path, "actor", 0)
		lines := bufio.NewScanner(stdout)
		for n := 0; lines.Scan(); n++ {
			acknowledged++
			if n == 40 {
				if err := command.Process.Kill(); err != nil {
					t.Fatal(err)
				}
			}
		}
		_ = command.Wait() // the error says that it was killed
	}
	db := openAt(t, path, sqlite.Options{})
	v := verify(t, db)
	if len(v.Tampering) != 0 {
		t.Errorf("reported as tampering: %s", findings(v))
	}
	if len(v.Unfinished) == 0 || len(v.Unfinished) > 6 {
		t.Errorf("%d calls have no outcome", len(v.Unfinished))
	}
	intents := 0
	for _, row := range auditRows(t, db) {
		if row.Phase == store.PhaseIntent {
			intents++
		}
	}
	stats, err := memory.New(db, "ann").Stats(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if kept := stats.Memories; intents != kept || kept < acknowledged {
		t.Errorf("%d intents for %d changes, of which %d were acknowledged", intents, kept, acknowledged)
	}
}

// The form of the hash is fixed, because other programs check logs with it.
func TestAuditRowHashFollowsTheSchema(t *testing.T) {
	row := store.AuditRow{
		Seq: 1, Owner: "ann", At: time.UnixMilli(1700000000123), Call: "c1", Phase: store.PhaseIntent, Tool: "gmail_send_message", Effect: "sends", Channel: "direct",
		Args: `{"to":["bob@example.org"]}`, Approval: "terminal",
	}
	text := string(row.Prev[:]) + `3:ann13:17000000001232:c16:intent18:gmail_send_message5:sends6:direct26:{"to":["bob@example.org"]}8:terminal0:`
	row.Hash = sha256.Sum256([]byte(text))
	line, err := json.Marshal(row)
	if err != nil {
		t.Fatal(err)
	}
	read := store.AuditRow{}
	if err := json.Unmarshal(line, &read); err != nil {
		t.Fatal(err)
	}
	c := store.NewAuditChecker()
	c.Add(read)
	if v := c.Result(); len(v.Tampering) != 0 || v.Last != (store.AuditCheckpoint{Seq: 1, Hash: row.Hash}) {
		t.Errorf("%s\n%+v", line, v)
	}
}
