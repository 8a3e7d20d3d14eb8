package mcpserver

import (
	"context"
	"encoding/json"
	"io"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
	"golang.org/x/tools/txtar"

	"kota/bundles"
	"kota/bundles/stagedtest"
	"kota/entrypoint/pipeline"
	"kota/entrypoint/wiretest"
)

// TestStagedWire plays the conversations of testdata/wire/staged: a bundle with a staged
// action, over one database. Each session has its own server, like a client's own
// process, with a listing that follows the stages.
func TestStagedWire(t *testing.T) {
	wiretest.Play(t, filepath.Join("testdata", "wire", "staged"), *update, func(t testing.TB, archive *txtar.Archive) wiretest.Serve {
		notes := stagedtest.Open(t, func() time.Time { return time.Date(2026, 3, 14, 9, 26, 53, 0, time.UTC) })
		return func(ctx context.Context, in io.Reader, out io.Writer) error {
			r, err := pipeline.New(pipeline.Options{Bundles: []bundles.Bundle{notes}})
			if err != nil {
				return err
			}
			o := Options{Version: "test", Expose: ExposeCore, CoreTools: []string{"notes_write"}}
			for _, file := range archive.Files {
				o.StagedListing = o.StagedListing || file.Name == "staged listing"
			}
			return New(r, o).ServeStdio(ctx, in, out, quiet)
		}
	})
}

// A testClient is one of several clients of a server, as over HTTP.
type testClient struct {
	*clientSession
	t             *testing.T
	server        *server.MCPServer
	notifications chan mcp.JSONRPCNotification
}

func (c *testClient) NotificationChannel() chan<- mcp.JSONRPCNotification { return c.notifications }

// connect registers a client of 2025-11-25 with the server.
func connect(t *testing.T, s *server.MCPServer, id string) *testClient {
	t.Helper()
	c := &testClient{clientSession: &clientSession{id: id}, t: t, server: s, notifications: make(chan mcp.JSONRPCNotification, 8)}
	if err := s.RegisterSession(t.Context(), c); err != nil {
		t.Fatal(err)
	}
	c.roundTrip(`"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c","version":"1"}}`)
	c.Initialize()
	return c
}

// roundTrip sends a request and returns the JSON of the answer.
func (c *testClient) roundTrip(method string) string {
	c.t.Helper()
	answer := c.server.HandleMessage(c.server.WithContext(c.t.Context(), c), json.RawMessage(`{"jsonrpc":"2.0","id":1,"method":`+method+`}`))
	raw, err := json.Marshal(answer)
	if err != nil || strings.Contains(string(raw), `"error"`) || strings.Contains(string(raw), `"isError"`) {
		c.t.Fatalf("%s: %s, %v", method, raw, err)
	}
	return string(raw)
}

func (c *testClient) write(args string) string {
	c.t.Helper()
	return c.roundTrip(`"tools/call","params":{"name":"notes_write","arguments":` + args + `}`)
}

// listChanges returns how many notifications of a changed listing the client got.
func (c *testClient) listChanges() int {
	count := 0
	for len(c.notifications) > 0 {
		if note := <-c.notifications; note.Method == "notifications/tools/list_changed" {
			count++
		}
	}
	return count
}

const (
	list       = `"tools/list"`
	modernList = `"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"c","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}}`
)

func notesServer(t *testing.T, o Options) *server.MCPServer {
	t.Helper()
	notes := stagedtest.Open(t, time.Now)
	r, err := pipeline.New(pipeline.Options{Bundles: []bundles.Bundle{notes}})
	if err != nil {
		t.Fatal(err)
	}
	return New(r, o).mcp
}

func TestStagedListing(t *testing.T) {
	plain := connect(t, notesServer(t, Options{Expose: ExposeAll}), "plain")
	frozen, modern := plain.roundTrip(list), plain.roundTrip(modernList)
	staged := func(t *testing.T) *server.MCPServer {
		return notesServer(t, Options{Expose: ExposeAll, StagedListing: true})
	}

	t.Run("never changes where it was not asked for", func(t *testing.T) {
		plain.write(`{"type": "idea"}`)
		if got := plain.roundTrip(list); got != frozen || plain.listChanges() != 0 {
			t.Errorf("it lists %s", got)
		}
	})
	t.Run("is the frozen one before a call, and when the flow has ended", func(t *testing.T) {
		ann := connect(t, staged(t), "ann")
		if got := ann.roundTrip(list); got != frozen {
			t.Errorf("before, it lists %s", got)
		}
		for i, args := range []string{`{"type": "idea"}`, `{"type": "idea", "answers": {"text": "x"}}`} {
			ann.write(args)
			if same := ann.roundTrip(list) == frozen; same != (i == 1) || ann.listChanges() != 1 {
				t.Errorf("%s: the frozen listing: %t", args, same)
			}
		}
	})
	t.Run("is each session's own", func(t *testing.T) {
		s := staged(t)
		ann, bob := connect(t, s, "ann"), connect(t, s, "bob")
		ann.write(`{"type": "idea"}`)
		bob.write(`{}`)
		of := map[*testClient]string{ann: ann.roundTrip(list), bob: bob.roundTrip(list)}
		if !strings.Contains(of[ann], "in the user's words") || strings.Contains(of[bob], "in the user's words") || !strings.Contains(of[bob], `"enum":["minutes","idea"]`) {
			t.Errorf("ann sees %s\nbob sees %s", of[ann], of[bob])
		}
		if ann.listChanges() != 1 || bob.listChanges() != 1 {
			t.Error("each session must get one notification")
		}
		if got := connect(t, s, "carl").roundTrip(list); got != frozen {
			t.Errorf("carl, who comes new, sees %s", got)
		}
	})
	t.Run("is the frozen one for requests of 2026-07-28", func(t *testing.T) {
		ann := connect(t, staged(t), "ann")
		ann.write(`{"type": "idea"}`)
		if got := ann.roundTrip(modernList); got != modern {
			t.Errorf("it lists %s", got)
		}
	})
	t.Run("is the frozen one where sessions have no id", func(t *testing.T) {
		nobody := connect(t, staged(t), "")
		nobody.write(`{"type": "idea"}`)
		if got := nobody.roundTrip(list); got != frozen || nobody.listChanges() != 0 {
			t.Errorf("it lists %s", got)
		}
	})
	t.Run("follows calls through the entry point", func(t *testing.T) {
		ann := connect(t, staged(t), "ann")
		ann.roundTrip(`"tools/call","params":{"name":"kota_entry_point","arguments":{"bundle":"notes","action":"write","args":{"type":"idea"}}}`)
		if got := ann.roundTrip(list); !strings.Contains(got, "in the user's words") || ann.listChanges() != 1 {
			t.Errorf("it lists %s", got)
		}
	})
	t.Run("tells nothing of a tool that is not listed", func(t *testing.T) {
		ann := connect(t, notesServer(t, Options{Expose: ExposeDiscovery, StagedListing: true}), "ann")
		before := ann.roundTrip(list)
		ann.write(`{"type": "idea"}`)
		if ann.roundTrip(list) != before || ann.listChanges() != 0 {
			t.Error("it changed")
		}
	})
	t.Run("is forgotten with the session", func(t *testing.T) {
		s := staged(t)
		ann := connect(t, s, "ann")
		ann.write(`{"type": "idea"}`)
		s.UnregisterSession(t.Context(), "ann")
		if got := connect(t, s, "ann").roundTrip(list); got != frozen {
			t.Errorf("the next of that id sees %s", got)
		}
	})
	t.Run("is promised to the sessions that have it", func(t *testing.T) {
		ann := connect(t, staged(t), "ann")
		discover := strings.Replace(modernList, "tools/list", "server/discover", 1)
		if got := ann.roundTrip(discover); strings.Contains(got, "listChanged") {
			t.Errorf("2026-07-28 is promised %s", got)
		}
		hello := `"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"c","version":"1"}}`
		if got := ann.roundTrip(hello); !strings.Contains(got, `"listChanged":true`) {
			t.Errorf("2025-06-18 is promised %s", got)
		}
	})
}
