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

// The names of the sections of a conversation.
const (
	client     = "client"          // lines that the client sends at once
	clientEnds = "client hangs up" // lines that the client sends at once, and then the end of the input
	server     = "server"          // the answers
	second     = "second "         // prefix of the names for the sections of another session
)

// Play plays every txtar archive in dir, each with its own server. It compares the server's
// answers byte for byte, except for white space. With update it rewrites the archives
// instead.
//
// Play sends all lines of a "client" section at once. The next "server" section has
// the answers that arrive before the server waits for more. A "client hangs up" section also
// ends the input. The last "server" section includes the answers after the end of the input.
//
// "second client" and "second server" belong to a separate session, for which Play calls
// Serve again. Instead of the random handles of staged actions, archives have s_1, s_2 and so
// on. Other sections are for newServer, which runs inside a bubble of testing/synctest: no
// wait takes real time, and the clock starts at 2000-01-01.
func Play(t *testing.T, dir string, update bool, newServer func(testing.TB, *txtar.Archive) Serve) {
	forEach(t, dir, func(t *testing.T, path string, archive *txtar.Archive) {
		played := &txtar.Archive{Comment: archive.Comment}
		synctest.Test(t, func(t *testing.T) {
			serve := newServer(t, archive)
			played.Files = converse(t, archive.Files, func() Connection { return inBubble{Start(t, serve)} })
		})
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

// forEach runs a parallel test for every archive in dir.
func forEach(t *testing.T, dir string, test func(t *testing.T, path string, archive *txtar.Archive)) {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(dir, "*.txtar"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("no conversations in %s (%v)", dir, err)
	}
	for _, path := range paths {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) {
			t.Parallel()
			archive, err := txtar.ParseFile(path)
			if err != nil {
				t.Fatal(err)
			}
			test(t, path, archive)
		})
	}
}

// A session is a client's session in a conversation.
type session struct {
	Connection
	answer int // index of its last server section in the played sections
}

// converse plays the client sections. It returns the sections with the actual answers.
func converse(t *testing.T, sections []txtar.File, connect func() Connection) []txtar.File {
	sessions := map[string]*session{} // by the prefix of their sections
	var played []txtar.File
	var names Handles
	for i, section := range sections {
		name, which := section.Name, ""
		if rest, other := strings.CutPrefix(name, second); other {
			name, which = rest, second
		}
		if name == server {
			continue
		}
		played = append(played, section)
		if name != client && name != clientEnds {
			continue
		}
		s := sessions[which]
		if s == nil {
			s = &session{Connection: connect()}
			sessions[which] = s
		}
		s.Send(names.Real(string(section.Data)))
		if name == clientEnds {
			s.CloseInput()
		}
		s.answer = len(played)
		expected := 0
		if next := i + 1; next < len(sections) && sections[next].Name == which+server {
			expected = len(sortedMessages(t, sections[next].Data))
		}
		played = append(played, txtar.File{Name: which + server, Data: pretty(t, s.Received(expected), &names)})
	}
	if len(sessions) == 0 {
		t.Fatal("nobody says anything")
	}
	for _, which := range []string{"", second} {
		if s := sessions[which]; s != nil {
			s.End()
			played[s.answer].Data = append(played[s.answer].Data, pretty(t, s.Received(0), &names)...)
		}
	}
	return played
}

func pretty(t testing.TB, lines []string, names *Handles) []byte {
	var all bytes.Buffer
	for _, line := range lines {
		if err := json.Indent(&all, []byte(names.Name(line)), "", "  "); err != nil {
			t.Fatalf("%q is not JSON: %v", line, err)
		}
		all.WriteByte('\n')
	}
	return all.Bytes()
}
