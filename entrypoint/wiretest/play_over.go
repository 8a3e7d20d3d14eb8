package wiretest

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"
)

// A Connection is a client's connection to a server that PlayOver plays with.
type Connection interface {
	// Send sends lines. Each is a message.
	Send(lines string)
	// Received returns the messages since its last call. It waits until there are this many.
	Received(count int) []string
	CloseInput()
	End()
}

type inBubble struct{ *Wire }

func (b inBubble) Received(int) []string { return b.Wire.Received() }

// PlayOver plays every txtar archive in dir like Play, but outside of a bubble and with connections
// to the server of newServer. The messages of a section may arrive in another order.
func PlayOver(t *testing.T, dir string, newServer func(*testing.T, *txtar.Archive) (connect func() Connection)) {
	forEach(t, dir, func(t *testing.T, _ string, archive *txtar.Archive) {
		played := converse(t, archive.Files, newServer(t, archive))
		if len(played) != len(archive.Files) {
			t.Fatalf("a client section has no server section after it")
		}
		for i, section := range archive.Files {
			if !strings.HasSuffix(section.Name, server) {
				continue
			}
			if diff := cmp.Diff(sortedMessages(t, section.Data), sortedMessages(t, played[i].Data)); diff != "" {
				t.Errorf("section %d (-want +got):\n%s", i+1, diff)
			}
		}
	})
}

func sortedMessages(t *testing.T, section []byte) (messages []string) {
	for all := json.NewDecoder(bytes.NewReader(section)); all.More(); {
		var message json.RawMessage
		if err := all.Decode(&message); err != nil {
			t.Fatal(err)
		}
		messages = append(messages, string(message))
	}
	slices.Sort(messages)
	return messages
}
