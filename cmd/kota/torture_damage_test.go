package main

import (
	"bytes"
	"database/sql"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// damage is a state of kota.db.
type damage struct {
	name  string
	apply func(t *testing.T, path string)
	want  string // what the answer says about it, besides its location
}

var damages = []damage{
	{"a corrupt header", overwrite(0, 100), "damaged"},
	{"a corrupt first page", overwrite(100, 4096), "damaged"},
	{"half of it is missing", func(t *testing.T, path string) { mustSucceed(t, os.Truncate(path, 20_000)) }, "damaged"},
	{"not a database", func(t *testing.T, path string) {
		writeFile(t, path, bytes.Repeat([]byte("somebody's letter\n"), 999))
	}, "damaged"},
	{"another program's", func(t *testing.T, path string) {
		mustSucceed(t, os.Remove(path))
		runSQL(t, path, "CREATE TABLE theirs (x); INSERT INTO theirs VALUES (1)")
	}, "another program"},
	{"of a newer KOTA", func(t *testing.T, path string) { runSQL(t, path, "PRAGMA user_version = 999") }, "update KOTA"},
	{"a folder", func(t *testing.T, path string) {
		mustSucceed(t, os.Remove(path))
		mustSucceed(t, os.Mkdir(path, 0o700))
	}, "folder"},
	{"a link to nothing", func(t *testing.T, path string) {
		mustSucceed(t, os.Remove(path))
		mustSucceed(t, os.Symlink("gone.db", path))
	}, "no such file"},
}

// Whatever happened to the database, each call that needs it says where it is
// and what to do. The file stays unchanged, calls that do not need it work, and
// all calls work again once it is repaired.
func TestUnusableDatabaseIsLeftAlone(t *testing.T) {
	for _, c := range damages {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			d := newHomeForWrites(t)
			storeMemories(t, d.home, 20)
			path := filepath.Join(d.home, "kota.db")
			whole, err := os.ReadFile(path)
			mustSucceed(t, err)
			c.apply(t, path)
			before := filesBeside(t, path)

			p := serveIn(t, d.home)
			for _, k := range kinds { // what changes something at Google is also stored first
				if output := p.ask(k.line(k.id(0, 0))).call(t); !output.IsError {
					t.Errorf("%s is acknowledged: %s", k.name, output.text())
				}
			}
			output := p.ask(toolCall("read", "memory_get", object{"query": "k1"})).call(t)
			if text := output.text(); !output.IsError || !strings.Contains(text, "UNAVAILABLE") || !strings.Contains(text, path) || !strings.Contains(text, c.want) || !strings.Contains(text, "kota doctor") {
				t.Errorf("reading answers %s", text)
			}
			for _, works := range []string{
				toolCall("labels", "gmail_list_labels", object{}),
				toolCall("events", "calendar_list_events", object{}),
				toolCall("discover", "kota_discover_bundles", object{"query": "remember"}),
			} {
				if other := p.ask(works).call(t); other.IsError {
					t.Errorf("%s answers %s", works, other.text())
				}
			}
			// An attempt to open the file may still run in the background. SQLite keeps a WAL
			// beside the file until that attempt has failed.
			waitFor(t, fmt.Sprintf("leaves only %v, unchanged", sortedNames(before)), func() bool {
				return maps.Equal(before, filesBeside(t, path))
			})

			writeFile(t, path+".whole", whole)
			mustSucceed(t, os.RemoveAll(path))
			mustSucceed(t, os.Rename(path+".whole", path)) // so that no program opens an incomplete file
			if found := p.ask(toolCall("read", "memory_get", object{"query": "k1"})).call(t); found.IsError {
				t.Errorf("put right, it answers %s", found.text())
			}
			p.end()
		})
	}
}

// A read notices pages of noise in the middle: an answer is right, or says that
// the file is damaged, and the server continues.
func TestPagesOfNoiseAreNeverAnAnswer(t *testing.T) {
	home := t.TempDir()
	storeMemories(t, home, 200)
	whole, err := os.ReadFile(filepath.Join(home, "kota.db"))
	mustSucceed(t, err)
	refused := 0
	for seed := range sampleSize(5, 100) {
		damaged := t.TempDir()
		random := rand.New(rand.NewPCG(uint64(seed), 0))
		noisy := bytes.Clone(whole)
		for range 1 + random.IntN(8) {
			page := noisy[4096*(1+random.IntN(len(noisy)/4096-1)):][:4096]
			for i := range page {
				page[i] = byte(random.Uint32())
			}
		}
		writeFile(t, filepath.Join(damaged, "kota.db"), noisy)
		p := serveIn(t, damaged)
		for i := range 20 {
			key := fmt.Sprint("k", 10*i)
			answer := p.ask(toolCall(i, "memory_get", object{"query": key})).call(t)
			switch text := answer.text(); {
			case answer.IsError && strings.Contains(text, "UNAVAILABLE") && strings.Contains(text, "kota doctor"):
				refused++
			case answer.IsError:
				t.Errorf("seed %d: %s answers %s", seed, key, text)
			case strings.Contains(text, `"confidence":"high"`) && !strings.Contains(text, "the value of "+key+" "):
				t.Errorf("seed %d: %s is answered by %s", seed, key, text)
			}
		}
		p.ask(rememberLine("new"))
		p.end()
	}
	if refused == 0 {
		t.Error("no damage was found")
	}
	t.Logf("%d reads were refused", refused)
}

// storeMemories stores n memories in that home: k0, k1, …
func storeMemories(t *testing.T, home string, n int) {
	t.Helper()
	var lines strings.Builder
	for i := range n {
		key := fmt.Sprint("k", i)
		lines.WriteString(toolCall(key, "memory_set", object{"key": key, "value": "the value of " + key + strings.Repeat(" and so on", 40)}))
	}
	p := serveIn(t, home)
	for _, answer := range p.callAll(lines.String()) {
		if result := answer.call(t); result.IsError {
			t.Fatal(result.text())
		}
	}
	p.end()
}

func rememberLine(id string) string {
	tool, args := memoryCall(id)
	return toolCall(id, tool, args)
}

// overwrite writes noise into a file from one byte to another.
func overwrite(from, to int) func(*testing.T, string) {
	return func(t *testing.T, path string) {
		content, err := os.ReadFile(path)
		mustSucceed(t, err)
		random := rand.New(rand.NewPCG(1, 2))
		for i := from; i < to; i++ {
			content[i] = byte(random.Uint32())
		}
		writeFile(t, path, content)
	}
}

// runSQL runs SQL on a file, without KOTA.
func runSQL(t *testing.T, path, statements string) {
	t.Helper()
	db, err := sql.Open("sqlite", path)
	mustSucceed(t, err)
	_, err = db.Exec(statements)
	mustSucceed(t, err)
	mustSucceed(t, db.Close())
}

// filesBeside returns the files whose names begin like the database's, with their
// content.
func filesBeside(t *testing.T, path string) map[string]string {
	t.Helper()
	names, err := filepath.Glob(path + "*")
	mustSucceed(t, err)
	found := map[string]string{}
	for _, name := range names {
		content, err := os.ReadFile(name)
		if err != nil {
			content = []byte(err.Error()) // a folder, and a dangling link
		}
		found[filepath.Base(name)] = string(content)
	}
	return found
}

func sortedNames(m map[string]string) []string {
	var names []string
	for name := range m {
		names = append(names, name)
	}
	return names
}

func mustSucceed(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
