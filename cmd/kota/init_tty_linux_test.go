package main

import (
	"bytes"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"kota/bundles/bundletest"
)

// newGuidedHome returns a home for `kota init` on a terminal: the user's folder has
// Cursor, and a browser follows Google's sign-in.
func newGuidedHome(t *testing.T) (d *testHome, user string) {
	t.Helper()
	d, user = newTestHome(t), t.TempDir()
	if err := os.MkdirAll(filepath.Join(user, ".cursor"), 0o700); err != nil {
		t.Fatal(err)
	}
	d.terminalEnv = []string{"HOME=" + user, "XDG_CONFIG_HOME="}
	d.google.SetConsent(bundletest.GoogleConsent{User: ann})
	d.followSignIns()
	return d, user
}

// followSignIns opens each sign-in address that a program on the terminal shows.
func (d *testHome) followSignIns() {
	address := regexp.MustCompile(regexp.QuoteMeta(d.google.URL()) + `\S+\s`)
	var browsers sync.WaitGroup
	d.t.Cleanup(browsers.Wait)
	followed := map[string]bool{}
	d.screen = func(screen string) {
		for _, shown := range address.FindAllString(screen, -1) {
			if shown = strings.TrimSpace(shown); !followed[shown] {
				followed[shown] = true
				browsers.Go(func() {
					if answer, err := http.Get(shown); err == nil { // the test sees on the terminal what came of it
						answer.Body.Close()
					}
				})
			}
		}
	}
}

// download writes a file into the user's folder for downloads.
func download(t *testing.T, user, name string, content []byte) string {
	t.Helper()
	folder := filepath.Join(user, "Downloads")
	if err := os.MkdirAll(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	writeFile(t, filepath.Join(folder, name), content)
	return filepath.Join(folder, name)
}

func checkShows(t *testing.T, seen string, wants ...string) {
	t.Helper()
	for _, want := range wants {
		if !strings.Contains(strings.ReplaceAll(seen, "\r\n", "\n"), want) {
			t.Errorf("the terminal does not show %q:\n%s", want, seen)
		}
	}
}

// A new user answers the questions, and has a client and Google. The second time
// nothing changes.
func TestInitSetsEverythingUpOnTerminal(t *testing.T) {
	t.Parallel()
	d, user := newGuidedHome(t)
	file := download(t, user, "client_secret_1.json", d.google.ClientFile())
	answers := []string{"", "", "y", "", "", "", "", "", "", "", ""} // Cursor, the test call, Google, five steps, the file, the calendar, no contacts
	seen, status := d.runOnTerminal(answers, "init", "--no-browser")
	if status != 0 {
		t.Errorf("ends with %d", status)
	}
	checkShows(t, seen, "Connect Cursor? [Y/n, q: stop]", "Cursor will start KOTA.", "memory_list answers.", "1. Create a project\n", "https://console.cloud.google.com/projectcreate",
		"5. Download its JSON file\n", "Use "+file+", of ", "You can delete "+file, "calendar is on now, in ", "Switch contacts on for your assistant? [y/N, q: stop]", "Signed in as "+ann, "gmail_list_labels answers.", "calendar_list_calendars answers.")
	files := []string{filepath.Join(user, ".cursor", "mcp.json"), filepath.Join(d.home, "bundles.yaml"), filepath.Join(d.home, "google-client.json")}
	var before [][]byte
	for _, name := range files {
		before = append(before, readFile(t, name))
	}
	seen, status = d.runOnTerminal([]string{"n"}, "init", "--no-browser")
	if status != 0 {
		t.Errorf("the second time ends with %d", status)
	}
	checkShows(t, seen, "Cursor starts KOTA already.", "Left out:\n  - the test call: `kota call memory_list`", "Signed in as "+ann)
	for i, name := range files {
		if !bytes.Equal(readFile(t, name), before[i]) {
			t.Errorf("the second time changed %s", name)
		}
	}
}

func TestInitCanBeStoppedAndSkipped(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		answers []string
		status  int
		shows   string
	}{
		"Ctrl-C":       {[]string{ctrlC}, 1, "stopped; what was done stays. Run `kota init` again to go on"},
		"Ctrl-D":       {[]string{"n", ctrlD}, 1, "stopped; what was done stays. Run `kota init` again to go on"},
		"q":            {[]string{"n", "n", "Q"}, 1, "stopped; what was done stays. Run `kota init` again to go on"},
		"in the steps": {[]string{"n", "n", "y", "", "q"}, 1, "2. Enable the APIs"},
		"no to all":    {[]string{"n", "maybe", "n", "n"}, 0, "\"maybe\" is not y, n or q.\n"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d, user := newGuidedHome(t)
			seen, status := d.runOnTerminal(c.answers, "init", "--no-browser")
			if status != c.status {
				t.Errorf("ends with %d, want %d", status, c.status)
			}
			checkShows(t, seen, c.shows)
			if names, err := os.ReadDir(filepath.Join(user, ".cursor")); err != nil || len(names) > 0 {
				t.Errorf("a skipped client was changed: %v, %v", names, err)
			}
		})
	}
}

// Each wrong file is refused with its reason, and the question comes again.
func TestAuthSetupAsksAgainAfterWrongFile(t *testing.T) {
	t.Parallel()
	d, user := newGuidedHome(t)
	other := t.TempDir()
	write := func(name string, content string) string {
		writeFile(t, filepath.Join(other, name), []byte(content))
		return filepath.Join(other, name)
	}
	right := filepath.Join(other, "my client.json")
	writeFile(t, right, d.google.ClientFile())
	answers := []string{
		"s", "", // there is no folder Downloads, also not when it looks again
		write("service.json", `{"type": "service_account"}`), write("empty.json", ""), write("large.json", strings.Repeat(" ", 10<<20)), other,
		filepath.Join(other, "nowhere.json"), write("web.json", `{"web": {"client_id": "x"}}`), write("noise.json", "\x00\xff{"),
		"'" + right + "'", "n", "",
	}
	seen, status := d.runOnTerminal(answers, "auth", "setup", "--no-browser")
	if status != 0 {
		t.Errorf("ends with %d", status)
	}
	checkShows(t, seen, filepath.Join(user, "Downloads")+" has no client_secret*.json.", "This is the key of a service account", "The file is empty.", "has more than 65536 bytes",
		other+" is a folder; name a file", "there is no file "+filepath.Join(other, "nowhere.json"), `of the type "Web application"`, "not the JSON of an OAuth client",
		"Stored the OAuth client ", "Signed in as "+ann, "gmail_list_labels answers.")
	if strings.Contains(seen, "calendar_list_calendars") {
		t.Errorf("a bundle that stays off was called:\n%s", seen)
	}
}

// A refused consent stores no sign-in, and the next run goes on with the client.
func TestAuthSetupGoesOnAfterRefusedConsent(t *testing.T) {
	t.Parallel()
	d, user := newGuidedHome(t)
	file := download(t, user, "client_secret_1.json", d.google.ClientFile())
	d.google.SetConsent(bundletest.GoogleConsent{User: ann, Deny: true})
	if seen, status := d.runOnTerminal([]string{"n", ""}, "auth", "setup", "--no-browser", file); status != 1 || strings.Contains(seen, "Signed in") {
		t.Errorf("a refused consent ends with %d:\n%s", status, seen)
	}
	d.google.SetConsent(bundletest.GoogleConsent{User: ann, Untick: []string{settingsScope}})
	seen, status := d.runOnTerminal([]string{"", "n", ""}, "auth", "setup", "--no-browser")
	if status != 0 {
		t.Errorf("ends with %d", status)
	}
	checkShows(t, seen, "is stored. Keep it? [Y/n, q: stop]", "Signed in as "+ann, "Not granted: change filters", "gmail_list_labels answers.")
	seen, status = d.runOnTerminal([]string{"", "n", "", ""}, "auth", "setup", "--no-browser")
	if status != 0 {
		t.Errorf("once more ends with %d", status)
	}
	checkShows(t, seen, "Signed in as "+ann+". Sign in again, or to another account? [y/N, q: stop]", "gmail_list_labels answers.")
}

// Without --no-browser, o opens the page of a step, and the sign-in opens by itself.
func TestAuthSetupOpensPages(t *testing.T) {
	t.Parallel()
	d, user := newGuidedHome(t)
	download(t, user, "client_secret_1.json", d.google.ClientFile())
	programs, opened := t.TempDir(), filepath.Join(t.TempDir(), "opened")
	if err := os.WriteFile(filepath.Join(programs, "xdg-open"), []byte("#!/bin/sh\necho \"$1\" >>'"+opened+"'\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	d.terminalEnv = append(d.terminalEnv, "PATH="+programs+":"+os.Getenv("PATH"))
	seen, status := d.runOnTerminal([]string{"", "o", "", "s", "", "n", ""}, "auth", "setup")
	if status != 0 {
		t.Errorf("ends with %d", status)
	}
	checkShows(t, seen, "o: open the page", "Signed in as "+ann)
	pages := string(readFile(t, opened))
	if !strings.HasPrefix(pages, "https://console.cloud.google.com/flows/enableapi?apiid=gmail") || strings.Contains(pages, "projectcreate") {
		t.Errorf("opened were\n%s", pages)
	}
}
