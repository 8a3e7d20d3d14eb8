package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"kota/store/faulttest"
	"kota/store/postgres/pgtest"
)

// Twenty processes that find an empty database create the tables once, and each stores its memory.
func TestTwentyReplicasStartOnEmptyDatabase(t *testing.T) {
	tortureReplicas(t)
	server := pgtest.StartOwn(t, "fsync=off")
	d := newTestHome(t)
	d.database = server.URL("", server.Database(t))
	all := sync.WaitGroup{}
	for n := range 20 {
		all.Go(func() {
			if out, err := d.command("kota", "call", "memory_set", fmt.Sprint("key=of-", n), "value=yes").CombinedOutput(); err != nil {
				t.Errorf("process %d: %v %s", n, err, out)
			}
		})
	}
	all.Wait()
	if found := d.stored("of-"); found != 20 {
		t.Errorf("%d of 20 memories are stored", found)
	}
	if steps := queryInt(t, d.database, "SELECT count(*) - max(version) FROM kota.kota_schema"); steps != 0 {
		t.Error("a step was run more than once, or never")
	}
}

// command returns a command of a program on the home, with the real clock.
func (d *testHome) command(program string, args ...string) *exec.Cmd {
	cmd := exec.Command(program, args...)
	cmd.Env = append(os.Environ(), "KOTA_HOME="+d.home, "KOTA_CONFIG=", "KOTA_NOW=", "KOTA_DATABASE_URL="+d.database, "KOTA_SECRETS_KEY="+d.secretsKey)
	return cmd
}

// stored returns the number of memories whose key has that prefix.
func (d *testHome) stored(prefix string) int {
	d.t.Helper()
	out, err := d.command("kota", "call", "memory_list", "limit:=100").Output()
	if err != nil {
		d.t.Fatal(err)
	}
	return strings.Count(string(out), `"key":"`+prefix)
}

func queryInt(t *testing.T, database, query string) (n int) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), database)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(t.Context())
	if err := conn.QueryRow(t.Context(), query).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

// nextStep is a migration step of a later version. It only adds.
const nextStep = `-- minimum reader: 1
ALTER TABLE memories ADD COLUMN flavour text COLLATE "C" NOT NULL DEFAULT 'plain';
ALTER TABLE outbox ADD COLUMN flavour text COLLATE "C" NOT NULL DEFAULT 'plain';
CREATE TABLE flavours (owner bigint NOT NULL, name text COLLATE "C" NOT NULL, PRIMARY KEY (owner, name));
`

// buildNext builds a program that knows one more migration step, and returns its path.
func buildNext(t *testing.T, step string) string {
	t.Helper()
	source, err := filepath.Abs("../../store/postgres/schema/999.sql")
	if err != nil {
		t.Fatal(err)
	}
	return buildOverlay(t, map[string]string{source: step})
}

// buildOverlay builds the program with these files, which replace files of the sources or are new.
func buildOverlay(t *testing.T, files map[string]string) (program string) {
	t.Helper()
	folder, replaced := t.TempDir(), map[string]string{}
	for path, text := range files {
		replaced[path] = filepath.Join(folder, filepath.Base(path))
		writeFile(t, replaced[path], []byte(text))
	}
	overlay, err := json.Marshal(object{"Replace": replaced})
	if err != nil {
		t.Fatal(err)
	}
	writeFile(t, filepath.Join(folder, "overlay.json"), overlay)
	program = filepath.Join(folder, "kota-built")
	build := exec.Command("go", "build", "-overlay", filepath.Join(folder, "overlay.json"), "-ldflags=-s -w", "-o", program, ".")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return program
}

// An old replica writes and sends while a new one changes the tables, and afterwards. The change is
// built from the sources, so only full torture makes it.
func TestOldAndNewReplicaRunThroughMigration(t *testing.T) {
	tortureReplicas(t)
	if !faulttest.FullTorture() {
		t.Skip("left to `make torture-replicas`")
	}
	next := buildNext(t, nextStep)
	server := pgtest.StartOwn(t, "fsync=off")
	d := newReplicaHome(t, server)
	old := d.start(d.database, d.google.URL())
	old.mustCall("memory_set", object{"key": "warm", "value": "yes"})
	stopOld := old.keepWriting("old", 10*time.Millisecond)
	time.Sleep(500 * time.Millisecond)
	known := queryInt(t, d.database, "SELECT max(version) FROM kota.kota_schema")
	started := &replica{httpServer: startProgram(t, next, d.home, []string{"KOTA_NOW=", "KOTA_DATABASE_URL=" + d.database, "KOTA_SECRETS_KEY=" + d.secretsKey})}
	started.mustCall("memory_set", object{"key": "warm", "value": "new"})
	if now := queryInt(t, d.database, "SELECT max(version) FROM kota.kota_schema"); now != known+1 {
		t.Fatalf("the tables had step %d and have step %d", known, now)
	}
	stopNew := started.keepWriting("new", 10*time.Millisecond)
	for i, w := range []*replica{old, started} {
		name := fmt.Sprint("Mail ", i)
		w.mustCall("gmail_send_message", object{"to": bob, "subject": name, "body": "At noon?"})
		if sent := mailCount(d.testHome, name); sent != 1 {
			t.Errorf("%s was sent %d times", name, sent)
		}
	}
	time.Sleep(time.Second)
	for of, w := range map[*replica]*replica{old: started, started: old} {
		stop := stopOld
		if of == started {
			stop = stopNew
		}
		acknowledged, failures := stop()
		if len(failures) > 0 || len(acknowledged) == 0 {
			t.Errorf("%d writes were acknowledged, these failed: %+v", len(acknowledged), failures)
		}
		w.checkStored(acknowledged)
		t.Logf("%d writes", len(acknowledged))
	}
	if out, err := d.command("kota", "call", "memory_get", "query=warm").CombinedOutput(); err != nil || !strings.Contains(string(out), "new") {
		t.Errorf("an old program that starts later: %v %s", err, out)
	}
}
