package wiretest

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"
)

// Names of the sections of a conversation.
const (
	client     = "client"          // lines sent at once
	clientEnds = "client hangs up" // the same, and the input ends before any answer is read
	server     = "server"          // what comes back
)

// Play plays every txtar archive in dir, each with a server of its own, and
// compares what it answers, byte for byte but for white space. With update it
// rewrites the archives instead.
//
// Each "client" section is sent at once, line by line; the "server" section
// after it holds what comes back before the server waits for more. A "client
// hangs up" section also ends the input. The last "server" section holds what
// comes after the end of the input as well. Other sections are for newServer,
// which is called inside a bubble of testing/synctest: nothing is waited for
// in earnest, and now is 2000-01-01.
func Play(t *testing.T, dir string, update bool, newServer func(testing.TB, *txtar.Archive) Serve) {
	paths, err := filepath.Glob(filepath.Join(dir, "*.txtar"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("no conversations in %s (%v)", dir, err)
	}
	for _, path := range paths {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(path)
			if err != nil {
				t.Fatal(err)
			}
			played := &txtar.Archive{Comment: archive.Comment}
			synctest.Test(t, func(t *testing.T) { played.Files = converse(t, archive.Files, newServer(t, archive)) })
			if update {
				if err := os.WriteFile(path, txtar.Format(played), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			if diff := cmp.Diff(string(txtar.Format(archive)), string(txtar.Format(played))); diff != "" {
				t.Errorf("%s (-want +got, -update rewrites it):\n%s", path, diff)
			}
		})
	}
}

// converse returns the sections as they came out.
func converse(t *testing.T, sections []txtar.File, serve Serve) []txtar.File {
	w := Start(t, serve)
	var played []txtar.File
	answer := -1 // index of the last server section
	for _, section := range sections {
		if section.Name == server {
			continue
		}
		played = append(played, section)
		if section.Name != client && section.Name != clientEnds {
			continue
		}
		w.Send(string(section.Data))
		if section.Name == clientEnds {
			w.HangUp()
		}
		answer = len(played)
		played = append(played, txtar.File{Name: server, Data: pretty(t, w.Received())})
	}
	w.End()
	if answer < 0 {
		t.Fatal("nobody says anything")
	}
	played[answer].Data = append(played[answer].Data, pretty(t, w.Received())...)
	return played
}

func pretty(t testing.TB, lines []string) []byte {
	var all bytes.Buffer
	for _, line := range lines {
		if err := json.Indent(&all, []byte(line), "", "  "); err != nil {
			t.Fatalf("%q is not JSON: %v", line, err)
		}
		all.WriteByte('\n')
	}
	return all.Bytes()
}
