package main

import (
	"bytes"
	"database/sql"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kota/bundles/bundletest"
)

// callTool calls a tool while nothing else is under way. It returns the text of
// the answer and whether it is an error.
func (p *process) callTool(tool string, args any) (text string, failed bool) {
	p.t.Helper()
	p.send(toolCall(tool, tool, args))
	for {
		m, more := p.next()
		if !more {
			p.t.Fatalf("%s is not answered; stderr: %s", tool, p.stderr.String())
		}
		if m.ID == tool {
			result := m.call(p.t)
			return result.text(), result.IsError
		}
	}
}

// checkAnswer checks that the tool's answer contains the text.
func (p *process) checkAnswer(tool string, args any, want string) {
	p.t.Helper()
	if text, failed := p.callTool(tool, args); failed || !strings.Contains(text, want) {
		p.t.Errorf("%s: got %s, want %q", tool, text, want)
	}
}

// checkError checks for an error of that code with a hint.
func (p *process) checkError(tool string, args any, code string) {
	p.t.Helper()
	text, failed := p.callTool(tool, args)
	if !failed || !strings.Contains(text, `"error":"`+code+`"`) || !strings.Contains(text, `"hint":"`) {
		p.t.Errorf("%s: got %s, want %s with what to do", tool, text, code)
	}
}

// checkUnavailable checks that exactly these bundles are shown as unavailable.
func (p *process) checkUnavailable(unavailable ...string) {
	p.t.Helper()
	for _, key := range []string{"memory", "daily", "gmail", "calendar"} {
		text, failed := p.callTool("kota_describe_bundle", object{"bundle": key, "detail": "brief"})
		if got := strings.Contains(text, `"unavailable":"`); failed || got != strings.Contains(strings.Join(unavailable, " "), key) {
			p.t.Errorf("%s is said to be unavailable: %v: %.400s", key, got, text)
		}
	}
	text, _ := p.callTool("kota_discover_bundles", object{})
	if got := strings.Count(text, `"unavailable":"`); got != len(unavailable) || len(unavailable) > 0 && !strings.Contains(text, "un `kota ") && !strings.Contains(text, "un: chmod ") {
		p.t.Errorf("%d bundles are unavailable, want %q with what to run: %s", got, unavailable, text)
	}
}

func TestBrokenDatabaseLeavesOtherBundlesWorking(t *testing.T) {
	d := newCalendarHome(t, "")
	d.google.User(ann).Deliver(bundletest.GoogleMail{From: bob, Subject: "Lunch"})
	d.google.User(ann).AddEvent("primary", hourEvent(10, "Standup"))
	d.mustCall("memory_set", object{"key": "theme", "value": "dark"})
	file := filepath.Join(d.home, "kota.db")
	whole, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	alter := func(statement string) func() {
		return func() {
			db, err := sql.Open("sqlite", file)
			if err != nil {
				t.Fatal(err)
			}
			defer db.Close()
			if _, err := db.Exec(statement); err != nil {
				t.Fatal(err)
			}
		}
	}
	for name, damage := range map[string]func(){
		"no database":           func() { writeFile(t, file, bytes.Repeat([]byte("no database. "), 1000)) },
		"damaged pages":         func() { writeFile(t, file, append(bytes.Clone(whole[:100]), bytes.Repeat([]byte{0xff}, 20_000)...)) },
		"half of it":            func() { writeFile(t, file, whole[:len(whole)/2]) },
		"of a later KOTA":       alter("PRAGMA user_version = 9999"),
		"of another program":    func() { os.Remove(file); alter("PRAGMA application_id = 7; CREATE TABLE theirs (a)")() },
		"a folder in its place": func() { os.Remove(file); os.MkdirAll(filepath.Join(file, "x"), 0o700) },
		"gone":                  func() { os.Remove(file) },
		"emptied":               func() { os.Truncate(file, 0) },
		"a link to nothing":     func() { os.Remove(file); os.Symlink(file+".none", file) },
	} {
		t.Run(name, func(t *testing.T) {
			repair := func() {
				for _, path := range []string{file, file + "-wal", file + "-shm"} {
					if err := os.RemoveAll(path); err != nil {
						t.Fatal(err)
					}
				}
				writeFile(t, file, whole)
			}
			repair()
			damage()
			damaged, _ := os.ReadFile(file) // a folder has no bytes
			p := serveIn(t, d.home)
			p.checkError("memory_get", object{"query": "theme"}, "UNAVAILABLE")
			p.checkError("daily_log", object{"text": "lunch"}, "UNAVAILABLE")
			p.checkUnavailable("memory", "daily")
			p.checkAnswer("gmail_search_messages", object{"query": "lunch"}, "Lunch")
			p.checkAnswer("calendar_list_events", object{"from": someday, "to": someday}, "Standup")
			if out, _, status := d.run("doctor"); status != 1 || !strings.Contains(out, "FAIL  database") && !strings.Contains(out, "FAIL  integrity") {
				t.Errorf("the doctor ends with %d:\n%s", status, out)
			}
			if now, _ := os.ReadFile(file); !bytes.Equal(now, damaged) {
				t.Error("what was there was overwritten")
			}
			repair() // repaired: no restart is needed
			p.checkAnswer("memory_get", object{"query": "theme"}, "dark")
			p.checkAnswer("daily_log", object{"text": "lunch"}, `"ids":[`)
			p.checkUnavailable()
			p.end()
		})
	}
}

// While another program has the file exclusively, only the calls that need it
// wait. If nobody may read the file, those calls fail at once.
func TestLockedDatabaseDelaysOnlyItsOwnCalls(t *testing.T) {
	t.Parallel()
	d := newCalendarHome(t, "")
	d.google.User(ann).AddEvent("primary", hourEvent(10, "Standup"))
	d.mustCall("memory_set", object{"key": "theme", "value": "dark"})
	other, err := sql.Open("sqlite", filepath.Join(d.home, "kota.db")+"?_pragma=locking_mode(EXCLUSIVE)")
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	other.SetMaxOpenConns(1)
	if _, err := other.Exec("BEGIN EXCLUSIVE; COMMIT"); err != nil { // the mode keeps the lock
		t.Fatal(err)
	}
	p := serveIn(t, d.home)
	p.send(toolCall("waits", "memory_get", object{"query": "theme"}))
	p.checkAnswer("calendar_list_events", object{"from": someday, "to": someday}, "Standup")
	p.checkAnswer("kota_discover_bundles", object{"query": "remember"}, "another program has locked the database")
	if err := other.Close(); err != nil {
		t.Fatal(err)
	}
	for {
		m, more := p.next()
		if !more {
			t.Fatalf("it is not answered; stderr: %s", p.stderr.String())
		}
		if m.ID == "waits" {
			if text := m.call(t).text(); !strings.Contains(text, "dark") {
				t.Errorf("once the lock is gone it answers %s", text)
			}
			break
		}
	}
	p.end()
}

func TestUnreadableDatabaseLeavesOtherBundlesWorking(t *testing.T) {
	if os.Getuid() == 0 {
		t.Skip("root may read every file")
	}
	d := newCalendarHome(t, "")
	d.google.User(ann).AddEvent("primary", hourEvent(10, "Standup"))
	d.mustCall("memory_set", object{"key": "theme", "value": "dark"})
	file := filepath.Join(d.home, "kota.db")
	if err := os.Chmod(file, 0); err != nil {
		t.Fatal(err)
	}
	p := serveIn(t, d.home)
	p.checkError("memory_get", object{"query": "theme"}, "UNAVAILABLE")
	p.checkAnswer("calendar_list_events", object{"from": someday, "to": someday}, "Standup")
	p.checkUnavailable("memory", "daily")
	if err := os.Chmod(file, 0o600); err != nil {
		t.Fatal(err)
	}
	p.checkAnswer("memory_get", object{"query": "theme"}, "dark")
	p.end()
}

func TestBrokenSignInLeavesOtherBundlesWorking(t *testing.T) {
	for name, damage := range map[string]func(t *testing.T, d *testHome, file string){
		"half a token": func(t *testing.T, _ *testHome, file string) {
			raw, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			writeFile(t, file, raw[:len(raw)/2])
		},
		"no byte of it": func(t *testing.T, _ *testHome, file string) { writeFile(t, file, nil) },
		"others may read it": func(t *testing.T, _ *testHome, file string) {
			if err := os.Chmod(file, 0o644); err != nil {
				t.Fatal(err)
			}
		},
		"revoked": func(_ *testing.T, d *testHome, _ string) { d.google.RevokeGrants(ann) },
		"gone":    func(_ *testing.T, _ *testHome, file string) { os.Remove(file) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newCalendarHome(t, "")
			files, err := filepath.Glob(filepath.Join(d.home, "tokens", "*@*.json"))
			if err != nil || len(files) != 1 {
				t.Fatalf("the token is in %q, %v", files, err)
			}
			damage(t, d, files[0])
			p := serveIn(t, d.home)
			p.checkError("gmail_search_messages", object{"query": "lunch"}, "SIGN_IN_REQUIRED")
			p.checkError("calendar_list_events", object{"from": someday, "to": someday}, "SIGN_IN_REQUIRED")
			p.checkUnavailable("gmail", "calendar")
			p.checkAnswer("memory_set", object{"key": "theme", "value": "dark"}, "theme")
			p.checkAnswer("daily_log", object{"text": "lunch"}, `"ids":[`)
			if _, _, stderr, status := d.signIn(bundletest.GoogleConsent{User: ann}); status != 0 {
				t.Fatal(stderr)
			}
			p.checkAnswer("gmail_search_messages", object{"query": "lunch"}, "messages")
			p.checkUnavailable()
			p.end()
		})
	}
}
